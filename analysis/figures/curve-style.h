// SPDX-License-Identifier: GPL-2.0-only
// The look of curves in one figure: luminance and dash tell them apart in grey; from the seventh on
// they repeat.
#pragma once

#include <cstddef>

namespace geotrain
{

/// gnuplot's colour and dash of the curve with this number, from 0.
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
