// SPDX-License-Identifier: GPL-2.0-only
// What the paper says of the network alone: acknowledgements, and algorithm bandwidth against a
// ring all-reduce. All of it over packets.
#include "in-network-optimizer/helper/in-network-cluster.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <optional>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Bytes;

/// Returns the rate in Gbit/s at which all workers push and pull `length` at once.
double
PushPullGbps(const geotrain::InNetworkClusterSettings& settings, std::int64_t length)
{
    double end = 0;
    {
        InNetworkCluster cluster(settings);
        const auto ended = [&end] { end = static_cast<double>(NowNs()) * 1e-9; };
        AggregationEndPoint& server = cluster.Server().EndPoint();
        server.Pull(Bytes::Of(length), ended);
        server.Push(Bytes::Of(length), ended);
        for (std::uint32_t worker = 0; worker < settings.workers; ++worker)
        {
            cluster.Worker(worker).Push(Bytes::Of(length), {});
            cluster.Worker(worker).Pull(Bytes::Of(length), {});
        }
        Simulator::Run();
    }
    Simulator::Destroy();
    return static_cast<double>(length) * 8 / end * 1e-9;
}

/// Returns the algorithm bandwidth of a ring all-reduce: B N / (2 (N - 1)).
double
RingAllReduceRate(double rate, std::uint32_t workers)
{
    return rate * workers / (2.0 * (workers - 1));
}

geotrain::InNetworkClusterSettings
WorkersAcknowledging(std::uint32_t workers,
                     geotrain::AggregationSettings::Acknowledgement acknowledgement)
{
    geotrain::InNetworkClusterSettings settings;
    settings.workers = workers;
    settings.aggregation.acknowledgement = acknowledgement;
    return settings;
}

TEST(LuwuNetworkTest, AcknowledgementAPacketAndWorkerLeavesThirtyOfAHundredGbps)
{
    // LuWu: 30 Gbit/s with 32 workers. The server's link carries a gradient packet and 32
    // acknowledgements of 75 bytes: 100 x 1,024 / (1,060 + 32 x 75) = 29.6.
    const auto each = geotrain::AggregationSettings::Acknowledgement::EachPacket;
    EXPECT_NEAR(PushPullGbps(WorkersAcknowledging(32, each), 4000000), 30, 3);
}

TEST(LuwuNetworkTest, HeartbeatsAreFlatInTheNumberOfWorkers)
{
    const auto heartbeat = geotrain::AggregationSettings::Acknowledgement::Heartbeat;
    const double two = PushPullGbps(WorkersAcknowledging(2, heartbeat), 4000000);
    for (const std::uint32_t workers : {8u, 32u})
    {
        EXPECT_NEAR(PushPullGbps(WorkersAcknowledging(workers, heartbeat), 4000000), two, 0.1);
    }
    // Less than the line's 96.6: a loop of heartbeats at the beginning and the end, 40 us of 370.
    EXPECT_GT(two, 96.6 * 0.88);
}

TEST(LuwuNetworkTest, PushAndPullBeatARingAllReduceByTwiceTheNMinusOneOverN)
{
    // Algorithm bandwidth: B against B N / (2 (N - 1)): 1.0, 1.5 and 1.75. Payload counts in both.
    for (const auto& [workers, ratio] : {std::pair{2u, 1.0}, {4u, 1.5}, {8u, 1.75}})
    {
        geotrain::InNetworkClusterSettings settings;
        settings.workers = workers;
        settings.aggregation.payload = Bytes::Of(4096);
        const double ring = RingAllReduceRate(100.0 * 4096 / (4096 + 36), workers);
        EXPECT_NEAR(PushPullGbps(settings, 32000000) / ring, ratio, 0.05 * ratio) << workers;
    }
}

TEST(LuwuNetworkTest, HostCapOnBothLeavesLittleOfIt)
{
    // A host that moves 70 Gbit/s bounds both: 70 / min(70, ring) is 1.0, 1.05 and 1.23, about the
    // ratios that the paper measured.
    for (const auto& [workers, ratio] : {std::pair{2u, 1.0}, {4u, 1.05}, {8u, 1.23}})
    {
        geotrain::InNetworkClusterSettings settings;
        settings.workers = workers;
        settings.aggregation.payload = Bytes::Of(4096);
        settings.hostCap = BitRate::GigabitsPerSecond(70);
        const double payload = 4096.0 / (4096 + 36);
        const double ring = std::min(70.0, RingAllReduceRate(100, workers)) * payload;
        EXPECT_NEAR(PushPullGbps(settings, 32000000) / ring, ratio, 0.05 * ratio) << workers;
    }
}

} // namespace
} // namespace ns3
