// SPDX-License-Identifier: GPL-2.0-only
#include "workload/model-catalogue.h"
#include "workload/transformer-spec.h"

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
