// SPDX-License-Identifier: GPL-2.0-only
#include "units/config-error.h"

#include "units/utf8.h"

namespace geotrain
{

namespace
{

// Bytes of a part of a message that are shown; a hostile input may have millions in one label.
constexpr std::size_t mostOfValue = 100;
constexpr std::size_t mostOfOthers = 1000;

/// Returns the text with control characters as a C string has them, since a message is one line.
std::string
Printable(const std::string& text)
{
    const std::string digits = "0123456789abcdef";
    std::string printable;
    for (const char letter : text)
    {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == '\n')
        {
            printable += "\\n";
        }
        else if (code < 0x20 || code == 0x7f)
        {
            printable += std::string("\\x") + digits[code / 16] + digits[code % 16];
        }
        else
        {
            printable += letter;
        }
    }
    return printable;
}

/// Returns the text, or its first bytes and its size.
std::string
Shown(const std::string& text, std::size_t most)
{
    if (text.size() <= most)
    {
        return Printable(text);
    }
    return Printable(std::string(TakeBytes(text, most))) + "... (" + std::to_string(text.size()) +
           " bytes)";
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
        line += Shown(file, mostOfOthers) + ": ";
    }
    if (!field.empty())
    {
        line += Shown(field, mostOfOthers) + ": ";
    }
    if (!value.empty())
    {
        line += "\"" + Shown(value, mostOfValue) + "\" ";
    }
    return line + Shown(rule, mostOfOthers);
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
