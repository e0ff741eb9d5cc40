// SPDX-License-Identifier: GPL-2.0-only
// Tests how much of a window goes at once at a given pace. Segments have 1,000 bytes.
#include "analytic/train-length.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

constexpr double roundTrip = 40e6; // ns

/// The segment and the limit of all that follows.
constexpr double segment = 1000;
constexpr double limit = 4000000;

TEST(TrainLength, IsOneSegmentFirstSinceItIsAcknowledgedAtOnce)
{
    EXPECT_EQ(LongestTrain({100000, 0, roundTrip, 0, false, segment, limit}, {}, 1), 1000);
    EXPECT_EQ(LongestTrain({100000, 0, roundTrip, 0, true, segment, limit}, {}, 1),
              6000); // 100 / 16 segments
}

TEST(TrainLength, OfAPacedWindowIsWhatIsLeftOfItsBurst)
{
    EXPECT_EQ(LongestTrain({1000000, 0.05, roundTrip, 30500, true, segment, limit}, {}, 1), 31000);
    EXPECT_EQ(LongestTrain({1000000, 0.05, roundTrip, 0, true, segment, limit}, {}, 1), 1000);
}

TEST(TrainLength, IsASixteenthOfAPacedWindowAtMostAndTwoSegmentsOfASmallOne)
{
    EXPECT_EQ(LongestTrain({1000000, 0.05, roundTrip, 100000, true, segment, limit}, {}, 1), 62000);
    EXPECT_EQ(LongestTrain({10000, 0.05, roundTrip, 100000, true, segment, limit}, {}, 1), 2000);
}

TEST(TrainLength, TakesWhatWaitsAnyway)
{
    // 20 bytes per microsecond for 2 ms.
    EXPECT_EQ(LongestTrain({1000000, 0.02, roundTrip, 0, true, segment, limit},
                           Duration::Milliseconds(2),
                           1),
              40000);
}

TEST(TrainLength, OfAnOpenWindowIsAFortiethOfARoundTrip)
{
    // 4 MB in 40 ms are 0.1 bytes per ns; a fortieth of the round trip is 1 ms.
    EXPECT_EQ(LongestTrain({4000000, 0.1, roundTrip, 0, true, segment, limit}, {}, 1), 100000);
}

TEST(TrainLength, OfGroupsIsCoarserByTheirFactor)
{
    EXPECT_EQ(LongestTrain({1000000, 0.025, roundTrip, 0, true, segment, limit}, {}, 4), 100000);
    EXPECT_EQ(LongestTrain({1000000, 0.1, roundTrip, 0, true, segment, limit}, {}, 4),
              250000); // 4 sixteenths
}

} // namespace
} // namespace geotrain
