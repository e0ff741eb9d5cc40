// SPDX-License-Identifier: GPL-2.0-only
// Runs transfers and trainings whose connections have a cap, or a round trip, of their own, against
// formulas.
#include "scenario-runs.h"
#include "small-scenario.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

class ConnectionPaths : public testing::Test
{
  protected:
    Summary Of(const Experiment& experiment)
    {
        const auto folder = m_folder / std::to_string(m_runs++);
        std::filesystem::create_directories(folder);
        return RunIn(folder, experiment);
    }

    double Of(const Experiment& experiment, const std::string& metric)
    {
        const auto value = Of(experiment).Find(metric);
        EXPECT_TRUE(value) << metric;
        return value.value_or(-1);
    }

  private:
    TemporaryFolder m_folder;
    int m_runs = 0;
};

constexpr double payloadOfCapped = 1448.0 / 1500; // of an IP packet

constexpr const char* cappedTransfer = R"(
name: "capped"
data_center { name: "a" nodes: 1 nic_rate: "10Gbps" }
data_center { name: "b" nodes: 1 nic_rate: "10Gbps" }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "20ms" }
caps { connection: "100Mbps" }
transfer { from: "a" to: "b" size: "100MB" messages: 3 }
transport { window: "64MB" chunk: "64kB" }
)";

TEST_F(ConnectionPaths, AMessageTakesItsBytesAtTheLeastOfAllCaps)
{
    // 20 ms + 8 B / (payload of min(connections x cap, pair, node)). The connections' last chunks of
    // 64 kB end apart by up to 5 ms at 100 Mbit/s, and CUBIC repairs what a full queue drops: 2 %.
    struct Case
    {
        int connections;
        std::vector<std::string> others;
        double megabits;
    };
    for (const Case& one : {Case{1, {}, 100},
                            Case{4, {}, 400},
                            Case{16, {}, 1600},
                            Case{4, {"caps.node_pair=250Mbps"}, 250},
                            Case{4, {"caps.node_egress=300Mbps"}, 300},
                            Case{16, {"caps.node_pair=1Gbps", "caps.node_ingress=800Mbps"}, 800},
                            Case{4, {"caps.node_pair=2Gbps", "caps.node_egress=2Gbps"}, 400}})
    {
        std::vector<std::string> sets = one.others;
        sets.push_back(fmt::format("transport.connections={}", one.connections));
        const double expected = 0.02 + 8 * 100e6 / (one.megabits * 1e6 * payloadOfCapped);
        EXPECT_NEAR(
            Of(LoadText(cappedTransfer, sets), "completion_time_p50"), expected, 0.02 * expected)
            << one.connections << " connections, " << one.megabits << " Mbit/s";
    }
}

/// A pipeline of one microbatch waits for its activation, and for the gradient of it, at the least of
/// all caps on both networks.
TEST_F(ConnectionPaths, ATrainingWaitsForTheCapsOnBothNetworks)
{
    const std::string pipeline = R"(
name: "pipeline"
model { transformer { layers: 4 hidden: 4096 heads: 32 vocabulary: 1000 } sequence: 4096 microbatches: 1 }
parallelism { pipeline_stages: 2 }
data_center { name: "a" nodes: 1 gpu: "A100-80" gpus_per_node: 1 stages: 1 nic_rate: "10Gbps" }
data_center { name: "b" nodes: 1 gpu: "A100-80" gpus_per_node: 1 stages: 1 nic_rate: "10Gbps" }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
caps { connection: "100Mbps" }
transport { window: "64MB" chunk: "16kB" slow_start_after_idle: false }
run { warmup_iterations: 2 iterations: 2 network: )";
    const double bits = 8 * 4096.0 * 4096 * 2;
    struct Case
    {
        int connections;
        const char* pair;
        double megabits;
    };
    for (const Case& one : {Case{1, "2Gbps", 100}, Case{4, "2Gbps", 400}, Case{16, "1Gbps", 1000}})
    {
        const double expected = 2 * (0.01 + bits / (one.megabits * 1e6 * payloadOfCapped));
        for (const char* network : {"PACKET", "ANALYTIC"})
        {
            const auto run = Of(LoadText(pipeline + network + " }",
                                         {fmt::format("transport.connections={}", one.connections),
                                          std::string("caps.node_pair=") + one.pair}));
            const double onTheWay =
                *run.Find("iteration_time") * (1 - 2 * *run.Find("gpu_utilization"));
            EXPECT_NEAR(onTheWay, expected, 0.02 * expected)
                << network << " " << one.connections << " connections";
        }
    }
}

TEST_F(ConnectionPaths, APolicedConnectionLosesWhatExceedsItsCap)
{
    // BBRv3 finds the rate of a token bucket; a bucket of 1 MB lets 2 % of 50 MB through at once, and
    // the losses cost it some more.
    const std::vector<std::string> sets{
        "caps.police=true", "transfer.size=50MB", "transport.congestion_control=TcpBbr3"};
    const auto policed = Of(LoadText(cappedTransfer, sets));
    EXPECT_GT(*policed.Find("dropped_packets"), 0);
    const double expected = 0.02 + 8 * 50e6 / (100e6 * payloadOfCapped);
    EXPECT_NEAR(*policed.Find("completion_time_p50"), expected, 0.15 * expected);
    // Four connections have four buckets.
    auto four = sets;
    four.emplace_back("transport.connections=4");
    EXPECT_LT(Of(LoadText(cappedTransfer, four), "completion_time_p50"),
              0.4 * *policed.Find("completion_time_p50"));
}

