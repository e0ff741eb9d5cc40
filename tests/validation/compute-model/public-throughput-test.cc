// SPDX-License-Identifier: GPL-2.0-only
// Checks stage timing with fused attention against public throughput: MosaicML's on A100 and H100
// (mosaic-runs.h), and Megatron-Core's on H100 (Megatron-LM's page, weak scaling; sequence 4,096,
// vocabulary 131,072, BF16). H100's constants are fitted to half of the rows, and both halves'
// errors are printed.
#include "hardware/gpu-catalogue.h"
#include "megatron-iteration.h"
#include "mosaic-runs.h"
#include "workload/flop-count.h"
#include "workload/memory-model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace geotrain
{
namespace
{

/// RowErrors are the absolute relative errors of some rows.
struct RowErrors
{
    double mean = 0;
    double largest = 0;
};

RowErrors
Summary(const std::vector<double>& errors)
{
    RowErrors summary;
    for (const double error : errors)
    {
        summary.mean += std::abs(error) / static_cast<double>(errors.size());
        summary.largest = std::max(summary.largest, std::abs(error));
    }
    return summary;
}

/// Returns the errors of rows `first`, `first` + `step`, and so on. Each GPU is the catalogue's,
/// with the constants of `efficiency` where there are any.
std::vector<double>
MosaicErrors(const std::vector<CsvRow>& rows,
             Attention attention,
             std::size_t first = 0,
             std::size_t step = 1,
             const GpuEfficiency* efficiency = nullptr)
{
    std::vector<double> errors;
    for (std::size_t index = first; index < rows.size(); index += step)
    {
        GpuSpec gpu = MosaicGpu(rows[index]);
        gpu.efficiency = efficiency != nullptr ? *efficiency : gpu.efficiency;
        errors.push_back(MosaicError(rows[index], gpu, attention));
    }
    return errors;
}

// The three constants are those of SC'21's rows of unfused attention; nothing is fitted to these
// rows. The largest errors are the 760m model's on A100-80, which was 15 % slower there than on
// A100-40.
TEST(MosaicThroughput, FusedAttentionOnA100WithConstantsOfOtherRows)
{
    const auto rows = MosaicRows("a100");
    if (rows.empty())
    {
        GTEST_SKIP() << "no training/mosaic_8gpu_half.csv below " << GEOTRAIN_SHARED_DATA;
    }
    const auto errors = MosaicErrors(rows, Attention::Fused);
    for (std::size_t index = 0; index < rows.size(); ++index)
    {
        std::printf("%s %-4s sequence %5s: %+5.1f %%\n",
                    rows[index].at("gpu").c_str(),
                    rows[index].at("model").c_str(),
                    rows[index].at("sequence").c_str(),
                    100 * errors[index]);
    }
    const RowErrors fused = Summary(errors);
    const RowErrors unfused = Summary(MosaicErrors(rows, Attention::Unfused));
    std::printf("%zu rows, mean error fused %.1f %% (largest %.1f), unfused %.1f %%\n",
                rows.size(),
                100 * fused.mean,
                100 * fused.largest,
                100 * unfused.mean);
    EXPECT_LT(fused.mean, 0.05);
    EXPECT_LT(fused.largest, 0.27);
    EXPECT_GT(unfused.mean, 0.2); // what scores in memory cost
}

/// Returns how many runs fit into their GPUs. FSDP spreads all state over the node.
std::size_t
RunsThatFit(const std::vector<CsvRow>& rows, Attention attention)
{
    std::size_t fitting = 0;
    for (const auto& row : rows)
    {
        const auto model = MosaicModel(row);
        const auto memory =
            MemoryOfStage(model, {model.layers, true, true}, MosaicExecution(row, attention), 1);
        const double needed = static_cast<double>(memory.state.Count()) / 8 +
                              static_cast<double>((memory.activations + memory.working).Count());
        const bool fits = needed <= static_cast<double>(MosaicGpu(row).memory.Count());
        if (attention == Attention::Fused && !fits)
        {
            std::printf("%s %-4s sequence %5s needs %.0f GB\n",
                        row.at("gpu").c_str(),
                        row.at("model").c_str(),
                        row.at("sequence").c_str(),
                        needed * 1e-9);
        }
        fitting += fits ? 1 : 0;
    }
    return fitting;
}

// All of these runs fitted, so each one that doesn't is an error of the memory model.
TEST(MosaicMemory, PublishedRunsFit)
{
    const auto rows = MosaicRows("");
    if (rows.empty())
    {
        GTEST_SKIP() << "no training/mosaic_8gpu_half.csv below " << GEOTRAIN_SHARED_DATA;
    }
    const auto fused = RunsThatFit(rows, Attention::Fused);
    const auto unfused = RunsThatFit(rows, Attention::Unfused);
    std::printf("of %zu runs %zu fit, with attention unfused %zu\n", rows.size(), fused, unfused);
    EXPECT_GE(fused, rows.size() * 8 / 10);
    EXPECT_LT(unfused, rows.size() / 2);
}

NodeSpec
DgxH100(const GpuSpec& gpu)
{
    return {gpu, 8, BitRate::GigabitsPerSecond(8 * 400)};
}

/// Returns a row's run. The page gives neither microbatch nor interleaving nor recomputation. They
/// are taken to be: all of a replica's sequences at once where there is no pipeline, otherwise one,
/// in 4 chunks per stage; no recomputation. Its software has sequence parallelism, a distributed
/// optimiser, and hides tensor parallelism's communication; 0.8 of it is taken to be hidden.
MegatronRun
MegatronCoreRun(const CsvRow& row)
{
    MegatronRun run;
    run.model = MakeGpt("megatron-core",
                        Count(row, "layers"),
                        Count(row, "hidden"),
                        Count(row, "heads"),
                        131072,
                        4096,
                        true);
    run.gpus = Count(row, "gpus");
    run.tensorParallel = Count(row, "TP");
    run.pipelineStages = Count(row, "PP");
    run.globalBatch = Count(row, "global_batch");
    const bool hasPipeline = run.pipelineStages > 1;
    run.microbatchSize = hasPipeline ? 1 : run.globalBatch / Count(row, "DP");
    run.chunksPerStage = hasPipeline ? 4 : 1;
    run.recomputation = Recomputation::Selective; // with fused attention: sequence parallelism
    run.attention = Attention::Fused;
    run.tensorOverlap = 0.8;
    run.shardsOptimizer = true;
    return run;
}

double
MegatronCoreError(const CsvRow& row, const GpuSpec& gpu)
{
    const MegatronRun run = MegatronCoreRun(row);
    const double teraflops = ModelFlops(run.model, run.globalBatch).Count() /
                             IterationSeconds(run, DgxH100(gpu)) / run.gpus * 1e-12;
    return teraflops / Number(row, "tflops_per_gpu") - 1;
}

std::vector<double>
MegatronCoreErrors(const std::vector<CsvRow>& rows, std::size_t first, const GpuSpec& gpu)
{
    std::vector<double> errors;
    for (std::size_t index = first; index < rows.size(); index += 2)
    {
        errors.push_back(MegatronCoreError(rows[index], gpu));
    }
    return errors;
}

class H100Throughput : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_mosaic = MosaicRows("h100");
        m_megatron = ReadReference("training/megatron_core_h100_some.csv");
        if (m_mosaic.empty() || m_megatron.empty())
        {
            GTEST_SKIP() << "no public rows of H100 below " << GEOTRAIN_SHARED_DATA;
        }
    }

    /// Returns what the fit minimises: the mean error over its half of the rows, MosaicML's with
    /// 3/4 of the weight.
    double Loss(const GpuEfficiency& efficiency) const
    {
        GpuSpec gpu = *FindGpu("H100");
        gpu.efficiency = efficiency;
        const auto mosaic = MosaicErrors(m_mosaic, Attention::Fused, 0, 2, &efficiency);
        return 0.75 * Summary(mosaic).mean +
               0.25 * Summary(MegatronCoreErrors(m_megatron, 0, gpu)).mean;
    }

    std::vector<CsvRow> m_mosaic;
    std::vector<CsvRow> m_megatron;
};

