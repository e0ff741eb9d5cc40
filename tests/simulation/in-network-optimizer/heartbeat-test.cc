// SPDX-License-Identifier: GPL-2.0-only
// The server sees one heartbeat in and one out an interval, whatever the number of workers.
#include "in-network-optimizer/helper/in-network-cluster.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Bytes;

/// HeartbeatCounts are those of the server at one time.
struct HeartbeatCounts
{
    std::int64_t in = 0;
    std::int64_t out = 0;
};

/// Returns what the server sees in 20 intervals while all workers push and pull.
HeartbeatCounts
HeartbeatsInTwentyIntervals(std::uint32_t workers, std::vector<std::uint32_t> switches)
{
    geotrain::InNetworkClusterSettings settings;
    settings.workers = workers;
    settings.switches = std::move(switches);
    InNetworkCluster cluster(settings);
    const Bytes length = Bytes::Of(4000000); // 320 us at 100 Gbit/s
    AggregationEndPoint& server = cluster.Server().EndPoint();
    server.Pull(length, {});
    server.Push(length, {});
    for (std::uint32_t worker = 0; worker < workers; ++worker)
    {
        cluster.Worker(worker).Push(length, {});
        cluster.Worker(worker).Pull(length, {});
    }
    const auto counts = [&server]
    {
        return HeartbeatCounts{server.HeartbeatsReceived(),
                               server.Receiver().GetCounters().heartbeats};
    };
    HeartbeatCounts first;
    HeartbeatCounts last;
    Simulator::Schedule(MicroSeconds(95), [&first, counts] { first = counts(); });
    Simulator::Schedule(MicroSeconds(295), [&last, counts] { last = counts(); });
    Simulator::Run();
    Simulator::Destroy();
    return {last.in - first.in, last.out - first.out};
}

TEST(HeartbeatTest, ServerSeesOneInAndOneOutAnInterval)
{
    for (const std::uint32_t workers : {2u, 3u, 8u, 17u, 32u, 64u})
    {
        const HeartbeatCounts counts = HeartbeatsInTwentyIntervals(workers, {1});
        EXPECT_EQ(counts.in, 20) << workers;
        EXPECT_EQ(counts.out, 20) << workers;
    }
}

TEST(HeartbeatTest, TreeOfSwitchesSendsOneToo)
{
    const HeartbeatCounts counts = HeartbeatsInTwentyIntervals(64, {8, 2, 1});
    EXPECT_EQ(counts.in, 20);
    EXPECT_EQ(counts.out, 20);
}

} // namespace
} // namespace ns3
