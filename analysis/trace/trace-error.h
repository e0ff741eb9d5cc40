// What is wrong with a trace or a result file, in one line that names the file and the rule.
#pragma once

#include <stdexcept>
#include <string>

namespace geotrain
{

class TraceError : public std::runtime_error
{
  public:
    /// `run/trace.pb: is not a gzip stream`.
    TraceError(const std::string& file, const std::string& rule)
        : std::runtime_error(file + ": " + rule)
    {
    }
};

} // namespace geotrain
