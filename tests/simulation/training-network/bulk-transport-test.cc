// SPDX-License-Identifier: GPL-2.0-only
// Tests the training network over bulk-tcp, on light links and on devices: windows, caps, several
// hops and loss. Light links must make the same WAN as ns-3's devices.
#include "network-fixture.h"

#include "units/config-error.h"

namespace ns3
{
namespace
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

/// Returns a topology with a third site between the two, without nodes.
geotrain::WanTopology
TwoHops()
{
    geotrain::WanTopology topology = TwoSites{}.Build();
    geotrain::WanTopology::Site transit;
    transit.name = "transit";
    topology.sites.insert(topology.sites.begin() + 1, transit);
    geotrain::WanTopology::Link link = topology.links[0];
    link.delay = Duration::Milliseconds(10);
    topology.links = {link, link};
    topology.links[1].from = 1;
    topology.links[1].to = 2;
    return topology;
}

class ExpressWindow : public NetworkTest, public testing::WithParamInterface<int>
{
};

TEST_P(ExpressWindow, OneConnectionGetsWindowOverRoundTripTime)
{
    TwoSites sites;
    sites.roundTrip = Duration::Milliseconds(GetParam());
    InstallExpress(sites.Build());
    ExpectWindowOverRoundTripTime(sites);
}

INSTANTIATE_TEST_SUITE_P(RoundTripTimes, ExpressWindow, testing::Values(10, 20, 30, 40));

class ExpressNetwork : public NetworkTest
{
  protected:
    /// Returns the payload per second over 2 s from time 0, over `connections` warm connections.
    double Rate(geotrain::WanTopology topology, std::uint32_t connections)
    {
        counts = {connections, 1};
        InstallExpress(topology);
        return WarmRate(connections);
    }
};

TEST_F(ExpressNetwork, ManyConnectionsFillThePairsCapAndNoMore)
{
    auto topology = TwoSites{}.Build();
    topology.caps.nodePair = geotrain::BitRate::GigabitsPerSecond(5);
    const double rate = Rate(topology, 16);
    EXPECT_GT(rate, 0.9 * 5e9 / 8 * SEGMENT / 9000);
    EXPECT_LE(rate, 5e9 / 8 * SEGMENT / 9000);
}

TEST_F(ExpressNetwork, TheNodesIngressCapBinds)
{
    auto topology = TwoSites{}.Build();
    topology.caps.nodeIngress = geotrain::BitRate::GigabitsPerSecond(3);
    const double rate = Rate(topology, 16);
    EXPECT_GT(rate, 0.85 * 3e9 / 8 * SEGMENT / 9000);
    EXPECT_LE(rate, 3e9 / 8 * SEGMENT / 9000);
}

TEST_F(ExpressNetwork, AWarmMessageTakesDelayAndSizeOverRate)
{
    TransportOptions options;
    options.window = Bytes::Of(200000000);
    options.slowStartAfterIdle = false;
    transport = options;
    auto topology = TwoSites{}.Build();
    topology.links[0].queue.value = 4;
    topology.portQueue = Bytes::Of(100000000); // takes the message at once
    InstallExpress(topology);
    network->Prepare({{0, 1, Bytes::Of(600000000)}});
    const std::int64_t size = 2000 * SEGMENT;
    Send(size);
    Run();
    // One way, 2,000 packets at 10 Gbit/s, and one packet's serialisation at both NICs of 100
    // Gbit/s.
    const double expected = 0.02 + 2000 * 9000 * 8 / 10e9 + 2 * 9000 * 8 / 100e9;
    ASSERT_EQ(delivered.size(), 1U);
    EXPECT_NEAR((delivered[0].at - Instant()).ToSeconds(), expected, 0.001 * expected);
}

TEST_F(ExpressNetwork, AColdMessageOverTwoHopsComesLaterThanOverStockByItsPacing)
{
    // Both take the same slow start. Paced at twice its growing window, a flight leaves over ln 2
    // of a round trip where stock TCP bursts, and the next one is clocked by its acknowledgements:
    // 1.5 round trips in all.
    InstallExpress(TwoHops());
    Send(5000000);
    Run();
    Reset();
    Install(TwoHops());
    Send(5000000);
    Run();
    ASSERT_EQ(delivered.size(), 2U);
    const double light = (delivered[0].at - Instant()).ToSeconds();
    const double stock = (delivered[1].at - Instant()).ToSeconds();
    EXPECT_GT(light, stock);
    EXPECT_LT(light, stock + 1.5 * 0.04);
}

TEST_F(ExpressNetwork, CountsThePacketsOfAMessageOnEachLinkOfItsPath)
{
    InstallExpress(TwoHops());
    Send(7 * SEGMENT); // the first window, 65,535 bytes, would be filled with a short segment
    Run();
    const auto forward = bearer->Links().CountersAt(0);
    const auto second = bearer->Links().CountersAt(2);
    // SYN, the handshake's acknowledgement, 7 packets.
    EXPECT_EQ(forward.packets, 9U);
    EXPECT_EQ(forward.sentBytes, 56 + 52 + 7 * 9000);
    EXPECT_EQ(forward.localBytes, forward.sentBytes);
    EXPECT_EQ(second.sentBytes, forward.sentBytes);
    EXPECT_EQ(second.localBytes, 0); // it began its way on the link before
    EXPECT_EQ(bearer->Links().LinkAt(0).name, "dc-a -> transit");
    EXPECT_EQ(network->Counters().wanPayload, Bytes::Of(7 * SEGMENT));
}

TEST_F(ExpressNetwork, BytesAreConservedUnderLoss)
{
    TwoSites sites;
    sites.lossRate = 0.01;
    InstallExpress(sites.Build());
    std::int64_t sum = 0;
    for (std::int64_t i = 1; i <= 2000; ++i)
    {
        Send(i * 37 % 20000 + 1);
        sum += i * 37 % 20000 + 1;
    }
    Run();
    network->CheckConservation();
    EXPECT_EQ(network->Counters().wanPayload, Bytes::Of(sum));
    EXPECT_GT(network->Counters().retransmittedBytes, Bytes());
    EXPECT_GT(network->Counters().droppedPackets, 0U);
    ASSERT_EQ(delivered.size(), 2000U);
    for (std::size_t i = 0; i < delivered.size(); ++i)
    {
        EXPECT_EQ(delivered[i].transfer, i + 1);
    }
}

TEST_F(ExpressNetwork, TheSameSeedGivesTheSameTimes)
{
    TwoSites sites;
    sites.lossRate = 0.001;
    transport.congestionControl = "TcpBbr3";
    const auto run = [&]
    {
        Reset();
        delivered.clear();
        InstallExpress(sites.Build());
        Send(20000000);
        Run();
        return delivered.at(0).at;
    };
    EXPECT_EQ(run(), run());
}

TEST_F(ExpressNetwork, RefusesAQueueDiscAndNamesTheBearerThatHasIt)
{
    auto topology = TwoSites{}.Build();
    topology.links[0].queueDisc = "ns3::FqCoDelQueueDisc";
    try
    {
        InstallExpress(topology);
        FAIL() << "was accepted";
    }
    catch (const geotrain::ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find("wan_link[0].queue_disc"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("DEVICE or STOCK"), std::string::npos);
    }
}

using DeviceNetwork = ExpressNetwork;

TEST_F(DeviceNetwork, TakesTheTimeOfLightLinks)
{
    // They differ in 32 bytes of framing. Sockets over devices have no offloads.
    transport.tcp.preset = TcpPreset::Rfc;
    InstallExpress(TwoHops());
    Send(5000000);
    Run();
    Reset();
    InstallDevice(TwoHops());
    Send(5000000);
    Run();
    ASSERT_EQ(delivered.size(), 2U);
    const double light = (delivered[0].at - Instant()).ToSeconds();
    EXPECT_NEAR((delivered[1].at - Instant()).ToSeconds(), light, 0.001 * light);
}

TEST_F(DeviceNetwork, CarriesMessagesWholeAndInOrderUnderLoss)
{
    TwoSites sites;
    sites.lossRate = 0.01;
    InstallDevice(sites.Build());
    std::int64_t sum = 0;
    for (std::int64_t i = 1; i <= 500; ++i)
    {
        Send(i * 37 % 20000 + 1);
        sum += i * 37 % 20000 + 1;
    }
    Run();
    network->CheckConservation();
    EXPECT_EQ(network->Counters().wanPayload, Bytes::Of(sum));
    EXPECT_GT(network->Counters().retransmittedBytes, Bytes());
    ASSERT_EQ(delivered.size(), 500U);
    for (std::size_t i = 0; i < delivered.size(); ++i)
    {
        EXPECT_EQ(delivered[i].transfer, i + 1);
    }
}

TEST_F(DeviceNetwork, HasQueueDiscs)
{
    auto topology = TwoSites{}.Build();
    topology.links[0].queueDisc = "ns3::FqCoDelQueueDisc";
    InstallDevice(topology);
    Send(1000000);
    Run();
    network->CheckConservation();
    EXPECT_EQ(delivered.size(), 1U);
}

TEST_F(DeviceNetwork, WarmsItsConnections)
{
    counts = {4, 1};
    InstallDevice(TwoSites{}.Build());
    network->Prepare({{0, 1, Bytes::Of(4 * WINDOW)}});
    EXPECT_EQ(network->Counters().wanPayload, Bytes());
    Send(WINDOW, 3);
    Run();
    network->CheckConservation();
    EXPECT_EQ(network->Counters().wanPayload, Bytes::Of(WINDOW));
}

} // namespace
} // namespace ns3
