// SPDX-License-Identifier: GPL-2.0-only
// A schedule that may hold more activations is not slower for it, nor than a plain order of its
// memory, on the network that carries its messages: the order simulation, by which it makes its
// orders, does not know of queues.
#include "scenario-runs.h"

#include "fallback/schedule-fallback.h"
#include "loader/scenario-loader.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace geotrain
{
namespace
{

/// Returns a scenario of the library as it runs where it asks for what is fastest.
Experiment
LoadFastest(const char* name, std::vector<Assignment> assignments)
{
    const ScenarioText text = ReadScenarioText(name);
    assignments.push_back({"schedule.fallback=FASTEST", "test"});
    return LoadScenario(text, WithFallback(text, assignments));
}

/// Returns three-dc-gpt with two iterations on the analytic network.
Experiment
LoadTwoIterations(std::vector<Assignment> assignments)
{
    for (const char* every :
         {"run.network=ANALYTIC", "run.warmup_iterations=1", "run.iterations=1"})
    {
        assignments.push_back({every, "test"});
    }
    return LoadFastest("three-dc-gpt", assignments);
}

/// Returns the seconds of the second iteration of a run, with its warm-ups.
double
WarmIterationSeconds(const Experiment& loaded)
{
    return RunOnce(loaded).Find("iteration_time").value();
}

double
WarmIterationSeconds(const std::vector<Assignment>& assignments)
{
    return WarmIterationSeconds(LoadTwoIterations(assignments));
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

/// Returns the seconds of the fastest 1F1B of which no worker holds more than `cap` activations: the
/// first one holds 2f + 1 of them on three stages, f being the warm-up factor.
double
FastestOneForwardOneBackward(const std::vector<Assignment>& settings, int cap)
{
    double least = std::numeric_limits<double>::infinity();
    for (int factor = 1; 2 * factor + 1 <= cap; ++factor)
    {
        auto plain = settings;
        plain.push_back({"schedule.name=1f1b", "test"});
        plain.push_back({"schedule.warmup_factor=" + std::to_string(factor), "test"});
        least = std::min(least, WarmIterationSeconds(plain));
    }
    return least;
}

/// zb-v sends each microbatch down and up the pipeline, so that twice as many messages share its
/// nodes, of which the searches' model doesn't know.
TEST(ScheduleTrial, ZeroBubbleWavesLoseToNoPlainOrderOfTheirMemory)
{
    const std::vector<Assignment> model = {{"model.transformer.layers=12", "test"}};
    auto plain = model;
    plain.push_back({"parallelism.layers_per_stage=[4,4,4]", "test"});
    auto waves = model;
    waves.push_back({"parallelism.layers_per_stage=[2,2,2,2,2,2]", "test"});
    waves.push_back({"schedule.name=zb-v", "test"});
    waves.push_back({"schedule.memory_cap=13", "test"}); // halves
    EXPECT_LE(WarmIterationSeconds(waves), 1.01 * FastestOneForwardOneBackward(plain, 13 / 2));

    const auto loaded = LoadFastest("three-dc-gpt", waves);
    EXPECT_EQ(loaded.jobs[0].plan.schedule, "1f1b");
    EXPECT_EQ(loaded.jobs[0].plan.warmupFactor, 2U); // 5 activations; 3 would hold 7, or 14 halves
    EXPECT_EQ(loaded.jobs[0].plan.layersPerStage, std::vector<std::uint32_t>(3, 4));
    EXPECT_EQ(loaded.jobs[0].prepared.workerOfStage, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(ScheduleTrial, WhatIsWrittenRunsUnlessTheScenarioAsks)
{
    const std::vector<Assignment> waves = {
        {"model.transformer.layers=12", "test"},
        {"parallelism.layers_per_stage=[2,2,2,2,2,2]", "test"},
        {"schedule.name=zb-v", "test"},
        {"schedule.memory_cap=13", "test"}};
    const ScenarioText text = ReadScenarioText("three-dc-gpt");
    EXPECT_EQ(WithFallback(text, waves).size(), waves.size());
    const auto loaded = LoadScenario(text, waves);
    EXPECT_EQ(loaded.jobs[0].plan.schedule, "zb-v");
    EXPECT_EQ(loaded.jobs[0].plan.memoryCap, 13U);
}

/// Over one connection in turns, messages of one pipeline wait for all others', and deep warm-ups
/// are no gain.
TEST(ScheduleTrial, AtlasLosesToNoPlainOrderOfItsMemory)
{
    for (const char* connections : {"transport.connections=20", "transport.connections=1"})
    {
        const std::vector<Assignment> settings = {
            {"sharing=TEMPORAL", "test"}, {"model.microbatches=12", "test"}, {connections, "test"}};
        auto atlas = settings;
        atlas.push_back({"schedule.name=atlas", "test"});
        atlas.push_back({"schedule.memory_cap=9", "test"});
        EXPECT_LE(WarmIterationSeconds(atlas), 1.01 * FastestOneForwardOneBackward(settings, 9))
            << connections;
    }
}

/// Of 216 microbatches, 2,592 forwards, cross-dc's own model finds 6 activations to be enough, with
/// which it takes 18 % longer than a 1F1B of 9; and zb-v twice as long.
TEST(ScheduleTrial, SchedulesOfVeryManyMicrobatchesLoseToNoPlainOrderOfTheirMemory)
{
    const std::vector<Assignment> settings = {{"model.transformer.layers=6", "test"},
                                              {"model.microbatches=216", "test"}};
    auto plain = settings;
    for (const char* set : {"parallelism.layers_per_stage=[2,2,2]", "schedule.warmup_factor=4"})
    {
        plain.push_back({set, "test"});
    }
    const double rival = WarmIterationSeconds(plain);
    for (const char* name : {"cross-dc", "zb-v"})
    {
        const bool isWave = std::string(name) == "zb-v"; // with caps of halves
        auto searched = settings;
        searched.push_back({"schedule.name=" + std::string(name), "test"});
        searched.push_back({isWave ? "parallelism.layers_per_stage=[1,1,1,1,1,1]"
                                   : "parallelism.layers_per_stage=[2,2,2]",
                            "test"});
        searched.push_back({isWave ? "schedule.memory_cap=18" : "schedule.memory_cap=9", "test"});
        EXPECT_LE(WarmIterationSeconds(searched), 1.01 * rival) << name;
    }
}

TEST(ScheduleTrial, RefusesWhatWouldTakeTooLong)
{
    try
    {
        LoadFastest("ten-thousand-gpus",
                    {{"schedule.name=zb-1p", "test"}, {"model.microbatches=64", "test"}});
        FAIL() << "was not refused";
    }
    catch (const ConfigError& refused)
    {
        EXPECT_STREQ(refused.what(),
                     "ten-thousand-gpus.textproto: schedule.fallback: \"FASTEST\" must be AS_WRITTEN "
                     "for 64 stages of 20 pipelines, which are too many for trials");
    }
}

/// The head of 256,000 tokens makes the last stage the longest. A wave has it on its first worker.
TEST(ScheduleTrial, WavesLoseToNoPlainOrderInsideOneDataCentreEither)
{
    const auto seconds = [](const char* schedule, const char* layers)
    {
        return RunOnce(
                   LoadFastest("single-dc",
                               {{"run.network=ANALYTIC", "test"},
                                {"model.transformer.vocabulary=256000", "test"},
                                {"model.transformer.layers=6", "test"},
                                {std::string("parallelism.layers_per_stage=") + layers, "test"},
                                {std::string("schedule.name=") + schedule, "test"}}))
            .Find("iteration_time")
            .value();
    };
    EXPECT_LE(seconds("zb-v", "[1,1,1,1,1,1]"), 1.01 * seconds("1f1b", "[2,2,2]"));
    const auto loaded = LoadFastest("single-dc", {{"schedule.name=zb-1p", "test"}});
    EXPECT_EQ(loaded.jobs[0].plan.schedule, "zb-1p") << "which is the fastest there";
}

TEST(MemoryCapSearch, IsLeftAloneWhereTheModelIsSharded)
{
    const auto loaded =
        LoadFastest("luwu-175b",
                    {{"schedule.name=cross-dc", "test"}, {"schedule.memory_cap=8", "test"}});
    EXPECT_EQ(loaded.jobs[0].plan.memoryCap, 8U);
}

} // namespace
} // namespace geotrain
