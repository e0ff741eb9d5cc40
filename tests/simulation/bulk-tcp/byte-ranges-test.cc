// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/byte-ranges.h"

#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace
{

using ns3::ByteRanges;

std::vector<ByteRanges::Range>
Insert(ByteRanges& ranges, std::uint64_t begin, std::uint64_t end)
{
    std::vector<ByteRanges::Range> added;
    ranges.Insert(begin,
                  end,
                  [&added](std::uint64_t from, std::uint64_t to) { added.emplace_back(from, to); });
    return added;
}

TEST(ByteRanges, InsertTellsOnlyWhatWasMissing)
{
    ByteRanges ranges;
    Insert(ranges, 10, 20);
    Insert(ranges, 30, 40);
    const std::vector<ByteRanges::Range> expected{{5, 10}, {20, 30}, {40, 45}};
    EXPECT_EQ(Insert(ranges, 5, 45), expected);
    EXPECT_EQ(ranges.First(), ByteRanges::Range(5, 45));
}

TEST(ByteRanges, AdjacentRunsBecomeOne)
{
    ByteRanges ranges;
    Insert(ranges, 10, 20);
    Insert(ranges, 20, 30);
    EXPECT_EQ(ranges.Find(15), ByteRanges::Range(10, 30));
    EXPECT_FALSE(ranges.Find(30));
}

TEST(ByteRanges, AgreesWithASetOfBytesUnderRandomOperations)
{
    geotrain::RandomStream random(1, "byte-ranges", "test");
    const auto draw = [&random](std::uint64_t below)
    { return static_cast<std::uint64_t>(random.Uniform() * static_cast<double>(below)); };
    for (int run = 0; run < 200; ++run)
    {
        ByteRanges ranges;
        std::vector<bool> bytes(200, false);
        for (int step = 0; step < 40; ++step)
        {
            const std::uint64_t begin = draw(190);
            const std::uint64_t end = begin + 1 + draw(9);
            std::uint64_t missing = 0;
            for (std::uint64_t i = begin; i < end; ++i)
            {
                missing += bytes[i] ? 0 : 1;
                bytes[i] = true;
            }
            std::uint64_t added = 0;
            for (const ByteRanges::Range& range : Insert(ranges, begin, end))
            {
                added += range.second - range.first;
            }
            ASSERT_EQ(added, missing);
            if (step % 10 == 9)
            {
                const std::uint64_t below = draw(100);
                ranges.EraseBelow(below);
                std::fill(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(below), false);
            }
            for (std::uint64_t i = 0; i < bytes.size(); ++i)
            {
                ASSERT_EQ(ranges.Find(i).has_value(), bytes[i]) << "byte " << i;
            }
        }
    }
}

} // namespace
