// SPDX-License-Identifier: GPL-2.0-only
// Gives time axes their unit. Data files always hold seconds.
#pragma once

#include <fmt/format.h>

#include <string>

namespace geotrain
{

/// A TimeUnit is a unit of time.
struct TimeUnit
{
    double perSecond;
    const char* symbol;
};

/// Returns the unit in which `seconds` is a number of at least 1.
inline TimeUnit
TimeUnitOf(double seconds)
{
    return seconds >= 1      ? TimeUnit{1, "s"}
           : seconds >= 1e-3 ? TimeUnit{1e3, "ms"}
                             : TimeUnit{1e6, "µs"};
}

/// Returns a time with its unit, such as "424.5 ms".
inline std::string
TimeText(double seconds)
{
    const TimeUnit unit = TimeUnitOf(seconds);
    return fmt::format("{:.4g} {}", unit.perSecond * seconds, unit.symbol);
}

} // namespace geotrain
