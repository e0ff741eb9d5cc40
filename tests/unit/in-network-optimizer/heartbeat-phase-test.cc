// SPDX-License-Identifier: GPL-2.0-only
// Heartbeats go once an interval while a buffer is open, and at once after silence.
#include "in-network-optimizer/helper/heartbeat-phase.h"

#include <gtest/gtest.h>

namespace ns3
{
namespace
{

constexpr double interval = 10;

TEST(HeartbeatPhase, FirstBufferIsToldOfAtOnceAndOthersAnIntervalAfterIt)
{
    HeartbeatPhase heartbeats(interval);
    EXPECT_DOUBLE_EQ(heartbeats.Post(3), 3);
    EXPECT_DOUBLE_EQ(heartbeats.Post(4), 13);
    EXPECT_DOUBLE_EQ(heartbeats.Fill(30), 33);
}

TEST(HeartbeatPhase, FallsSilentAnIntervalAfterTheHeartbeatThatTellsOfTheLastBuffer)
{
    HeartbeatPhase heartbeats(interval);
    heartbeats.Post(0);
    EXPECT_DOUBLE_EQ(heartbeats.Fill(5), 10);
    EXPECT_DOUBLE_EQ(heartbeats.Post(19), 20); // the tick at 20 finds it
    EXPECT_DOUBLE_EQ(heartbeats.Fill(25), 30);
    EXPECT_DOUBLE_EQ(heartbeats.Post(41), 41); // that at 40 found nothing and was the last
    EXPECT_DOUBLE_EQ(heartbeats.Fill(45), 51);
}

TEST(HeartbeatPhase, AnOpenBufferKeepsItGoing)
{
    HeartbeatPhase heartbeats(interval);
    heartbeats.Post(0);
    heartbeats.Post(1);
    heartbeats.Fill(5);
    EXPECT_DOUBLE_EQ(heartbeats.Post(95), 100);
}

TEST(HeartbeatPhase, WithoutAnIntervalItTellsAtOnce)
{
    HeartbeatPhase heartbeats(0);
    EXPECT_DOUBLE_EQ(heartbeats.Post(3), 3);
    EXPECT_DOUBLE_EQ(heartbeats.Fill(5), 5);
}

} // namespace
} // namespace ns3
