// SPDX-License-Identifier: GPL-2.0-only
// A binary search that begins where the last one ended. A queue is asked for one instant after the
// other, so that the answers lie side by side, and few of many items are looked at.
#pragma once

#include <algorithm>
#include <cstddef>

namespace geotrain
{

/// Returns the index of the first of sorted `items` for which `isLater` holds, or their number, as
/// std::partition_point() with its opposite does. `hint` is an index near it; any is right.
template <typename Items, typename IsLater>
std::size_t
FirstLater(const Items& items, std::size_t hint, IsLater isLater)
{
    const auto begin = items.begin();
    const std::size_t size = items.Size();
    std::size_t low = std::min(hint, size); // the answer is at `low` or behind it
    std::size_t high = low;                 // and at `high` or before it
    for (std::size_t step = 1; low > 0 && isLater(begin[static_cast<std::ptrdiff_t>(low - 1)]);
         step *= 2)
    {
        high = low - 1;
        low -= std::min(step, low);
    }
    for (std::size_t step = 1; high < size && !isLater(begin[static_cast<std::ptrdiff_t>(high)]);
         step *= 2)
    {
        low = high + 1;
        high = std::min(high + step, size);
    }
    const auto found = std::partition_point(begin + static_cast<std::ptrdiff_t>(low),
                                            begin + static_cast<std::ptrdiff_t>(high),
                                            [&](const auto& item) { return !isLater(item); });
    return static_cast<std::size_t>(found - begin);
}

} // namespace geotrain
