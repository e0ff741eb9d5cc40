// SPDX-License-Identifier: GPL-2.0-only
// Whole iterations over packets: bytes, overlap, several servers, trees, baselines, determinism, and
// what a run says when a link dies.
#include "in-network-optimizer/helper/in-network-training.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

constexpr std::int64_t trainingParameters = 2000000; // 4 MB in bf16: 320 us at 100 Gbit/s

/// A TrainingRun is what came of a run.
struct TrainingRun
{
    InNetworkTraining::Result result;
    std::int64_t received = 0; ///< payload of worker 0
    std::int64_t sent = 0;
    std::int64_t hops = 0;
    std::uint64_t events = 0;
};

TrainingRun
Train(const InNetworkClusterSettings& settings,
      std::size_t layers = 4,
      Duration forward = Duration(),
      std::uint32_t iterations = 2)
{
    TrainingRun run;
    {
        InNetworkCluster cluster(settings);
        InNetworkTraining training(
            cluster,
            std::vector<TrainingLayer>(layers, {trainingParameters, forward, forward * 3}),
            iterations);
        run.result = training.Run();
        for (std::uint32_t server = 0; server < settings.servers; ++server)
        {
            run.received += cluster.Worker(0, server).Receiver().GetCounters().payloadBytes;
            run.sent += cluster.Worker(0, server).Sender().GetCounters().payloadBytes;
        }
        run.hops = cluster.PacketHops();
        run.events = Simulator::GetEventCount();
    }
    Simulator::Destroy();
    return run;
}

TEST(InNetworkTrainingTest, NicReceivesTwiceTheParametersAndSendsThemOnce)
{
    const TrainingRun run = Train({});
    const std::int64_t parameterBytes = 4 * 2 * trainingParameters; // S, over all layers
    EXPECT_EQ(run.result.ends.size(), 2);
    EXPECT_EQ(run.received, 2 * 2 * parameterBytes); // two iterations
    EXPECT_EQ(run.sent, 2 * parameterBytes);
}

TEST(InNetworkTrainingTest, LongComputeHidesTheNetwork)
{
    // A layer takes 320 us to pull; with 3 ms of forward and 9 ms of backward the GPU is the bound:
    // 4 x 12 ms an iteration, and the last gradients and the first parameters go alone: 2 layers
    // through network and server, below 4 ms.
    const Duration iteration = Train({}, 4, Duration::Milliseconds(3)).result.IterationTime();
    EXPECT_GE(iteration, Duration::Milliseconds(48));
    EXPECT_LE(iteration, Duration::Milliseconds(52));
}

TEST(InNetworkTrainingTest, ServersThatSplitTheLayersMoveTheSameBytes)
{
    InNetworkClusterSettings settings;
    settings.servers = 3;
    const TrainingRun run = Train(settings);
    EXPECT_EQ(run.result.ends.size(), 2);
    EXPECT_EQ(run.received, 2 * 2 * 4 * 2 * trainingParameters);
    EXPECT_EQ(run.sent, 2 * 4 * 2 * trainingParameters);
}

TEST(InNetworkTrainingTest, TreeOfSwitchesIsNoSlowerThanOneSwitchButForItsLinks)
{
    InNetworkClusterSettings settings;
    settings.workers = 12;
    const Duration flat = Train(settings).result.IterationTime();
    settings.switches = {4, 2, 1};
    const Duration tree = Train(settings).result.IterationTime();
    // Each level adds an interval of heartbeats and two delays to the loop; the window is for 30 us,
    // and a loop of 24 + 2 x 12 us sends 30/48 of the line rate at worst.
    EXPECT_GE(tree.ToSeconds(), flat.ToSeconds() * 0.999);
    EXPECT_LE(tree.ToSeconds(), flat.ToSeconds() * 48 / 30);
}

