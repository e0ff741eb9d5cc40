// SPDX-License-Identifier: GPL-2.0-only
// Connections carry window over round-trip time each, and together up to the cap.
#include "network-fixture.h"

namespace ns3
{
namespace
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

class WindowTest : public NetworkTest, public testing::WithParamInterface<int>
{
};

TEST_P(WindowTest, OneConnectionGetsWindowOverRoundTripTime)
{
    TwoSites sites;
    sites.roundTrip = Duration::Milliseconds(GetParam());
    Install(sites.Build());
    ExpectWindowOverRoundTripTime(sites);
}

INSTANTIATE_TEST_SUITE_P(RoundTripTimes, WindowTest, testing::Values(10, 20, 30, 40));

class CapTest : public NetworkTest
{
  protected:
    /// Returns the payload per second over 2 s from time 0, over `connections` warm connections.
    double Rate(std::uint32_t connections)
    {
        auto topology = TwoSites{}.Build();
        topology.caps.nodePair = geotrain::BitRate::GigabitsPerSecond(5);
        counts = {connections, 1};
        Install(topology);
        return WarmRate(connections);
    }
};

// Four windows over 40 ms are 1.2 Gbit/s, below the cap. 3 % as above and one way of 20 ms in 2 s.
TEST_F(CapTest, FewConnectionsAddUp)
{
    EXPECT_NEAR(Rate(4) / (4 * WINDOW / 0.040), 1, 0.04);
}

// Twenty windows would be 6 Gbit/s. The cap's queue of one BDP (25 MB) takes the 5 MB beyond its
// BDP.
TEST_F(CapTest, ManyConnectionsFillTheCap)
{
    const double rate = Rate(20) * 8;
    EXPECT_GE(rate, 0.9 * 5e9);
    EXPECT_LE(rate, 5e9);
    RecordProperty("mbit_per_s", static_cast<int>(rate / 1e6));
}

} // namespace
} // namespace ns3
