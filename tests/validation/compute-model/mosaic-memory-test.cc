// SPDX-License-Identifier: GPL-2.0-only
// Checks that MosaicML's public runs (mosaic-runs.h) fit into the memory of their GPUs.
#include "mosaic-runs.h"
#include "workload/memory-model.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace geotrain
{
namespace
{

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

} // namespace
} // namespace geotrain
