// SPDX-License-Identifier: GPL-2.0-only
// A schedule that may hold more activations is not slower for it, on the network that carries its
// messages: the order simulation, by which it makes its orders, does not know of queues.
#include "execution/plan-run.h"
#include "runner/analytic-run-network.h"
#include "runner/run-plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace geotrain
{
namespace
{

/// Returns the seconds of three-dc-gpt's second iteration on the analytic network.
double
WarmIterationSeconds(std::vector<Assignment> assignments)
{
    for (const char* every :
         {"run.network=ANALYTIC", "run.warmup_iterations=1", "run.iterations=1"})
    {
        assignments.push_back({every, "test"});
    }
    const auto loaded = LoadScenario(ReadScenarioText("three-dc-gpt"), assignments);
    const PlanStreams streams = MakeRunPlan(loaded);
    const auto network = MakeAnalyticNetwork(loaded, streams);
    PlanRunSettings settings;
    settings.turns = streams.Turns();
    settings.passLatency = loaded.cluster.turnLatency;
    settings.layer.chunkSize = loaded.cluster.chunk;
    settings.layer.nodeLocalRate = loaded.training.nodeLocalRate;
    settings.warmUps = streams.pairs;
    PlanRun run(streams.execution, *network, settings);
    run.Prepare();
    EXPECT_TRUE(run.Run(Instant::Never()).IsDone());
    return run.Times().TimeOf({1, 1, 0}).ToSeconds();
}

struct Setting
{
    const char* name;
    const char* schedule;
    const char* sharing;
    const char* microbatches;
};

class MemoryCap : public testing::TestWithParam<Setting>
{
};

TEST_P(MemoryCap, MoreMemoryNeverCostsMoreThanOnePerCent)
{
    double least = std::numeric_limits<double>::infinity();
    for (const int cap : {4, 5, 8, 12})
    {
        const double seconds = WarmIterationSeconds(
            {{"schedule.name=" + std::string(GetParam().schedule), "test"},
             {"sharing=" + std::string(GetParam().sharing), "test"},
             {"model.microbatches=" + std::string(GetParam().microbatches), "test"},
             {"schedule.memory_cap=" + std::to_string(cap), "test"}});
        EXPECT_LE(seconds, 1.01 * least) << "cap " << cap;
        least = std::min(least, seconds);
    }
}

INSTANTIATE_TEST_SUITE_P(ThreeDcGpt,
                         MemoryCap,
                         testing::Values(Setting{"CrossDc8", "cross-dc", "SPATIAL", "8"},
                                         Setting{"CrossDc16", "cross-dc", "SPATIAL", "16"},
                                         Setting{"CrossDcInTurns", "cross-dc", "TEMPORAL", "16"},
                                         Setting{"Atlas", "atlas", "SPATIAL", "16"}),
                         [](const auto& setting) { return setting.param.name; });

/// Steps of a quarter try 8 and 10 below 13, but not 9, which is the fastest. In turns 8 is more
/// than 1 % faster than 9, and 7 almost 1 % faster than 8.
TEST(MemoryCapSearch, TakesTheFastestOfAllCapsWhereThatIsLittleWork)
{
    const std::vector<std::vector<const char*>> cases = {
        {"sharing=SPATIAL", "schedule.memory_cap=9", "schedule.memory_cap=13"},
        {"sharing=TEMPORAL", "schedule.memory_cap=7", "schedule.memory_cap=9"}};
    for (const auto& one : cases)
    {
        const std::vector<Assignment> settings = {{one[0], "test"},
                                                  {"model.transformer.layers=12", "test"},
                                                  {"parallelism.layers_per_stage=[4,4,4]", "test"},
                                                  {"schedule.name=atlas", "test"}};
        std::vector<double> seconds;
        for (const char* cap : {one[1], one[2]})
        {
            auto withCap = settings;
            withCap.push_back({cap, "test"});
            seconds.push_back(WarmIterationSeconds(withCap));
        }
        EXPECT_LE(seconds[1], 1.01 * seconds[0]) << one[0];
    }
}

/// zb-v's caps count halves: 6 of them are a pipeline's depth.
TEST(MemoryCapSearch, TriesSmallerCapsOfZeroBubbleSchedules)
{
    std::vector<double> seconds;
    for (const char* cap : {"schedule.memory_cap=6", "schedule.memory_cap=7"})
    {
        seconds.push_back(
            WarmIterationSeconds({{"model.transformer.layers=12", "test"},
                                  {"parallelism.layers_per_stage=[2,2,2,2,2,2]", "test"},
                                  {"schedule.name=zb-v", "test"},
                                  {"sharing=TEMPORAL", "test"},
                                  {cap, "test"}}));
    }
    EXPECT_LE(seconds[1], 1.01 * seconds[0]);
}

TEST(MemoryCapSearch, IsLeftAloneWhereTheModelIsSharded)
{
    const auto loaded =
        LoadScenario(ReadScenarioText("luwu-175b"),
                     {{"schedule.name=cross-dc", "test"}, {"schedule.memory_cap=8", "test"}});
    EXPECT_EQ(loaded.plan.memoryCap, 8U);
}

} // namespace
} // namespace geotrain
