// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/queue-limit.h"

#include <gtest/gtest.h>

namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using ns3::QueueLimit;
using ns3::ResolveQueue;
using geotrain::WanQueueSize;
using Unit = geotrain::WanQueueSize::Unit;

QueueLimit
Resolved(Unit unit, double value)
{
    return ResolveQueue(
        {unit, value}, BitRate::GigabitsPerSecond(5), Duration::Milliseconds(40), Bytes::Of(9000));
}

TEST(ResolveQueue, OneBandwidthDelayProductIsRateTimesRoundTrip)
{
    EXPECT_EQ(Resolved(Unit::BandwidthDelayProducts, 1).bytes.Count(),
              5000000000LL / 8 * 40 / 1000);
    EXPECT_EQ(Resolved(Unit::BandwidthDelayProducts, 0.5).bytes.Count(), 12500000);
}

TEST(ResolveQueue, BytesAndPacketsAreTakenAsTheyAre)
{
    EXPECT_EQ(Resolved(Unit::Bytes, 123456).bytes.Count(), 123456);
    EXPECT_EQ(Resolved(Unit::Packets, 100).packets, 100);
}

TEST(ResolveQueue, HoldsTwoPacketsAtLeast)
{
    EXPECT_EQ(Resolved(Unit::BandwidthDelayProducts, 1e-9).bytes.Count(), 18000);
}

} // namespace
