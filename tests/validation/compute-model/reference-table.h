// A CSV table of the shared reference data, by column name.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

using ReferenceRow = std::map<std::string, std::string>;

/// The rows of `name` below the shared data folder; empty where the data isn't there.
std::vector<ReferenceRow> ReadReference(const std::string& name);

double Number(const ReferenceRow& row, const std::string& column);
std::uint32_t Count(const ReferenceRow& row, const std::string& column);

} // namespace geotrain
