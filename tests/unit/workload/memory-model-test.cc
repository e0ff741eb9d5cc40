// SPDX-License-Identifier: GPL-2.0-only
#include "workload/memory-model.h"
#include "workload/parameter-count.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace geotrain
{
namespace
{

const TransformerSpec smallGpt = MakeGpt("gpt", 8, 1024, 16, 50304, 2048, false);
constexpr double sbh = 2048.0 * 2 * 1024; // microbatches of 2

/// Returns microbatches of 2 on 4 GPUs, with attention's scores in memory.
StageExecution
Unfused(Recomputation recomputation)
{
    return {2, 4, recomputation, Attention::Unfused};
}

// Korthikanti et al. 2022, table 2, at s = 2048, b = 2, h = 1024, a = 16, t = 4.
TEST(LayerActivationBytes, FollowTheTable)
{
    const double none = sbh * (10 + 24.0 / 4 + 5.0 * 16 * 2048 / (1024 * 4));
    EXPECT_EQ(LayerActivationBytes(smallGpt, Unfused(Recomputation::None)).Count(), none);
    EXPECT_EQ(LayerActivationBytes(smallGpt, Unfused(Recomputation::Selective)).Count(),
              sbh * 34 / 4);
    EXPECT_EQ(LayerActivationBytes(smallGpt, Unfused(Recomputation::Full)).Count(), 2 * sbh);
}

// Korthikanti et al. 2022, table 2, without the term 5as/h of the scores.
TEST(LayerActivationBytes, FusedAttentionKeepsNoScores)
{
    StageExecution fused{2, 4, Recomputation::None};
    EXPECT_EQ(LayerActivationBytes(smallGpt, fused).Count(), sbh * (10 + 24.0 / 4));
    fused.recomputation = Recomputation::Selective;
    EXPECT_EQ(LayerActivationBytes(smallGpt, fused).Count(), sbh * 34 / 4);
}

// The one layer that full recomputation computes again has no scores either.
TEST(MemoryOfStage, ARecomputedLayerWithFusedAttentionHasNoScores)
{
    const StageExecution fused{2, 4, Recomputation::Full};
    EXPECT_EQ(MemoryOfStage(smallGpt, {3, false, false}, fused, 5).working.Count(),
              sbh * (10 + 24.0 / 4));
}

// The same terms with elements of 4 bytes: 16 + 2 + 48/4, without scores. What FP8 keeps has 16 bits,
// and what TF32 keeps has 32.
TEST(LayerActivationBytes, ElementsHaveThePrecisionsBytes)
{
    for (const Precision precision : allPrecisions)
    {
        const bool isWide = precision == Precision::Fp32 || precision == Precision::Tf32;
        TransformerSpec model = smallGpt;
        model.precision = precision;
        StageExecution execution{2, 4, Recomputation::None};
        EXPECT_EQ(LayerActivationBytes(model, execution).Count(),
                  sbh * (isWide ? 18 + 48.0 / 4 : 10 + 24.0 / 4))
            << NameOf(precision);
        execution.recomputation = Recomputation::Full;
        EXPECT_EQ(LayerActivationBytes(model, execution).Count(), (isWide ? 4 : 2) * sbh)
            << NameOf(precision);
    }
}

// Weight, gradient and two moments of 4 bytes; there is no second copy of the weight.
TEST(MemoryOfStage, Fp32StateIsSixteenBytesAParameter)
{
    TransformerSpec fp32 = smallGpt;
    fp32.precision = Precision::Fp32;
    const auto memory = MemoryOfStage(fp32, {3, false, false}, {2, 4}, 5);
    EXPECT_NEAR(static_cast<double>(memory.state.Count()),
                16.0 * 3 * static_cast<double>(LayerParameters(smallGpt)) / 4,
                0.5);
}

TEST(MemoryOfStage, KeepsActivationsForEveryMicrobatchInFlight)
{
    const StageShare share{3, false, false};
    const auto memory = MemoryOfStage(smallGpt, share, Unfused(Recomputation::None), 5);
    EXPECT_EQ(memory.activations,
              LayerActivationBytes(smallGpt, Unfused(Recomputation::None)) * (5 * 3));
    EXPECT_EQ(memory.working.Count(), 0);
}

// 18 bytes per parameter, shared by the group.
TEST(MemoryOfStage, StateIsEighteenBytesAParameter)
{
    const StageShare share{3, false, false};
    const auto memory = MemoryOfStage(smallGpt, share, Unfused(Recomputation::None), 5);
    EXPECT_NEAR(static_cast<double>(memory.state.Count()),
                18.0 * 3 * static_cast<double>(LayerParameters(smallGpt)) / 4,
                0.5);
}

TEST(MemoryOfStage, FullRecomputationNeedsOneWholeLayerOnTop)
{
    const StageShare share{3, false, false};
    const auto memory = MemoryOfStage(smallGpt, share, Unfused(Recomputation::Full), 5);
    EXPECT_EQ(memory.activations.Count(), 5 * 3 * 2 * sbh);
    EXPECT_EQ(memory.working, LayerActivationBytes(smallGpt, Unfused(Recomputation::None)));
}

// 4sbh of inputs and 4sbV/t of fp32 logits; the embedding's dropout mask is sbh per microbatch in
// flight.
TEST(MemoryOfStage, HeadAndEmbeddingCost)
{
    const StageShare plain{3, false, false};
    const auto without = MemoryOfStage(smallGpt, plain, Unfused(Recomputation::None), 5);
    const auto head = MemoryOfStage(smallGpt, {3, false, true}, Unfused(Recomputation::None), 5);
    EXPECT_EQ((head.working - without.working).Count(), 4 * sbh + 4.0 * 2048 * 2 * 50304 / 4);
    const auto embedding =
        MemoryOfStage(smallGpt, {3, true, false}, Unfused(Recomputation::None), 5);
    EXPECT_EQ((embedding.activations - without.activations).Count(), 5 * sbh);
}

TEST(MemoryOfStage, RefusesWhatCannotBeCounted)
{
    const StageShare share{3, false, false};
    EXPECT_THROW(MemoryOfStage(smallGpt, share, {0, 1}, 1), std::invalid_argument);
    EXPECT_THROW(MemoryOfStage(smallGpt, share, {1, 0}, 1), std::invalid_argument);
    const StageExecution huge{4000000000, 1, Recomputation::None};
    EXPECT_THROW(MemoryOfStage(smallGpt, share, huge, 4000000000), std::invalid_argument);
}

} // namespace
} // namespace geotrain
