#include "reference-table.h"

#include <fstream>
#include <sstream>

namespace geotrain
{

namespace
{

std::vector<std::string>
Split(std::string line)
{
    if (!line.empty() && line.back() == '\r')
    {
        line.pop_back();
    }
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');)
    {
        cells.push_back(cell);
    }
    return cells;
}

} // namespace

std::vector<ReferenceRow>
ReadReference(const std::string& name)
{
    std::ifstream in(std::string(GEOTRAIN_SHARED_DATA) + "/" + name);
    std::string line;
    std::getline(in, line);
    const auto header = Split(line);
    std::vector<ReferenceRow> rows;
    while (std::getline(in, line))
    {
        const auto cells = Split(line);
        ReferenceRow row;
        for (std::size_t i = 0; i < header.size(); ++i)
        {
            row[header[i]] = cells.at(i);
        }
        rows.push_back(row);
    }
    return rows;
}

double
Number(const ReferenceRow& row, const std::string& column)
{
    return std::stod(row.at(column));
}

std::uint32_t
Count(const ReferenceRow& row, const std::string& column)
{
    return static_cast<std::uint32_t>(std::stoul(row.at(column)));
}

} // namespace geotrain
