// SPDX-License-Identifier: GPL-2.0-only
// A run on the analytic network does what the planner says of the plan: order, hop times, memory
// and makespan agree for library scenarios and for 200 random ones.
#include "analytic-times.h"
#include "planner/plan-simulation.h"
#include "runner/run-plan.h"
#include "units/config-error.h"

#include "random-scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

namespace geotrain
{
namespace
{

/// Returns the time of one iteration on the run's own network; in the steady state if there is no
/// flush.
Duration
RunTime(const LoadedScenario& loaded)
{
    const IterationTimes times = AnalyticTimes(loaded);
    if (!loaded.training.order.noFlush)
    {
        return times.Ends().front() - Instant();
    }
    const auto settling = SettlingIterations(loaded.plan.pipelineStages, loaded.plan.microbatches);
    return times.TimeOf({settling, leastSteadyUpdates, settling});
}

bool
AreEqual(const std::vector<Hop>& a, const std::vector<Hop>& b)
{
    return std::equal(a.begin(),
                      a.end(),
                      b.begin(),
                      b.end(),
                      [](const Hop& one, const Hop& other)
                      {
                          return one.delay == other.delay && one.occupancy == other.occupancy &&
                                 one.takesTurns == other.takesTurns;
                      });
}

/// Prepares the plan as a planner's search does, with the caches of all plans.
PreparedPlan
AsASearchPrepares(const LoadedScenario& loaded, StageTables& tables, OrderCache& orders)
{
    const TrainingPlan& plan = loaded.plan;
    const ClusterWays ways(loaded.cluster);
    const auto stages = static_cast<std::uint32_t>(loaded.training.workerOfStage.size());
    const StageTable even = plan.layersPerStage.empty()
                                ? tables.Of(stages, plan.tensorParallel, plan.microbatchSize)
                                : MakeStageTable(loaded.job, loaded.cluster, plan);
    return PreparePlan(loaded.job, loaded.cluster, plan, {&even, &ways, &orders});
}

void
ExpectPlanIsRun(const LoadedScenario& loaded)
{
    StageTables tables(loaded.job, loaded.cluster);
    OrderCache orders;
    const PreparedPlan planned = AsASearchPrepares(loaded, tables, orders);
    const PreparedPlan& run = loaded.training;
    EXPECT_TRUE(planned.order.stages == run.order.stages) << "the order";
    EXPECT_TRUE(planned.order.ofPipeline == run.order.ofPipeline) << "the orders of a cell";
    EXPECT_TRUE(AreEqual(planned.hops, run.hops)) << "hop times";
    for (std::size_t worker = 0; worker < run.memory.size(); ++worker)
    {
        EXPECT_EQ(planned.memory[worker].Total(), run.memory[worker].Total())
            << "memory of worker " << worker;
    }
    const StageTable table = MakeStageTable(loaded.job, loaded.cluster, loaded.plan);
    EXPECT_EQ(
        SimulateWholePlan(loaded.plan, loaded.job, loaded.cluster, table, orders).iterationTime,
        RunTime(loaded))
        << "the makespan";
}

std::optional<LoadedScenario>
LoadIfLegal(const std::string& text)
{
    try
    {
        return LoadScenario({"random.textproto", ".", text});
    }
    catch (const ConfigError&)
    {
        return std::nullopt;
    }
}

class OfTheLibrary : public testing::TestWithParam<const char*>
{
};

TEST_P(OfTheLibrary, APlanIsWhatItsRunDoes)
{
    // A planner's collectives are carried by the network, so the run's are too.
    std::vector<Assignment> assignments = {{"run.all_reduce_fidelity=PACKETS", "test"},
                                           {"run.warmup_iterations=0", "test"},
                                           {"run.iterations=2", "test"},
                                           {"run.network=ANALYTIC", "test"}};
    const std::string name = GetParam();
    if (name == "schedules-over-distance")
    {
        // Four of its 16 cells of pipelines: time grows with the square of their number.
        assignments.push_back({"parallelism.data_parallel=20", "test"});
    }
    ExpectPlanIsRun(LoadScenario(ReadScenarioText(name), assignments));
}

INSTANTIATE_TEST_SUITE_P(PlanIsRun,
                         OfTheLibrary,
                         testing::Values("abilene-gpt",
                                         "congestion-control-training",
                                         "pipefill-40b",
                                         "pipefill-jitter",
                                         "schedules-over-distance",
                                         "single-dc",
                                         "three-dc-bubbletea",
                                         "three-dc-gpt",
                                         "two-regions"));

TEST(PlanIsRun, OfTwoHundredRandomScenarios)
{
    RandomScenarios random(1);
    for (int legal = 0; legal < 200;)
    {
        const std::string text = random.Next();
        const auto loaded = LoadIfLegal(text);
        if (!loaded)
        {
            continue;
        }
        SCOPED_TRACE(text);
        ++legal;
        const auto& hosts = loaded->plan.hosts;
        const bool unequal =
            std::any_of(hosts.begin(),
                        hosts.end(),
                        [&hosts](const auto& host) { return host.count != hosts.front().count; });
        if (loaded->plan.crossDc == CrossDc::ReplicasHierarchical && unequal)
        {
            EXPECT_THROW(MakeRunPlan(*loaded), ConfigError); // a planner refuses it too
            continue;
        }
        ExpectPlanIsRun(*loaded);
        if (testing::Test::HasFailure())
        {
            return; // one text is enough to look at
        }
    }
}

/// This shows that the test can fail: a cluster whose headers take nothing gives another time.
TEST(PlanIsRun, AnotherPayloadShareGivesOtherHopTimes)
{
    auto loaded = LoadScenario(ReadScenarioText("single-dc"));
    loaded.cluster.transport.payloadShare = 1;
    const auto other = PreparePlan(loaded.job, loaded.cluster, loaded.plan);
    EXPECT_FALSE(AreEqual(other.hops, loaded.training.hops));
}

} // namespace
} // namespace geotrain
