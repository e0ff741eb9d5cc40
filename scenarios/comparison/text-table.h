// SPDX-License-Identifier: GPL-2.0-only
// A table for people: columns as wide as they need to be, numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace geotrain
{

class TextTable
{
  public:
    explicit TextTable(std::vector<std::string> header);

    /// As many cells as the header has.
    void AddRow(std::vector<std::string> cells);

    std::string Text() const;

  private:
    std::vector<std::vector<std::string>> m_rows;
};

/// A number with four significant digits, as short as that goes: "0.8312", "12.35", "1.074e+09".
std::string ShortNumber(double number);

} // namespace geotrain
