// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/text-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

bool
IsNumber(const std::string& cell)
{
    return !cell.empty() && cell.find_first_not_of("0123456789.,+-%xe ±") == std::string::npos;
}

/// Returns the number of characters in a UTF-8 text, of which continuation bytes are none.
std::size_t
Width(const std::string& text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(),
                      text.end(),
                      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string
Padded(const std::string& cell, std::size_t width, bool right)
{
    const std::string padding(width - std::min(width, Width(cell)), ' ');
    return right ? padding + cell : cell + padding;
}

} // namespace

TextTable::TextTable(std::vector<std::string> header)
    : m_rows{std::move(header)}
{
}

void
TextTable::AddRow(std::vector<std::string> cells)
{
    m_rows.push_back(std::move(cells));
}

std::string
TextTable::Text() const
{
    const auto columns = m_rows.front().size();
    std::vector<std::size_t> widths(columns, 0);
    std::vector<bool> right(columns, m_rows.size() > 1);
    for (std::size_t row = 0; row < m_rows.size(); ++row)
    {
        for (std::size_t column = 0; column < columns; ++column)
        {
            const auto& cell = m_rows[row][column];
            widths[column] = std::max(widths[column], Width(cell));
            right[column] = right[column] && (row == 0 || cell == "-" || IsNumber(cell));
        }
    }
    std::string text;
    for (const auto& row : m_rows)
    {
        std::string line;
        for (std::size_t column = 0; column < columns; ++column)
        {
            line += (column == 0 ? "" : "  ") + Padded(row[column], widths[column], right[column]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string
ShortNumber(double number)
{
    return fmt::format("{:.4g}", number);
}

} // namespace geotrain
