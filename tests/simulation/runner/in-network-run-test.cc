// SPDX-License-Identifier: GPL-2.0-only
// Runs training whose workers hold no whole model: ZeRO-3 and an in-network optimizer, over packets
// and on the analytic network.

#include "scenario-runs.h"
#include "small-scenario.h"
#include "trace/gzip-source.h"

#include <gtest/gtest.h>

#include <filesystem>
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

// Two workers in each of two data centres, 20.02 ms apart there and back from relay to relay.
const char* const farRun = R"(
name: "far"
model { transformer { layers: 6 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 512 microbatches: 1 recomputation: FULL }
parallelism { data_parallel: 4 data_parallelism: IN_NETWORK across: REPLICAS }
data_center { name: "a" nodes: 3 replicas: 2 gpus_per_node: 1 gpu: "A100-40" }
data_center { name: "b" nodes: 3 replicas: 2 gpus_per_node: 1 gpu: "A100-40" }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" queue: "2bdp" }
in_network { payload: "4096B" }
mtu: 9000
transport { connections: 4 window: "10MB" slow_start_after_idle: false }
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
LayerBytes(const Experiment& scenario)
{
    double bytes = 0;
    for (const LayerWork& layer : scenario.jobs[0].prepared.layeredWorks.front().layers)
    {
        bytes += static_cast<double>(layer.parameters.Count());
    }
    return bytes;
}

std::string
DecompressedTrace(const std::filesystem::path& path)
{
    GzipSource source(path.string());
    std::string bytes;
    std::vector<char> part(65536);
    while (const std::size_t size = source.Read(part.data(), part.size()))
    {
        bytes.append(part.data(), size);
    }
    return bytes;
}

/// Returns why a run ended early; empty where it did not.
std::string
WhyUnfinished(const Experiment& scenario)
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
        for (std::size_t layer = 0;
             layer + 1 < scenario.jobs[0].prepared.layeredWorks.front().layers.size();
             ++layer)
        {
            expected -= scenario.jobs[0].prepared.layeredWorks.front().layers[layer].backward.ToSeconds() +
                        scenario.jobs[0].prepared.layeredWorks.front().layers[layer].recompute.ToSeconds();
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

TEST(InNetworkRun, ASwitchWithoutAServerReducesWholeReplicas)
{
    const std::vector<std::string> inSwitch = {"parallelism.data_parallelism=REPLICATED",
                                               "in_network.acknowledgement=RESULT",
                                               "model.gradient_bytes_per_parameter=2"};
    const auto scenario = LoadText(layeredRun, inSwitch);
    const Summary packets = RunOnce(scenario);
    const Summary estimate = RunOnce(LoadText(layeredRun, With(inSwitch, "run.network=ANALYTIC")));
    const Summary ring = RunOnce(LoadText(layeredRun,
                                          {"parallelism.data_parallelism=REPLICATED",
                                           "in_network=",
                                           "model.gradient_bytes_per_parameter=2",
                                           "run.network=ANALYTIC"}));
    const double time = LayeredMetric(packets, "iteration_time");
    EXPECT_NEAR(LayeredMetric(estimate, "iteration_time"), time, 0.01 * time);
    EXPECT_NEAR(LayeredMetric(packets, "tokens_per_gpu"), 512 / time, 1e-6 * 512 / time);
    // The gradients' packets of 4,132 bytes at 100 Gbit/s, against 2 x 3/4 of them in packets of
    // 9,000 bytes with 52 of headers; the rest is the same computing.
    const double gradients = static_cast<double>(scenario.jobs[0].prepared.gradients.front().Count());
    const double gained = gradients * 8 / 100e9 * (1.5 * 9000 / 8948 - 4132.0 / 4096);
    EXPECT_NEAR(LayeredMetric(ring, "iteration_time") - time, gained, 0.02 * gained + 60e-6);
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

// The computing of two replicas on A100 and two on H100 is half of what four on each compute, and the
// slower ones set the pace.
TEST(InNetworkRun, UnlikeGpusComputeAtTheirOwnSpeed)
{
    const auto computed = [](const Summary& summary) {
        return LayeredMetric(summary, "gpu_utilization") * LayeredMetric(summary, "iteration_time");
    };
    for (const auto& sets : {std::vector<std::string>{}, zero3})
    {
        const auto analytic = With(With(sets, "run.network=ANALYTIC"),
                                   "model.attention=UNFUSED"); // V100 fuses nothing
        // H100's kernels would be over before the next begins, in layers as narrow as these.
        const Summary fast = RunOnce(LoadText(layeredRun, analytic));
        const Summary slow =
            RunOnce(LoadText(layeredRun, With(analytic, "data_center[0].gpu=V100-32")));
        const Summary mixed =
            RunOnce(LoadText(layeredRun,
                             With(With(analytic, "data_center[0].other_gpus[0].nodes=2"),
                                  "data_center[0].other_gpus[0].gpu=V100-32")));
        EXPECT_LT(computed(fast), 0.5 * computed(slow));
        const double mean = (computed(slow) + computed(fast)) / 2;
        EXPECT_NEAR(computed(mixed), mean, 1e-6 * mean); // a nanosecond of each computation
        const double pace = LayeredMetric(slow, "iteration_time");
        EXPECT_NEAR(LayeredMetric(mixed, "iteration_time"), pace, 0.01 * pace);
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

TEST(InNetworkRun, OverAWanPacketsAndTheEstimateAgree)
{
    // The servers sit with half of the workers, with none of them, or are two that share the layers.
    const std::vector<std::string> third = {
        "data_center[2]={name: \"c\" nodes: 1 replicas: 0 gpus_per_node: 1 gpu: \"A100-40\"}",
        "wan_link[1]={from: \"b\" to: \"c\" rate: \"20Gbps\" delay: \"5ms\" queue: \"2bdp\"}",
        "in_network.server_data_center=c"};
    for (const auto& sets : {std::vector<std::string>{}, third})
    {
        const auto scenario = LoadText(farRun, sets);
        const Summary packets = RunOnce(scenario);
        const double time = LayeredMetric(packets, "iteration_time");
        const Summary estimate = RunOnce(LoadText(farRun, With(sets, "run.network=ANALYTIC")));
        EXPECT_NEAR(LayeredMetric(estimate, "iteration_time"), time, 0.03 * time);
        // 2 S go to and S comes from each data centre without servers;
        // what crosses the border of an iteration is a few blocks of up to 3.1 MB.
        const double crossing = 3 * LayerBytes(scenario) * (sets.empty() ? 1 : 2);
        EXPECT_NEAR(LayeredMetric(packets, "wan_bytes"), crossing, 0.03 * crossing);
        EXPECT_EQ(LayeredMetric(packets, "intra_dc_bytes"), 4 * 3 * LayerBytes(scenario));
        // Pulls take 2 S at the WAN's rate, of which packets of 9,000 bytes have 8,948. Then the
        // first layer's gradients cross, and its parameters come back.
        const double first = static_cast<double>(
            scenario.jobs[0].prepared.layeredWorks.front().layers.front().parameters.Count());
        const double floor = (2 * LayerBytes(scenario) + first) * 8 / 10e9 * 9000 / 8948 + 0.02;
        EXPECT_GT(time, floor * (sets.empty() ? 1 : 1 - 0.02 / floor));
        EXPECT_LT(time, 1.25 * floor);
    }
}

TEST(InNetworkRun, ServersThatShareTheLayersHaveRelaysOfTheirOwn)
{
    // Buffers without bounds are not warmed to the brim.
    const auto scenario = LoadText(farRun, {"in_network.servers=2", "in_network.relay_buffer=1TB"});
    const double crossing = 3 * LayerBytes(scenario);
    EXPECT_NEAR(LayeredMetric(RunOnce(scenario), "wan_bytes"), crossing, 0.06 * crossing);
}

TEST(InNetworkRun, ARelaysBufferPerRoundTripBoundsTheRate)
{
    const auto scenario = LoadText(farRun, {"in_network.relay_buffer=4MB", "run.network=ANALYTIC"});
    const double time = LayeredMetric(RunOnce(scenario), "iteration_time");
    // 16 blocks of 61 packets in 20.02 ms: the pulls, and the first layer's gradients behind them.
    const double first = static_cast<double>(
        scenario.jobs[0].prepared.layeredWorks.front().layers.front().parameters.Count());
    const double floor = (2 * LayerBytes(scenario) + first) * 20.02e-3 / (16 * 61 * 4096) + 0.02;
    EXPECT_GT(time, floor);
    EXPECT_LT(time, 1.1 * floor);
    ASSERT_EQ(scenario.warnings.size(), 1);
    // 10 Gbit/s times the round trip.
    EXPECT_NE(scenario.warnings[0].find("round trip of the WAN to b, which takes 25025kB"),
              std::string::npos)
        << scenario.warnings[0];
}

TEST(InNetworkRun, ADeadServerOverAWanEndsTheRunWithWhichRelayWaits)
{
    const std::pair<const char*, const char*> deaths[] = {
        {"in_network.servers_die_at=50ms", "relay to b, server 0 waits for packet"},
        {"in_network.switch_dies_at=50ms", "worker 0, server 0 waits for packet"},
        {"wan_link[0].outage={begin: \"2s\" end: \"90000h\"}",
         "parameters of server 0: waits for block"}};
    for (const auto& [dead, waits] : deaths)
    {
        const auto scenario = LoadText(
            farRun, {dead, "run.iterations=20", "in_network.retries=2", "in_network.timeout=40ms"});
        const std::string error = WhyUnfinished(scenario);
        EXPECT_NE(error.find(waits), std::string::npos) << dead << ": " << error;
        EXPECT_NE(error.find("waits for the pull of layer"), std::string::npos) << error;
    }
}

TEST(InNetworkRun, ADeadSwitchWithoutAServerEndsTheRun)
{
    const std::string error = WhyUnfinished(LoadText(layeredRun,
                                                     {"parallelism.data_parallelism=REPLICATED",
                                                      "in_network.acknowledgement=RESULT",
                                                      "in_network.switch_dies_at=2ms",
                                                      "in_network.retries=2",
                                                      "in_network.timeout=10ms"}));
    EXPECT_NE(error.find("iteration 0, waits for its collectives"), std::string::npos) << error;
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
    for (const char* text : {layeredRun, farRun})
    {
        std::string first;
        for (int run = 0; run < 2; ++run)
        {
            const TemporaryFolder folder;
            RunInAProcess(folder.Path(), [text] { return LoadText(text, {"run.iterations=1"}); });
            const std::string bytes = DecompressedTrace(folder.Path() / "trace.pb");
            EXPECT_FALSE(bytes.empty());
            EXPECT_TRUE(first.empty() || first == bytes);
            first = bytes;
        }
    }
}

} // namespace
} // namespace geotrain
