// SPDX-License-Identifier: GPL-2.0-only
// Checks that a trial of a schedule is made once for all variants that train alike, and that this
// changes nothing.
#include "small-scenario.h"

#include "loader/scenario-loader.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

Experiment
Load(const ScenarioText& text, const std::vector<std::string>& sets)
{
    std::vector<Assignment> assignments = {{"schedule.name=cross-dc", "test"},
                                           {"schedule.memory_cap=4", "test"}};
    for (const auto& set : sets)
    {
        assignments.push_back({set, "test"});
    }
    return LoadScenario(text, assignments);
}

TEST(TriedPlans, VariantsThatTrainAlikeAreTriedOnce)
{
    const auto text = AsText(SmallScenarioText());
    const auto first = Load(text, {});
    EXPECT_EQ(text.tried->Count(), 1u);
    for (const char* set : {"run.seed=7", "run.network=ANALYTIC", "run.iterations=3", "name=other"})
    {
        const auto other = Load(text, {set});
        EXPECT_EQ(other.jobs[0].plan.memoryCap, first.jobs[0].plan.memoryCap) << set;
        EXPECT_EQ(other.jobs[0].plan.schedule, first.jobs[0].plan.schedule) << set;
        EXPECT_EQ(other.warnings, first.warnings) << set;
        EXPECT_EQ(text.tried->Count(), 1u) << set;
    }
}

TEST(TriedPlans, OthersAreTriedByThemselves)
{
    const auto text = AsText(SmallScenarioText());
    const std::vector<std::vector<std::string>> variants = {{},
                                                            {"transport.connections=2"},
                                                            {"wan_link[0].delay=5ms"},
                                                            {"model.microbatches=12"},
                                                            {"caps.node_pair=2Gbps"},
                                                            {"sharing=TEMPORAL"}};
    for (std::size_t index = 0; index < variants.size(); ++index)
    {
        const auto shared = Load(text, variants[index]);
        EXPECT_EQ(text.tried->Count(), index + 1);
        const auto fresh = Load(AsText(SmallScenarioText()), variants[index]);
        EXPECT_EQ(shared.jobs[0].plan.memoryCap, fresh.jobs[0].plan.memoryCap);
        EXPECT_EQ(shared.jobs[0].plan.schedule, fresh.jobs[0].plan.schedule);
        EXPECT_EQ(shared.warnings, fresh.warnings);
    }
}

} // namespace
} // namespace geotrain
