// SPDX-License-Identifier: GPL-2.0-only
#include "workload/memory-model.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace geotrain
{
namespace
{

const TransformerSpec smallGpt = MakeGpt("gpt", 8, 1024, 16, 50304, 2048, false);
constexpr double sbh = 2048.0 * 2 * 1024; // microbatches of 2

// Korthikanti et al. 2022, table 2, at s = 2048, b = 2, h = 1024, a = 16, t = 4.
TEST(LayerActivationBytes, FollowTheTable)
{
    const double none = sbh * (10 + 24.0 / 4 + 5.0 * 16 * 2048 / (1024 * 4));
    EXPECT_EQ(LayerActivationBytes(smallGpt, 2, 4, Recomputation::None).Count(), none);
    EXPECT_EQ(LayerActivationBytes(smallGpt, 2, 4, Recomputation::Selective).Count(), sbh * 34 / 4);
    EXPECT_EQ(LayerActivationBytes(smallGpt, 2, 4, Recomputation::Full).Count(), 2 * sbh);
}

TEST(MemoryOfStage, KeepsActivationsForEveryMicrobatchInFlight)
{
    const StageShare share{3, false, false};
    const auto memory = MemoryOfStage(smallGpt, share, 2, 4, Recomputation::None, 5);
    EXPECT_EQ(memory.activations,
              LayerActivationBytes(smallGpt, 2, 4, Recomputation::None) * (5 * 3));
    EXPECT_EQ(memory.working.Count(), 0);
}

// 18 bytes per parameter, shared by the group.
TEST(MemoryOfStage, StateIsEighteenBytesAParameter)
{
    const StageShare share{3, false, false};
    const auto memory = MemoryOfStage(smallGpt, share, 2, 4, Recomputation::None, 5);
    EXPECT_NEAR(static_cast<double>(memory.state.Count()),
                18.0 * 3 * static_cast<double>(LayerParameters(smallGpt)) / 4,
                0.5);
}

TEST(MemoryOfStage, FullRecomputationNeedsOneWholeLayerOnTop)
{
    const StageShare share{3, false, false};
    const auto memory = MemoryOfStage(smallGpt, share, 2, 4, Recomputation::Full, 5);
    EXPECT_EQ(memory.activations.Count(), 5 * 3 * 2 * sbh);
    EXPECT_EQ(memory.working, LayerActivationBytes(smallGpt, 2, 4, Recomputation::None));
}

// 4sbh of inputs and 4sbV/t of fp32 logits; the embedding's dropout mask is sbh per microbatch in
// flight.
TEST(MemoryOfStage, HeadAndEmbeddingCost)
{
    const StageShare plain{3, false, false};
    const auto without = MemoryOfStage(smallGpt, plain, 2, 4, Recomputation::None, 5);
    const auto head = MemoryOfStage(smallGpt, {3, false, true}, 2, 4, Recomputation::None, 5);
    EXPECT_EQ((head.working - without.working).Count(), 4 * sbh + 4.0 * 2048 * 2 * 50304 / 4);
    const auto embedding = MemoryOfStage(smallGpt, {3, true, false}, 2, 4, Recomputation::None, 5);
    EXPECT_EQ((embedding.activations - without.activations).Count(), 5 * sbh);
}

TEST(MemoryOfStage, RefusesWhatCannotBeCounted)
{
    const StageShare share{3, false, false};
    EXPECT_THROW(MemoryOfStage(smallGpt, share, 0, 1, Recomputation::Full, 1),
                 std::invalid_argument);
    EXPECT_THROW(MemoryOfStage(smallGpt, share, 1, 0, Recomputation::Full, 1),
                 std::invalid_argument);
    EXPECT_THROW(MemoryOfStage(smallGpt, share, 4000000000, 1, Recomputation::None, 4000000000),
                 std::invalid_argument);
}

} // namespace
} // namespace geotrain
