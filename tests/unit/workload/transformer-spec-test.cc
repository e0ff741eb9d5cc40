// SPDX-License-Identifier: GPL-2.0-only
#include "workload/model-catalogue.h"
#include "workload/parameter-count.h"
#include "workload/transformer-spec.h"
#include "workload/weight-matrices.h"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{
namespace
{

// A GPT layer has 12h^2 weights, 13h biases and norm parameters: attention 4h^2 + 4h, MLP 8h^2 +
// 5h, norms 4h.
TEST(TransformerSpec, GptLayerParameters)
{
    const auto model = MakeGpt("gpt", 2, 512, 8, 1000, 128, true);
    EXPECT_EQ(LayerParameters(model), 12 * 512 * 512 + 13 * 512);
}

// Grouped-query attention: query and output h^2, keys and values h x (kv heads x head width) each.
TEST(TransformerSpec, GroupedQueriesShrinkKeysAndValuesOnly)
{
    auto model = MakeGpt("gpt", 2, 512, 8, 1000, 128, true);
    const auto whole = LayerParameters(model);
    model.kvHeads = 2;
    const std::int64_t kvWidthLost = 512 - 2 * 64;
    EXPECT_EQ(LayerParameters(model), whole - 2 * (512 + 1) * kvWidthLost); // with its biases
}

TEST(TransformerSpec, GateAddsAThirdMatrixToTheMlp)
{
    auto model = MakeGpt("gpt", 2, 512, 8, 1000, 128, true);
    const auto plain = LayerParameters(model);
    model.gated = true;
    EXPECT_EQ(LayerParameters(model), plain + (512 + 1) * 4 * 512);
}

TEST(TransformerSpec, UntiedHeadCountsItsMatrixAgain)
{
    const auto tied = MakeGpt("gpt", 2, 512, 8, 1000, 128, true);
    const auto untied = MakeGpt("gpt", 2, 512, 8, 1000, 128, false);
    EXPECT_EQ(ParameterCount(untied), ParameterCount(tied) + 1000 * 512);
    EXPECT_EQ(ParameterCount(tied), 2 * LayerParameters(tied) + (1000 + 128) * 512 + 2 * 512);
}

/// Makes a small mixture of experts without biases: gated, RMSNorm, rotary, one dense layer of four.
TransformerSpec
SmallMixture()
{
    auto model = MakeGpt("mixture", 4, 512, 8, 1000, 128, false);
    model.gated = true;
    model.layerNorm = model.learnedPositions = false;
    model.qkvBias = model.outputBias = model.linearBias = false;
    model.experts.count = 16;
    model.experts.perToken = 2;
    model.experts.width = 256;
    model.layerGroups = {{1, false, true}, {3, false, false}};
    return model;
}

// A layer: 4 h^2 of attention, 2 h of norms, and either 3 h f, or E (3 h w) and a router of E h.
TEST(TransformerSpec, ExpertsAndDenseLayersAreCountedApart)
{
    const auto model = SmallMixture();
    const std::int64_t common = 4 * 512 * 512 + 2 * 512;
    const std::int64_t dense = common + 3 * 512 * 2048;
    const std::int64_t expert = 3 * 512 * 256;
    const std::int64_t sparse = common + 16 * expert + 16 * 512;
    EXPECT_EQ(ParameterCount(model), dense + 3 * sparse + 2 * 1000 * 512 + 512);
    // Without 14 of 16 experts and the input embedding.
    EXPECT_EQ(ActiveParameterCount(model), dense + 3 * (sparse - 14 * expert) + 1000 * 512 + 512);
    const auto layers = LikeLayersOf(model, 0, 2);
    ASSERT_EQ(layers.size(), 2u);
    EXPECT_EQ(LayerParameters(layers[0].shape), dense);
    EXPECT_EQ(LayerParameters(layers[1].shape), sparse);
}

TEST(TransformerSpec, SharedExpertsAndBiasesOfExpertsAreCounted)
{
    auto model = SmallMixture();
    model.layerGroups.clear();
    const auto plain = LayerParameters(model);
    model.experts.sharedWidth = 512;
    model.experts.hasSharedGate = model.experts.hasRouterBias = true;
    EXPECT_EQ(LayerParameters(model), plain + 3 * 512 * 512 + 512 + 16);
    model.experts.sharedWidth = 0;
    model.experts.hasSharedGate = model.experts.hasRouterBias = false;
    model.linearBias = true;
    EXPECT_EQ(LayerParameters(model), plain + 16 * (2 * 256 + 512));
}

// DeepSeek-V2 (arXiv 2405.04434, section 2.1): W^DKV and W^KR are h x (d_c + d_R), W^UK and W^UV
// d_c x n (d_h + d_v), W^DQ h x d_c', W^UQ and W^QR d_c' x n (d_h + d_R), W^O n d_v x h.
TEST(TransformerSpec, LatentAttentionHasItsNarrowMatrices)
{
    auto model = SmallMixture();
    model.headWidth = 96;
    model.valueWidth = 64;
    model.latent = {48, 32, 32};
    EXPECT_EQ(Elements(AttentionMatrices(model)),
              512 * (32 + 32) + 32 * 8 * (64 + 64) + 512 * 48 + 48 * 8 * 96 + 8 * 64 * 512);
    model.latent.queryRank = 0;
    EXPECT_EQ(Elements(AttentionMatrices(model)),
              512 * (32 + 32) + 32 * 8 * (64 + 64) + 512 * 8 * 96 + 8 * 64 * 512);
}

// Gemma 3's pattern in 8 layers: five sliding and one full, then the first two again.
TEST(LikeLayers, GroupsRepeatUntilTheLayersAreReached)
{
    auto model = MakeGpt("gemma", 8, 512, 8, 1000, 4096, true);
    model.slidingWindow = 64;
    model.layerGroups = {{5, false, false}, {1, true, false}};
    auto layers = LikeLayersOf(model, 0, 8);
    ASSERT_EQ(layers.size(), 2u);
    EXPECT_EQ(layers[0].count, 7u);
    EXPECT_EQ(layers[0].shape.KeysPerToken(), 64u);
    EXPECT_EQ(layers[1].count, 1u);
    EXPECT_EQ(layers[1].shape.KeysPerToken(), 4096u);
    layers = LikeLayersOf(model, 5, 1);
    ASSERT_EQ(layers.size(), 1u);
    EXPECT_EQ(layers[0].shape.slidingWindow, 0u);
}

TEST(TransformerSpec, HeadsOfAGptDivideHidden)
{
    EXPECT_THROW(MakeGpt("gpt", 2, 512, 7, 1000, 128, true), std::invalid_argument);
    EXPECT_THROW(MakeGpt("gpt", 2, 512, 0, 1000, 128, true), std::invalid_argument);
}

TEST(CheckTransformer, TakesEveryModelOfTheCatalogue)
{
    for (const auto& model : ModelCatalogue())
    {
        EXPECT_NO_THROW(CheckTransformer(model)) << model.name;
        EXPECT_FALSE(model.source.empty()) << model.name;
    }
}

TEST(CheckTransformer, RefusesTheImpossible)
{
    using Change = std::function<void(TransformerSpec&)>;
    const std::vector<std::pair<const char*, Change>> changes{
        {"layers", [](auto& model) { model.layers = 0; }},
        {"layers", [](auto& model) { model.layers = 4000000000; }},
        {"hidden", [](auto& model) { model.hidden = 0; }},
        {"heads", [](auto& model) { model.heads = 0; }},
        {"kvHeads", [](auto& model) { model.kvHeads = 3; }},
        {"headWidth", [](auto& model) { model.headWidth = 100000; }},
        {"headWidth", [](auto& model) { model.valueWidth = 100000; }},
        {"normsPerLayer", [](auto& model) { model.normsPerLayer = 0; }},
        {"latent.kvRank", [](auto& model) { model.latent.queryRank = 16; }},
        {"latent.rotaryWidth",
         [](auto& model) {
             model.latent = {0, 16, 64};
         }},
        {"experts.perToken",
         [](auto& model) {
             model.experts = {4, 5, 64};
         }},
        {"experts.width",
         [](auto& model) {
             model.experts = {4, 2, 0};
         }},
        {"experts.width",
         [](auto& model) {
             model.experts = {10000, 2, 10000};
         }},
        {"experts.groups",
         [](auto& model) {
             model.experts = {4, 2, 64, 0, false, false, 3, 1};
         }},
        {"experts.perToken",
         [](auto& model) {
             model.experts = {4, 3, 64, 0, false, false, 2, 1};
         }},
        {"layerGroup",
         [](auto& model) {
             model.layerGroups = {{3, false, false}};
         }},
        {"layerGroup",
         [](auto& model) {
             model.layerGroups = {{1, true, false}};
         }},
        {"layerGroup",
         [](auto& model) {
             model.layerGroups = {{1, false, true}};
         }},
        {"ffnWidth", [](auto& model) { model.ffnWidth = 0; }},
        {"vocabulary", [](auto& model) { model.vocabulary = 0; }},
        {"sequence", [](auto& model) { model.sequence = model.maxContext + 1; }},
        {"gradientBytesPerParameter", [](auto& model) { model.gradientBytesPerParameter = 0; }},
    };
    for (const auto& [field, change] : changes)
    {
        auto model = MakeGpt("gpt", 2, 512, 8, 1000, 128, true);
        change(model);
        try
        {
            CheckTransformer(model);
            ADD_FAILURE() << field << " was taken";
        }
        catch (const std::invalid_argument& error)
        {
            EXPECT_EQ(std::string(error.what()).rfind(field, 0), 0u) << error.what();
        }
    }
}

TEST(FindModel, KnowsTheNamesOfTheCatalogueAndNoOther)
{
    for (const char* name :
         {"gpt3-175b", "llama2-70b", "llama3-8b", "llama3-70b", "llama3-405b", "gpt-a", "gpt-b"})
    {
        EXPECT_TRUE(FindModel(name)) << name;
    }
    EXPECT_FALSE(FindModel("gpt-c"));
}

// 33.5 and 100.7 MB: s x h x 2 bytes of Atlas's two models are in stage-share-test.cc.
TEST(FindModel, AtlasModelsHaveThePapersHiddenAndSequence)
{
    EXPECT_EQ(FindModel("gpt-a")->hidden, 4096u);
    EXPECT_EQ(FindModel("gpt-a")->sequence, 4096u);
    EXPECT_EQ(FindModel("gpt-b")->hidden, 8192u);
    EXPECT_EQ(FindModel("gpt-b")->sequence, 6144u);
}

} // namespace
} // namespace geotrain