TEST_F(ConnectionPaths, NeedExpress)
{
    for (const char* bearer : {"DEVICE", "STOCK"})
    {
        const auto take = std::string("transport.bearer=") + bearer;
        EXPECT_NE(ErrorOfText(cappedTransfer, {take}).find("caps.connection"), std::string::npos);
        EXPECT_NE(ErrorOfText(cappedTransfer, {take}).find("EXPRESS"), std::string::npos);
    }
}

constexpr const char* twoFlows = R"(
name: "own-round-trips"
data_center { name: "a" nodes: 1 nic_rate: "10Gbps" }
data_center { name: "b" nodes: 1 nic_rate: "10Gbps" }
wan_link { from: "a" to: "b" rate: "100Mbps" delay: "10ms" queue: "1bdp" }
transport { preset: RFC }  # without bursts, which wait for room in small windows
transfer {
  from: "a" to: "b" duration: "4s" warm_up { time: "2s" }
  flow { name: "one" window: "100kB" rtt: "30ms" }
  flow { name: "two" count: 2 window: "100kB" rtt: ["40ms", "80ms"] }
}
)";

/// A window of 100 kB (69 segments) that is below the bandwidth-delay product goes once per round trip,
/// of which packets on the links and acknowledgements of two segments take up to 1 %.
TEST_F(ConnectionPaths, AFlowTakesItsListedRoundTrip)
{
    const auto run = Of(LoadText(twoFlows));
    const double one = 8 * 69 * 1448 / 0.030;
    const double two = 8 * 69 * 1448 * (1 / 0.040 + 1 / 0.080);
    EXPECT_NEAR(*run.Find("goodput_one"), one, 0.02 * one);
    EXPECT_NEAR(*run.Find("goodput_two"), two, 0.02 * two);
}

TEST_F(ConnectionPaths, RoundTripsAreAtLeastThePaths)
{
    EXPECT_NE(ErrorOfText(twoFlows, {"transfer.flow[0].rtt=[\"19ms\"]"}).find("20020us"),
              std::string::npos);
    EXPECT_NE(ErrorOfText(twoFlows, {"transport.bearer=DEVICE"}).find("transfer.flow[0].rtt"),
              std::string::npos);
}

/// Spread round trips are drawn by the seed, between the path's and the spread beyond it.
TEST_F(ConnectionPaths, DrawnRoundTripsGoByTheSeed)
{
    const auto drawn = [](int seed)
    {
        const Experiment experiment = LoadText(twoFlows,
                                               {"transfer.flow[0].rtt=",
                                                "transfer.flow[1].rtt=",
                                                "transfer.flow[1].count=99",
                                                "transfer.rtt_spread=60ms",
                                                fmt::format("run.seed={}", seed)});
        std::vector<double> extra;
        for (const auto& flow : experiment.transfer->flows)
        {
            extra.push_back(flow.extraRoundTrip.ToSeconds());
        }
        return extra;
    };
    const auto first = drawn(1);
    EXPECT_EQ(first, drawn(1));
    EXPECT_NE(first, drawn(2));
    EXPECT_GE(*std::min_element(first.begin(), first.end()), 0);
    EXPECT_LE(*std::max_element(first.begin(), first.end()), 0.060);
    double sum = 0;
    for (const double one : first)
    {
        sum += one;
    }
    // The mean of 100 uniform draws deviates by 60 / sqrt(12 x 100) = 1.7 ms; three of these.
    EXPECT_NEAR(sum / 100, 0.030, 0.0052);
}

/// Appenzeller, Keslassy and McKeown (SIGCOMM'04): the sum of n desynchronised windows is normal with a
/// deviation of (BDP + B) / (3 sqrt(3) sqrt(n)), around half of the buffer B above the bandwidth-delay
/// product. The link idles by what it falls short: sigma (phi(z) - z (1 - Phi(z))) with z = B / (2 sigma).
double
UtilizationOfManyFlows(double flows, double bufferInBdp)
{
    const double sigma = (1 + bufferInBdp) / (3 * std::sqrt(3.0) * std::sqrt(flows));
    const double z = bufferInBdp / (2 * sigma);
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0));
    const double above = std::erfc(z / std::sqrt(2.0)) / 2;
    return 1 - sigma * (density - z * above);
}

TEST_F(ConnectionPaths, OwnRoundTripsEndTheLockstepOfManyFlows)
{
    // 25 Reno flows of 40 to 120 ms, 80 in the mean: a bandwidth-delay product of 1 MB, and a queue of its
    // fifth. What a full queue drops at once still halves a few windows together, which takes 1.9 to 2.3
    // points at 100 to 400 Mbit/s; Appenzeller's own experiments of 100 flows are 1.8 points below the rule.
    const std::string text = R"(
name: "many"
data_center { name: "a" nodes: 1 nic_rate: "10Gbps" }
data_center { name: "b" nodes: 1 nic_rate: "10Gbps" }
wan_link { from: "a" to: "b" rate: "100Mbps" delay: "20ms" queue: "200kB" }
transfer {
  from: "a" to: "b" duration: "40s" warm_up { time: "20s" } rtt_spread: "80ms"
  flow { count: 25 congestion_control: "ns3::TcpLinuxReno" }
}
transport { window: "4MB" }
)";
    const double rule = UtilizationOfManyFlows(25, 0.2);
    EXPECT_NEAR(rule, 0.999, 0.001);
    const double drawn = Of(LoadText(text), "bottleneck_utilization");
    EXPECT_NEAR(drawn, rule, 0.025);
    const double lockstep = Of(LoadText(text, {"transfer.rtt_spread=0", "wan_link[0].delay=40ms"}),
                               "bottleneck_utilization");
    EXPECT_LT(lockstep, drawn - 0.015); // 4.6 points below the rule
}

} // namespace
} // namespace geotrain
