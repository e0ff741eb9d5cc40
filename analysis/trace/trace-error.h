// SPDX-License-Identifier: GPL-2.0-only
// Defines the error for a trace or a result file. Its text is one line that names the file and the
// rule that it breaks.
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
