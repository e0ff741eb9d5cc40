// SPDX-License-Identifier: GPL-2.0-only
#include "units/csv-cells.h"

namespace geotrain
{

std::vector<std::string>
CsvCells(std::string_view line, char separator)
{
    if (!line.empty() && line.back() == '\r')
    {
        line.remove_suffix(1);
    }
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i)
    {
        if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
        {
            cells.back() += line[++i];
        }
        else if (line[i] == '"')
        {
            quoted = !quoted;
        }
        else if (line[i] == separator && !quoted)
        {
            cells.emplace_back();
        }
        else
        {
            cells.back() += line[i];
        }
    }
    return cells;
}

} // namespace geotrain
