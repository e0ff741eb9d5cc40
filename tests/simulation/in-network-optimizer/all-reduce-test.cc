// SPDX-License-Identifier: GPL-2.0-only
// A switch without a server sends sums back to its workers.
#include "in-network-optimizer/helper/in-network-cluster.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

namespace ns3
{
namespace
{

using geotrain::Bytes;
using geotrain::Duration;

/// Returns when all workers have the sums of `length` bytes, which a switch sends back to them.
double
AllReduceSeconds(double lossRate, std::vector<std::uint32_t> switches)
{
    geotrain::InNetworkClusterSettings settings;
    settings.aggregation.acknowledgement = geotrain::AggregationSettings::Acknowledgement::Result;
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

TEST(AllReduceTest, AllReduceInTheSwitchTakesTwoDelaysAndTheBytes)
{
    // Two hops of 1 us, the second of which sends a packet again, and 3,907 packets.
    const double expected = 2e-6 + (4000000 + 3907 * 36.0 + 1060) / 12.5e9;
    EXPECT_NEAR(AllReduceSeconds(0, {1}), expected, 0.001 * expected);
    // A level more: two hops up, two hops down.
    EXPECT_NEAR(AllReduceSeconds(0, {2, 1}), expected + 2e-6 + 2 * 1060 / 12.5e9, 0.001 * expected);
}

TEST(AllReduceTest, AllReduceInTheSwitchSurvivesLosses)
{
    // The workers check the sums themselves (SumCheck).
    EXPECT_GT(AllReduceSeconds(0.002, {1}), 1e-3);
    EXPECT_GT(AllReduceSeconds(0.002, {2, 1}), 1e-3);
}

} // namespace
} // namespace ns3
