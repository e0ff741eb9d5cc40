// SPDX-License-Identifier: GPL-2.0-only
#include "hardware/gpu-catalogue.h"
#include "timing/expert-timing.h"
#include "timing/layer-timing.h"
#include "timing/prefill-time.h"
#include "timing/stage-timing.h"
#include "workload/expert-loads.h"
#include "workload/flop-count.h"
#include "workload/model-catalogue.h"
#include "workload/parameter-count.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace geotrain
{
namespace
{

TransformerSpec
Mixtral(std::uint32_t sequence)
{
    auto model = *FindModel("mixtral-8x7b");
    model.sequence = sequence;
    return model;
}

PassSeconds
Pass(const TransformerSpec& shape, std::uint32_t tensorParallel = 1)
{
    StageExecution execution{1, tensorParallel};
    execution.attention = Attention::FusedCausal;
    return ExpertTiming(shape, *FindGpu("H100"), execution).Pass();
}

double
Sum(const PassSeconds& seconds)
{
    return seconds.forward + seconds.backwardInput + seconds.backwardWeight;
}

// 3 products of 6 k h w FLOPs per token can't be faster than the peak of 989.4 TFLOP/s.
TEST(ExpertTiming, StaysBelowThePeak)
{
    const auto model = Mixtral(32768);
    const double flops = 6.0 * 32768 * 2 * 4096 * 14336;
    EXPECT_GT(Pass(model).forward, flops / 989.4e12);
    EXPECT_LT(Pass(model).forward, 2 * flops / 989.4e12); // large products are near the peak
}

TEST(ExpertTiming, MoreExpertsPerTokenTakeLonger)
{
    auto model = Mixtral(4096);
    const double two = Sum(Pass(model));
    model.experts.perToken = 4;
    EXPECT_GT(Sum(Pass(model)), 1.5 * two);
    EXPECT_LT(Sum(Pass(model)), 2 * two);
}

// The sums of all experts' gradients pass through memory however few tokens there are: 6 bytes of
// each of 8 x 3 h w weights at 0.75 x 3.35 TB/s.
TEST(ExpertTiming, GradientsOfAllExpertsAreAddedUp)
{
    const double seconds = 6 * 8 * 3.0 * 4096 * 14336 / (0.75 * 3.35e12);
    EXPECT_GT(Pass(Mixtral(16)).backwardWeight, seconds);
}

TEST(ExpertTiming, ACapacityFactorPadsOrCutsRows)
{
    auto model = Mixtral(8192);
    const double even = Sum(Pass(model));
    model.experts.capacityFactor = 1;
    EXPECT_DOUBLE_EQ(Sum(Pass(model)), even);
    model.experts.capacityFactor = 1.5;
    const double padded = Sum(Pass(model));
    EXPECT_GT(padded, 1.2 * even);
    EXPECT_LT(padded, 1.5 * even);
}

TEST(ExpertTiming, SharedExpertsAreProductsOfAllTokens)
{
    auto model = Mixtral(8192);
    const double plain = Sum(Pass(model));
    model.experts.sharedWidth = 14336; // as much work as one more expert per token, in one product
    const double shared = Sum(Pass(model));
    EXPECT_GT(shared, 1.25 * plain);
    EXPECT_LT(shared, 1.5 * plain);
}

TEST(ExpertTiming, AGroupSharesTheWidthOfEachExpert)
{
    const auto model = Mixtral(8192);
    EXPECT_LT(Sum(Pass(model, 4)), 0.4 * Sum(Pass(model)));
    EXPECT_THROW(Pass(model, 3), std::invalid_argument);
}

// A pass of one token meets two of eight experts, whose weights it reads; of 64 tokens nearly all.
TEST(ExpertTiming, FewTokensReadTheWeightsOfFewExperts)
{
    const auto model = Mixtral(4096);
    const auto layer = [&](std::uint32_t tokens)
    { return PrefillTime({model, *FindGpu("H100"), 1, tokens, 1}).ToSeconds() / 32; };
    const double weights = 2.0 * 3 * 4096 * 14336 / (0.75 * 3.35e12);
    EXPECT_GT(layer(1), 2 * weights);
    EXPECT_LT(layer(1), 3 * weights);
    EXPECT_GT(layer(64), 7.9 * weights);
}

TEST(ExpertLoads, AreDrawnBySeedWithTheDeviationAsked)
{
    ExpertSpec experts{2000, 2, 64};
    EXPECT_EQ(ExpertLoads(experts), std::vector<double>(2000, 1));
    experts.imbalance = 0.5;
    const auto loads = ExpertLoads(experts);
    EXPECT_EQ(loads, ExpertLoads(experts));
    EXPECT_NEAR(std::accumulate(loads.begin(), loads.end(), 0.0), 2000, 1e-6);
    double squares = 0;
    for (const double load : loads)
    {
        squares += (load - 1) * (load - 1);
    }
    // The deviation of 2,000 draws of a log-normal variable is known to about 4 %.
    EXPECT_NEAR(std::sqrt(squares / 2000), 0.5, 0.06);
    experts.seed = 2;
    EXPECT_NE(loads, ExpertLoads(experts));
    EXPECT_GT(BusiestPart(experts, 100), 1);
    EXPECT_NEAR(BusiestPart(experts, 1), 1, 1e-9);
    EXPECT_THROW(BusiestPart(experts, 3), std::invalid_argument);
    experts.capacityFactor = 1.25; // each expert takes as many rows as every other
    EXPECT_NEAR(BusiestPart(experts, 100), 1, 1e-9);
}

// The first of DeepSeek-V3's stages has its three dense layers.
TEST(TimeStage, UnlikeLayersAreTimedByKind)
{
    const auto model = *FindModel("deepseek-v3");
    const GpuSpec gpu = *FindGpu("H100");
    StageExecution execution{1, 8, Recomputation::Full};
    execution.attention = Attention::FusedCausal;
    const auto time = [&](const StageShare& share) { return TimeStage(model, share, gpu, execution); };
    const auto dense = time({3, false, false, 0});
    const auto sparse = time({3, false, false, 3});
    const auto both = time({6, false, false, 0});
    EXPECT_NE(dense.forward, sparse.forward);
    EXPECT_NEAR(both.forward.ToSeconds(), (dense.forward + sparse.forward).ToSeconds(), 2e-9);
    EXPECT_NEAR(both.recompute.ToSeconds(), both.forward.ToSeconds(), 1e-9);
    EXPECT_EQ(StageParameters(model, {6, false, false, 0}),
              StageParameters(model, {3, false, false, 0}) +
                  StageParameters(model, {3, false, false, 3}));
}

// A layer of Gemma 3 at 32,768 tokens has 1,024 keys a token in five of six layers. One of 8 GPUs has
// 4 heads of 128: 4 x (s^2 / 2 - s k + k^2 / 2) scores less, two products, at 0.57 of the peak.
TEST(TimeStage, LayersWithAWindowAreFaster)
{
    const auto model = *FindModel("gemma3-27b");
    StageExecution execution{1, 8};
    execution.attention = Attention::FusedCausal;
    const GpuSpec gpu = *FindGpu("H100");
    const auto sliding = TimeStage(model, {1, false, false, 0}, gpu, execution);
    const auto full = TimeStage(model, {1, false, false, 5}, gpu, execution);
    const double scores = 4 * (32768. * 32768 / 2 - 32768. * 1024 + 1024. * 1024 / 2);
    const double seconds = scores * 2 * (128 + 128) / (0.57 * 989.4e12);
    EXPECT_NEAR((full.forward - sliding.forward).ToSeconds(), seconds, 0.05 * seconds);
}

// Latent attention multiplies queries and keys of 192 and values of 128: 3 and 2 products backward.
TEST(LayerFlops, LatentAttentionCountsItsOwnWidths)
{
    const auto model = *FindModel("deepseek-v3");
    const auto shape = LikeLayersOf(model, 0, 1).front().shape;
    const double tokens = model.sequence;
    const double matrices = 7168. * (512 + 64) + 512. * 128 * (128 + 128) + 7168. * 1536 +
                            1536. * 128 * 192 + 128. * 128 * 7168 + 3. * 7168 * 18432;
    const double scores = tokens * tokens * 128 * (192 + 128);
    EXPECT_NEAR(LayerFlops(shape, 1).forward.Count(), 2 * (tokens * matrices + scores), 1e6);
}

// FLOPs are those of the active parameters: 6 per parameter and token, and the scores'.
TEST(ModelFlops, MixturesCountActiveParameters)
{
    auto model = *FindModel("qwen3-30b-a3b");
    model.sequence = 1;
    const auto active = static_cast<double>(ActiveParameterCount(model));
    EXPECT_NEAR(ModelFlops(model, 1).Count(), 6 * active, 0.001 * 6 * active); // but for norms
}

} // namespace
} // namespace geotrain
