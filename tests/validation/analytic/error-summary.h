// SPDX-License-Identifier: GPL-2.0-only
// Sums up the analytic network's errors in many scenarios.
#pragma once

#include <algorithm>
#include <cstdio>
#include <vector>

namespace geotrain
{

/// Sorts absolute relative errors, of which there must be some, and prints median and worst.
inline void
SumUp(const char* what, std::vector<double>& errors)
{
    std::sort(errors.begin(), errors.end());
    std::printf("%s: %zu scenarios, median %.2f %%, worst %.1f %%\n",
                what,
                errors.size(),
                100 * errors[errors.size() / 2],
                100 * errors.back());
}

} // namespace geotrain
