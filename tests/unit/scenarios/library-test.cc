// The scenarios of the library: all of their variants load, and the main job is what its page says.
#include "comparison/variants.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

TEST(Library, EveryVariantOfEveryScenarioLoads)
{
    for (const auto& entry : ScenarioLibrary())
    {
        SCOPED_TRACE(entry.name);
        EXPECT_FALSE(entry.question.empty());
        VariantRequest request;
        request.full = true;
        const auto text = ReadScenarioText(entry.name);
        for (const auto& variant : PlanVariants(text, request).variants)
        {
            SCOPED_TRACE(variant.name);
            EXPECT_NO_THROW(LoadScenario(text, variant.assignments));
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

TEST(Library, TheMainJobIsOneCellOverThreeDataCentres)
{
    const auto loaded = LoadScenario(ReadScenarioText("three-dc-gpt"));
    EXPECT_EQ(loaded.topology.NodeCount(), 12U);
    EXPECT_EQ(loaded.topology.links.size(), 2U);
    EXPECT_EQ(loaded.topology.links[0].delay, Duration::Milliseconds(20));
    EXPECT_EQ(loaded.topology.caps.nodePair->ToBitsPerSecond(), 5000000000);
    EXPECT_EQ(loaded.resolved.parallelism().cell_size(), 4);
    EXPECT_EQ(BoundaryActivationBytes(loaded.model.spec, 1).Count(), 4096 * 4096 * 2);
    EXPECT_TRUE(loaded.training.shares.back().hasHead);
}

} // namespace

} // namespace geotrain
