// SPDX-License-Identifier: GPL-2.0-only
// Tests a cluster's counts, and what a node pair meets between its data centres.
#include "planner-fixture.h"

#include "training-plan/cluster-ways.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(Cluster, CountsGpusAndGroupsThatStayInANode)
{
    const Cluster cluster = Chain({3, 2}, 8);
    EXPECT_EQ(cluster.Gpus(), 40u);
    EXPECT_EQ(cluster.GpusOf(1), 16u);
    EXPECT_EQ(cluster.GroupsOf(0, 3), 6u); // two of a node's eight GPUs are left over
}

TEST(Cluster, RefusesDataCentresThatTheWanDoesNotConnect)
{
    Cluster cluster = Chain({1, 1}, 8);
    cluster.wan.links.clear();
    EXPECT_NE(RefusalOf([&] { CheckCluster(cluster); }).find("no path from a to b"),
              std::string::npos);
    cluster.wan.sites[1].nodes = 0; // it takes no part
    EXPECT_EQ(RefusalOf([&] { CheckCluster(cluster); }), "");
}

TEST(ClusterWays, APairGetsTheLowestRateLessTheHeaders)
{
    Cluster cluster = Chain({2, 2, 2}, 8);
    cluster.transport.connection.window = Bytes(); // no limit
    cluster.transport.payloadShare = 0.9;
    const ClusterWays ways(cluster);
    EXPECT_DOUBLE_EQ(ways.Between(0, 1).PairRate(), 0.9 * 5e9);
    EXPECT_DOUBLE_EQ(ways.Inside(0).PairRate(), 0.9 * 100e9);
    EXPECT_DOUBLE_EQ(ways.Between(0, 2).link, 100e9);
}

TEST(ClusterWays, AWindowLimitsPayloadAndSoLosesNothingToHeaders)
{
    Cluster cluster = Chain({1, 1}, 8, Duration::Milliseconds(50));
    cluster.transport.connections = 2;
    cluster.transport.payloadShare = 0.9;
    // 2 connections of 2 MB over 100 ms there and back.
    EXPECT_DOUBLE_EQ(ClusterWays(cluster).Between(0, 1).PairRate(), 2 * 2e6 * 8 / 0.1);
}

TEST(ClusterWays, ADataCentreWithoutNodesHasNoWays)
{
    Cluster cluster = Chain({1, 1, 1}, 8);
    cluster.wan.sites[1].nodes = 0; // its site stays on the way
    const ClusterWays ways(cluster);
    EXPECT_FALSE(ways.Between(0, 1).isThere);
    EXPECT_TRUE(ways.Between(0, 2).isThere);
}

} // namespace
} // namespace geotrain
