// SPDX-License-Identifier: GPL-2.0-only
#include "figures/legend.h"

#include "figures/figure-script.h"
#include "figures/style.h"
#include "figures/text-lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr double legendRowPoints = 12;
constexpr double legendLeftPoints = 8; // from the page's edge
constexpr double samplePoints = 24;    // width of a sample and its gaps
constexpr double columnStretch = 1.17; // of gnuplot's columns beyond our estimate of their names

} // namespace

Legend::Legend(const std::vector<std::string>& names, double width)
    : m_namePoints(width - legendLeftPoints - samplePoints)
{
    const auto entries = static_cast<std::size_t>(std::count_if(
        names.begin(), names.end(), [](const std::string& name) { return !name.empty(); }));
    const double column =
        samplePoints + columnStretch * std::min(m_namePoints, WidestOf(names, titleFontPoints));
    const auto columns =
        static_cast<std::size_t>(std::max(1.0, (width - legendLeftPoints) / column));
    m_rows = (entries + columns - 1) / columns;
}

double
Legend::Height() const
{
    return legendRowPoints * static_cast<double>(m_rows);
}

std::string
Legend::Commands(const FigurePage& page) const
{
    if (m_rows == 0)
    {
        return "unset key\n";
    }
    return fmt::format("set key at screen {}, screen {} left top vertical Left reverse maxrows {} "
                       "samplen 2 spacing 1.25 font ',{}' noautotitle\n",
                       page.FromLeft(legendLeftPoints),
                       page.FromTop(page.title.empty() ? 0 : 3),
                       m_rows,
                       titleFontPoints);
}

std::string
Legend::Title(const std::string& name) const
{
    return name.empty() ? "" : " title " + Quoted(Shortened(name, titleFontPoints, m_namePoints));
}

} // namespace geotrain
