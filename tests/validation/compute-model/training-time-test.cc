// SPDX-License-Identifier: GPL-2.0-only
// Checks stage timing against measured training on A100: Narayanan et al., SC'21, table 1, to which
// the three constants were fitted, and Korthikanti et al. 2022, to which nothing was fitted.
#include "csv-rows.h"
#include "hardware/gpu-catalogue.h"
#include "megatron-iteration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace geotrain
{
namespace
{

MegatronRun
RunOf(const CsvRow& row)
{
    MegatronRun run;
    run.model = MegatronModel(Count(row, "layers"), Count(row, "hidden"), Count(row, "heads"));
    run.gpus = Count(row, "gpus");
    run.tensorParallel = Count(row, "TP");
    run.pipelineStages = Count(row, "PP");
    run.chunksPerStage = Count(row, "virtual_chunks_v");
    run.globalBatch = Count(row, "global_batch");
    run.microbatchSize = Count(row, "micro_batch");
    return run;
}

double
TeraflopsPerGpu(const MegatronRun& run, const GpuSpec& gpu)
{
    return PublishedFlops(run) / IterationSeconds(run, SeleneNode(gpu)) / run.gpus * 1e-12;
}

double
LargestError(const std::vector<CsvRow>& rows, const GpuSpec& gpu)
{
    double largest = 0;
    for (const auto& row : rows)
    {
        const double error = TeraflopsPerGpu(RunOf(row), gpu) / Number(row, "tflops_per_gpu") - 1;
        largest = std::max(largest, std::abs(error));
    }
    return largest;
}

TEST(MegatronThroughput, EveryRowWithinEightPercent)
{
    const auto rows = ReadReference("training/megatron_sc21_a100.csv");
    if (rows.empty())
    {
        GTEST_SKIP() << "no training/megatron_sc21_a100.csv below " << GEOTRAIN_SHARED_DATA;
    }
    const GpuSpec gpu = *FindGpu("A100-80");
    std::printf("model  measured  modelled  error (TFLOP/s per GPU)\n");
    for (const auto& row : rows)
    {
        const double measured = Number(row, "tflops_per_gpu");
        const double modelled = TeraflopsPerGpu(RunOf(row), gpu);
        std::printf("%-6s %8.0f  %8.1f  %+.1f %%\n",
                    row.at("model").c_str(),
                    measured,
                    modelled,
                    100 * (modelled / measured - 1));
        EXPECT_NEAR(modelled, measured, 0.08 * measured) << row.at("model");
    }
}

struct Fit
{
    GpuEfficiency constants;
    double largestError = 1;
};

/// Returns the constants on a grid with the smallest maximum error. 0.9 bounds the first, since no
/// product is known to run faster.
Fit
FitToRows(const std::vector<CsvRow>& rows, GpuSpec gpu)
{
    Fit best;
    for (int matmul = 80; matmul <= 90; matmul += 2)
    {
        for (int side = 1000; side <= 3000; side += 50)
        {
            for (int memory = 60; memory <= 80; ++memory)
            {
                gpu.efficiency.maxMatmulEfficiency = matmul / 100.0;
                gpu.efficiency.halfMatmulSide = side;
                gpu.efficiency.memoryEfficiency = memory / 100.0;
                const double error = LargestError(rows, gpu);
                if (error < best.largestError)
                {
                    best = {gpu.efficiency, error};
                }
            }
        }
    }
    return best;
}

TEST(MegatronThroughput, CatalogueConstantsAreTheBestOfTheGrid)
{
    const auto rows = ReadReference("training/megatron_sc21_a100.csv");
    if (rows.empty())
    {
        GTEST_SKIP() << "no training/megatron_sc21_a100.csv below " << GEOTRAIN_SHARED_DATA;
    }
    const GpuSpec gpu = *FindGpu("A100-80");
    const Fit fit = FitToRows(rows, gpu);
    EXPECT_DOUBLE_EQ(fit.constants.maxMatmulEfficiency, gpu.efficiency.maxMatmulEfficiency);
    EXPECT_DOUBLE_EQ(fit.constants.halfMatmulSide, gpu.efficiency.halfMatmulSide);
    EXPECT_DOUBLE_EQ(fit.constants.memoryEfficiency, gpu.efficiency.memoryEfficiency);
}

MegatronRun
KorthikantiRun(const CsvRow& row)
{
    const bool is22B = row.at("model") == "22B";
    MegatronRun run;
    run.model = is22B ? MegatronModel(48, 6144, 64) : MegatronModel(128, 25600, 160);
    run.gpus = Count(row, "gpus");
    run.tensorParallel = Count(row, "TP");
    run.pipelineStages = Count(row, "PP");
    run.chunksPerStage = Count(row, "interleave");
    run.globalBatch = Count(row, "global_batch");
    run.microbatchSize = Count(row, "micro_batch");
    return run;
}

TEST(KorthikantiIterationTime, WithinFifteenPercentWithoutRefitting)
{
    const auto rows = ReadReference("training/korthikanti_2022_iteration_time.csv");
    if (rows.empty())
    {
        GTEST_SKIP() << "no training/korthikanti_2022_iteration_time.csv below "
                     << GEOTRAIN_SHARED_DATA;
    }
    const NodeSpec node = SeleneNode(*FindGpu("A100-80"));
    for (const auto& row : rows)
    {
        MegatronRun run = KorthikantiRun(row);
        const double measured = Number(row, "iter_s_full_recompute");
        const double modelled = IterationSeconds(run, node);
        run.recomputation = Recomputation::Selective;
        const double measuredSelective = Number(row, "iter_s_seqpar_selective");
        const double modelledSelective = IterationSeconds(run, node);
        std::printf("%-4s full %.2f s, modelled %.2f (%+.1f %%); selective %.2f s, modelled %.2f "
                    "(%+.1f %%)\n",
                    row.at("model").c_str(),
                    measured,
                    modelled,
                    100 * (modelled / measured - 1),
                    measuredSelective,
                    modelledSelective,
                    100 * (modelledSelective / measuredSelective - 1));
        EXPECT_NEAR(modelled, measured, 0.15 * measured) << row.at("model");
        EXPECT_NEAR(modelledSelective, measuredSelective, 0.15 * measuredSelective)
            << row.at("model") << ", selective";
    }
}

} // namespace
} // namespace geotrain
