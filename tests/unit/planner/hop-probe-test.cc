// SPDX-License-Identifier: GPL-2.0-only
// Tests the measurement of messages over the WAN against their formula, where windows don't bind.
#include "planner-fixture.h"

#include "planner/hop-probe.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

struct Probed
{
    TrainingJob job = SmallJob(4, 64);
    Cluster cluster = Chain({4, 4}, 1);
    TrainingPlan plan;
    StageTable table;

    Probed()
    {
        plan.pipelineStages = 2;
        plan.dataParallel = 4;
        plan.microbatches = 16;
        plan.hosts = {{0, 1}, {1, 1}};
        // 20 windows are the bandwidth-delay product of 25 MB, which the cap's queue holds when they
        // come at once.
        cluster.transport.connection.window = Bytes::Of(1250000);
        table = MakeStageTable(job, cluster, plan);
    }

    Hop Measure()
    {
        const ClusterWays ways(cluster);
        HopProbe probe(job, cluster, ways);
        return probe.Measured({Hop()}, plan, table).hops.front();
    }

    /// Returns what a message of a pipeline alone occupies its node pair of 5 Gbit/s.
    double SecondsAlone() const
    {
        return 8.0 * static_cast<double>(table.boundary.Count()) / 5e9;
    }
};

// Acknowledgements beside the other direction's data, and a window that grows, take some per cent.
constexpr double tolerance = 0.1;

TEST(HopProbe, UnderSpatialSharingAMessageOccupiesItsOwnNodePair)
{
    Probed probed;
    const Hop hop = probed.Measure();
    EXPECT_FALSE(hop.takesTurns);
    // Acknowledgements wait in the cap's queue behind the other direction's data, at most a window. The
    // round trip is then twice as long, and a window of the bandwidth-delay product gives half the rate.
    EXPECT_GE(hop.occupancy.ToSeconds() / probed.SecondsAlone(), 1 - tolerance);
    EXPECT_LE(hop.occupancy.ToSeconds() / probed.SecondsAlone(), 2 + tolerance);
    // 20 ms one way
    EXPECT_NEAR(hop.Total().ToSeconds(), probed.SecondsAlone() + 0.02, 0.02 + probed.SecondsAlone());
}

TEST(HopProbe, ATurnIsAsShortAsThereArePipelinesInTheCell)
{
    Probed probed;
    probed.plan.sharing = WanSharing::Temporal;
    probed.plan.cellSize = 4;
    const Hop hop = probed.Measure();
    EXPECT_TRUE(hop.takesTurns);
    EXPECT_NEAR(hop.occupancy.ToSeconds() / (probed.SecondsAlone() / 4), 1, 2 * tolerance);
}

TEST(HopProbe, LeavesHopsInsideADataCenterAlone)
{
    Probed probed;
    probed.plan.hosts = {{0, 2}};
    probed.plan.dataParallel = 2;
    const ClusterWays ways(probed.cluster);
    HopProbe probe(probed.job, probed.cluster, ways);
    const Hop own{Duration::Milliseconds(7), Duration::Milliseconds(3)};
    const auto hops = probe.Measured({own}, probed.plan, probed.table).hops;
    EXPECT_EQ(hops.front().delay, own.delay);
    EXPECT_EQ(hops.front().occupancy, own.occupancy);
}

} // namespace
} // namespace geotrain
