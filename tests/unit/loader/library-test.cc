// SPDX-License-Identifier: GPL-2.0-only
// All variants of the library's scenarios load, each scenario says what it gives, and the main job is
// what its page says.
#include "comparison/expectations.h"
#include "comparison/variants.h"
#include "loader/random-draws.h"
#include "schema/scenario.pb.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

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

/// Returns the commands of the golden cases, of which those without options run a scenario as it is
/// written.
std::set<std::string>
CommandsOfGoldenCases()
{
    std::ifstream file(GEOTRAIN_GOLDEN_CASES);
    std::set<std::string> commands;
    for (std::string line; std::getline(file, line);)
    {
        const auto label = line.find('|') + 1;
        const auto command = line.find('|', label) + 1;
        commands.insert(line.substr(command, line.find('|', command) - command));
    }
    return commands;
}

TEST(Library, EveryScenarioExpectsValuesAndATestRunsIt)
{
    const auto commands = CommandsOfGoldenCases();
    for (const auto& entry : ScenarioLibrary())
    {
        SCOPED_TRACE(entry.name);
        EXPECT_FALSE(ReadExpectations(ReadScenarioText(entry.name)).empty());
        EXPECT_EQ(commands.count("run " + entry.name) + commands.count("compare " + entry.name) +
                      commands.count("compare " + entry.name + " --full"),
                  1u);
    }
}

TEST(Library, ExpectedValuesAreOfVariantsThatTheTestRuns)
{
    const auto commands = CommandsOfGoldenCases();
    for (const auto& entry : ScenarioLibrary())
    {
        SCOPED_TRACE(entry.name);
        const auto text = ReadScenarioText(entry.name);
        std::set<std::string> names;
        if (commands.count("run " + entry.name) > 0)
        {
            names.insert("");
        }
        else
        {
            VariantRequest request;
            request.full = commands.count("compare " + entry.name + " --full") > 0;
            for (const auto& variant : PlanVariants(text, request).variants)
            {
                names.insert(variant.name);
            }
        }
        for (const auto& expected : ReadExpectations(text))
        {
            EXPECT_EQ(names.count(expected.variant), 1u) << expected.variant;
        }
    }
}

TEST(Library, AComparisonThatDrawsAtRandomHasSeedsOrSaysWhyItIsOneDraw)
{
    std::set<std::string> oneDraw;
    for (const auto& entry : ScenarioLibrary())
    {
        const auto text = ReadScenarioText(entry.name);
        const auto plans = PlanVariants(text, {});
        if (plans.variants.size() == 1 || plans.seeds.size() > 1)
        {
            continue;
        }
        bool draws = false;
        std::string head;
        for (std::size_t i = 0; i < plans.variants.size() && !draws; ++i)
        {
            const auto loaded = LoadScenario(text, plans.variants[i].assignments);
            draws = plans.variants[i].seeds.size() < 2 && !DrawsOf(loaded).empty();
            head = loaded.provenance.headComment;
        }
        if (draws)
        {
            oneDraw.insert(entry.name);
            EXPECT_NE(head.find("One draw"), std::string::npos) << entry.name;
        }
    }
    // These say how little the draws matter.
    const std::set<std::string> known{"learned-path-study", "pipefill-40b"};
    EXPECT_EQ(oneDraw, known);
}

TEST(Library, TheMainJobTellsItsStoryInSevenVariants)
{
    const auto variants = PlanVariants(ReadScenarioText("atlas-bubbletea"), {}).variants;
    ASSERT_EQ(variants.size(), 7U);
    EXPECT_EQ(variants.front().title, "1F1B, one connection");
    EXPECT_EQ(variants[5].title, "Atlas with BubbleTea");
    EXPECT_EQ(variants.back().title, "1F1B in turns with BubbleTea");
}

TEST(Library, TheThreeDataCentresHaveFourVariantsAndSevenInFull)
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

TEST(Library, TheThreeDataCentresAreOneCell)
{
    const auto loaded = LoadScenario(ReadScenarioText("three-dc-gpt"));
    EXPECT_EQ(loaded.testbed.wan.NodeCount(), 12U);
    EXPECT_EQ(loaded.testbed.wan.links.size(), 2U);
    EXPECT_EQ(loaded.testbed.wan.links[0].delay, Duration::Milliseconds(20));
    EXPECT_EQ(loaded.testbed.wan.caps.nodePair->ToBitsPerSecond(), 5000000000);
    EXPECT_EQ(loaded.provenance.resolved->parallelism().cell_size(), 4);
    EXPECT_EQ(BoundaryActivationBytes(loaded.jobs[0].job.model, 1).Count(), 4096 * 4096 * 2);
    EXPECT_TRUE(loaded.jobs[0].prepared.shares.back().hasHead);
}

} // namespace

} // namespace geotrain
