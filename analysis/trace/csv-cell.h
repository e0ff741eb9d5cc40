// SPDX-License-Identifier: GPL-2.0-only
// Writes a text as a cell of a CSV file.
#pragma once

#include <cstdlib>
#include <string>

namespace geotrain
{

/// Returns whether a spreadsheet may take the text for a formula.
inline bool
LooksLikeFormula(const std::string& text)
{
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    const bool isNumber = !text.empty() && *end == '\0';
    return !isNumber && std::string("=@+-\t").find(text.front()) != std::string::npos;
}

/// Returns the text, quoted where it must be (RFC 4180, section 2) and where it looks like a formula.
inline std::string
CsvCell(const std::string& text)
{
    if (text.empty() ||
        (text.find_first_of(",\"\r\n") == std::string::npos && !LooksLikeFormula(text)))
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
