// SPDX-License-Identifier: GPL-2.0-only
// Says in one line what is wrong with a trace or a result file; the line names the file and the
// rule.
#pragma once

#include <stdexcept>
#include <string>

namespace geotrain
{

/// A TraceError is thrown for a file that breaks a rule.
class TraceError : public std::runtime_error
{
  public:
    /// Composes a text such as `run/trace.pb: is not a gzip stream`.
    TraceError(const std::string& file, const std::string& rule)
        : std::runtime_error(file + ": " + rule)
    {
    }
};

} // namespace geotrain
