// SPDX-License-Identifier: GPL-2.0-only
// Tests what a run compares itself with, and what it computes instead of simulating.
#include "execution/collective-catalogue.h"
#include "execution/warm-ups.h"
#include "loader/network-kinds.h"
#include "training-plan/collective-times.h"
#include "wan/capacity.h"
#include "wan/resources.h"

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

TEST(TimeOfCollective, OfARingIsTwiceNMinusOneStepsOfAPiece)
{
    const auto loaded = LoadSmall();
    const Resources resources(loaded.testbed.wan, {});
    CollectiveRequest request;
    request.members = {0, 1};
    request.size = Bytes::Of(2000000);
    // 2 (n-1) = 2 steps of 1 MB at 100 Gbit/s (80 us) and 10 us.
    EXPECT_EQ(DemandOfCollective(request, resources, BitRate::GigabitsPerSecond(2400)).alone,
              Duration::Microseconds(2 * (80 + 10)));
    // With headers of a fifth the pieces take 80 us / 0.8. Inside a node there are none.
    const auto inNodes = BitRate::GigabitsPerSecond(2400);
    EXPECT_EQ(DemandOfCollective(request, resources, inNodes, 0.8).alone,
              Duration::Microseconds(2 * (100 + 10)));
    request.members = {0, 2};
    // Over the WAN: 10 Gbit/s (800 us), 10 ms and half the intra-DC delay at both ends.
    EXPECT_EQ(DemandOfCollective(request, resources, BitRate::GigabitsPerSecond(2400)).alone,
              Duration::Microseconds(2 * (800 + 10000 + 10)));
    request.members = {0, 0};
    // Inside a node: 8 Mbit at 8 Gbit/s.
    const auto slow = BitRate::GigabitsPerSecond(8);
    EXPECT_EQ(DemandOfCollective(request, resources, slow).alone, Duration::Milliseconds(2));
    EXPECT_EQ(DemandOfCollective(request, resources, slow, 0.8).alone, Duration::Milliseconds(2));
}

TEST(TimeOfCollective, OfATreeHasLogarithmicLatencyAndTheSameBytes)
{
    const auto loaded = LoadSmall({"data_center[0].nodes=4", "data_center[1].nodes=4"});
    const Resources resources(loaded.testbed.wan, {});
    CollectiveRequest request;
    request.members = {0, 1, 2, 3};
    request.size = Bytes::Of(2000000);
    const auto local = BitRate::GigabitsPerSecond(2400);
    // A ring: 6 steps of 0.5 MB at 100 Gbit/s (40 us) and 10 us. A tree: 4 steps of 10 us, and the
    // 1.5 MB of either half (120 us).
    EXPECT_EQ(DemandOfCollective(request, resources, local).alone,
              Duration::Microseconds(6 * (40 + 10)));
    request.algorithm = FindCollective("tree");
    EXPECT_EQ(DemandOfCollective(request, resources, local).alone,
              Duration::Microseconds(4 * 10 + 2 * 120));
}

TEST(TimeOfCollective, CountsAllThatCrossesANicInAStep)
{
    const auto loaded = LoadSmall();
    const Resources resources(loaded.testbed.wan, {});
    const auto local = BitRate::GigabitsPerSecond(2400);
    CollectiveRequest request;
    request.size = Bytes::Of(2000000);
    // 6 steps of 0.5 MB: one message leaves each node at 100 Gbit/s (40 us), or two, and 10 us.
    request.members = {0, 0, 1, 1};
    EXPECT_EQ(DemandOfCollective(request, resources, local).alone,
              Duration::Microseconds(6 * (40 + 10)));
    request.members = {0, 1, 0, 1};
    EXPECT_EQ(DemandOfCollective(request, resources, local).alone,
              Duration::Microseconds(6 * (80 + 10)));
    // A tree halves the vector inside the nodes first, 1 MB at 2,400 Gbit/s (3.33 us, rounded up), and
    // then both members of a node send 0.5 MB (80 us); the gathering is the same way back.
    request.members = {0, 0, 1, 1};
    request.algorithm = FindCollective("tree");
    EXPECT_EQ(DemandOfCollective(request, resources, local).alone,
              Duration::Nanoseconds(2 * (80000 + 10000) + 2 * 3334));
}

TEST(FastestCollectives, TakeATreeWhereItSavesLatencyAndARingWhereBothAreTheSame)
{
    const auto loaded = LoadSmall({"data_center[0].nodes=4", "data_center[1].nodes=4"});
    ExecutionPlan plan;
    plan.groups = {{0, 1, 2, 3}, {4, 5, 6, 7, 0, 1, 2, 3}};
    for (NodeIndex node = 0; node < 8; ++node)
    {
        plan.workers.push_back({"", node, {}});
    }
    const auto choose =
        FastestCollectives(plan, loaded.testbed.wan, BitRate::GigabitsPerSecond(2400));
    CollectiveRequest request;
    request.members = {0, 1, 2, 3};
    request.size = Bytes::Of(2000000);
    EXPECT_STREQ(choose(request).name, "tree");
    // Over the WAN: a tree's 6 steps cross it, as a ring's 14 do.
    request.members = {4, 5, 6, 7, 0, 1, 2, 3};
    EXPECT_STREQ(choose(request).name, "tree");
    // Of two members both are the same, and the ring is listed first.
    request.members = {0, 4};
    EXPECT_STREQ(choose(request).name, "ring");
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
