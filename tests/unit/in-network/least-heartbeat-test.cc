// SPDX-License-Identifier: GPL-2.0-only
// A switch speaks for all its children: least acknowledgement and least credit.
#include "in-network/least-heartbeat.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(LeastHeartbeatTest, SaysNothingUntilEachChildWasHeard)
{
    LeastHeartbeat heartbeats(2);
    heartbeats.Set(1, {5, 9});
    EXPECT_FALSE(heartbeats.Least());
}

TEST(LeastHeartbeatTest, LeastAckAndCreditMayComeFromDifferentChildren)
{
    LeastHeartbeat heartbeats(2);
    heartbeats.Set(0, {5, 20});
    heartbeats.Set(1, {7, 9});
    EXPECT_EQ(heartbeats.Least()->ack, 5);
    EXPECT_EQ(heartbeats.Least()->creditEnd, 9);
}

TEST(LeastHeartbeatTest, OvertakenHeartbeatChangesNothing)
{
    LeastHeartbeat heartbeats(1);
    heartbeats.Set(0, {7, 20});
    heartbeats.Set(0, {5, 9});
    EXPECT_EQ(heartbeats.Least()->ack, 7);
    EXPECT_EQ(heartbeats.Least()->creditEnd, 20);
}

} // namespace
} // namespace geotrain
