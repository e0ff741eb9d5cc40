// SPDX-License-Identifier: GPL-2.0-only
// Tests what a run compares itself with, and what it computes instead of simulating.
#include "execution/warm-ups.h"
#include "loader/network-kinds.h"
#include "runner/analytic-collectives.h"
#include "wan/capacity.h"

#include "experiment-streams.h"
#include "small-scenario.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

double
CapacityOf(const Experiment& loaded)
{
    return UsableWanCapacity(loaded.testbed.wan, NodePairsOf(StreamsOf(loaded).pairs));
}

TEST(WanCapacity, IsTheSumOfTheDirectedPairsCaps)
{
    // 2 pipelines, both directions, 2 Gbit/s each: less than the link's 10 Gbit/s a direction.
    EXPECT_DOUBLE_EQ(CapacityOf(LoadSmall({"caps.node_pair=2Gbps"})), 2 * 2 * 2e9);
}

TEST(WanCapacity, IsTheSharedLinksWhereThatIsLess)
{
    // Both directions of 10 Gbit/s.
    EXPECT_DOUBLE_EQ(CapacityOf(LoadSmall({"caps.node_pair=8Gbps"})), 2 * 10e9);
    EXPECT_DOUBLE_EQ(CapacityOf(LoadSmall()), 2 * 10e9);
}

TEST(WanCapacity, OfTheMainJobIsSixteenPairsOfFiveGigabits)
{
    EXPECT_DOUBLE_EQ(CapacityOf(LoadScenario(ReadScenarioText("three-dc-gpt"))), 16 * 5e9);
}

TEST(RingTime, IsTwiceNMinusOneStepsOfAPiece)
{
    const auto loaded = LoadSmall();
    const Resources resources(loaded.testbed.wan, {});
    CollectiveRequest request;
    request.members = {0, 1};
    request.size = Bytes::Of(2000000);
    // 2 (n-1) = 2 steps of 1 MB at 100 Gbit/s (80 us) and 10 us.
    EXPECT_EQ(RingTime(request, resources, BitRate::GigabitsPerSecond(2400)),
              Duration::Microseconds(2 * (80 + 10)));
    request.members = {0, 2};
    // Over the WAN: 10 Gbit/s (800 us), 10 ms and half the intra-DC delay at both ends.
    EXPECT_EQ(RingTime(request, resources, BitRate::GigabitsPerSecond(2400)),
              Duration::Microseconds(2 * (800 + 10000 + 10)));
    request.members = {0, 0};
    // Inside a node: 8 Mbit at 8 Gbit/s.
    EXPECT_EQ(RingTime(request, resources, BitRate::GigabitsPerSecond(8)),
              Duration::Milliseconds(2));
}

TEST(Testbed, HasEveryKindOfNetworkThatAScenarioMayName)
{
    for (const NetworkKind* kind : NetworkKinds())
    {
        const auto loaded = LoadSmall({NetworkAssignment(kind->name)});
        EXPECT_EQ(loaded.run.network, kind);
        const BareTestbed bare(loaded, StreamsOf(loaded).pairs);
        EXPECT_EQ(&bare.testbed.GetNetwork().Kind(), kind);
    }
}

TEST(RunPlan, WarmsNoIntraDcPairsWhenCollectivesAreAnalytic)
{
    const auto plan = StreamsOf(LoadSmall({"run.all_reduce_fidelity=ANALYTIC"}));
    for (const auto& pair : plan.pairs)
    {
        EXPECT_NE(plan.cells.dataCenterOfNode[pair.source],
                  plan.cells.dataCenterOfNode[pair.destination]);
    }
    EXPECT_FALSE(plan.collectivesOverNetwork);
    EXPECT_FALSE(plan.CarriesRing({0, 1}));
    EXPECT_TRUE(plan.CarriesRing({0, 2})); // of tied embeddings, from site to site
}

} // namespace

} // namespace geotrain
