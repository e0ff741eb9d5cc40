// SPDX-License-Identifier: GPL-2.0-only
// In any span of T seconds the token bucket passes at most rate x T + burst, and exactly that if as
// much is offered.
#include "wan-topology/model/policer.h"

#include <gtest/gtest.h>

namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Instant;
using ns3::Policer;

std::int64_t
Passed(Policer& policer, std::int64_t fromNs, std::int64_t toNs, std::int64_t stepNs, Bytes size)
{
    std::int64_t passed = 0;
    for (std::int64_t ns = fromNs; ns < toNs; ns += stepNs)
    {
        if (policer.Conforms(Instant::FromNanoseconds(ns), size))
        {
            policer.Take(size);
            passed += size.Count();
        }
    }
    return passed;
}

TEST(Policer, PassesRateTimesTimePlusBurst)
{
    Policer policer(BitRate::GigabitsPerSecond(1), Bytes::Of(100000));
    // 2 Gbit/s offered for 10 ms: 10 ms x 1 Gbit/s + burst = 1,350,000 bytes, to one packet.
    EXPECT_NEAR(
        static_cast<double>(Passed(policer, 0, 10000000, 6000, Bytes::Of(1500))), 1350000, 1500);
}

TEST(Policer, PassesAllBelowTheRate)
{
    Policer policer(BitRate::GigabitsPerSecond(1), Bytes::Of(1500));
    EXPECT_EQ(Passed(policer, 0, 12000000, 12000, Bytes::Of(1500)),
              1000 * 1500); // exactly 1 Gbit/s
}

TEST(Policer, AnIdleBucketHoldsOneBurstOnly)
{
    Policer policer(BitRate::GigabitsPerSecond(1), Bytes::Of(15000));
    const std::int64_t aYearNs = 365LL * 86400 * 1000000000;
    EXPECT_EQ(Passed(policer, aYearNs, aYearNs + 100, 1, Bytes::Of(1500)), 15000);
}

} // namespace
