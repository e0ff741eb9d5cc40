// SPDX-License-Identifier: GPL-2.0-only
// Splits lines of CSV into cells (RFC 4180).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace geotrain
{

/// Returns the cells of a line that has no line breaks inside its cells. It drops the quotes around
/// a cell and, outside of quotes, a carriage return at the line's end.
std::vector<std::string> CsvCells(std::string_view line, char separator = ',');

} // namespace geotrain
