// SPDX-License-Identifier: GPL-2.0-only
// A run on the analytic network does what the planner says of the plan: order, hop times, memory
// and makespan agree for library scenarios and for 200 random ones.
#include "loader/scenario-loader.h"
#include "planner/plan-simulation.h"
#include "runner/fill-run.h"
#include "runner/run.h"
#include "units/config-error.h"

#include "experiment-streams.h"
#include "random-scenarios.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace geotrain
{
namespace
{

/// Returns the settings with which a run does what a planner simulates, apart from its iterations:
/// its collectives are carried by the network.
std::vector<Assignment>
AsPlanned()
{
    return {{"run.all_reduce_fidelity=PACKETS", "test"},
            {"run.warmup_iterations=0", "test"},
            {"run.iterations=2", "test"}, // fill jobs need two
            {"run.network=ANALYTIC", "test"}};
}

/// Returns the time of one iteration of a whole run without fillers, as its summary has it; of the
/// steady state if there is no flush.
Duration
RunTime(const Experiment& loaded)
{
    const TemporaryFolder folder;
    RunOptions options;
    options.folder = folder.Path();
    options.drawsFigures = false;
    Experiment training = loaded;
    TrainingSpec& job = training.jobs.front();
    job = WithoutFillers(job);
    training.run.iterations = job.prepared.order.noFlush ? training.run.iterations : 1;
    const Summary summary = Run(training, options);
    return Duration::Nanoseconds(std::llround(1e9 * summary.Find("iteration_time").value()));
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
AsASearchPrepares(const Experiment& loaded, StageTables& tables, OrderCache& orders)
{
    const TrainingPlan& plan = loaded.jobs[0].plan;
    const ClusterWays ways(loaded.jobs[0].cluster);
    const auto stages = static_cast<std::uint32_t>(loaded.jobs[0].prepared.workerOfStage.size());
    const StageTable even = plan.layersPerStage.empty()
                                ? tables.Of({stages, plan.tensorParallel, plan.microbatchSize})
                                : MakeStageTable(loaded.jobs[0].job, loaded.jobs[0].cluster, plan);
    return PreparePlan(loaded.jobs[0].job, loaded.jobs[0].cluster, plan, {&even, &ways, &orders});
}

void
ExpectPlanIsRun(const Experiment& loaded)
{
    StageTables tables(loaded.jobs[0].job, loaded.jobs[0].cluster);
    OrderCache orders;
    const PreparedPlan planned = AsASearchPrepares(loaded, tables, orders);
    const PreparedPlan& run = loaded.jobs[0].prepared;
    EXPECT_TRUE(planned.order.stages == run.order.stages) << "the order";
    EXPECT_TRUE(planned.order.ofPipeline == run.order.ofPipeline) << "the orders of a cell";
    EXPECT_TRUE(AreEqual(planned.hops, run.hops)) << "hop times";
    for (std::size_t worker = 0; worker < run.memory.size(); ++worker)
    {
        EXPECT_EQ(planned.memory[worker].Total(), run.memory[worker].Total())
            << "memory of worker " << worker;
    }
    const StageTable table =
        MakeStageTable(loaded.jobs[0].job, loaded.jobs[0].cluster, loaded.jobs[0].plan);
    const Duration ofPlan =
        SimulateWholePlan(loaded.jobs[0].plan,
                          {loaded.jobs[0].job, loaded.jobs[0].cluster, table, &orders})
            .iterationTime;
    // Without flush it is a mean over updates, which the planner has in whole nanoseconds.
    EXPECT_NEAR(static_cast<double>(ofPlan.ToNanoseconds()),
                static_cast<double>(RunTime(loaded).ToNanoseconds()),
                run.order.noFlush ? 1 : 0)
        << "the makespan";
}

std::optional<Experiment>
LoadIfLegal(const std::string& text)
{
    try
    {
        return LoadScenario({"random.textproto", ".", text}, AsPlanned());
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
    std::vector<Assignment> assignments = AsPlanned();
    const std::string name = GetParam();
    if (name == "schedules-over-distance")
    {
        // Two of its 16 cells of pipelines: time grows with the square of their number.
        assignments.push_back({"parallelism.data_parallel=10", "test"});
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
        const auto& hosts = loaded->jobs[0].plan.hosts;
        const bool unequal =
            std::any_of(hosts.begin(),
                        hosts.end(),
                        [&hosts](const auto& host) { return host.count != hosts.front().count; });
        if (loaded->jobs[0].plan.crossDc == CrossDc::ReplicasHierarchical && unequal)
        {
            EXPECT_THROW(StreamsOf(*loaded), ConfigError); // a planner refuses it too
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
    loaded.jobs[0].cluster.transport.payloadShare = 1;
    const auto other = PreparePlan(loaded.jobs[0].job, loaded.jobs[0].cluster, loaded.jobs[0].plan);
    EXPECT_FALSE(AreEqual(other.hops, loaded.jobs[0].prepared.hops));
}

} // namespace
} // namespace geotrain
