// SPDX-License-Identifier: GPL-2.0-only
// Prints tables for people. Columns are as wide as their cells, and numbers are aligned to the
// right.
#pragma once

#include <string>
#include <vector>

namespace geotrain
{

/// TextTable is one table.
class TextTable
{
  public:
    explicit TextTable(std::vector<std::string> header);

    /// Adds a row, which must have as many cells as the header.
    void AddRow(std::vector<std::string> cells);

    /// Returns the table, with a line per row.
    std::string Text() const;

  private:
    std::vector<std::vector<std::string>> m_rows;
};

/// Returns a number with four significant digits in its shortest form: "0.8312", "12.35",
/// "1.074e+09".
std::string ShortNumber(double number);

} // namespace geotrain
