// SPDX-License-Identifier: GPL-2.0-only
#include "units/config-error.h"

namespace geotrain
{

namespace
{

// Bytes of a value that a message shows; a hostile input may have millions in one label.
constexpr std::size_t mostShown = 1000;

/// Returns the text, or its first bytes, which end at a whole character of UTF-8, and its size.
std::string
Shown(const std::string& value)
{
    if (value.size() <= mostShown)
    {
        return value;
    }
    std::size_t end = mostShown;
    while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0) == 0x80)
    {
        --end;
    }
    return value.substr(0, end) + "... (" + std::to_string(value.size()) + " bytes)";
}

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
        line += "\"" + Shown(value) + "\" ";
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
