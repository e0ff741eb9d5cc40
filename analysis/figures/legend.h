// SPDX-License-Identifier: GPL-2.0-only
// gnuplot's key at the top of a page, below its title, in as many columns as the names leave room for.
#pragma once

#include "figures/figure-place.h"

#include <cstddef>
#include <string>
#include <vector>

namespace geotrain
{

/// A Legend is the key of one page.
class Legend
{
  public:
    /// Makes the key for entries of these names on a page `width` points wide. Empty names have no
    /// entry.
    Legend(const std::vector<std::string>& names, double width);

    /// Returns the height of all rows in points; 0 without entries.
    double Height() const;

    /// Returns gnuplot commands that place the key.
    std::string Commands(const FigurePage& page) const;

    /// Returns the option of `plot` that names an entry; empty for an empty name.
    std::string Title(const std::string& name) const;

  private:
    double m_namePoints; ///< room of a name
    std::size_t m_rows;
};

} // namespace geotrain
