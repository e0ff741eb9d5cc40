// SPDX-License-Identifier: GPL-2.0-only
// Tests the fit of a GPU's constants on profiles that the model itself wrote.
#include "hardware/gpu-catalogue.h"
#include "timing/gpu-fit.h"
#include "timing/layer-timing.h"
#include "workload/model-catalogue.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace geotrain
{
namespace
{

/// Returns what `gpu` would measure of gpt-a's layer and head, whose attention skips the masked half.
/// `factor` stretches every forward pass.
std::vector<MeasuredLayer>
MeasuredOn(const GpuSpec& gpu, double factor)
{
    std::vector<MeasuredLayer> layers;
    for (const std::uint32_t microbatch : {1u, 2u, 8u})
    {
        for (const std::uint32_t group : {1u, 4u})
        {
            for (const char* part : {"0", "head"})
            {
                MeasuredLayer layer;
                layer.model = *FindModel("gpt-a");
                const LayerTiming timing(
                    layer.model, gpu, {microbatch, group, Recomputation::None, layer.attention});
                const PassSeconds seconds = part[0] == '0' ? timing.Layer() : timing.Head();
                layer.row.layer = part;
                layer.row.microbatch = microbatch;
                layer.row.tensorParallel = group;
                layer.row.forward = Duration::Seconds(factor * seconds.forward);
                layer.row.backwardInput = Duration::Seconds(seconds.backwardInput);
                layer.row.backwardWeight = Duration::Seconds(seconds.backwardWeight);
                layers.push_back(layer);
            }
        }
    }
    return layers;
}

// Times are rounded to nanoseconds, and the search ends at steps of about 1e-5.
TEST(FitGpu, FindsTheConstantsThatMadeTheProfile)
{
    const GpuSpec a100 = *FindGpu("A100-80");
    GpuSpec start = a100;
    start.efficiency.maxMatmulEfficiency = 0.5;
    start.efficiency.memoryEfficiency = 0.5;
    start.efficiency.causalAttentionEfficiency = 0.3;
    const GpuFit fit = FitGpu(start, MeasuredOn(a100, 1));
    EXPECT_NEAR(fit.efficiency.maxMatmulEfficiency, a100.efficiency.maxMatmulEfficiency, 0.01);
    EXPECT_NEAR(fit.efficiency.halfMatmulSide, a100.efficiency.halfMatmulSide, 50);
    EXPECT_NEAR(fit.efficiency.memoryEfficiency, a100.efficiency.memoryEfficiency, 0.01);
    EXPECT_NEAR(
        fit.efficiency.causalAttentionEfficiency, a100.efficiency.causalAttentionEfficiency, 0.02);
    EXPECT_LT(fit.largestError, 0.01);
    EXPECT_EQ(fit.residuals.size(), 3u * 2 * 2 * 3); // three passes of each row
    EXPECT_EQ(fit.efficiency.source, ConstantSource::Kernels);
}

// A forward pass that takes 10 % longer can't be explained by the products, whose backward passes
// do not: some error stays.
TEST(FitGpu, SaysWhatItCannotExplain)
{
    const GpuFit fit = FitGpu(*FindGpu("A100-80"), MeasuredOn(*FindGpu("A100-80"), 1.1));
    EXPECT_GT(fit.largestError, 0.02);
    EXPECT_LT(fit.meanError, 0.10);
}

// Products of one size take one rate, which any half side explains with another efficiency.
TEST(FitGpu, SaysWhichConstantsTheProfileCannotTellApart)
{
    const GpuSpec a100 = *FindGpu("A100-80");
    const auto wide = MeasuredOn(a100, 1);
    const GpuFit ofWide = FitGpu(a100, wide);
    EXPECT_LT(ofWide.errors.matmul, 0.1);
    EXPECT_LT(ofWide.errors.halfSide, 0.3);
    EXPECT_LT(ofWide.errors.memory, 0.1);
    std::vector<MeasuredLayer> narrow;
    for (const MeasuredLayer& layer : wide)
    {
        if (layer.row.layer == "0" && layer.row.microbatch == 8 && layer.row.tensorParallel == 1)
        {
            narrow.push_back(layer);
        }
    }
    const GpuFit ofNarrow = FitGpu(a100, narrow);
    EXPECT_LT(ofNarrow.largestError, 0.01);
    EXPECT_GT(ofNarrow.errors.halfSide, 0.5);
}

// Unfused attention's time has no constant of its own.
TEST(FitGpu, LeavesTheRateOfFusedAttentionWhereThereIsNone)
{
    const GpuSpec a100 = *FindGpu("A100-80");
    auto layers = MeasuredOn(a100, 1);
    for (MeasuredLayer& layer : layers)
    {
        layer.attention = Attention::Unfused;
    }
    const GpuFit fit = FitGpu(a100, layers);
    EXPECT_EQ(fit.efficiency.fusedAttentionEfficiency, a100.efficiency.fusedAttentionEfficiency);
    EXPECT_EQ(fit.efficiency.causalAttentionEfficiency, a100.efficiency.causalAttentionEfficiency);
    EXPECT_EQ(fit.errors.attention, 0);
}

// A profile has a row for each layer. Equal rows weigh as many as they are, and change no fit alone.
TEST(FitGpu, TakesEqualLayersTogether)
{
    const GpuSpec a100 = *FindGpu("A100-80");
    const auto once = MeasuredOn(a100, 1.1);
    std::vector<MeasuredLayer> often;
    for (const MeasuredLayer& layer : once)
    {
        for (const char* number : {"0", "1", "2"})
        {
            often.push_back(layer);
            often.back().row.layer = layer.row.layer == "head" ? "head" : number;
        }
    }
    const GpuFit ofOnce = FitGpu(a100, once);
    const GpuFit ofOften = FitGpu(a100, often);
    EXPECT_DOUBLE_EQ(ofOnce.efficiency.maxMatmulEfficiency, ofOften.efficiency.maxMatmulEfficiency);
    EXPECT_NEAR(ofOnce.meanError, ofOften.meanError, 1e-9);
    EXPECT_EQ(3 * ofOnce.residuals.size(), ofOften.residuals.size());
}

TEST(FitGpu, RefusesNoRow)
{
    EXPECT_THROW(FitGpu(*FindGpu("A100-80"), {}), std::invalid_argument);
}

} // namespace
} // namespace geotrain