// A run of the 13B model with one microbatch a step is modelled 26 % too fast: its weights'
// all-gathers are not hidden behind compute, and aren't modelled.
TEST_F(H100Throughput, HeldOutRowsAreAsNearAsFittedOnes)
{
    const GpuSpec gpu = *FindGpu("H100");
    for (const auto& row : m_megatron)
    {
        std::printf("Megatron-Core %-4s: %+5.1f %%\n",
                    row.at("model").c_str(),
                    100 * MegatronCoreError(row, gpu));
    }
    for (const std::size_t first : {0, 1})
    {
        const RowErrors mosaic = Summary(MosaicErrors(m_mosaic, Attention::Fused, first, 2));
        const RowErrors megatron = Summary(MegatronCoreErrors(m_megatron, first, gpu));
        std::printf("%s: MosaicML mean %.1f %% (largest %.1f), Megatron-Core %.1f %% (%.1f)\n",
                    first == 0 ? "fitted" : "held out",
                    100 * mosaic.mean,
                    100 * mosaic.largest,
                    100 * megatron.mean,
                    100 * megatron.largest);
        EXPECT_LT(mosaic.mean, 0.07);
        EXPECT_LT(mosaic.largest, 0.27);
        EXPECT_LT(megatron.mean, 0.10);
        EXPECT_LT(megatron.largest, 0.17);
    }
}

// The loss is flat: a smaller share of the peak with a smaller side fits as well. The catalogue has
// what large products reach on the chip, about two thirds of the peak.
TEST_F(H100Throughput, CatalogueConstantsAreWithinATenthOfAPercentOfTheBestOfTheGrid)
{
    const GpuEfficiency catalogue = FindGpu("H100")->efficiency;
    double least = 1;
    for (int matmul = 55; matmul <= 90; matmul += 5)
    {
        for (int side = 250; side <= 5000; side += 250)
        {
            for (int memory = 60; memory <= 90; memory += 3)
            {
                GpuEfficiency tried = catalogue;
                tried.maxMatmulEfficiency = matmul / 100.0;
                tried.halfMatmulSide = side;
                tried.memoryEfficiency = memory / 100.0;
                least = std::min(least, Loss(tried));
            }
        }
    }
    std::printf(
        "smallest loss %.2f %%, of the catalogue %.2f %%\n", 100 * least, 100 * Loss(catalogue));
    EXPECT_LE(Loss(catalogue), least + 0.001);
}

} // namespace
} // namespace geotrain
