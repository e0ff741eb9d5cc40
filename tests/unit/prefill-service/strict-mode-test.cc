// SPDX-License-Identifier: GPL-2.0-only
// Strict prefills on ideal GPUs leave training alone, and decisions use only the past.
#include "fill-runs.h"
#include "instants.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

FillSetup
Strict()
{
    FillSetup setup;
    setup.options.policy = PlacementPolicy::Strict;
    setup.options.preemption = Preemption::Instant;
    return setup;
}

FillOutcome
Without(FillSetup setup)
{
    setup.serves = false;
    return RunFilled(setup);
}

TEST(StrictMode, TrainingStartsAtTheSameNanosecondAsWithoutPrefills)
{
    const FillSetup setup = Strict();
    const auto filled = RunFilled(setup);
    EXPECT_TRUE(filled.isDone);
    EXPECT_GT(filled.fills.size(), 50u);
    EXPECT_TRUE(IsSameTraining(filled, Without(setup)));
}

TEST(StrictMode, TrainingIsTheSameUnderJitter)
{
    for (const double jitter : {0.02, 0.3})
    {
        FillSetup setup = Strict();
        setup.jitter = jitter;
        const auto filled = RunFilled(setup);
        EXPECT_GT(filled.fills.size(), 10u) << jitter;
        EXPECT_TRUE(IsSameTraining(filled, Without(setup))) << jitter;
    }
}

TEST(StrictMode, TrainingIsTheSameUnderAnOutage)
{
    FillSetup setup = Strict();
    setup.outageStart = AtMs(700);
    setup.outageEnd = AtMs(1900);
    const auto filled = RunFilled(setup);
    EXPECT_GT(filled.fills.size(), 10u);
    EXPECT_TRUE(IsSameTraining(filled, Without(setup)));
}

TEST(StrictMode, TrainingIsTheSameWhenGradientsComeEarlierThanForecast)
{
    // Messages of the first iterations are late, so that those after it come earlier than forecast.
    FillSetup setup = Strict();
    setup.iterations = 6;
    setup.outageStart = AtMs(0);
    setup.outageEnd = AtMs(900);
    const auto filled = RunFilled(setup);
    const auto preempted = std::count_if(filled.fills.begin(),
                                         filled.fills.end(),
                                         [](const auto& fill) { return fill.end.isPreempted; });
    EXPECT_GT(preempted, 0);
    EXPECT_TRUE(IsSameTraining(filled, Without(setup)));
}

TEST(StrictMode, ForecastIsExactOnTheAnalyticNetwork)
{
    const auto filled = RunFilled(Strict());
    EXPECT_GT(filled.score.bubbles, 50u);
    EXPECT_EQ(filled.score.misses, 0u);
    EXPECT_EQ(filled.score.absoluteError, Duration());
    for (const auto& fill : filled.fills)
    {
        EXPECT_FALSE(fill.end.isPreempted);
        EXPECT_EQ(fill.yield.useful, fill.end.end - fill.end.start);
    }
}

TEST(OnlineDecisions, AnOutageLeavesEveryDecisionBeforeItAsItWas)
{
    for (const std::int64_t milliseconds : {300, 777, 1500})
    {
        FillSetup setup = Strict();
        setup.jitter = 0.02;
        const auto calm = RunFilled(setup);
        setup.outageStart = AtMs(milliseconds);
        setup.outageEnd = AtMs(milliseconds + 600);
        const auto outage = RunFilled(setup);
        EXPECT_FALSE(IsSameTraining(calm, outage));
        EXPECT_GT(DecidedBefore(calm, setup.outageStart).size(), 200u);
        EXPECT_EQ(DecidedBefore(calm, setup.outageStart), DecidedBefore(outage, setup.outageStart))
            << milliseconds;
    }
}

TEST(StrictMode, BeginsOnlyLayersThatEndInTheirBubble)
{
    FillSetup setup = Strict();
    setup.options.guard = Duration::Milliseconds(1);
    setup.medianPrompt = 1000; // a layer takes some 3 ms
    const auto filled = RunFilled(setup);
    for (const auto& fill : filled.fills)
    {
        Instant next = Instant::Never(); // training's on the same worker
        for (const auto& span : filled.training)
        {
            next = span.worker == fill.work.worker && span.start >= fill.end.start
                       ? std::min(next, span.start)
                       : next;
        }
        EXPECT_LE(fill.end.end + setup.options.guard, next);
    }
    EXPECT_GT(filled.fills.size(), 50u);
}

} // namespace
} // namespace geotrain
