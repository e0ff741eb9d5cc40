// SPDX-License-Identifier: GPL-2.0-only
// All variants of the library's scenarios load, and the main job is what its page says.
#include "comparison/variants.h"
#include "schema/scenario.pb.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

TEST(Library, TheVariantsOfEveryScenarioLoad)
{
    for (const auto& entry : ScenarioLibrary())
    {
        SCOPED_TRACE(entry.name);
        EXPECT_FALSE(entry.question.empty());
        VariantRequest request;
        request.full = true;
        const auto text = ReadScenarioText(entry.name);
        const auto variants = PlanVariants(text, request).variants;
        // Of a product of thousands of variants it takes some hundred, evenly: a prime step meets
        // every value of every factor.
        const std::size_t step = variants.size() > 500 ? 47 : 1;
        for (std::size_t i = 0; i < variants.size(); i += step)
        {
            SCOPED_TRACE(variants[i].name);
            EXPECT_NO_THROW(LoadScenario(text, variants[i].assignments));
        }
    }
}

TEST(Library, TheMainJobHasFourVariantsAndSevenInFull)
{
    const auto text = ReadScenarioText("three-dc-gpt");
    EXPECT_EQ(PlanVariants(text, {}).variants.size(), 4U);
    VariantRequest full;
    full.full = true;
    EXPECT_EQ(PlanVariants(text, full).variants.size(), 7U);
}

TEST(Library, TheComparisonOfControlsIsAStarAndInFullAProduct)
{
    const auto text = ReadScenarioText("congestion-control-wan");
    // 5 controls: 4 round trips, 4 losses, 3 buffers, 3 numbers of connections, 3 sizes, cold, and
    // 2 with a rival.
    EXPECT_EQ(PlanVariants(text, {}).variants.size(), 5U * (4 + 4 + 3 + 3 + 3 + 1 + 2));
    VariantRequest full;
    full.full = true;
    EXPECT_EQ(PlanVariants(text, full).variants.size(), 100U + 4320 + 360);
}

TEST(Library, TheMainJobIsOneCellOverThreeDataCentres)
{
    const auto loaded = LoadScenario(ReadScenarioText("three-dc-gpt"));
    EXPECT_EQ(loaded.cluster.wan.NodeCount(), 12U);
    EXPECT_EQ(loaded.cluster.wan.links.size(), 2U);
    EXPECT_EQ(loaded.cluster.wan.links[0].delay, Duration::Milliseconds(20));
    EXPECT_EQ(loaded.cluster.wan.caps.nodePair->ToBitsPerSecond(), 5000000000);
    EXPECT_EQ(loaded.resolved->parallelism().cell_size(), 4);
    EXPECT_EQ(BoundaryActivationBytes(loaded.job.model, 1).Count(), 4096 * 4096 * 2);
    EXPECT_TRUE(loaded.training.shares.back().hasHead);
}

} // namespace

} // namespace geotrain
