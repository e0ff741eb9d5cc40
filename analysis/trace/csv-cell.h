// SPDX-License-Identifier: GPL-2.0-only
// Writes a text as a cell of a CSV file.
#pragma once

#include <string>

namespace geotrain
{

/// Returns the text, quoted where it must be (RFC 4180, section 2).
inline std::string
CsvCell(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
    {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text)
    {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

} // namespace geotrain
