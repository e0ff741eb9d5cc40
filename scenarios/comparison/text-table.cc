// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/text-table.h"

#include "metrics/mean-text.h"
#include "units/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

namespace geotrain
{

namespace
{

constexpr const char* columnGap = "  ";

bool
IsNumber(const std::string& cell)
{
    return !cell.empty() && cell.find_first_not_of("0123456789.,+-%xe ±*<") == std::string::npos;
}

std::vector<std::string>
LinesOf(const std::string& cell)
{
    std::vector<std::string> lines;
    std::istringstream stream(cell);
    for (std::string line; std::getline(stream, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

std::string
Padded(const std::string& cell, std::size_t width, bool right)
{
    const std::string padding(width - std::min(width, CountLetters(cell)), ' ');
    return right ? padding + cell : cell + padding;
}

/// Returns the number of characters of the longest word.
std::size_t
LongestWord(const std::string& cell)
{
    std::istringstream words(cell);
    std::size_t longest = 0;
    for (std::string word; words >> word;)
    {
        longest = std::max(longest, CountLetters(word));
    }
    return longest;
}

/// Returns the text with spaces before each line but the first.
std::string
Indented(const std::string& text, std::size_t spaces)
{
    std::string indented;
    for (const char c : text)
    {
        indented += c == '\n' ? "\n" + std::string(spaces, ' ') : std::string(1, c);
    }
    return indented;
}

/// Returns a row as text. The lines of the header's cells end at the bottom, others begin at the
/// top.
std::string
RowText(const std::vector<std::string>& row,
        const std::vector<std::size_t>& widths,
        const std::vector<bool>& right,
        bool isHeader)
{
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (const auto& cell : row)
    {
        cells.push_back(LinesOf(cell));
        height = std::max(height, cells.back().size());
    }
    std::string text;
    for (std::size_t y = 0; y < height; ++y)
    {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column)
        {
            const auto& lines = cells[column];
            const std::size_t above = isHeader ? height - lines.size() : 0;
            const bool isThere = y >= above && y - above < lines.size();
            line += (column == 0 ? "" : columnGap) +
                    Padded(isThere ? lines[y - above] : "", widths[column], right[column]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
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

std::vector<std::size_t>
TextTable::Widths() const
{
    std::vector<std::size_t> widths(m_rows.front().size(), 0);
    for (const auto& row : m_rows)
    {
        for (std::size_t column = 0; column < widths.size(); ++column)
        {
            for (const auto& line : LinesOf(row[column]))
            {
                widths[column] = std::max(widths[column], CountLetters(line));
            }
        }
    }
    return widths;
}

std::size_t
TextTable::Width() const
{
    const auto widths = Widths();
    const std::size_t gaps = CountLetters(columnGap) * (widths.size() - 1);
    return std::accumulate(widths.begin(), widths.end(), gaps);
}

void
TextTable::BreakTexts(std::size_t width)
{
    constexpr std::size_t leastText = 16; // narrower columns are hard to read
    auto widths = Widths();
    std::vector<std::size_t> least(widths.size(), leastText);
    for (const auto& row : m_rows)
    {
        for (std::size_t column = 0; column < least.size(); ++column)
        {
            least[column] = std::max(least[column], LongestWord(row[column]));
        }
    }
    for (auto whole = Width(); whole > width; --whole)
    {
        std::size_t widest = widths.size();
        for (std::size_t column = 0; column < widths.size(); ++column)
        {
            const bool canShrink = widths[column] > least[column];
            const bool isWider = widest == widths.size() || widths[column] > widths[widest];
            widest = canShrink && isWider ? column : widest;
        }
        if (widest == widths.size())
        {
            break;
        }
        --widths[widest];
    }
    for (auto& row : m_rows)
    {
        for (std::size_t column = 0; column < widths.size(); ++column)
        {
            const bool isTooLong = CountLetters(row[column]) > widths[column];
            row[column] = isTooLong && row[column].find('\n') == std::string::npos
                              ? BrokenIntoLines(row[column], widths[column])
                              : row[column];
        }
    }
}

TextTable
TextTable::Columns(std::size_t first, std::size_t end) const
{
    TextTable part(m_rows.front());
    part.m_rows.clear();
    for (const auto& row : m_rows)
    {
        std::vector<std::string> cells{row.front()};
        cells.insert(cells.end(),
                     row.begin() + static_cast<std::ptrdiff_t>(first),
                     row.begin() + static_cast<std::ptrdiff_t>(end));
        part.m_rows.push_back(std::move(cells));
    }
    return part;
}

std::string
TextTable::Text(std::size_t width) const
{
    TextTable broken = *this;
    broken.BreakTexts(width);
    const auto columns = m_rows.front().size();
    std::string text;
    for (std::size_t first = 1; first < columns;)
    {
        auto end = first + 1;
        while (end < columns && broken.Columns(first, end + 1).Width() <= width)
        {
            ++end;
        }
        // Alone in its table, a text has more room than beside others.
        auto page = Columns(first, end);
        page.BreakTexts(width);
        text += (text.empty() ? "" : "\n") + page.Text();
        first = end;
    }
    return columns == 1 ? broken.Text() : text;
}

std::string
TextTable::Text() const
{
    const auto widths = Widths();
    std::vector<bool> right(widths.size(), m_rows.size() > 1);
    for (std::size_t row = 1; row < m_rows.size(); ++row)
    {
        for (std::size_t column = 0; column < widths.size(); ++column)
        {
            const auto& cell = m_rows[row][column];
            right[column] = right[column] && (cell == "-" || IsNumber(cell));
        }
    }
    std::string text;
    for (std::size_t row = 0; row < m_rows.size(); ++row)
    {
        text += RowText(m_rows[row], widths, right, row == 0);
    }
    return text;
}

std::string
BrokenIntoLines(const std::string& text, std::size_t width)
{
    std::istringstream words(text);
    std::string lines;
    std::size_t length = 0; // of the last line
    for (std::string word; words >> word;)
    {
        const auto characters = CountLetters(word);
        const bool fits = length + 1 + characters <= width;
        lines += (lines.empty() ? "" : fits ? " " : "\n") + word;
        length = fits && length > 0 ? length + 1 + characters : characters;
    }
    return lines;
}

std::string
Paragraph(const std::string& text, std::size_t width)
{
    constexpr std::size_t indent = 2;
    return Indented(BrokenIntoLines(text, width - indent), indent) + "\n";
}

std::string
Labelled(const std::string& label, const std::string& text, std::size_t width)
{
    const auto indent = CountLetters(label);
    return label + Indented(BrokenIntoLines(text, width - indent), indent) + "\n";
}

std::string
ShortNumber(double number)
{
    return fmt::format("{:.4g}", number);
}

std::string
ShortMean(double mean, double halfWidth)
{
    constexpr int significantDigits = 4;
    const auto text = TextOfMean(mean, halfWidth, significantDigits);
    return halfWidth > 0 ? text.mean + " ± " + text.halfWidth : ShortNumber(mean) + " ± 0";
}

} // namespace geotrain
