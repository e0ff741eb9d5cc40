// SPDX-License-Identifier: GPL-2.0-only
// Reads rows of a small public CSV file by the names in its header, and rows of the shared
// reference data, for tests.
#pragma once

#include "units/text-file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace geotrain
{

using CsvRow = std::map<std::string, std::string>;

/// Splits a line into its fields. A field may be in double quotes, which may hold commas.
inline std::vector<std::string>
CsvFields(const std::string& line)
{
    std::vector<std::string> fields(1);
    bool isQuoted = false;
    for (const char letter : line)
    {
        if (letter == '"')
        {
            isQuoted = !isQuoted;
        }
        else if (letter == ',' && !isQuoted)
        {
            fields.emplace_back();
        }
        else if (letter != '\r')
        {
            fields.back() += letter;
        }
    }
    return fields;
}

/// Returns the rows of a CSV text by the names of its columns.
inline std::vector<CsvRow>
RowsOfCsv(const std::string& csv)
{
    std::istringstream text(csv);
    std::string line;
    std::getline(text, line);
    const auto names = CsvFields(line);
    std::vector<CsvRow> rows;
    while (std::getline(text, line))
    {
        const auto fields = CsvFields(line);
        CsvRow row;
        for (std::size_t index = 0; index < names.size() && index < fields.size(); ++index)
        {
            row[names[index]] = fields[index];
        }
        rows.push_back(row);
    }
    return rows;
}

inline std::vector<CsvRow>
ReadCsvRows(const std::string& path)
{
    return RowsOfCsv(ReadTextFile(path));
}

/// Returns the rows of `name` below the shared data folder; empty if the data isn't there.
inline std::vector<CsvRow>
ReadReference(const std::string& name)
{
    const std::string path = std::string(GEOTRAIN_SHARED_DATA) + "/" + name;
    return std::filesystem::exists(path) ? ReadCsvRows(path) : std::vector<CsvRow>();
}

inline double
Number(const CsvRow& row, const std::string& name)
{
    return std::stod(row.at(name));
}

inline std::uint32_t
Count(const CsvRow& row, const std::string& name)
{
    return static_cast<std::uint32_t>(std::stoul(row.at(name)));
}

} // namespace geotrain
