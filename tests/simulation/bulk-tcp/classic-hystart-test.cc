// SPDX-License-Identifier: GPL-2.0-only
// Checks Linux's HyStart: slow start ends by a train of acknowledgements that lasts for half of the
// round trip (all of it where paced) and 1 ms, or by a rise of max(4 ms, min(16 ms, RTT/8)).
#include "bulk-tcp/model/classic-hystart.h"

#include <gtest/gtest.h>

namespace
{

using ns3::ClassicHyStart;

constexpr std::int64_t MS = 1000000;

/// Returns an acknowledgement of a round that ends at 1,000.
ClassicHyStart::Ack
AckAt(double nowMs, double rttMs, std::uint32_t window = 100, bool isPaced = false)
{
    return {static_cast<std::int64_t>(nowMs * MS),
            static_cast<std::int64_t>(rttMs * MS),
            1,
            1000,
            window,
            isPaced};
}

/// Returns after which time acknowledgements that are `gapMs` apart end slow start; 1,000: never.
double
TrainEnds(double gapMs, std::uint32_t window, bool isPaced)
{
    ClassicHyStart hyStart;
    for (double now = 0; now < 200; now += gapMs)
    {
        if (hyStart.OnAck(AckAt(now, 40, window, isPaced)))
        {
            return now;
        }
    }
    return 1000;
}

TEST(ClassicHyStart, ATrainOfHalfARoundTripEndsSlowStart)
{
    EXPECT_EQ(TrainEnds(0.5, 100, false),
              21); // (40 + 1) / 2 = 20.5, and the next one is the first beyond
    EXPECT_EQ(TrainEnds(0.5, 100, true), 41.5);
}

TEST(ClassicHyStart, AGapOfMoreThanTwoMillisecondsEndsTheTrain)
{
    EXPECT_EQ(TrainEnds(2.5, 100, false), 1000);
    EXPECT_LT(TrainEnds(2, 100, false), 1000);
}

TEST(ClassicHyStart, ASmallWindowIsLeftAlone)
{
    EXPECT_EQ(TrainEnds(0.5, 15, false), 1000);
    EXPECT_LT(TrainEnds(0.5, 16, false), 1000);
}

/// Returns whether a round of 20 acknowledgements, 3 ms apart, ends slow start after one of 40 ms.
bool
EndsByDelay(double rttMs)
{
    ClassicHyStart hyStart;
    hyStart.OnAck(AckAt(0, 40));
    bool ends = false;
    for (int i = 1; i <= 20; ++i)
    {
        auto ack = AckAt(100 + 3 * i, rttMs);
        ack.una = 1001;
        ack.highTx = 2000;
        ends = hyStart.OnAck(ack) || ends;
    }
    return ends;
}

TEST(ClassicHyStart, ARiseByAnEighthEndsSlowStart)
{
    EXPECT_FALSE(EndsByDelay(45)); // 40 + 40/8: it must exceed that
    EXPECT_TRUE(EndsByDelay(45.1));
}

} // namespace
