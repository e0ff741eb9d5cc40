// Splits lines of CSV (RFC 4180).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace geotrain
{

/// The cells of a line that has no line breaks in them: without the quotes around them and, outside of quotes, without
/// a carriage return at the line's end.
std::vector<std::string> CsvCells(std::string_view line);

} // namespace geotrain
