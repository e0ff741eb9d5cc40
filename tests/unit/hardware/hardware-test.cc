// SPDX-License-Identifier: GPL-2.0-only
#include "hardware/gpu-catalogue.h"

#include <gtest/gtest.h>

#include <set>

namespace geotrain
{
namespace
{

TEST(GpuCatalogue, EveryFigureIsPositiveAndHasASource)
{
    std::set<std::string> names;
    for (const GpuSpec& gpu : GpuCatalogue())
    {
        EXPECT_TRUE(names.insert(gpu.name).second) << gpu.name;
        EXPECT_GT(gpu.peakFlopsPerSecond, 1e14) << gpu.name;
        EXPECT_GT(gpu.memory, Bytes::Of(15000000000)) << gpu.name;
        EXPECT_GT(gpu.memoryBytesPerSecond, 8e11) << gpu.name;
        EXPECT_GT(gpu.nvlinkBytesPerSecond, 1e11) << gpu.name;
        EXPECT_FALSE(gpu.source.empty()) << gpu.name;
        EXPECT_GT(gpu.efficiency.maxMatmulEfficiency, 0) << gpu.name;
        EXPECT_LE(gpu.efficiency.maxMatmulEfficiency, 1) << gpu.name;
        EXPECT_LE(gpu.efficiency.memoryEfficiency, 1) << gpu.name;
    }
}

TEST(GpuCatalogue, SaysWhereConstantsComeFrom)
{
    for (const GpuSpec& gpu : GpuCatalogue())
    {
        const bool isMeasured = gpu.name == "H100" || gpu.name == "H200";
        const auto source = isMeasured                       ? ConstantSource::Kernels
                            : gpu.name.rfind("A100", 0) == 0 ? ConstantSource::PublicRuns
                                                             : ConstantSource::Estimate;
        EXPECT_EQ(gpu.efficiency.source, source) << gpu.name;
        EXPECT_FALSE(gpu.efficiency.basis.empty()) << gpu.name;
    }
}

TEST(GpuCatalogue, H200AndGH200HaveH100sConstantsAndTheirOwnMemoryRate)
{
    const GpuSpec h100 = *FindGpu("H100");
    for (const char* name : {"H200", "GH200"})
    {
        const GpuSpec gpu = *FindGpu(name);
        EXPECT_EQ(gpu.efficiency.maxMatmulEfficiency, h100.efficiency.maxMatmulEfficiency);
        EXPECT_EQ(gpu.efficiency.memoryEfficiency, h100.efficiency.memoryEfficiency);
        EXPECT_GT(gpu.memoryBytesPerSecond, h100.memoryBytesPerSecond) << name;
    }
}

// cuDNN's causal attention at 16,384 tokens: 1,332 TFLOP/s on B200, 1,968 on GB300, 673 on H200. The
// largest products: 0.601 of MI300X's peak, 0.801 of H100's.
TEST(GpuCatalogue, EstimatesHaveTheRatiosOfTheirKernels)
{
    const auto attention = [](const char* name)
    {
        const GpuSpec gpu = *FindGpu(name);
        return gpu.peakFlopsPerSecond * gpu.efficiency.causalAttentionEfficiency;
    };
    EXPECT_NEAR(attention("B200") / attention("H200"), 1332.0 / 673, 1e-9);
    EXPECT_NEAR(attention("GB300") / attention("H200"), 1968.0 / 673, 1e-9);
    EXPECT_NEAR(FindGpu("MI300X")->efficiency.maxMatmulEfficiency /
                    FindGpu("H100")->efficiency.maxMatmulEfficiency,
                0.601 / 0.801,
                1e-9);
}

TEST(WithKernelsAt, DividesEveryTimeByTheShare)
{
    const GpuSpec gpu = *FindGpu("H100");
    const GpuEfficiency half = WithKernelsAt(0.5, gpu).efficiency;
    EXPECT_EQ(half.maxMatmulEfficiency, gpu.efficiency.maxMatmulEfficiency / 2);
    EXPECT_EQ(half.memoryEfficiency, gpu.efficiency.memoryEfficiency / 2);
    EXPECT_EQ(half.causalAttentionEfficiency, gpu.efficiency.causalAttentionEfficiency / 2);
    EXPECT_EQ(half.fusedAttentionEfficiency, gpu.efficiency.fusedAttentionEfficiency / 2);
    EXPECT_EQ(half.kernelGap, gpu.efficiency.kernelGap * 2);
    EXPECT_EQ(half.halfMatmulSide, gpu.efficiency.halfMatmulSide);
}

TEST(PeakFlopsPerSecond, FollowsThePrecision)
{
    const GpuSpec a100 = *FindGpu("A100-80");
    EXPECT_EQ(PeakFlopsPerSecond(a100, Precision::Fp32), 19.5e12);
    EXPECT_EQ(PeakFlopsPerSecond(a100, Precision::Tf32), 156e12);
    EXPECT_EQ(PeakFlopsPerSecond(a100, Precision::Bf16), 312e12);
    EXPECT_FALSE(Supports(a100, Precision::Fp8));
    EXPECT_EQ(PeakFlopsPerSecond(*FindGpu("H100"), Precision::Fp8), 1978.9e12);
    EXPECT_TRUE(Supports(*FindGpu("V100-16"), Precision::Fp16));
    EXPECT_FALSE(Supports(*FindGpu("V100-16"), Precision::Bf16));
    EXPECT_FALSE(Supports(*FindGpu("V100-16"), Precision::Tf32));
}

TEST(FindGpu, KnowsTheNamesOfTheCatalogueAndNoOther)
{
    for (const char* name : {"V100-16",
                             "V100-32",
                             "A100-40",
                             "A100-80",
                             "H100",
                             "H200",
                             "GH200",
                             "B200",
                             "GB300",
                             "MI300X"})
    {
        ASSERT_TRUE(FindGpu(name)) << name;
        EXPECT_EQ(FindGpu(name)->name, name);
    }
    EXPECT_FALSE(FindGpu("a100-80"));
    EXPECT_FALSE(FindGpu(""));
}

} // namespace
} // namespace geotrain
