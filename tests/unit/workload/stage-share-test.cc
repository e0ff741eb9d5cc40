// SPDX-License-Identifier: GPL-2.0-only
#include "workload/model-catalogue.h"
#include "workload/parameter-count.h"
#include "workload/stage-share.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace geotrain
{
namespace
{

TransformerSpec
SmallGpt(bool tied)
{
    return MakeGpt("gpt", 10, 512, 8, 1000, 128, tied);
}

TEST(SplitEvenly, FrontStagesTakeWhatDoesNotDivide)
{
    const auto shares = SplitEvenly(SmallGpt(false), 4);
    ASSERT_EQ(shares.size(), 4u);
    EXPECT_EQ(shares[0].layers, 3u);
    EXPECT_EQ(shares[1].layers, 3u);
    EXPECT_EQ(shares[2].layers, 2u);
    EXPECT_EQ(shares[3].layers, 2u);
}

TEST(SplitEvenly, EmbeddingIsOnTheFirstStageAndHeadOnTheLast)
{
    const auto shares = SplitEvenly(SmallGpt(false), 3);
    EXPECT_TRUE(shares[0].hasEmbedding && !shares[0].hasHead);
    EXPECT_TRUE(!shares[1].hasEmbedding && !shares[1].hasHead);
    EXPECT_TRUE(!shares[2].hasEmbedding && shares[2].hasHead);
    const auto single = SplitEvenly(SmallGpt(false), 1);
    EXPECT_TRUE(single[0].hasEmbedding && single[0].hasHead);
}

TEST(SplitEvenly, RefusesNoStageAndMoreStagesThanLayers)
{
    EXPECT_THROW(SplitEvenly(SmallGpt(false), 0), std::invalid_argument);
    EXPECT_THROW(SplitEvenly(SmallGpt(false), 11), std::invalid_argument);
}

TEST(SplitAsGiven, RefusesASplitThatIsNotTheModel)
{
    EXPECT_NO_THROW(SplitAsGiven(SmallGpt(false), {4, 4, 2}));
    EXPECT_THROW(SplitAsGiven(SmallGpt(false), {4, 4, 3}), std::invalid_argument);
    EXPECT_THROW(SplitAsGiven(SmallGpt(false), {10, 0}), std::invalid_argument);
    EXPECT_THROW(SplitAsGiven(SmallGpt(false), {}), std::invalid_argument);
}

// Stages hold every parameter once, and the tied matrix once more where it is on two of them.
TEST(StageParameters, AddUpToTheModel)
{
    for (const bool tied : {false, true})
    {
        const auto model = SmallGpt(tied);
        for (std::uint32_t stages = 1; stages <= model.layers; ++stages)
        {
            std::int64_t sum = 0;
            for (const auto& share : SplitEvenly(model, stages))
            {
                sum += StageParameters(model, share);
            }
            const std::int64_t twice = tied && stages > 1 ? VocabularyParameters(model) : 0;
            EXPECT_EQ(sum, ParameterCount(model) + twice) << stages << " stages, tied: " << tied;
        }
    }
}

TEST(StageGradientBytes, TwoAParameterUnlessTheModelSaysOtherwise)
{
    auto model = SmallGpt(false);
    const StageShare share{3, false, false};
    EXPECT_EQ(StageGradientBytes(model, share).Count(), 2 * 3 * LayerParameters(model));
    model.gradientBytesPerParameter = 4;
    EXPECT_EQ(StageGradientBytes(model, share).Count(), 4 * 3 * LayerParameters(model));
}

// V x h x 2 bytes on either end; nothing where the matrix is held once or isn't tied.
TEST(TiedEmbeddingGradientBytes, OnlyBetweenTwoStages)
{
    const auto tied = SmallGpt(true);
    EXPECT_EQ(TiedEmbeddingGradientBytes(tied, {1, true, false}).Count(), 1000 * 512 * 2);
    EXPECT_EQ(TiedEmbeddingGradientBytes(tied, {1, false, true}).Count(), 1000 * 512 * 2);
    EXPECT_EQ(TiedEmbeddingGradientBytes(tied, {1, false, false}).Count(), 0);
    EXPECT_EQ(TiedEmbeddingGradientBytes(tied, {1, true, true}).Count(), 0);
    EXPECT_EQ(TiedEmbeddingGradientBytes(SmallGpt(false), {1, true, false}).Count(), 0);
}

// 4,096 x 4,096 x 2 = 33.5 MB and 6,144 x 8,192 x 2 = 100.7 MB: the activations of Atlas's models.
TEST(BoundaryActivationBytes, OfTheAtlasModels)
{
    EXPECT_EQ(BoundaryActivationBytes(*FindModel("gpt-a"), 1).Count(), 33554432);
    EXPECT_EQ(BoundaryActivationBytes(*FindModel("gpt-b"), 1).Count(), 100663296);
    EXPECT_EQ(BoundaryActivationBytes(*FindModel("gpt-a"), 3).Count(), 3 * 33554432);
    EXPECT_THROW(BoundaryActivationBytes(*FindModel("gpt-a"), 0), std::invalid_argument);
}

} // namespace
} // namespace geotrain
