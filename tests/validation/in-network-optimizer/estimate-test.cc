// SPDX-License-Identifier: GPL-2.0-only
// The estimate of an iteration is within 3 % of the packets where nothing is lost.
#include "in-network-optimizer/helper/in-network-estimate.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <functional>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

struct EstimateCase
{
    const char* name;
    std::function<void(InNetworkClusterSettings&)> change;
    Duration forward;
};

void
PrintTo(const EstimateCase& estimate, std::ostream* stream)
{
    *stream << estimate.name;
}

class EstimateTest : public testing::TestWithParam<EstimateCase>
{
};

TEST_P(EstimateTest, IsWithinThreePercentOfPackets)
{
    InNetworkClusterSettings settings;
    settings.workers = 3;
    settings.aggregation.payload = Bytes::Of(4096);
    settings.server.ssd = BitRate::GigabitsPerSecond(1600); // no bound
    GetParam().change(settings);
    const Duration forward = GetParam().forward;
    const std::vector<TrainingLayer> layers(8, {8000000, forward, forward * 3});
    double packets = 0;
    {
        InNetworkCluster cluster(settings);
        packets = InNetworkTraining(cluster, layers, 3).Run().IterationTime().ToSeconds();
    }
    Simulator::Destroy();
    const double estimate = EstimateIteration(settings, layers).ToSeconds();
    EXPECT_NEAR(estimate / packets, 1, 0.03) << estimate << " s, packets " << packets << " s";
}

const EstimateCase estimateCases[] = {
    {"LineRate", [](auto&) {}, Duration()},
    {"SmallPackets",
     [](auto& settings) { settings.aggregation.payload = Bytes::Of(1024); },
     Duration()},
    {"SsdBoundBackward",
     [](auto& settings) { settings.server.ssd = BitRate::GigabitsPerSecond(208); },
     Duration()},
    {"SlowSsd",
     [](auto& settings) { settings.server.ssd = BitRate::GigabitsPerSecond(80); },
     Duration()},
    {"ComputeBound", [](auto&) {}, Duration::Milliseconds(3)},
    {"ComputeBesideTheNetwork", [](auto&) {}, Duration::Microseconds(900)},
    {"HostCap",
     [](auto& settings) { settings.hostCap = BitRate::GigabitsPerSecond(70); },
     Duration()},
    {"TreeOfSwitches",
     [](auto& settings)
     {
         settings.switches = {2, 1};
         settings.aggregation.window = Bytes::Of(1000000);
     },
     Duration()},
    {"WindowBelowTheLoop",
     [](auto& settings) { settings.aggregation.window = Bytes::Of(100000); },
     Duration()}};

INSTANTIATE_TEST_SUITE_P(All,
                         EstimateTest,
                         testing::ValuesIn(estimateCases),
                         [](const auto& test) { return test.param.name; });

} // namespace
} // namespace ns3
