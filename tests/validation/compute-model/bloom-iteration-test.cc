// SPDX-License-Identifier: GPL-2.0-only
// Checks iterations of small and large batches against BLOOM-176B's training on 384 A100-80 (48
// nodes with four Omni-Path NICs of 100 Gbit/s, TP 4, PP 12, DP 8), as BigScience noted them
// (github.com/bigscience-workshop/bigscience, train/tr11-176B-ml: README.md, chronicles.md), and
// what its software adds to an iteration against formulas.
#include "loader/scenario-loader.h"
#include "scenario-runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>

namespace geotrain
{
namespace
{

// The first and the last stage have five layers and the embedding, which is as large as a layer.
constexpr const char* bloom = R"(
model {{
  transformer {{
    layers: 70 hidden: 14336 heads: 112 vocabulary: 250880 tied_embeddings: true learned_positions: false
  }}
  sequence: 2048 microbatches: {} microbatch_size: {} recomputation: FULL
  attention: UNFUSED gradient_bytes_per_parameter: 4
}}
parallelism {{
  pipeline_stages: 12 data_parallel: 8 tensor_parallel: 4 shard_optimizer: true
  layers_per_stage: [5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 5]
}}
data_center {{ name: "jean-zay" nodes: 48 gpu: "A100-80" gpus_per_node: 8 nic_rate: "400Gbps" }}
transport {{ window: "64MB" }}
run {{ network: ANALYTIC memory_check: WARN }}
)";

/// Returns the time of BLOOM's iteration with the assignments.
double
SecondsOf(int microbatches, int microbatchSize, const std::vector<std::string>& sets = {})
{
    std::vector<Assignment> assignments;
    for (const auto& set : sets)
    {
        assignments.push_back({set, "test"});
    }
    const auto text = fmt::format(bloom, microbatches, microbatchSize);
    return RunOnce(LoadScenario({"bloom", ".", text}, assignments))
        .Find("iteration_time")
        .value_or(0);
}

TEST(BloomIteration, EveryBatchWithinTenPercent)
{
    struct Row
    {
        int microbatches; ///< of each of the 8 replicas
        int microbatchSize;
        double seconds;
    };
    const Row rows[] = {
        {1, 2, 15.23}, // a line of the log; 8 TFLOP/s
        // "GBS=192/MBS=1 @ 73 TFLOPs", where a batch of 2,048 in 105.22 s is 149.02
        {24, 1, 192 / 2048.0 * 105.22 * 149.02 / 73},
        {32, 2, 512 / 2048.0 * 105.22 * 149.02 / 113}, // "113 TFLOPs at iteration 512"
        {128, 2, 105.22}};
    for (const auto& row : rows)
    {
        const double modelled = SecondsOf(row.microbatches, row.microbatchSize);
        std::printf("batch %4d: measured %6.2f s, modelled %6.2f s, %+.1f %%\n",
                    8 * row.microbatches * row.microbatchSize,
                    row.seconds,
                    modelled,
                    100 * (modelled / row.seconds - 1));
        EXPECT_NEAR(modelled, row.seconds, 0.1 * row.seconds);
    }
}

constexpr double layer = 12.0 * 14336 * 14336; // parameters without biases and norms (0.1 %)
constexpr double embedding = 250880.0 * 14336;
constexpr double memoryRate = 2039e9 * 0.72; // A100-80, in bytes/s

// The first stage, whose backward pass is the last one, sets the end: a ring over four nodes with
// two replicas each leaves a node once, with 7/8 of the 16-bit parameters, in packets of 1,448
// bytes of 1,500. A sharded step saves 7/8 of 30 bytes a parameter and GPU.
TEST(BloomIteration, ShardedOptimizerGathersTheParameters)
{
    const double parameters = 5 * layer + embedding;
    const double gathered = 7.0 / 8 * 2 * parameters / 50e9 * 1500 / 1448;
    const double saved = 7.0 / 8 * 30 * parameters / 4 / memoryRate;
    const std::string rate = "data_center[0].intra_rate=400Gbps";
    EXPECT_NEAR(SecondsOf(1, 2, {rate}) -
                    SecondsOf(1, 2, {rate, "parallelism.shard_optimizer=false"}),
                gathered - saved,
                0.01 * gathered); // delays
}

// Wide gradients are summed by 12 bytes of traffic a parameter and GPU beyond 16-bit ones, once per
// microbatch; a microbatch more is one more turn of a stage of six layers.
TEST(BloomIteration, SeparateSumsOfGradientsTakeMemoryTraffic)
{
    const std::vector<std::string> plain = {"model.software=CURRENT",
                                            "parallelism.shard_optimizer=false"};
    const std::vector<std::string> apart = {"model.software=MEGATRON_DEEPSPEED",
                                            "parallelism.shard_optimizer=false"};
    const double more = SecondsOf(48, 2, apart) - SecondsOf(24, 2, apart) -
                        (SecondsOf(48, 2, plain) - SecondsOf(24, 2, plain));
    const double sums = 24 * 12 * 6 * layer / 4 / memoryRate;
    // The first and the last stage, with an embedding, are larger; slower NICs show a little too.
    EXPECT_NEAR(more, sums, 0.15 * sums);
}

TEST(BloomIteration, OverheadIsAddedToEachIteration)
{
    const std::vector<std::string> several = {"run.iterations=3"};
    const std::vector<std::string> slow = {"run.iterations=3", "model.iteration_overhead=1500ms"};
    EXPECT_NEAR(SecondsOf(2, 2, slow), SecondsOf(2, 2, several) + 1.5, 1e-6);
}

} // namespace
} // namespace geotrain
