// SPDX-License-Identifier: GPL-2.0-only
// Gives the points of a curve their error bars in gnuplot.
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace geotrain
{

/// Returns x, y and half the bar's length for each point; nothing where `halfWidths` is empty.
inline std::vector<std::tuple<double, double, double>>
BarsOf(const std::vector<std::pair<double, double>>& points, const std::vector<double>& halfWidths)
{
    std::vector<std::tuple<double, double, double>> bars;
    for (std::size_t i = 0; i < halfWidths.size(); ++i)
    {
        bars.emplace_back(points[i].first, points[i].second, halfWidths[i]);
    }
    return bars;
}

/// Returns the element of gnuplot's plot command that draws error bars in the curve's `style`.
inline std::string
ErrorBars(const std::string& style)
{
    return "'-' with yerrorbars lw 0.7 pt 7 ps 0.4 " + style + " notitle";
}

} // namespace geotrain
