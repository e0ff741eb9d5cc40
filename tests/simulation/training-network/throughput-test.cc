// What connections carry: window over round-trip time each, together up to the cap.
#include "network-fixture.h"

namespace ns3
{
namespace
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

constexpr std::int64_t WINDOW = 1500000; // bytes
constexpr std::int64_t PIECE = 100000;   // bytes; small beside what is measured

class WindowTest : public NetworkTest, public testing::WithParamInterface<int>
{
};

// rate = window / RTT; RTT = propagation there and back + a packet's serialisation at 10 Gbit/s and twice at
// 100 Gbit/s. 3 %: whole segments leave 0.4 % of the window unused, delayed acknowledgements half a segment.
TEST_P(WindowTest, OneConnectionGetsWindowOverRoundTripTime)
{
    TwoSites sites;
    sites.roundTrip = Duration::Milliseconds(GetParam());
    Install(sites.Build());
    const double rtt = sites.roundTrip.ToSeconds() + 9000 * 8 / 10e9 + 2 * 9000 * 8 / 100e9;
    const double expected = WINDOW / rtt; // bytes/s
    for (std::int64_t sent = 0; sent < static_cast<std::int64_t>(expected * 3.2); sent += PIECE)
    {
        Send(PIECE);
    }
    Run(AtSeconds(3));
    const auto carried = static_cast<double>(DeliveredBetween(AtSeconds(2), AtSeconds(3)));
    EXPECT_NEAR(carried / expected, 1, 0.03);
    RecordProperty("mbit_per_s", static_cast<int>(carried * 8 / 1e6));
}

INSTANTIATE_TEST_SUITE_P(RoundTripTimes, WindowTest, testing::Values(10, 20, 30, 40));

class CapTest : public NetworkTest
{
  protected:
    /// Payload a second over 2 s from time 0, over `connections` that were warmed.
    double Rate(std::uint32_t connections)
    {
        auto topology = TwoSites{}.Build();
        topology.caps.nodePair = geotrain::BitRate::GigabitsPerSecond(5);
        helper.SetConnections(connections, 1);
        Install(topology);
        network->Prepare({{0, 1, Bytes::Of(4 * WINDOW * connections)}});
        for (std::int64_t sent = 0; sent < 1300000000; sent += PIECE)
        {
            Send(PIECE, static_cast<std::uint32_t>(sent / PIECE) % connections);
        }
        Run(AtSeconds(2));
        return static_cast<double>(DeliveredBetween(Instant(), AtSeconds(2))) / 2;
    }
};

// Four windows over 40 ms are 1.2 Gbit/s, below the cap. 3 % as above and one way of 20 ms in 2 s.
TEST_F(CapTest, FewConnectionsAddUp)
{
    EXPECT_NEAR(Rate(4) / (4 * WINDOW / 0.040), 1, 0.04);
}

// Twenty windows would be 6 Gbit/s. The cap's queue of one BDP (25 MB) takes the 5 MB beyond its BDP.
TEST_F(CapTest, ManyConnectionsFillTheCap)
{
    const double rate = Rate(20) * 8;
    EXPECT_GE(rate, 0.9 * 5e9);
    EXPECT_LE(rate, 5e9);
    RecordProperty("mbit_per_s", static_cast<int>(rate / 1e6));
}

} // namespace
} // namespace ns3
