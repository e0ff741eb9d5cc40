// SPDX-License-Identifier: GPL-2.0-only
#include "units/config-error.h"

namespace geotrain
{

namespace
{

std::string
Line(const std::string& file,
     const std::string& field,
     const std::string& value,
     const std::string& rule)
{
    std::string line;
    if (!file.empty())
    {
        line += file + ": ";
    }
    if (!field.empty())
    {
        line += field + ": ";
    }
    if (!value.empty())
    {
        line += "\"" + value + "\" ";
    }
    return line + rule;
}

} // namespace

ConfigError::ConfigError(const std::string& file,
                         const std::string& field,
                         const std::string& value,
                         const std::string& rule)
    : std::runtime_error(Line(file, field, value, rule))
{
}

} // namespace geotrain
