// SPDX-License-Identifier: GPL-2.0-only
// Runs LuWu's model of 175B as a scenario, on the analytic network: 8 workers of one GPU at 100
// Gbit/s, 96 layers (arXiv 2409.00918). The GPUs' speed is a number of the test, so that the
// network, or the papers' share of the peak, decides alone.
#include "loader/scenario-loader.h"
#include "scenario-runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

constexpr const char* model175 = R"(
model {{
  transformer {{ layers: 96 hidden: 12288 heads: 96 vocabulary: 51200 tied_embeddings: false }}
  sequence: 1024 microbatches: 1 microbatch_size: {} recomputation: FULL attention: FUSED
}}
gpu_type {{
  name: "of-the-test" peak_tflops: {} memory: "40GB" bandwidth_gb_per_s: 10000000 nvlink_gb_per_s: 300
  efficiency {{ matmul: {} half_side: 0 memory: 1 attention: {} }}
}}
data_center {{ name: "dc" nodes: 16 gpus_per_node: 1 gpu: "of-the-test" nic_rate: "100Gbps" intra_delay: "2us" }}
mtu: 9000
transport {{ window: "4MB" }}
run {{ network: ANALYTIC warmup_iterations: 1 iterations: 2 deadline: "10h" memory_check: WARN }}
)";

constexpr double gpuPeak = 312;   ///< TFLOP/s of an A100
constexpr double noCompute = 1e6; ///< TFLOP/s of a GPU whose computations take no time that shows

/// Returns a metric of the model's run. `share` is that of the peak in TFLOP/s which products reach.
double
Metric(const char* metric, int sequences, double peak, double share, const std::string& system)
{
    const std::string text = fmt::format(model175, sequences, peak, share, share) + system;
    return RunOnce(LoadScenario({"luwu-175b", ".", text})).Find(metric).value_or(0);
}

TEST(LuwuScenarioTest, NetworkAloneTakes56SecondsInNetwork)
{
    // Two pulls of 2 x 175e9 bytes at 12.5 GB/s, the push within the second one. The server's SSDs
    // do not bind. Headers are 0.9 %, the embeddings 0.7 %.
    const double seconds = Metric("iteration_time",
                                  1,
                                  noCompute,
                                  1,
                                  R"(parallelism { data_parallel: 8 data_parallelism: IN_NETWORK }
               in_network { payload: "4096B" ssd_rate: "80Tbps" })");
    EXPECT_NEAR(seconds, 2 * 350e9 / 12.5e9, 0.03 * 56.0);
}

TEST(LuwuScenarioTest, NetworkAloneTakes73SecondsOverARing)
{
    // Two all-gathers and a reduce-scatter of 7/8 of 350 GB.
    const double seconds = Metric("iteration_time",
                                  1,
                                  noCompute,
                                  1,
                                  "parallelism { data_parallel: 8 data_parallelism: ZERO3 }");
    EXPECT_NEAR(seconds, 3 * 7.0 / 8 * 350e9 / 12.5e9, 0.03 * 73.5);
}

TEST(LuwuScenarioTest, SixteenSequencesAtSixtyPercentOfThePeakGive131TokensPerSecondAndGpu)
{
    // SSDs of 26 GB/s a direction bind backward, 14 x 175e9 / 26e9 = 94 s. The paper has up to 134.
    const double tokens = Metric("tokens_per_gpu",
                                 16,
                                 gpuPeak,
                                 0.6,
                                 R"(parallelism { data_parallel: 8 data_parallelism: IN_NETWORK }
               in_network { payload: "4096B" ssd_rate: "208Gbps" })");
    EXPECT_NEAR(tokens, 131, 0.05 * 131);
}

} // namespace
} // namespace geotrain
