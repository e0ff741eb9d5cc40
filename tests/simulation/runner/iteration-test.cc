// SPDX-License-Identifier: GPL-2.0-only
// Runs whole iterations through the runner. It compares packets with the analytic network, has
// cross-checks that hold whatever the numbers are, and compares results that must be the same bytes
// in every build.

#include "scenario-runs.h"
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace geotrain
{
namespace
{

namespace fs = std::filesystem;

const char* const scenarioText = R"(
name: "small"
model { transformer { layers: 6 hidden: 512 heads: 8 vocabulary: 4000 } sequence: 1024 microbatches: 6 }
parallelism { pipeline_stages: 3 data_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
data_center { name: "c" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
wan_link { from: "a" to: "b" rate: "5Gbps" delay: "5ms" }
wan_link { from: "b" to: "c" rate: "5Gbps" delay: "5ms" }
mtu: 9000
transport { connections: 8 window: "500kB" }
)";

class Iteration : public ::testing::Test
{
  protected:
    static Summary RunWith(const std::vector<std::string>& sets,
                           const std::string& text = scenarioText)
    {
        return RunOnce(LoadText(text, sets));
    }

    static double Metric(const Summary& summary, const std::string& name)
    {
        const auto value = summary.Find(name);
        EXPECT_TRUE(value) << name;
        return value.value_or(std::nan(""));
    }
};

TEST_F(Iteration, TheAnalyticNetworkSaysHowMuchItLostEvenOfAFewPackets)
{
    const auto summary = RunWith({"run.network=ANALYTIC",
                                  "run.warmup_iterations=0",
                                  "run.iterations=1",
                                  "model.microbatches=1",
                                  "parallelism.data_parallel=1",
                                  "transport.connections=1",
                                  "wan_link[0].queue=60kB"});
    const double lost = Metric(summary, "retransmitted_bytes");
    ASSERT_GT(lost, 0);
    ASSERT_LT(lost, 100000);
    ASSERT_EQ(summary.warnings.size(), 1u);
    const std::string before = "the analytic network lost ";
    ASSERT_EQ(summary.warnings.front().rfind(before, 0), 0u);
    EXPECT_NEAR(
        std::stod(summary.warnings.front().substr(before.size())), lost / 1e6, 0.01 * lost / 1e6);
}

TEST_F(Iteration, PacketsOnAHugeNetworkAgreeWithTheAnalyticOne)
{
    // There are some 150 ms of compute, beside which a message's few microseconds count little. A
    // window holds a whole message, so that the time depends on the executor and not on windows.
    // Every packet is acknowledged at once: a delayed acknowledgement raises the smoothed round trip,
    // which sets the pace, to thousands of these round trips.
    std::vector<std::string> sets = {"model.transformer.hidden=2048",
                                     "model.transformer.layers=18",
                                     "model.attention=UNFUSED",
                                     "transport.window=64MB",
                                     "transport.delayed_ack=1"};
    for (const char* link : {"wan_link[0]", "wan_link[1]"})
    {
        sets.push_back(std::string(link) + ".rate=10Tbps");
        sets.push_back(std::string(link) + ".delay=1us");
    }
    for (const char* site : {"data_center[0]", "data_center[1]", "data_center[2]"})
    {
        sets.push_back(std::string(site) + ".nic_rate=10Tbps");
        sets.push_back(std::string(site) + ".intra_delay=1us");
    }
    for (const char* sharing : {"sharing=SPATIAL", "sharing=TEMPORAL"})
    {
        sets.push_back(sharing);
        sets.push_back("run.network=PACKET");
        const double packets = Metric(RunWith(sets), "iteration_time");
        sets.back() = "run.network=ANALYTIC";
        const double analytic = Metric(RunWith(sets), "iteration_time");
        EXPECT_NEAR(packets, analytic, 0.001 * analytic) << sharing;
        sets.resize(sets.size() - 2);
    }
}

TEST_F(Iteration, CarriesEachMicrobatchAcrossEachBoundaryBothWays)
{
    // 6 microbatches x 2 boundaries x 2 directions x 2 replicas of 1,024 x 512 x 2 bytes.
    const double bytes = 6 * 2 * 2 * 2 * 1024.0 * 512 * 2;
    for (const char* sharing : {"sharing=SPATIAL", "sharing=TEMPORAL"})
    {
        const Summary summary = RunWith({sharing});
        EXPECT_EQ(Metric(summary, "wan_bytes"), bytes);
        EXPECT_GT(Metric(summary, "packets_wan"), 0);
        EXPECT_GT(Metric(summary, "packets_intra_dc"), 0);
        EXPECT_FALSE(
            summary.Find("analytic_all_reduce")); // the gradients' all-reduce ran over packets
        EXPECT_GT(Metric(summary, "idle_all_reduce"), 0);
    }
}

TEST_F(Iteration, AnAnalyticAllReduceIsNamedAndTakesAsLongAsPackets)
{
    const Summary packets = RunWith({});
    const Summary analytic = RunWith({"run.all_reduce_fidelity=ANALYTIC"});
    EXPECT_EQ(Metric(analytic, "analytic_all_reduce"), 1);
    const double time = Metric(packets, "iteration_time");
    // The all-reduce of 3 to 14 MB over 100 Gbit/s is some 1 to 2 ms of a 200 ms iteration.
    EXPECT_NEAR(Metric(analytic, "iteration_time"), time, 0.01 * time);
}

TEST_F(Iteration, SharesOfTimeAddUpToOne)
{
    const Summary summary = RunWith({});
    EXPECT_NEAR(Metric(summary, "total_utilization") + Metric(summary, "idle_fill_drain") +
                    Metric(summary, "idle_wan") + Metric(summary, "idle_forward_backward") +
                    Metric(summary, "idle_imbalance") + Metric(summary, "idle_local") +
                    Metric(summary, "idle_all_reduce"),
                1,
                1e-12);
}

TEST_F(Iteration, OneSiteSendsNothingOverTheWan)
{
    const Summary summary = RunWith({},
                                    R"(
name: "one"
model { transformer { layers: 4 hidden: 256 heads: 4 vocabulary: 1000 } sequence: 128 microbatches: 4 }
parallelism { pipeline_stages: 2 data_parallel: 2 }
data_center { name: "a" nodes: 4 gpus_per_node: 1 gpu: "A100-80" }
)");
    EXPECT_EQ(Metric(summary, "wan_bytes"), 0);
}

TEST_F(Iteration, TwiceTheRateNeverTakesLonger)
{
    double before = std::numeric_limits<double>::infinity();
    for (const char* rate : {"1Gbps", "2Gbps", "4Gbps"})
    {
        const double time =
            Metric(RunWith({std::string("wan_link[0].rate=") + rate}), "iteration_time");
        EXPECT_LE(time, before);
        before = time;
    }
}

TEST_F(Iteration, TiedEmbeddingsSendTheirGradientsOverTheWan)
{
    // Between first and last stage a ring of two moves the vector once each way, for each replica:
    // 4,000 x 512 parameters of 2 bytes. Both hops of the chain belong to one path, so that payload
    // counts once.
    const double untied = Metric(RunWith({}), "wan_bytes");
    const std::string tie = "model.transformer.tied_embeddings=true";
    EXPECT_EQ(Metric(RunWith({tie}), "wan_bytes") - untied, 2 * 2 * 4000.0 * 512 * 2);
    // Messages over the WAN are simulated even where the all-reduces inside data centres are not.
    const Summary analytic = RunWith({tie, "run.all_reduce_fidelity=ANALYTIC"});
    EXPECT_EQ(Metric(analytic, "wan_bytes") - untied, 2 * 2 * 4000.0 * 512 * 2);
}

TEST_F(Iteration, RunsOverTopologyZoosAbilene)
{
    const fs::path file = fs::path(GEOTRAIN_SHARED_DATA) / "topologies" / "zoo_Abilene.gml";
    if (!fs::exists(file))
    {
        GTEST_SKIP() << "no reference data at " << file;
    }
    const std::string text = R"(
name: "abilene"
model { transformer { layers: 2 hidden: 256 heads: 4 vocabulary: 1000 } sequence: 128 microbatches: 4 }
parallelism { pipeline_stages: 2 }
data_center { name: "west" at: "Seattle" nodes: 1 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
data_center { name: "east" at: "New York" nodes: 1 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
topology_import { default_rate: "10Gbps" file: ")" +
                             file.string() + "\" }\n";
    const Summary summary = RunWith({}, text);
    EXPECT_EQ(Metric(summary, "wan_bytes"), 4 * 2 * 128.0 * 256 * 2);
    // A microbatch's round trip Seattle - New York, 2 x 19 to 25 ms by fibre, at least m / p = 2
    // times.
    EXPECT_GT(Metric(summary, "iteration_time"), 2 * 2 * 0.019);
}

} // namespace
} // namespace geotrain
