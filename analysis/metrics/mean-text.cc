// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/mean-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr int mostDecimals = 6; // more are unreadable

/// Returns the decimal place of the first digit of `value`, which is not 0: 2 for 0.05, -1 for 50.
int
PlaceOf(double value)
{
    return static_cast<int>(-std::floor(std::log10(std::abs(value))));
}

} // namespace

MeanText
TextOfMean(double mean, double halfWidth, int significantDigits)
{
    const bool isZero = mean == 0 || std::abs(mean) < halfWidth;
    if (isZero && halfWidth == 0)
    {
        return {"0", ""};
    }
    // A mean that is less than its interval is shown like the interval.
    const int shown = PlaceOf(isZero ? halfWidth : mean) + significantDigits - 1;
    const int decimals = std::max(halfWidth > 0 ? std::min(PlaceOf(halfWidth), shown) : shown, 0);
    if (decimals > mostDecimals)
    {
        return {fmt::format("{:.{}g}", mean, significantDigits),
                halfWidth > 0 ? fmt::format("{:.1g}", halfWidth) : ""};
    }
    const double least = std::pow(10, -decimals);
    const auto text = fmt::format("{:.{}f}", mean, decimals);
    return {text,
            halfWidth == 0          ? ""
            : halfWidth < least / 2 ? fmt::format("<{:.{}f}", least, decimals)
                                    : fmt::format("{:.{}f}", halfWidth, decimals)};
}

} // namespace geotrain
