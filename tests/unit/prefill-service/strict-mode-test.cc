// SPDX-License-Identifier: GPL-2.0-only
// Prefills in strict mode leave training alone, and decisions use only the past. Relaxed mode
// reports what it costs.
#include "fill-runs.h"
#include "instants.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

FillOutcome
Without(FillSetup setup)
{
    setup.serves = false;
    return RunFilled(setup);
}

TEST(StrictMode, TrainingStartsAtTheSameNanosecondAsWithoutPrefills)
{
    const FillSetup setup;
    const auto filled = RunFilled(setup);
    EXPECT_TRUE(filled.isDone);
    EXPECT_GT(filled.fills.size(), 50u);
    EXPECT_TRUE(IsSameTraining(filled, Without(setup)));
}

TEST(StrictMode, TrainingIsTheSameUnderJitter)
{
    for (const double jitter : {0.02, 0.3})
    {
        FillSetup setup;
        setup.jitter = jitter;
        const auto filled = RunFilled(setup);
        EXPECT_GT(filled.fills.size(), 10u) << jitter;
        EXPECT_TRUE(IsSameTraining(filled, Without(setup))) << jitter;
    }
}

TEST(StrictMode, TrainingIsTheSameUnderAnOutage)
{
    FillSetup setup;
    setup.outageStart = AtMs(700);
    setup.outageEnd = AtMs(1900);
    const auto filled = RunFilled(setup);
    EXPECT_GT(filled.fills.size(), 10u);
    EXPECT_TRUE(IsSameTraining(filled, Without(setup)));
}

TEST(StrictMode, TrainingIsTheSameWhenGradientsComeEarlierThanForecast)
{
    // Messages of the first iterations are late, so that those after it come earlier than forecast.
    FillSetup setup;
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
    const auto filled = RunFilled({});
    EXPECT_GT(filled.score.bubbles, 50u);
    EXPECT_EQ(filled.score.misses, 0u);
    EXPECT_EQ(filled.score.absoluteError, Duration());
    for (const auto& fill : filled.fills)
    {
        EXPECT_FALSE(fill.end.isPreempted);
        EXPECT_EQ(fill.yield.useful, fill.end.end - fill.end.start);
    }
}

TEST(StrictMode, OnlyALayerInProgressIsLost)
{
    FillSetup setup;
    setup.jitter = 0.1;
    const auto filled = RunFilled(setup);
    const ServingRequest serving = ServingOf(setup);
    const auto chains = MakeServingChains(serving);
    const ServingTimes times(serving, chains);
    const Duration longestLayer = times.StagesOf(0, {2000, 1}).back().unit;
    for (const auto& fill : filled.fills)
    {
        const Duration lost = fill.end.end - fill.end.start - fill.yield.useful;
        EXPECT_GE(lost, Duration());
        EXPECT_LT(lost, longestLayer);
        EXPECT_TRUE(fill.end.isPreempted || lost == Duration());
    }
}

