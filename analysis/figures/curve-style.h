// SPDX-License-Identifier: GPL-2.0-only
// Gives the curves of a figure their colours and dashes. Luminance and dash tell them apart in grey
// prints. The styles repeat from the seventh curve on.
#pragma once

#include <cstddef>

namespace geotrain
{

/// Returns gnuplot's colour and dash for curve `number`, counted from 0.
inline const char*
CurveStyle(std::size_t number)
{
    constexpr const char* styles[] = {"lc rgb '#123f66' dt 1",
                                      "lc rgb '#de8f2e' dt 1",
                                      "lc rgb '#9a5a8c' dt 2",
                                      "lc rgb '#2f7fb8' dt 3",
                                      "lc rgb '#5b7f5e' dt 4",
                                      "lc rgb '#1a1a1a' dt 5"};
    return styles[number % (sizeof(styles) / sizeof(styles[0]))];
}

} // namespace geotrain
