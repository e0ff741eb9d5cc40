// SPDX-License-Identifier: GPL-2.0-only
// The throughputs that the page of ten-thousand-gpus gives for Algorithm 1 are those that it plans;
// and which scenarios of the library can't be planned, each for its reason.
#include "library-search.h"
#include "loader/plan-scenario.h"
#include "planner/atlas-planner.h"
#include "units/config-error.h"

#include <map>
#include <set>
#include <string>

namespace geotrain
{
namespace
{

TEST(LibraryPlan, ThroughputGrowsAlmostInProportionToTheCells)
{
    const auto scenario = LoadForPlanning(ReadScenarioText("ten-thousand-gpus"));
    const auto plan = PlanCells(scenario.plan, scenario.job, scenario.cluster);
    const double expected[] = {34.0, 66.3, 98.2, 128.8}; // sequences/s, with 1 to 4 DP-cells
    ASSERT_EQ(plan.curve.size(), 5u);
    for (std::size_t i = 0; i < 4; ++i)
    {
        EXPECT_NEAR(plan.curve[i].sequencesPerSecond, expected[i], 0.01 * expected[i]);
    }
    EXPECT_FALSE(plan.curve[4].missing.empty());
}

// Atlas finds no order for cells of two that is faster than 1F1B with a long warm-up in its memory, and
// runs that. The plan has its name, so that the file warns of nothing.
TEST(LibraryPlan, AScheduleThatRunsAPlainOneHasItsName)
{
    const auto scenario = LoadForPlanning(ReadScenarioText("three-dc-gpt"));
    PlanSpace space = PlanSpaceOf(scenario);
    space.given.clear();
    space.pipelineStages = {2};
    space.dataParallel = {4};
    space.microbatchSizes = {1};
    space.schedules = {"atlas"};
    space.sharing = {WanSharing::Temporal};
    const auto search = SearchPlans(space, scenario.job, scenario.cluster);
    std::set<std::string> schedules;
    for (const RankedPlan& ranked : search.ranked)
    {
        schedules.insert(ranked.plan.schedule);
        const std::string text = ScenarioOfPlan(scenario, ranked.plan, "plan");
        const auto warnings = LoadScenario({"plan.textproto", ".", text}).warnings;
        EXPECT_TRUE(warnings.empty()) << warnings.front();
    }
    EXPECT_EQ(schedules.count("1f1b"), 1u);
}

TEST(LibraryPlan, AppliesToEveryScenarioOfTrainingWithReplicasOfTheWholeModel)
{
    const std::string noTraining = "a plan is made for training";
    std::map<std::string, std::string> refused = {
        {"congestion-control-wan", noTraining},
        {"experts-over-wan", "parallelism.expert_parallel: \"8\" is not planned"},
        {"hp-wan", noTraining},
        {"kernel-tcp", noTraining},
        {"l4s-coexistence", noTraining},
        {"learned-path-study", noTraining},
        {"luwu-175b", "a plan is made for replicas of the whole model"},
        {"luwu-over-wan", "a plan is made for replicas of the whole model"},
        {"paper-messages", noTraining},
        {"two-jobs-one-wan", "a plan is made for one training"},
        {"variable-link", noTraining},
    };
    for (const auto& scenario : ScenarioLibrary())
    {
        const bool isTraining =
            scenario.name == "battery-training" || scenario.name == "battery-all-reduce";
        if (scenario.name.rfind("battery-", 0) == 0 && !isTraining) // bulk transfers
        {
            refused[scenario.name] = noTraining;
        }
        std::string error;
        try
        {
            PlanSpaceOf(LoadForPlanning(ReadScenarioText(scenario.name)));
        }
        catch (const ConfigError& caught)
        {
            error = caught.what();
        }
        const std::string& reason = refused[scenario.name];
        EXPECT_EQ(error.empty(), reason.empty()) << scenario.name << ": " << error;
        EXPECT_NE(error.find(reason), std::string::npos) << scenario.name << ": " << error;
    }
}

} // namespace
} // namespace geotrain
