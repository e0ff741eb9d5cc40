// SPDX-License-Identifier: GPL-2.0-only
// The error bars of a curve's points.
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace geotrain
{

/// x, y and half the bar's length; empty where `halfWidths` is.
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

/// An element of gnuplot's plot command for them, in the style of their curve.
inline std::string
ErrorBars(const std::string& style)
{
    return "'-' with yerrorbars lw 0.7 pt 7 ps 0.4 " + style + " notitle";
}

} // namespace geotrain
