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
    layers: {} hidden: {} heads: {} vocabulary: {} tied_embeddings: true qkv_bias: false linear_bias: false
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

Errors
MosaicErrors(const std::string& chip, double efficiency, const char* attention = "FUSED")
{
    std::vector<double> errors;
    for (const CsvRow& row : MosaicRows(chip))
    {
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
    std::printf("%s, %s: %zu rows, modelled over published %.3f, mean error %.1f %%, largest %.1f %%\n",
                chip.c_str(),
                attention,
                errors.size(),
                summary.middle,
                100 * summary.mean,
                100 * summary.largest);
    return summary;
}

} // namespace
} // namespace geotrain