TEST(OnlineDecisions, AnOutageLeavesEveryDecisionBeforeItAsItWas)
{
    for (const std::int64_t milliseconds : {300, 777, 1500})
    {
        FillSetup setup;
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

TEST(RelaxedMode, ReportsWhatTrainingWaitedAndKeepsTheBound)
{
    FillSetup setup;
    setup.jitter = 0.05;
    setup.options.isRelaxed = true;
    setup.options.longestHold = Duration::Milliseconds(2);
    const auto relaxed = RunFilled(setup);
    EXPECT_GT(relaxed.held, Duration());
    EXPECT_GT(relaxed.longestHold, Duration());
    EXPECT_LE(relaxed.longestHold, setup.options.longestHold);
    EXPECT_FALSE(IsSameTraining(relaxed, Without(setup)));
}

TEST(RelaxedMode, ABoundOfZeroHoldsNothing)
{
    FillSetup setup;
    setup.jitter = 0.05;
    setup.options.isRelaxed = true;
    const auto relaxed = RunFilled(setup);
    EXPECT_EQ(relaxed.held, Duration());
    EXPECT_TRUE(IsSameTraining(relaxed, Without(setup)));
}

TEST(PreemptionCost, DelaysTrainingAndIsReported)
{
    FillSetup setup;
    setup.jitter = 0.1;
    setup.options.preemptionCost = Duration::Microseconds(500);
    const auto costly = RunFilled(setup);
    const auto preempted = std::count_if(costly.fills.begin(),
                                         costly.fills.end(),
                                         [](const auto& fill) { return fill.end.isPreempted; });
    EXPECT_GT(preempted, 0);
    EXPECT_EQ(costly.held, setup.options.preemptionCost * preempted);
}

/// Returns the longest kernel of any prefill of the setup's.
Duration
LongestKernel(const FillSetup& setup)
{
    const ServingRequest serving = ServingOf(setup);
    const auto chains = MakeServingChains(serving);
    const ServingTimes times(serving, chains);
    Duration longest;
    for (std::size_t stage = 0; stage < times.StageCount(); ++stage)
    {
        const PromptBatch batch{serving.mostTokens, 1};
        const Duration unit = times.StagesOf(0, batch)[stage].unit;
        Duration at;
        while (at < unit)
        {
            // A nanosecond into a kernel, all of it but that is left.
            const Duration inKernel = at + Duration::Nanoseconds(1);
            const Duration rest = times.RestOfKernel(0, batch, stage, inKernel);
            longest = std::max(longest, rest + Duration::Nanoseconds(1));
            at = inKernel + rest;
        }
    }
    return longest;
}

TEST(PreemptionGrain, TrainingWaitsForTheRestOfAKernelAndTheCost)
{
    FillSetup setup;
    setup.jitter = 0.1;
    setup.options.runsKernelsToEnd = true;
    setup.options.preemptionCost = Duration::Microseconds(10);
    const auto filled = RunFilled(setup);
    EXPECT_TRUE(filled.isDone);
    EXPECT_FALSE(IsSameTraining(filled, Without(setup)));
    EXPECT_GT(filled.longestHold, setup.options.preemptionCost);
    EXPECT_LE(filled.longestHold, LongestKernel(setup) + setup.options.preemptionCost);
}

TEST(PreemptionGrain, AKernelIsShorterThanItsLayerAndLayersAreFullOfKernels)
{
    const FillSetup setup;
    const ServingRequest serving = ServingOf(setup);
    const auto chains = MakeServingChains(serving);
    const ServingTimes times(serving, chains);
    const PromptBatch batch{1000, 1};
    const Duration unit = times.StagesOf(0, batch)[0].unit;
    EXPECT_LT(LongestKernel(setup), times.StagesOf(0, {serving.mostTokens, 1})[0].unit);
    for (std::int64_t percent = 1; percent < 100; ++percent)
    {
        const auto into = Duration::Nanoseconds(unit.ToNanoseconds() * percent / 100);
        const Duration rest = times.RestOfKernel(0, batch, 0, into);
        EXPECT_GE(rest, Duration());
        EXPECT_LE(into + rest, unit);
    }
    EXPECT_EQ(times.RestOfKernel(0, batch, 0, unit), Duration());
}

TEST(PreemptionGrain, WhatNothingDisturbsIsNotHeld)
{
    FillSetup setup; // forecasts are exact
    setup.options.runsKernelsToEnd = true;
    setup.options.preemptionCost = Duration::Microseconds(10);
    const auto filled = RunFilled(setup);
    EXPECT_EQ(filled.held, Duration());
    EXPECT_TRUE(IsSameTraining(filled, Without(setup)));
}

TEST(Activations, AStageBeginsWhenItsActivationHasCome)
{
    for (const std::int64_t milliseconds : {0, 1, 30})
    {
        FillSetup setup;
        setup.activationTime = Duration::Milliseconds(milliseconds);
        const auto filled = RunFilled(setup);
        std::map<std::uint64_t, Instant> endOfFirstStage; // by request
        std::size_t compared = 0;
        for (const auto& fill : filled.fills)
        {
            if (fill.work.part == 0)
            {
                endOfFirstStage[fill.work.job] = fill.end.end;
            }
        }
        for (const auto& fill : filled.fills)
        {
            if (fill.work.part == 1)
            {
                ++compared;
                EXPECT_GE(fill.end.start,
                          endOfFirstStage.at(fill.work.job) + *setup.activationTime);
            }
        }
        EXPECT_GT(compared, 10u);
        EXPECT_EQ(filled.requests.size() + 1, filled.arrived); // the next one was drawn already
    }
}

} // namespace
} // namespace geotrain
