// SPDX-License-Identifier: GPL-2.0-only
// Tests how much of a window goes at once at a given pace. Segments have 1,000 bytes.
#include "analytic/train-length.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// A FixedWindow has the pacing that the test sets.
struct FixedWindow : CongestionWindow
{
    std::optional<Pacing> pacing;

    explicit FixedWindow(std::optional<Pacing> pace)
        : pacing(pace)
    {
    }

    std::int64_t Size() const override
    {
        return 0;
    }

    void Acknowledge(const AcknowledgedTrain&, std::int64_t, std::int64_t, bool) override
    {
    }

    void Reduce(double, std::int64_t) override
    {
    }

    void Collapse() override
    {
    }

    Duration Timeout() const override
    {
        return {};
    }

    std::optional<Pacing> GetPacing() const override
    {
        return pacing;
    }

    void MoveBack(Duration) override
    {
    }
};

std::int64_t
Most(std::optional<Pacing> pacing, Duration backlog = {}, double coarseness = 1)
{
    return TrainLength({0, 4000000, 0, 1000}, coarseness).Most(FixedWindow(pacing), backlog);
}

constexpr double roundTrip = 40e6; // ns

TEST(TrainLength, OfAWindowThatIsNotPacedIsAnEighthOfItsLimit)
{
    EXPECT_EQ(Most(std::nullopt), 500000);
}

TEST(TrainLength, IsOneSegmentFirstSinceItIsAcknowledgedAtOnce)
{
    EXPECT_EQ(Most(Pacing{100000, 0, roundTrip, 0, false}), 1000);
    EXPECT_EQ(Most(Pacing{100000, 0, roundTrip, 0, true}), 6000); // 100 / 16 segments
}

TEST(TrainLength, OfAPacedWindowIsWhatIsLeftOfItsBurst)
{
    EXPECT_EQ(Most(Pacing{1000000, 0.05, roundTrip, 30500, true}), 31000);
    EXPECT_EQ(Most(Pacing{1000000, 0.05, roundTrip, 0, true}), 1000);
}

TEST(TrainLength, IsASixteenthOfAPacedWindowAtMostAndTwoSegmentsOfASmallOne)
{
    EXPECT_EQ(Most(Pacing{1000000, 0.05, roundTrip, 100000, true}), 62000);
    EXPECT_EQ(Most(Pacing{10000, 0.05, roundTrip, 100000, true}), 2000);
}

TEST(TrainLength, TakesWhatWaitsAnyway)
{
    // 20 bytes per microsecond for 2 ms.
    EXPECT_EQ(Most(Pacing{1000000, 0.02, roundTrip, 0, true}, Duration::Milliseconds(2)), 40000);
}

TEST(TrainLength, OfAnOpenWindowIsAFortiethOfARoundTrip)
{
    // 4 MB in 40 ms are 0.1 bytes per ns; a fortieth of the round trip is 1 ms.
    EXPECT_EQ(Most(Pacing{4000000, 0.1, roundTrip, 0, true}), 100000);
}

TEST(TrainLength, OfGroupsIsCoarserByTheirFactor)
{
    EXPECT_EQ(Most(Pacing{1000000, 0.025, roundTrip, 0, true}, {}, 4), 100000);
    EXPECT_EQ(Most(Pacing{1000000, 0.1, roundTrip, 0, true}, {}, 4), 250000); // 4 sixteenths
}

} // namespace
} // namespace geotrain
