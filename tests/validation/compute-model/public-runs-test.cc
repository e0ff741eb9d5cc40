// SPDX-License-Identifier: GPL-2.0-only
// Holds whole simulated runs against public throughput: MosaicML's on a node of 8 GPUs (mosaic-runs.h),
// with the collectives of FSDP, and Megatron-Core's on H100 (Megatron-LM's page, weak scaling; sequence
// 4,096, vocabulary 131,072, BF16) with tensor and pipeline parallelism and all-reduces. What is left is
// a factor per software and year, model.software_efficiency (compute-model/README.md, "Software").
#include "csv-rows.h"
#include "loader/scenario-loader.h"
#include "mosaic-runs.h"
#include "scenario-runs.h"
#include "workload/flop-count.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace geotrain
{
namespace
{

double
IterationSeconds(const std::string& text)
{
    return RunOnce(LoadScenario({"public-run", ".", text})).Find("iteration_time").value_or(0);
}

/// Returns a row's tokens per second and GPU with all of its kernels' rates but `efficiency` lost.
double
MosaicTokensPerSecond(const CsvRow& row, double efficiency, const char* attention)
{
    const TransformerSpec model = MosaicModel(row);
    const std::string text = fmt::format(R"(
model {{
  transformer {{
    layers: {} hidden: {} heads: {} vocabulary: {} tied_embeddings: true qkv_bias: false
    output_bias: false linear_bias: false
  }}
  sequence: {} microbatches: {} microbatch_size: {} recomputation: {} attention: {} software_efficiency: {}
}}
parallelism {{ data_parallel: 8 data_parallelism: ZERO3 }}
data_center {{ name: "node" nodes: 1 gpus_per_node: 8 gpu: "{}" nic_rate: "800Gbps" }}
run {{ network: ANALYTIC warmup_iterations: 1 iterations: 1 memory_check: WARN }}
)",
                                         model.layers,
                                         model.hidden,
                                         model.heads,
                                         model.vocabulary,
                                         model.sequence,
                                         row.at("grad_accumulation"),
                                         row.at("microbatch"),
                                         row.at("recomputation"),
                                         attention,
                                         efficiency,
                                         MosaicGpu(row).name);
    const double tokens =
        Number(row, "grad_accumulation") * Number(row, "microbatch") * model.sequence;
    return tokens / IterationSeconds(text);
}

/// Errors are relative, modelled over published less 1.
struct Errors
{
    double middle = 0; ///< geometric mean of modelled over published
    double mean = 0;   ///< of the sizes
    double largest = 0;
};

Errors
Summary(const std::vector<double>& errors)
{
    Errors summary;
    for (const double error : errors)
    {
        summary.middle += std::log1p(error) / static_cast<double>(errors.size());
        summary.mean += std::abs(error) / static_cast<double>(errors.size());
        summary.largest = std::max(summary.largest, std::abs(error));
    }
    summary.middle = std::exp(summary.middle);
    return summary;
}

/// Takes every `every`-th row.
Errors
MosaicErrors(const std::string& chip,
             double efficiency,
             const char* attention = "FUSED",
             std::size_t every = 1)
{
    std::vector<double> errors;
    const std::vector<CsvRow> rows = MosaicRows(chip);
    for (std::size_t i = 0; i < rows.size(); i += every)
    {
        const CsvRow& row = rows[i];
        const double error = MosaicTokensPerSecond(row, efficiency, attention) /
                                 Number(row, "tokens_per_s_per_gpu") -
                             1;
        std::printf("%s %-4s sequence %5s, %2s x %2s: %+5.1f %%\n",
                    row.at("gpu").c_str(),
                    row.at("model").c_str(),
                    row.at("sequence").c_str(),
                    row.at("grad_accumulation").c_str(),
                    row.at("microbatch").c_str(),
                    100 * error);
        errors.push_back(error);
    }
    const Errors summary = Summary(errors);
    std::printf(
        "%s, %s: %zu rows, modelled over published %.3f, mean error %.1f %%, largest %.1f %%\n",
        chip.c_str(),
        attention,
        errors.size(),
        summary.middle,
        100 * summary.mean,
        100 * summary.largest);
    return summary;
}

/// Returns a row's teraflops per GPU. The page gives neither microbatch nor interleaving nor
/// recomputation. They are taken to be: all of a replica's sequences at once where there is no pipeline,
/// otherwise one, in 4 chunks per stage; no recomputation. Its software has sequence parallelism, a
/// distributed optimiser, and hides tensor parallelism's communication; 0.8 of it is taken to be hidden.
double
MegatronCoreTeraflops(const CsvRow& row, double efficiency)
{
    const std::uint32_t stages = Count(row, "PP");
    const std::uint32_t sequences = Count(row, "global_batch") / Count(row, "DP");
    const std::string text =
        fmt::format(R"(
model {{
  transformer {{ layers: {} hidden: {} heads: {} vocabulary: 131072 tied_embeddings: true }}
  sequence: 4096 microbatches: {} microbatch_size: {} recomputation: SELECTIVE software_efficiency: {}
}}
parallelism {{
  pipeline_stages: {} data_parallel: {} tensor_parallel: {} shard_optimizer: true tensor_overlap: 0.8
}}
data_center {{ name: "eos" nodes: {} gpus_per_node: 8 gpu: "H100" nic_rate: "3200Gbps" }}
mtu: 9000
transport {{ window: "64MB" }}
schedule {{ {} }}
run {{ network: ANALYTIC warmup_iterations: 1 iterations: 1 memory_check: WARN }}
)",
                    row.at("layers"),
                    row.at("hidden"),
                    row.at("heads"),
                    stages > 1 ? sequences : 1,
                    stages > 1 ? 1 : sequences,
                    efficiency,
                    stages,
                    row.at("DP"),
                    row.at("TP"),
                    Count(row, "gpus") / 8,
                    stages > 1 ? "name: \"interleaved\" virtual_stages: 4" : "name: \"1f1b\"");
    const TransformerSpec model = MakeGpt("megatron-core",
                                          Count(row, "layers"),
                                          Count(row, "hidden"),
                                          Count(row, "heads"),
                                          131072,
                                          4096,
                                          true);
    return ModelFlops(model, Count(row, "global_batch")).Count() / IterationSeconds(text) /
           Count(row, "gpus") * 1e-12;
}

