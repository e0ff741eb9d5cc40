// SPDX-License-Identifier: GPL-2.0-only
// Checks RFC 9406, section 4.2, with its constants: threshold max(4 ms, min(16 ms, RTT/8)), 8
// samples per round, and a quarter of the growth during the 5 rounds of conservative slow start.
#include "bulk-tcp/model/hystart-plus-plus.h"

#include <gtest/gtest.h>

namespace
{

using ns3::HyStartPlusPlus;

/// Runs one round of ten acknowledgements with the same RTT; the next round ends at `end`.
HyStartPlusPlus::Phase
Round(HyStartPlusPlus& hyStart, std::int64_t rttMs, std::uint64_t& end)
{
    const std::uint64_t una = end;
    end += 10;
    HyStartPlusPlus::Phase phase = HyStartPlusPlus::Phase::SlowStart;
    for (std::uint64_t i = 1; i <= 10; ++i)
    {
        phase = hyStart.OnAck(rttMs * 1000000, una - 10 + i, end);
    }
    return phase;
}

TEST(HyStartPlusPlus, StaysInSlowStartWhileTheRoundTripIsFlat)
{
    HyStartPlusPlus hyStart;
    std::uint64_t end = 10;
    for (int i = 0; i < 20; ++i)
    {
        EXPECT_EQ(Round(hyStart, 40, end), HyStartPlusPlus::Phase::SlowStart);
    }
    EXPECT_EQ(hyStart.Growth(8), 8U);
}

TEST(HyStartPlusPlus, ARiseByAnEighthMakesGrowthAQuarter)
{
    HyStartPlusPlus hyStart;
    std::uint64_t end = 10;
    Round(hyStart, 40, end);
    Round(hyStart, 40, end);
    EXPECT_EQ(Round(hyStart, 45, end), HyStartPlusPlus::Phase::Conservative); // 40 + 40/8
    EXPECT_EQ(hyStart.Growth(8), 2U);
}

TEST(HyStartPlusPlus, ASmallerRiseChangesNothing)
{
    HyStartPlusPlus hyStart;
    std::uint64_t end = 10;
    Round(hyStart, 40, end);
    Round(hyStart, 40, end);
    EXPECT_EQ(Round(hyStart, 44, end), HyStartPlusPlus::Phase::SlowStart);
}

TEST(HyStartPlusPlus, ReturnsToSlowStartWhenTheRoundTripFalls)
{
    HyStartPlusPlus hyStart;
    std::uint64_t end = 10;
    Round(hyStart, 40, end);
    Round(hyStart, 40, end);
    Round(hyStart, 50, end);
    EXPECT_EQ(Round(hyStart, 41, end), HyStartPlusPlus::Phase::SlowStart);
}

TEST(HyStartPlusPlus, EndsAfterFiveConservativeRounds)
{
    HyStartPlusPlus hyStart;
    std::uint64_t end = 10;
    Round(hyStart, 40, end);
    Round(hyStart, 40, end);
    int conservative = 1; // the round in which conservative slow start begins counts
    while (Round(hyStart, 50, end) == HyStartPlusPlus::Phase::Conservative)
    {
        ++conservative;
        ASSERT_LT(conservative, 10);
    }
    EXPECT_EQ(conservative, 5);
}

} // namespace