TEST(InNetworkTrainingTest, ServerThatAddsAloneIsNTimesSlower)
{
    // Without a switch each worker's packets and parameters cross the server's link: N times.
    InNetworkClusterSettings settings;
    settings.workers = 4;
    settings.server.ssd = BitRate::GigabitsPerSecond(8000); // no bound here
    const double inSwitch = Train(settings).result.IterationTime().ToSeconds();
    settings.addsAtServer = true;
    settings.aggregation.timeout = Duration::Milliseconds(100);
    const double atServer = Train(settings).result.IterationTime().ToSeconds();
    // Each iteration pulls 2 S: without a switch 2 x 4 x 16 MB x (1,060/1,024) / 12.5 GB/s.
    const double floor = 2.0 * 4 * 4 * 2 * trainingParameters * 1060 / 1024 / 12.5e9;
    EXPECT_GE(atServer, floor);
    EXPECT_LE(atServer, floor * 1.3); // the last update and the first read go alone
    EXPECT_GE(atServer, 2.5 * inSwitch);
}

TEST(InNetworkTrainingTest, TwoRunsOfASeedAreEqual)
{
    InNetworkClusterSettings settings;
    settings.workers = 3;
    settings.impairments.lossRate = 1e-4;
    settings.aggregation.timeout = Duration::Microseconds(200);
    const TrainingRun first = Train(settings);
    const TrainingRun second = Train(settings);
    ASSERT_EQ(first.result.ends.size(), 2);
    EXPECT_TRUE(first.result.ends == second.result.ends);
    EXPECT_EQ(first.hops, second.hops);
    settings.seed = 2;
    EXPECT_FALSE(Train(settings).result.ends == first.result.ends);
}

TEST(InNetworkTrainingTest, DeadLinksEndTheRunAndItSaysWhoWaits)
{
    InNetworkClusterSettings settings;
    settings.workers = 2;
    settings.aggregation.timeout = Duration::Milliseconds(1);
    settings.aggregation.retries = 3;
    settings.impairments.outages = {{Duration::Milliseconds(2), Duration::Seconds(1e6), false}};
    const TrainingRun run = Train(settings);
    EXPECT_LT(run.result.ends.size(), 2);
    ASSERT_FALSE(run.result.waits.empty());
    EXPECT_NE(run.result.waits[0].find("server 0 gave up on packet"), std::string::npos)
        << run.result.waits[0];
}

/// Returns when all workers have the sums of `length` bytes, which a switch sends back to them.
double
AllReduceSeconds(double lossRate, std::vector<std::uint32_t> switches)
{
    InNetworkClusterSettings settings;
    settings.aggregation.acknowledgement = AggregationSettings::Acknowledgement::Result;
    settings.aggregation.timeout = Duration::Milliseconds(1);
    settings.impairments.lossRate = lossRate;
    settings.switches = std::move(switches);
    double end = 0;
    std::uint32_t done = 0;
    {
        InNetworkCluster cluster(settings);
        for (std::uint32_t worker = 0; worker < settings.workers; ++worker)
        {
            cluster.Worker(worker).Pull(Bytes::Of(4000000),
                                        [&end, &done]
                                        {
                                            ++done;
                                            end = static_cast<double>(NowNs()) * 1e-9;
                                        });
            cluster.Worker(worker).Push(Bytes::Of(4000000), {});
        }
        Simulator::Run();
    }
    Simulator::Destroy();
    EXPECT_EQ(done, settings.workers);
    return end;
}

TEST(InNetworkTrainingTest, AllReduceInTheSwitchTakesTwoDelaysAndTheBytes)
{
    // Two hops of 1 us, the second of which sends a packet again, and 3,907 packets.
    const double expected = 2e-6 + (4000000 + 3907 * 36.0 + 1060) / 12.5e9;
    EXPECT_NEAR(AllReduceSeconds(0, {1}), expected, 0.001 * expected);
    // A level more: two hops up, two hops down.
    EXPECT_NEAR(AllReduceSeconds(0, {2, 1}), expected + 2e-6 + 2 * 1060 / 12.5e9, 0.001 * expected);
}

TEST(InNetworkTrainingTest, AllReduceInTheSwitchSurvivesLosses)
{
    // The workers check the sums themselves (SumCheck).
    EXPECT_GT(AllReduceSeconds(0.002, {1}), 1e-3);
    EXPECT_GT(AllReduceSeconds(0.002, {2, 1}), 1e-3);
}

} // namespace
} // namespace ns3
