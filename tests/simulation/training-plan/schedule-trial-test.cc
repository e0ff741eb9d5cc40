// SPDX-License-Identifier: GPL-2.0-only
// A schedule that may hold more activations is not slower for it, nor than a plain order of its
// memory, on the network that carries its messages: the order simulation, by which it makes its
// orders, does not know of queues.
#include "warm-iterations.h"

#include "units/config-error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace geotrain
{
namespace
{

/// The other schedules, with more microbatches, are in the sweeps.
TEST(MemoryCap, MoreMemoryNeverCostsMoreThanOnePerCent)
{
    double least = std::numeric_limits<double>::infinity();
    for (const char* cap : {"schedule.memory_cap=4", "schedule.memory_cap=8"})
    {
        const double seconds = WarmIterationSeconds({{"schedule.name=cross-dc", "test"},
                                                     {"sharing=SPATIAL", "test"},
                                                     {"model.microbatches=8", "test"},
                                                     {cap, "test"}});
        EXPECT_LE(seconds, 1.01 * least) << cap;
        least = std::min(least, seconds);
    }
}

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
