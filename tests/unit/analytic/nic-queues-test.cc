// SPDX-License-Identifier: GPL-2.0-only
// Tests NICs that several pairs share, in two data centres with NICs of 8 Gbit/s, a byte per nanosecond.
#include "analytic/analytic-transport.h"
#include "analytic/nic-queues.h"

#include <gtest/gtest.h>

#include <map>

namespace geotrain
{
namespace
{

/// Makes nodes 0 and 1 in "a" and 2 and 3 in "b", 20 ms apart.
WanTopology
TwoSites()
{
    WanTopology wan;
    for (const char* name : {"a", "b"})
    {
        WanTopology::Site site;
        site.name = name;
        site.nodes = 2;
        site.nicRate = site.intraRate = BitRate::GigabitsPerSecond(8);
        site.intraDelay = Duration::Microseconds(10);
        wan.sites.push_back(site);
    }
    WanTopology::Link link;
    link.from = 0;
    link.to = 1;
    link.rate = BitRate::GigabitsPerSecond(80);
    link.delay = Duration::Milliseconds(20);
    wan.links.push_back(link);
    return wan;
}

AnalyticTransport
OneConnection(std::int64_t window)
{
    AnalyticTransport transport;
    transport.connection.window = Bytes::Of(window);
    transport.connection.segment = Bytes::Of(1000);
    return transport;
}

std::vector<Network::WarmUp>
Pairs(const std::vector<NodePair>& pairs)
{
    std::vector<Network::WarmUp> warmUps;
    for (const auto& [source, destination] : pairs)
    {
        warmUps.push_back({source, destination, Bytes::Of(1)});
    }
    return warmUps;
}

/// Returns when each transfer is delivered, in seconds, if all begin at 0.
std::map<NodePair, double>
Delivered(AnalyticNetwork& network, const std::map<NodePair, std::int64_t>& transfers)
{
    std::map<NodePair, double> at;
    for (const auto& [pair, bytes] : transfers)
    {
        const NodePair ends = pair;
        TransferRequest request;
        request.source = ends.first;
        request.destination = ends.second;
        request.size = Bytes::Of(bytes);
        network.Transfer(request,
                         [&at, ends](const TransferEvent& event)
                         {
                             if (event.kind == TransferEvent::Kind::Delivered)
                             {
                                 at[ends] = event.at.ToSeconds();
                             }
                         });
    }
    network.GetClock().Run(Instant::Never());
    return at;
}

/// Returns whether node 0's NIC, node 1's port and node 2's port are queues, where node 0 sends to both others with
/// `window` in flight to each, and at most at `gbps` to node 2.
std::vector<bool>
SharedOf(const WanTopology& wan, std::int64_t window, double gbps = 1000)
{
    const std::vector<NodePair> pairs{{0, 1}, {0, 2}};
    const Resources resources(wan, pairs);
    const auto flightOf = [&](const NodePair& pair) {
        return Flight{Bytes::Of(window), 1e9 * (pair.second == 2 ? gbps : 1000)};
    };
    const auto shared = FindSharedNics(resources, pairs, flightOf, Duration::Microseconds(400));
    return {shared[resources.Of(0, 1).front()],
            shared[resources.PortOf(1)],
            shared[resources.PortOf(2)]};
}

TEST(NicQueues, AreThoseOfSeveralPairsAndThoseBelowASender)
{
    WanTopology wan = TwoSites();
    EXPECT_EQ(SharedOf(wan, 10000000), (std::vector<bool>{true, false, false}));
    wan.sites[1].nicRate = BitRate::GigabitsPerSecond(4);
    EXPECT_EQ(SharedOf(wan, 10000000), (std::vector<bool>{true, false, true}));
}

// Two nodes send at 4 Gbit/s at most, which fills node 0's port of 8 Gbit/s and no more.
TEST(NicQueues, AreNoneWhereWindowsBringNoMoreThanTheyTake)
{
    const std::vector<NodePair> pairs{{2, 0}, {3, 0}};
    const Resources resources(TwoSites(), pairs);
    const auto isQueue = [&](double gbps) -> bool
    {
        const auto flightOf = [gbps](const NodePair&) {
            return Flight{Bytes::Of(100000000), 1e9 * gbps};
        };
        return FindSharedNics(resources, pairs, flightOf, Duration())[resources.PortOf(0)];
    };
    EXPECT_FALSE(isQueue(4));
    EXPECT_TRUE(isQueue(4.1));
}

// In 0.4 ms 400 kB leave at 8 Gbit/s: half of them of either window. A pair that can't fill the
// NIC alone has its bytes elsewhere.
TEST(NicQueues, AreNoneWhereWindowsLetLittleWait)
{
    EXPECT_FALSE(SharedOf(TwoSites(), 199000)[0]);
    EXPECT_TRUE(SharedOf(TwoSites(), 201000)[0]);
    EXPECT_FALSE(SharedOf(TwoSites(), 398000, 5)[0]);
    EXPECT_TRUE(SharedOf(TwoSites(), 402000, 5)[0]);
}

// Node 0 sends to nodes 1 and 2 beside it. Node 1 sends to node 0 and to "b": 8 Gbit/s and nothing, or more than its NIC takes.
TEST(NicQueues, AreNoneWhereOnlyThoseInsideADataCentreWait)
{
    WanTopology wan = TwoSites();
    wan.sites[0].nodes = 3;
    const std::vector<NodePair> pairs{{0, 1}, {0, 2}, {1, 0}, {1, 3}};
    const Resources resources(wan, pairs);
    for (const double gbps : {0.0, 4.0})
    {
        const auto flightOf = [gbps](const NodePair& pair) {
            return Flight{Bytes::Of(100000000), 1e9 * (pair.second == 3 ? gbps : 8)};
        };
        const auto shared = FindSharedNics(resources, pairs, flightOf, Duration());
        EXPECT_EQ(shared[resources.Of(0, 1).front()], gbps > 0);
        EXPECT_EQ(shared[resources.Of(1, 0).front()], gbps > 0);
    }
}

TEST(NicQueues, LeaveOnlyCapsToBeSharedFairly)
{
    WanTopology wan = TwoSites();
    wan.caps.nodePair = BitRate::GigabitsPerSecond(5);
    const auto topology =
        MakeAnalyticTopology(wan, OneConnection(5000000), Pairs({{0, 1}, {0, 2}, {2, 0}}));
    const AnalyticPath there = topology.pathOf(0, 2);
    ASSERT_EQ(there.links.size(), 1u);
    EXPECT_EQ(topology.linkRates[there.links.front()], BitRate::GigabitsPerSecond(5));
    EXPECT_EQ(there.hops.size(), 1u); // node 0's NIC; node 2's port has one sender
    EXPECT_EQ(there.returnHops.size(), 0u);
    EXPECT_EQ(topology.pathOf(2, 0).returnHops.size(), 1u);
    EXPECT_TRUE(topology.pathOf(0, 1).links.empty());
}

TEST(NicQueues, AreNoneWhereNothingCrossesTheWan)
{
    const auto topology = MakeAnalyticTopology(
        TwoSites(), OneConnection(1000000), Pairs({{0, 1}, {1, 0}, {2, 3}, {3, 2}}));
    const AnalyticPath path = topology.pathOf(0, 1);
    EXPECT_TRUE(path.hops.empty());
    EXPECT_FALSE(path.IsLimitedByWindow());
}

// A window of 20 MB goes into the NIC at once, 20 ms of it at a byte per nanosecond. A message for the WAN whose
// handshake of 40 ms ends a millisecond later arrives 19 ms later than alone.
TEST(NicQueues, AMessageWaitsBehindTheWindowOfAnotherInItsDataCentre)
{
    std::map<bool, double> delivered;
    for (const bool isAlone : {true, false})
    {
        AnalyticNetwork network(
            MakeAnalyticTopology(TwoSites(), OneConnection(20000000), Pairs({{0, 1}, {0, 2}})));
        const TransferRequest local{0, 1, 0, Bytes::Of(20000000)};
        if (!isAlone)
        {
            network.GetClock().Schedule(Instant() + Duration::Milliseconds(39),
                                        [&network, local]
                                        { network.Transfer(local, [](const TransferEvent&) {}); });
        }
        delivered[isAlone] = Delivered(network, {{{0, 2}, 1000000}}).at({0, 2});
    }
    EXPECT_NEAR(delivered[true], 0.040 + 0.020 + 0.001, 0.0001);
    EXPECT_NEAR(delivered[false] - delivered[true], 0.019, 0.0001);
}

// 40 MB leave node 0 from 39 ms on, at a byte per nanosecond. The last of them are for the WAN, and have another 20
// ms to go: 99 ms. Inside a data centre without a delay windows limit nothing, so that its NICs are no queues.
TEST(NicQueues, OfADataCentreWithoutADelayAreSharedAllTheSame)
{
    for (const Duration delay : {Duration::Microseconds(10), Duration()})
    {
        WanTopology wan = TwoSites();
        wan.sites[0].intraDelay = delay;
        AnalyticNetwork network(
            MakeAnalyticTopology(wan, OneConnection(20000000), Pairs({{0, 1}, {0, 2}})));
        const TransferRequest local{0, 1, 0, Bytes::Of(20000000)};
        network.GetClock().Schedule(Instant() + Duration::Milliseconds(39),
                                    [&network, local]
                                    { network.Transfer(local, [](const TransferEvent&) {}); });
        EXPECT_NEAR(Delivered(network, {{{0, 2}, 20000000}}).at({0, 2}), 0.099, 0.0005);
    }
}

// Two nodes of "b" that may have 20 MB each in flight send 30 MB to node 0 at once. The port sends on a half
// of what comes, and holds 16 MB: it is full after 32 MB.
TEST(NicQueues, APortLosesWhatItHasNoRoomFor)
{
    const auto pairs = Pairs({{2, 0}, {3, 0}});
    for (const std::int64_t window : {7000000, 20000000})
    {
        AnalyticNetwork network(MakeAnalyticTopology(TwoSites(), OneConnection(window), pairs));
        Delivered(network, {{{2, 0}, 30000000}, {{3, 0}, 30000000}});
        EXPECT_EQ(network.Counters().retransmittedBytes > Bytes(), window > 16000000) << window;
    }
}

} // namespace
} // namespace geotrain
