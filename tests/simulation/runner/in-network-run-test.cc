// SPDX-License-Identifier: GPL-2.0-only
// Runs training whose workers hold no whole model: ZeRO-3 and an in-network optimizer, over packets
// and on the analytic network.

#include "scenario-runs.h"
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <utility>

namespace geotrain
{
namespace
{

// Six layers; the first has the embedding and the last the head.
const char* const layeredRun = R"(
name: "layered"
model { transformer { layers: 6 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 512 microbatches: 1 recomputation: FULL }
parallelism { data_parallel: 4 data_parallelism: IN_NETWORK }
data_center { name: "a" nodes: 4 gpus_per_node: 1 gpu: "A100-40" }
in_network { payload: "4096B" }
mtu: 9000
run { warmup_iterations: 1 iterations: 2 }
)";

const std::vector<std::string> zero3 = {"in_network=", "parallelism.data_parallelism=ZERO3"};

std::vector<std::string>
With(std::vector<std::string> sets, const std::string& more)
{
    sets.push_back(more);
    return sets;
}

double
LayeredMetric(const Summary& summary, const std::string& name)
{
    EXPECT_TRUE(summary.Find(name)) << name;
    return summary.Find(name).value_or(0);
}

/// Returns the bytes of all layers.
double
LayerBytes(const LoadedScenario& scenario)
{
    double bytes = 0;
    for (const LayerWork& layer : scenario.training.layers)
    {
        bytes += static_cast<double>(layer.parameters.Count());
    }
    return bytes;
}

/// Returns why a run ended early; empty where it did not.
std::string
WhyUnfinished(const LoadedScenario& scenario)
{
    try
    {
        RunOnce(scenario);
    }
    catch (const UnfinishedRun& unfinished)
    {
        return unfinished.what();
    }
    return "";
}

TEST(InNetworkRun, PacketsAndTheEstimateAgree)
{
    const auto scenario = LoadText(layeredRun);
    const Summary packets = RunOnce(scenario);
    const Summary estimate = RunOnce(LoadText(layeredRun, {"run.network=ANALYTIC"}));
    const double time = LayeredMetric(packets, "iteration_time");
    EXPECT_NEAR(LayeredMetric(estimate, "iteration_time"), time, 0.03 * time);
    // Each worker receives 2 S and sends S.
    EXPECT_EQ(LayeredMetric(packets, "intra_dc_bytes"), 4 * 3 * LayerBytes(scenario));
    EXPECT_GT(LayeredMetric(packets, "packets_intra_dc"), 0);
    // 4 sequences of 512 tokens on 4 GPUs.
    EXPECT_NEAR(LayeredMetric(packets, "tokens_per_gpu"), 512 / time, 1e-6 * 512 / time);
}

TEST(InNetworkRun, Zero3CarriesThreeTimesAllButOwn)
{
    const auto scenario = LoadText(layeredRun, zero3);
    const Summary packets = RunOnce(scenario);
    const Summary analytic = RunOnce(LoadText(layeredRun, With(zero3, "run.network=ANALYTIC")));
    // Each of 4 workers sends 3 (N - 1) S / N; pieces are rounded to bytes, which add up to S.
    EXPECT_EQ(LayeredMetric(packets, "intra_dc_bytes"), 3 * 3 * LayerBytes(scenario));
    EXPECT_EQ(LayeredMetric(analytic, "intra_dc_bytes"), 3 * 3 * LayerBytes(scenario));
    const double time = LayeredMetric(packets, "iteration_time");
    EXPECT_NEAR(LayeredMetric(analytic, "iteration_time"), time, 0.03 * time);
}

TEST(InNetworkRun, RingAndTreeTakeAlphaAndBeta)
{
    // Collectives alone: nothing is fetched ahead, and a layer's work is small beside its bytes. The
    // gathers of a layer and its scatter follow one another.
    const std::vector<std::string> alone = {"in_network=",
                                            "parallelism.data_parallelism=ZERO3",
                                            "parallelism.prefetch=0",
                                            "parallelism.non_preemptive=false",
                                            "parallelism.gemm_interference=0",
                                            "model.sequence=16",
                                            "model.transformer.hidden=2048",
                                            "model.transformer.layers=3",
                                            "transport.window=4MB",
                                            "run.iterations=1"};
    for (const auto& [algorithm, steps] : {std::pair{"RING", 3}, std::pair{"TREE", 2}})
    {
        const auto scenario =
            LoadText(layeredRun, With(alone, std::string("parallelism.collectives=") + algorithm));
        const Summary summary = RunOnce(scenario);
        const double computing = LayeredMetric(summary, "gpu_utilization");
        const double idle = (1 - computing) * LayeredMetric(summary, "iteration_time");
        // alpha: 10 us a step. beta: packets of 9,000 bytes with 52 of headers at 100 Gbit/s, of
        // three quarters of 3 S. The backward of all layers but the first hides behind scatters.
        double expected =
            3 * 3 * steps * 10e-6 + 3 * 0.75 * 8 * LayerBytes(scenario) / 100e9 * 9000 / 8948;
        for (std::size_t layer = 0; layer + 1 < scenario.training.layers.size(); ++layer)
        {
            expected -= scenario.training.layers[layer].backward.ToSeconds() +
                        scenario.training.layers[layer].recompute.ToSeconds();
        }
        EXPECT_NEAR(idle, expected, 0.01 * expected) << algorithm;
    }
}

TEST(InNetworkRun, BaselinesOfTheServerTakeTheirFactors)
{
    const std::vector<std::string> once = {"run.warmup_iterations=0", "run.iterations=1"};
    const double luwu = LayeredMetric(RunOnce(LoadText(layeredRun, once)), "iteration_time");
    // A parameter server without a switch: 4 workers share its link, in both directions.
    const double server =
        LayeredMetric(RunOnce(LoadText(layeredRun, With(once, "in_network.adds_at_server=true"))),
                      "iteration_time");
    EXPECT_GT(server, 2.5 * luwu);
    EXPECT_LT(server, 4.2 * luwu);
    // An acknowledgement of 75 bytes for each of 4 workers and packet of 4,132 bytes: at most 8 %.
    const double each = LayeredMetric(
        RunOnce(LoadText(layeredRun, With(once, "in_network.acknowledgement=EACH_PACKET"))),
        "iteration_time");
    EXPECT_GT(each, 0.98 * luwu);
    EXPECT_LT(each, 1.1 * luwu);
}

TEST(InNetworkRun, IdleTimeIsThatOfCollectives)
{
    for (const auto& sets : {std::vector<std::string>{}, zero3})
    {
        const Summary summary = RunOnce(LoadText(layeredRun, With(sets, "run.network=ANALYTIC")));
        EXPECT_NEAR(LayeredMetric(summary, "idle_all_reduce") +
                        LayeredMetric(summary, "gpu_utilization"),
                    1,
                    0.02);
    }
}

TEST(InNetworkRun, ADeadServerEndsTheRunWithWhoWaits)
{
    for (const char* dead : {"in_network.servers_die_at=2ms", "in_network.switch_dies_at=2ms"})
    {
        const auto scenario =
            LoadText(layeredRun, {dead, "in_network.retries=2", "in_network.timeout=10ms"});
        const std::string error = WhyUnfinished(scenario);
        EXPECT_NE(error.find("the in-network optimizer stands still"), std::string::npos) << error;
        EXPECT_NE(error.find("worker 0: iteration 0, waits for the pull of layer"),
                  std::string::npos)
            << error;
    }
}

TEST(InNetworkRun, LostPacketsCostTimeAndNoSums)
{
    const Summary lossy = RunOnce(LoadText(layeredRun,
                                           {"in_network.loss=1e-4",
                                            "in_network.timeout=1ms",
                                            "run.warmup_iterations=0",
                                            "run.iterations=1"}));
    EXPECT_GT(LayeredMetric(lossy, "dropped_packets"), 0);
}

TEST(InNetworkRun, TwoRunsAreTheSameBytes)
{
    std::string first;
    for (int run = 0; run < 2; ++run)
    {
        const TemporaryFolder folder;
        RunInAProcess(folder.Path(), [] { return LoadText(layeredRun, {"run.iterations=1"}); });
        std::ifstream file(folder.Path() / "trace.pb", std::ios::binary);
        std::ostringstream bytes;
        bytes << file.rdbuf();
        EXPECT_FALSE(bytes.str().empty());
        EXPECT_TRUE(first.empty() || first == bytes.str());
        first = bytes.str();
    }
}

} // namespace
} // namespace geotrain