// The software's efficiencies of compute-model/README.md.
constexpr double llmFoundry2023OnA100 = 1;
constexpr double llmFoundry2023OnH100 = 0.91;
constexpr double megatronCore2024 = 0.85;

TEST(PublicRuns, MosaicOnA100)
{
    if (MosaicRows("a100").empty())
    {
        GTEST_SKIP() << "no training/mosaic_8gpu_half.csv below " << GEOTRAIN_SHARED_DATA;
    }
    const Errors fused = MosaicErrors("a100", llmFoundry2023OnA100);
    EXPECT_LT(fused.mean, 0.05);
    EXPECT_LT(fused.largest, 0.27);
    EXPECT_GT(MosaicErrors("a100", llmFoundry2023OnA100, "UNFUSED", 5).mean, 0.2); // scores in memory
}

// One factor does not tell attention from products: rows of 512 tokens are modelled 10 % too fast, and those
// of 65,536 tokens 14 % too slow. The largest error is a model of 30B that hardly fits.
TEST(PublicRuns, MosaicOnH100)
{
    if (MosaicRows("h100").empty())
    {
        GTEST_SKIP() << "no training/mosaic_8gpu_half.csv below " << GEOTRAIN_SHARED_DATA;
    }
    const Errors errors = MosaicErrors("h100", llmFoundry2023OnH100);
    EXPECT_LT(errors.mean, 0.10);
    EXPECT_LT(errors.largest, 0.27);
}

TEST(PublicRuns, MegatronCoreOnH100)
{
    std::vector<double> errors;
    for (const CsvRow& row : ReadReference("training/megatron_core_h100_some.csv"))
    {
        const double error =
            MegatronCoreTeraflops(row, megatronCore2024) / Number(row, "tflops_per_gpu") - 1;
        std::printf("Megatron-Core %-4s: %+5.1f %%\n", row.at("model").c_str(), 100 * error);
        errors.push_back(error);
    }
    if (errors.empty())
    {
        GTEST_SKIP() << "no training/megatron_core_h100_some.csv below " << GEOTRAIN_SHARED_DATA;
    }
    const Errors summary = Summary(errors);
    std::printf("modelled over published %.3f\n", summary.middle);
    EXPECT_LT(summary.mean, 0.10);
    EXPECT_LT(summary.largest, 0.17);
}

} // namespace
} // namespace geotrain
