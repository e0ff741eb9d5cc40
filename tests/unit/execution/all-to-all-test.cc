// SPDX-License-Identifier: GPL-2.0-only
// Tests exchanges of all members' parts: their times and bytes, between nodes and inside them.
#include "execution/all-to-all.h"

#include "two-data-centres.h"

#include "execution/stepped-collectives.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

struct Exchange
{
    std::vector<double> ends; ///< s, by member
    std::int64_t bytes = 0;   ///< between nodes
};

/// Exchanges `size` bytes of each of `n` members, `perNode` on each node, of which the last joins late.
Exchange
Exchanged(std::uint32_t n, std::uint32_t perNode, Bytes size, double betweenNodes = 1, double late = 0)
{
    TwoDataCentres two;
    two.nodes = 16;
    AnalyticNetwork network(two.Topology());
    MessageLayerSettings settings;
    settings.nodeLocalRate = BitRate::GigabitsPerSecond(800);
    MessageLayer layer(network, settings);
    SteppedCollectives collectives(layer);
    CollectiveRequest request{1, CollectiveKind::AllToAll, {}, size, &allToAllCollective};
    request.betweenNodes = betweenNodes;
    for (std::uint32_t member = 0; member < n; ++member)
    {
        request.members.push_back(member / perNode);
    }
    Exchange result;
    result.ends.assign(n, -1);
    for (std::uint32_t member = 0; member < n; ++member)
    {
        network.GetClock().Schedule(
            Instant() + Duration::Seconds(member == n - 1 ? late : 0),
            [&, member]
            {
                collectives.Join(request,
                                 member,
                                 [&result, member](Instant at, const std::string& failure)
                                 {
                                     EXPECT_EQ(failure, "");
                                     result.ends[member] = at.ToSeconds();
                                 });
            });
    }
    network.GetClock().Run(Instant::Never());
    result.bytes = network.Counters().intraDcPayload.Count();
    return result;
}

// One latency and (n - 1)/n S at the NIC's 100 Gbit/s, for all messages leave at once. Tolerance: chunks
// are rounded up to 1 ns each.
TEST(AllToAll, TakesOneLatencyAndTheTimeOfWhatAMemberSends)
{
    for (const std::uint32_t n : {2, 3, 8})
    {
        const auto exchange = Exchanged(n, 1, Bytes::Of(8400000));
        const double expected = 10e-6 + (n - 1.0) / n * 8 * 8.4e6 / 100e9;
        for (const double end : exchange.ends)
        {
            EXPECT_NEAR(end, expected, 2e-6) << n;
        }
        EXPECT_NEAR(static_cast<double>(exchange.bytes), (n - 1.0) * 8.4e6, n * n);
    }
}

// Inside a node a GPU copies its parts one after another: (n - 1)/n S at the 800 Gbit/s of NVLink.
TEST(AllToAll, GoesByNvlinkInsideANode)
{
    const auto exchange = Exchanged(4, 4, Bytes::Of(8000000));
    for (const double end : exchange.ends)
    {
        EXPECT_NEAR(end, 3.0 / 4 * 8 * 8e6 / 800e9, 1e-9);
    }
    EXPECT_EQ(exchange.bytes, 0);
}

// Two nodes of 4: each of a node's 4 members sends 4/8 S to the other node, times the share.
TEST(AllToAll, SendsLessBetweenNodesWhereRoutingIsLimited)
{
    for (const double share : {1.0, 0.5})
    {
        const auto exchange = Exchanged(8, 4, Bytes::Of(8000000), share);
        const double bytes = share * 4 * 4.0 / 8 * 8e6; // that leave a node
        EXPECT_NEAR(static_cast<double>(exchange.bytes), 2 * bytes, 100);
        EXPECT_NEAR(exchange.ends.front(), 10e-6 + 8 * bytes / 100e9, 2e-6);
    }
}

TEST(AllToAll, EndsForNobodyBeforeTheLastHasJoined)
{
    for (const double end : Exchanged(5, 1, Bytes::Of(1000000), 1, 0.5).ends)
    {
        EXPECT_GE(end, 0.5);
    }
}

} // namespace
} // namespace geotrain
