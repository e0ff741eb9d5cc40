// SPDX-License-Identifier: GPL-2.0-only
#include "figures/figure-script.h"

#include "figures/drawable-text.h"
#include "trace/csv-cell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

namespace geotrain
{

namespace
{

std::string
DatablockName(std::size_t table)
{
    return fmt::format("$data{}", table + 1);
}

std::string
InDatablock(const FigureCell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
    {
        return Quoted(*text);
    }
    const double value = std::get<double>(cell);
    return std::isnan(value) ? "NaN" : fmt::format("{}", value);
}

std::string
InCsv(const FigureCell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
    {
        return CsvCell(*text);
    }
    const double value = std::get<double>(cell);
    return std::isnan(value) ? "" : fmt::format("{}", value);
}

std::string
CsvLine(const std::vector<std::string>& cells)
{
    return fmt::format("{}\n", fmt::join(cells, ","));
}

void
AddOnce(std::vector<std::string>& names, const std::string& name)
{
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        names.push_back(name);
    }
}

/// Returns the columns of a CSV file of all tables: keys, then the others.
std::vector<std::string>
ColumnsOf(const std::vector<FigureTable>& tables)
{
    std::vector<std::string> columns;
    for (const auto& table : tables)
    {
        for (const auto& [name, value] : table.keys)
        {
            AddOnce(columns, name);
        }
    }
    for (const auto& table : tables)
    {
        for (const auto& name : table.columns)
        {
            AddOnce(columns, name);
        }
    }
    return columns;
}

/// Returns the rows of `table` as lines of a CSV file with these columns.
std::string
CsvRows(const FigureTable& table, const std::vector<std::string>& columns)
{
    const auto placeOf = [&](const std::string& name)
    {
        const auto found = std::find(columns.begin(), columns.end(), name);
        return static_cast<std::size_t>(found - columns.begin());
    };
    std::vector<std::string> cells(columns.size());
    for (const auto& [name, value] : table.keys)
    {
        cells[placeOf(name)] = CsvCell(value);
    }
    std::vector<std::size_t> places;
    std::transform(table.columns.begin(), table.columns.end(), std::back_inserter(places), placeOf);
    std::string lines;
    for (const auto& row : table.rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            cells[places[i]] = InCsv(row[i]);
        }
        lines += CsvLine(cells);
    }
    return lines;
}

} // namespace

std::string
Literal(std::string_view text)
{
    // gnuplot 5.4 ends a string in single quotes too early when it begins with a doubled quote.
    constexpr std::string_view plain = " !#%&()*+,-./:;<=>?[]^_{|}~";
    std::string literal = "\"";
    for (const char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        const bool isPlain = byte >= 0x80 || std::isalnum(byte) || plain.find(c) != plain.npos;
        literal += isPlain ? std::string(1, c) : fmt::format("\\{:03o}", byte);
    }
    return literal + '"';
}

std::string
Quoted(std::string_view text)
{
    std::string line = DrawableText(text);
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < ' '; }, ' ');
    return Literal(line);
}

std::string
QuotedLines(const std::vector<std::string>& lines)
{
    std::string quoted;
    for (const auto& line : lines)
    {
        quoted += (quoted.empty() ? "" : " . \"\\n\" . ") + Quoted(line);
    }
    return quoted;
}

std::string
ColumnNameOf(std::string_view label)
{
    std::string name;
    for (const char c : label)
    {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte))
        {
            name += static_cast<char>(std::tolower(byte));
        }
        else if (c == '%' || c == '/')
        {
            name += c == '%' ? "percent" : "_per_";
        }
        else if (!name.empty() && name.back() != '_')
        {
            name += '_';
        }
    }
    name.erase(name.find_last_not_of('_') + 1);
    return name;
}

std::string
FigureScript::Add(FigureTable table)
{
    m_tables.push_back(std::move(table));
    return DatablockName(m_tables.size() - 1);
}

std::string
FigureScript::Datablocks() const
{
    std::string blocks;
    for (std::size_t i = 0; i < m_tables.size(); ++i)
    {
        for (const auto& [name, value] : m_tables[i].keys)
        {
            blocks += fmt::format("# {}: {}\n", name, Quoted(value));
        }
        blocks +=
            fmt::format("{} << EOD\n# {}\n", DatablockName(i), fmt::join(m_tables[i].columns, " "));
        for (const auto& row : m_tables[i].rows)
        {
            std::vector<std::string> cells;
            std::transform(row.begin(), row.end(), std::back_inserter(cells), InDatablock);
            blocks += fmt::format("{}\n", fmt::join(cells, " "));
        }
        blocks += "EOD\n";
    }
    return blocks;
}

std::string
FigureScript::Commands() const
{
    return m_commands.str();
}

std::string
FigureScript::Csv() const
{
    const auto columns = ColumnsOf(m_tables);
    std::vector<std::string> header;
    std::transform(columns.begin(), columns.end(), std::back_inserter(header), CsvCell);
    std::string csv = CsvLine(header);
    for (const auto& table : m_tables)
    {
        csv += CsvRows(table, columns);
    }
    return csv;
}

} // namespace geotrain
