// SPDX-License-Identifier: GPL-2.0-only
#include "hardware/gpu-catalogue.h"
#include "timing/attention-rates.h"
#include "timing/kernel-timing.h"
#include "timing/layer-timing.h"
#include "timing/prefill-time.h"
#include "timing/stage-timing.h"
#include "workload/flop-count.h"
#include "workload/model-catalogue.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace geotrain
{
namespace
{

constexpr double rounding = 1e-9; // of nanoseconds and sums of doubles

GpuSpec
A100()
{
    return *FindGpu("A100-80");
}

/// Makes a GPU whose constants keep the formulas simple: 1 TFLOP/s, 1 GB/s, NVLink of 1 GB/s.
GpuSpec
PlainGpu()
{
    GpuSpec gpu{"plain",
                1e12,
                Bytes::Of(1),
                1e9,
                1e9,
                "",
                {0.5, 100, 0.8, 0.4, 0.4, ConstantSource::Estimate, ""}};
    gpu.fp32FlopsPerSecond = 0.1e12;
    gpu.fp8FlopsPerSecond = 2e12;
    return gpu;
}

// 2mkn / (peak x 0.5 x g/(g+100)), g = (mkn)^(1/3) = 10,000.
TEST(KernelTiming, LargeProductsAreBoundByArithmetic)
{
    const double seconds = KernelTiming(PlainGpu()).Matmul(10000, 10000, 10000);
    const double expected = 2e12 / (1e12 * 0.5 * 10000 / 10100);
    EXPECT_NEAR(seconds, expected, rounding * expected);
}

// 2 (mk + kn + mn) bytes at 0.8 GB/s: a product with a vector does 2 FLOPs for every 2 bytes.
TEST(KernelTiming, ThinProductsAreBoundByMemory)
{
    const double seconds = KernelTiming(PlainGpu()).Matmul(1, 10000, 10000);
    const double expected = 2 * (10000 + 1e8 + 10000) / 0.8e9;
    EXPECT_NEAR(seconds, expected, rounding * expected);
}

// 2 (t-1)/t x bytes / (NVLink x 0.8).
TEST(KernelTiming, AllReduceIsARing)
{
    const KernelTiming kernels(PlainGpu());
    EXPECT_NEAR(kernels.AllReduce(1e6, 4), 2 * 0.75 * 1e6 / 0.8e9, 1e-12);
    EXPECT_EQ(kernels.AllReduce(1e6, 1), 0);
}

// The same products at the peaks of the precisions, which are 1 : 0.1 : 2.
TEST(KernelTiming, LargeProductsRunAtThePrecisionsPeak)
{
    const double bf16 = KernelTiming(PlainGpu()).Matmul(10000, 10000, 10000);
    const double fp32 = KernelTiming(PlainGpu(), Precision::Fp32).Matmul(10000, 10000, 10000);
    const double fp8 = KernelTiming(PlainGpu(), Precision::Fp8).Matmul(10000, 10000, 10000);
    EXPECT_NEAR(fp32, 10 * bf16, rounding * fp32);
    EXPECT_NEAR(fp8, bf16 / 2, rounding * bf16);
}

// Operands of 4, 2 and 1 bytes: 4 and 2 per element of a product with a vector, and half of that.
TEST(KernelTiming, ThinProductsMoveThePrecisionsBytes)
{
    const double elements = 10000 + 1e8;
    const double fp32 = KernelTiming(PlainGpu(), Precision::Fp32).Matmul(1, 10000, 10000);
    const double fp8 = KernelTiming(PlainGpu(), Precision::Fp8).Matmul(1, 10000, 10000);
    EXPECT_NEAR(fp32, 4 * (elements + 10000) / 0.8e9, rounding * fp32);
    EXPECT_NEAR(fp8, (elements + 2 * 10000) / 0.8e9, rounding * fp8);
}

// FP8 speeds up the linear products alone, so a layer gains less than the factor of 2 of the peaks.
TEST(TimeStage, Fp8IsFasterThanBf16ByLessThanTheirPeaks)
{
    auto model = *FindModel("llama3-70b");
    const StageShare share{4, false, false};
    const auto h100 = *FindGpu("H100");
    const double bf16 = TimeStage(model, share, h100, {1, 8}).forward.ToSeconds();
    model.precision = Precision::Fp8;
    const double fp8 = TimeStage(model, share, h100, {1, 8}).forward.ToSeconds();
    EXPECT_LT(fp8, bf16);
    EXPECT_GT(fp8, bf16 / 2);
}

TEST(TimeStage, LayersAddUp)
{
    const auto model = *FindModel("gpt-a");
    const auto one = TimeStage(model, {1, false, false}, A100(), {});
    const auto four = TimeStage(model, {4, false, false}, A100(), {});
    EXPECT_NEAR(four.forward.ToSeconds(), 4 * one.forward.ToSeconds(), 4e-9);
    EXPECT_NEAR(four.backwardWeight.ToSeconds(), 4 * one.backwardWeight.ToSeconds(), 4e-9);
    EXPECT_NEAR(four.recompute.ToSeconds(), 4 * one.recompute.ToSeconds(), 4e-9);
}

TEST(TimeStage, RecomputationIsAnotherForwardOfTheLayers)
{
    const auto model = *FindModel("gpt-a");
    const StageShare share{2, false, false};
    StageExecution execution;
    execution.recomputation = Recomputation::Full;
    const auto full = TimeStage(model, share, A100(), execution);
    EXPECT_EQ(full.recompute, full.forward);
    execution.recomputation = Recomputation::None;
    const auto none = TimeStage(model, share, A100(), execution);
    EXPECT_EQ(none.recompute, Duration());
    EXPECT_EQ(none.forward, full.forward);
    execution.recomputation = Recomputation::Selective;
    execution.attention = Attention::Unfused;
    const auto selective = TimeStage(model, share, A100(), execution);
    EXPECT_GT(selective.recompute, Duration());
    EXPECT_LT(selective.recompute, full.recompute);
}

TEST(TimeStage, FusedAttentionLeavesNothingToRecomputeSelectively)
{
    const auto model = *FindModel("gpt-a");
    const auto timing =
        TimeStage(model, {2, false, false}, A100(), {1, 4, Recomputation::Selective});
    EXPECT_EQ(timing.recompute, Duration());
}

// Two products forward, five backward (the scores again, two gradients of each product), of s^2 h
// multiply-adds, at 0.4 of the peak.
TEST(LayerTiming, LongFusedAttentionIsBoundByArithmetic)
{
    const auto model = MakeGpt("gpt", 1, 1024, 8, 1000, 1 << 17, false);
    StageExecution execution;
    execution.attention = Attention::Fused;
    const LayerTiming fused(model, PlainGpu(), execution);
    const double product = 2.0 * (1 << 17) * (1 << 17) * 1024 / (1e12 * 0.4);
    EXPECT_NEAR(fused.AttentionCoreForward(), 2 * product, rounding * product);
    EXPECT_NEAR(fused.AttentionCoreBackward(), 5 * product, rounding * product);
}

// Half of the scores, at 0.4 of the peak forward and 0.9 of that backward, times s / (s + 600).
TEST(LayerTiming, CausalAttentionFollowsThePassAndTheSequence)
{
    GpuSpec gpu = PlainGpu();
    gpu.efficiency.attentionShares = {0.6, 1.05, 0.52, 0.9, 0.58, 600};
    StageExecution execution;
    execution.attention = Attention::FusedCausal;
    for (const std::uint32_t sequence : {4096u, 32768u})
    {
        const auto model = MakeGpt("gpt", 1, 1024, 8, 1000, sequence, false); // heads of 128
        const LayerTiming causal(model, gpu, execution);
        const double s = sequence;
        const double product = 2 * s * s / 2 * 1024 / (1e12 * 0.4 * s / (s + 600));
        EXPECT_NEAR(causal.AttentionCoreForward(), 2 * product, rounding * product);
        EXPECT_NEAR(causal.AttentionCoreBackward(), 5 * product / 0.9, rounding * product);
    }
}

// Linear between heads of 64, 128 and 256; narrower ones are padded to 64.
TEST(FusedAttentionRates, FollowTheHeads)
{
    GpuEfficiency efficiency = PlainGpu().efficiency;
    efficiency.attentionShares = {0.6, 1.05, 0.5, 0.9, 0.6, 0};
    const auto rates = [&efficiency](double width)
    { return FusedAttentionRates(efficiency, Attention::FusedCausal, width, 4096); };
    EXPECT_DOUBLE_EQ(rates(32).forward, 0.4 * 0.3);
    EXPECT_DOUBLE_EQ(rates(64).forward, 0.4 * 0.6);
    EXPECT_DOUBLE_EQ(rates(96).forward, 0.4 * 0.8);
    EXPECT_DOUBLE_EQ(rates(128).forward, 0.4);
    EXPECT_DOUBLE_EQ(rates(192).forward, 0.4 * 1.025);
    EXPECT_DOUBLE_EQ(rates(256).backward, 0.4 * 0.6);
    EXPECT_DOUBLE_EQ(rates(192).backward, 0.4 * 0.75);
    EXPECT_EQ(FusedAttentionRates(efficiency, Attention::Fused, 64, 4096).forward, 0.4);
}

// Each of a layer's kernels takes the gap more: forward 4 products, attention, 4 norms and sums, GELU.
TEST(LayerTiming, KernelsHaveAGap)
{
    const auto model = MakeGpt("gpt", 1, 1024, 8, 1000, 128, false);
    GpuSpec gpu = PlainGpu();
    const double without = LayerTiming(model, gpu, {}).Layer().forward;
    gpu.efficiency.kernelGap = Duration::Microseconds(5);
    EXPECT_NEAR(LayerTiming(model, gpu, {}).Layer().forward - without, 10 * 5e-6, 1e-9);
}

// Queries, keys, values and results of s h elements each pass memory once, and twice backward.
TEST(LayerTiming, ShortFusedAttentionIsBoundByItsOperands)
{
    const auto model = MakeGpt("gpt", 1, 1024, 8, 1000, 16, false);
    const LayerTiming fused(model, PlainGpu(), {});
    const double traffic = 2.0 * 4 * 16 * 1024 / 0.8e9;
    EXPECT_NEAR(fused.AttentionCoreForward(), traffic, rounding * traffic);
    EXPECT_NEAR(fused.AttentionCoreBackward(), 2 * traffic, rounding * traffic);
}

TEST(TimeStage, FusedAttentionIsFasterWhereSequencesAreLong)
{
    for (const std::uint32_t sequence : {2048u, 8192u, 32768u})
    {
        const auto model = MakeGpt("gpt", 4, 2048, 16, 50304, sequence, false);
        StageExecution execution;
        const auto fused = TimeStage(model, {4, false, false}, A100(), execution);
        execution.attention = Attention::Unfused;
        const auto unfused = TimeStage(model, {4, false, false}, A100(), execution);
        EXPECT_LT(fused.forward, unfused.forward) << sequence;
        EXPECT_LT(fused.Backward(), unfused.Backward()) << sequence;
    }
}

// A conversion and an addition of 18 bytes in place of an addition of 6, at 0.8 GB/s of each GPU.
TEST(TimeStage, SeparateSumsOfGradientsPassMemory)
{
    const auto model = MakeGpt("gpt", 4, 1024, 8, 1000, 128, false);
    const StageShare share{4, false, false};
    StageExecution execution{1, 2};
    const auto fused = TimeStage(model, share, PlainGpu(), execution);
    execution.software = Software::MegatronDeepspeed;
    const auto apart = TimeStage(model, share, PlainGpu(), execution);
    const double traffic = 12 * static_cast<double>(StageParameters(model, share)) / 2 / 0.8e9;
    EXPECT_NEAR((apart.backwardWeight - fused.backwardWeight).ToSeconds(), traffic, 2e-9);
    EXPECT_EQ(apart.forward, fused.forward);
    EXPECT_EQ(apart.backwardInput, fused.backwardInput);
}

TEST(AttentionOn, IsFusedSinceA100)
{
    EXPECT_EQ(AttentionOn(*FindGpu("V100-32")), Attention::Unfused);
    EXPECT_EQ(AttentionOn(*FindGpu("A100-40")), Attention::FusedCausal);
    EXPECT_EQ(AttentionOn(*FindGpu("H100")), Attention::FusedCausal);
    EXPECT_EQ(AttentionOn(*FindGpu("H100"), Precision::Fp32), Attention::Unfused);
}

TEST(TimeStage, HeadIsNotRecomputed)
{
    const auto model = *FindModel("gpt-a");
    const auto with = TimeStage(model, {2, false, true}, A100(), {});
    const auto without = TimeStage(model, {2, false, false}, A100(), {});
    EXPECT_EQ(with.recompute, without.recompute);
    EXPECT_GT(with.forward, without.forward);
    EXPECT_GT(with.backwardWeight, without.backwardWeight);
}

TEST(TimeStage, EmbeddingCostsTime)
{
    const auto model = *FindModel("gpt-a");
    EXPECT_GT(TimeStage(model, {2, true, false}, A100(), {}).forward,
              TimeStage(model, {2, false, false}, A100(), {}).forward);
}

TEST(TimeStage, NoStageBeatsThePeak)
{
    for (const auto& gpu : GpuCatalogue())
    {
        for (const auto& model : ModelCatalogue())
        {
            const StageShare share{2, true, true};
            const PassFlops flops = StageFlops(model, share, 2);
            const auto timing = TimeStage(model, share, gpu, {2, 1, Recomputation::None});
            EXPECT_LT(AchievedFlopsPerSecond(flops.forward, timing.forward), gpu.peakFlopsPerSecond)
                << model.name << " on " << gpu.name;
            EXPECT_LT(AchievedFlopsPerSecond(flops.backwardWeight, timing.backwardWeight),
                      gpu.peakFlopsPerSecond)
                << model.name << " on " << gpu.name;
        }
    }
}

// Sharing a layer costs all-reduces and efficiency, so t GPUs are faster than one, but less than t
// times.
TEST(TimeStage, TensorParallelismSpeedsUpLessThanItsGpus)
{
    const auto model = *FindModel("gpt-b");
    const StageShare share{2, false, false};
    const double one =
        TimeStage(model, share, A100(), {1, 1, Recomputation::Full}).forward.ToSeconds();
    double before = one;
    for (const std::uint32_t group : {2u, 4u, 8u})
    {
        const double seconds =
            TimeStage(model, share, A100(), {1, group, Recomputation::Full}).forward.ToSeconds();
        EXPECT_LT(seconds, before);
        EXPECT_GT(seconds, one / group);
        before = seconds;
    }
}

TEST(TimeStage, AFasterGpuIsNeverSlower)
{
    const auto model = *FindModel("llama3-8b");
    const GpuSpec gpu = A100();
    const auto base = TimeStage(model, {4, true, true}, gpu, {});
    for (double GpuSpec::*rate : {&GpuSpec::peakFlopsPerSecond, &GpuSpec::memoryBytesPerSecond})
    {
        GpuSpec faster = gpu;
        faster.*rate *= 2;
        const auto timing = TimeStage(model, {4, true, true}, faster, {});
        EXPECT_LE(timing.forward, base.forward);
        EXPECT_LE(timing.Backward(), base.Backward());
    }
}

TEST(TimeStage, RefusesAGroupThatCannotShareALayer)
{
    const auto model = *FindModel("gpt-a"); // 32 heads
    const StageShare share{1, false, false};
    EXPECT_THROW(TimeStage(model, share, A100(), {1, 3, Recomputation::Full}),
                 std::invalid_argument);
    EXPECT_THROW(TimeStage(model, share, A100(), {1, 0, Recomputation::Full}),
                 std::invalid_argument);
    EXPECT_THROW(TimeStage(model, share, A100(), {0, 1, Recomputation::Full}),
                 std::invalid_argument);
}

// 30 bytes per parameter at the achieved memory bandwidth.
TEST(OptimizerStepTime, IsBoundByMemory)
{
    EXPECT_NEAR(OptimizerStepTime(1e6, PlainGpu()).ToSeconds(), 30e6 / 0.8e9, 1e-9);
}

TEST(OptimizerStepTime, IsSharedByTheGroup)
{
    const auto model = *FindModel("gpt-a");
    const StageShare share{2, true, false};
    const auto one = TimeStage(model, share, A100(), {1, 1, Recomputation::Full});
    const auto four = TimeStage(model, share, A100(), {1, 4, Recomputation::Full});
    EXPECT_NEAR(four.optimizerStep.ToSeconds(), one.optimizerStep.ToSeconds() / 4, 1e-9);
}

// Twice the work in more than half the time: linear layers double at better efficiency, attention
// quadruples.
TEST(PrefillTime, GrowsWithTokensAndPrompts)
{
    const auto model = *FindModel("llama2-70b");
    const auto base = PrefillTime({model, A100(), 8, 1024, 1});
    EXPECT_GT(PrefillTime({model, A100(), 8, 2048, 1}), base);
    EXPECT_GT(PrefillTime({model, A100(), 8, 1024, 2}), base);
    EXPECT_GT(PrefillTime({model, A100(), 8, 2048, 1}), PrefillTime({model, A100(), 8, 1024, 2}));
    EXPECT_LT(PrefillTime({model, A100(), 8, 1024, 1}), PrefillTime({model, A100(), 4, 1024, 1}));
}

TEST(PrefillTime, RefusesNoTokenAndNoPrompt)
{
    const auto model = *FindModel("llama2-70b");
    EXPECT_THROW(PrefillTime({model, A100(), 8, 0, 1}), std::invalid_argument);
    EXPECT_THROW(PrefillTime({model, A100(), 8, 1, 0}), std::invalid_argument);
    EXPECT_THROW(PrefillTime({model, A100(), 3, 1, 1}), std::invalid_argument);
}

} // namespace
} // namespace geotrain
