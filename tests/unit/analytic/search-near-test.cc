// SPDX-License-Identifier: GPL-2.0-only
// Checks that a search that begins at a hint finds what a binary search finds, whatever the hint.
#include "analytic/search-near.h"
#include "units/growing-ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>

namespace geotrain
{
namespace
{

TEST(FirstLater, IsWhatABinarySearchFindsFromEveryHint)
{
    std::mt19937_64 random(1);
    for (std::size_t size = 0; size < 40; ++size)
    {
        GrowingRing<std::uint64_t> items;
        for (std::size_t index = 0; index < size; ++index)
        {
            const std::uint64_t last = items.Empty() ? 0 : items.Back();
            items.PushBack(last + random() % 3); // equal ones too
        }
        for (std::uint64_t at = 0; at < 90; ++at)
        {
            const auto expected = std::upper_bound(items.begin(), items.end(), at) - items.begin();
            for (std::size_t hint = 0; hint < size + 3; ++hint)
            {
                EXPECT_EQ(FirstLater(items, hint, [at](std::uint64_t item) { return item > at; }),
                          static_cast<std::size_t>(expected))
                    << size << " items, hint " << hint << ", " << at;
            }
        }
    }
}

} // namespace
} // namespace geotrain
