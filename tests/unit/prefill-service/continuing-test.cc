// SPDX-License-Identifier: GPL-2.0-only
// A prefill runs whenever its GPU is idle, and goes on after training as its preemption says.
#include "fill-runs.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Training whose compute times vary, so that it comes when no forecast says.
FillSetup
Jittered(Preemption preemption)
{
    FillSetup setup;
    setup.jitter = 0.1;
    setup.options.preemption = preemption;
    setup.options.preemptionCost = Duration::Microseconds(10);
    return setup;
}

/// Returns the useful time of fills by request.
std::map<std::uint64_t, Duration>
UsefulTimes(const FillOutcome& outcome)
{
    std::map<std::uint64_t, Duration> useful;
    for (const auto& fill : outcome.fills)
    {
        useful[fill.work.job] += fill.yield.useful;
    }
    return useful;
}

/// Returns the time of fills that was of no use.
Duration
LostTime(const FillOutcome& outcome)
{
    Duration lost;
    for (const auto& fill : outcome.fills)
    {
        lost += fill.end.end - fill.end.start - fill.yield.useful;
    }
    return lost;
}

std::size_t
Interrupted(const FillOutcome& outcome)
{
    return static_cast<std::size_t>(std::count_if(outcome.fills.begin(),
                                                  outcome.fills.end(),
                                                  [](const auto& fill)
                                                  { return fill.end.isPreempted; }));
}

/// Returns the time by which the fills of a worker and its training leave it idle while prefills
/// wait: none where there is more to do than it has time for.
double
FilledShare(const FillOutcome& outcome, WorkerIndex worker)
{
    Instant end;
    Duration trained;
    Duration filled;
    for (const auto& span : outcome.training)
    {
        trained += span.worker == worker ? span.end - span.start : Duration();
        end = std::max(end, span.end);
    }
    for (const auto& fill : outcome.fills)
    {
        filled += fill.work.worker == worker ? fill.end.end - fill.end.start : Duration();
    }
    return (trained + filled).ToSeconds() / (end - Instant()).ToSeconds();
}

TEST(Continuing, EveryKernelOfAServedRequestRunsOnce)
{
    const FillSetup setup = Jittered(Preemption::Continue);
    const FillOutcome outcome = RunFilled(setup);
    const ServingRequest serving = ServingOf(setup);
    const ServingChains chains = MakeServingChains(serving);
    const ServingTimes times(serving, chains);
    auto useful = UsefulTimes(outcome);
    std::size_t served = 0;
    for (const RequestEnd& end : outcome.requests)
    {
        if (end.outcome == RequestOutcome::Served)
        {
            ++served;
            EXPECT_EQ(useful[end.request.number],
                      times.ComputeTime(0, {end.request.promptTokens, 1}));
        }
    }
    EXPECT_GT(served, 20u);
    EXPECT_GT(Interrupted(outcome), 20u);
    // What is lost is the cost of stopping, which comes after the kernel; less where the prefill's end
    // comes sooner.
    EXPECT_GT(LostTime(outcome), Duration());
    EXPECT_LE(LostTime(outcome), outcome.stops);
}

TEST(Continuing, TrainingWaitsForTheRestOfAKernelAndTheCost)
{
    const FillSetup setup = Jittered(Preemption::Continue);
    const FillOutcome outcome = RunFilled(setup);
    const ServingRequest serving = ServingOf(setup);
    const ServingChains chains = MakeServingChains(serving);
    const ServingTimes times(serving, chains);
    const Duration longest = times.LongestKernel({{serving.mostTokens, 1}});
    EXPECT_GT(outcome.longestHold, setup.options.preemptionCost);
    EXPECT_LE(outcome.longestHold,
              longest + setup.options.preemptionCost + Duration::Nanoseconds(1));
    // Every interrupted prefill costs a stop, but for those that the end of training interrupts.
    const auto stopped = static_cast<std::int64_t>(Interrupted(outcome)) - setup.stages;
    EXPECT_GT(stopped, 10);
    EXPECT_GE(outcome.stops, setup.options.preemptionCost * stopped);
}

TEST(Continuing, ChunksShortenWhatTrainingWaitsFor)
{
    FillSetup setup = Jittered(Preemption::Continue);
    setup.medianPrompt = 1500;
    const FillOutcome whole = RunFilled(setup);
    setup.chunkTokens = 256;
    const FillOutcome cut = RunFilled(setup);
    EXPECT_LT(cut.longestHold.ToSeconds(), 0.3 * whole.longestHold.ToSeconds());
}

TEST(Continuing, AnOverloadedWorkerIsNeverIdle)
{
    FillSetup setup = Jittered(Preemption::Continue);
    setup.ppDegree = 1;
    setup.rate = 1000;
    const FillOutcome outcome = RunFilled(setup);
    for (WorkerIndex worker = 0; worker < setup.stages; ++worker)
    {
        // The first request comes after some milliseconds of two seconds.
        EXPECT_GT(FilledShare(outcome, worker), 0.99) << worker;
    }
}

TEST(Continuing, AnIdealGpuWaitsForNothingAndLosesNothing)
{
    FillSetup setup = Jittered(Preemption::Instant);
    setup.options.preemptionCost = Duration();
    const FillOutcome outcome = RunFilled(setup);
    EXPECT_EQ(outcome.held, Duration());
    EXPECT_EQ(LostTime(outcome), Duration());
    EXPECT_GT(Interrupted(outcome), 20u);
    setup.serves = false;
    EXPECT_TRUE(IsSameTraining(outcome, RunFilled(setup)));
}

TEST(Continuing, RestartLosesTheLayerInProgressAndNoMore)
{
    const FillSetup setup = Jittered(Preemption::Restart);
    const FillOutcome outcome = RunFilled(setup);
    const ServingRequest serving = ServingOf(setup);
    const ServingChains chains = MakeServingChains(serving);
    const ServingTimes times(serving, chains);
    const Duration layer = times.StagesOf(0, {{serving.mostTokens, 1}}).back().unit;
    for (const auto& fill : outcome.fills)
    {
        const Duration lost = fill.end.end - fill.end.start - fill.yield.useful;
        EXPECT_GE(lost, Duration());
        EXPECT_LT(lost, layer + setup.options.preemptionCost);
        EXPECT_TRUE(fill.end.isPreempted || lost == Duration());
    }
    EXPECT_GT(LostTime(outcome), outcome.stops);
}

// Alone, on an ideal GPU, with exact forecasts and one stage, a prefill ends when its bubbles have held
// its compute time.
TEST(Promises, ALoneRequestsPromiseIsExact)
{
    FillSetup setup;
    setup.ppDegree = 1;
    setup.requests = 1;
    setup.medianPrompt = 2000;
    setup.options.preemption = Preemption::Instant;
    for (setup.seed = 1; setup.seed <= 20; ++setup.seed)
    {
        const FillOutcome outcome = RunFilled(setup);
        ASSERT_EQ(outcome.requests.size(), 1u);
        ASSERT_EQ(outcome.requests[0].outcome, RequestOutcome::Served);
        EXPECT_EQ(outcome.requests[0].firstToken, outcome.requests[0].promised) << setup.seed;
    }
}

TEST(Promises, AreKeptWhereForecastsAreExact)
{
    FillSetup setup;
    setup.rate = 60;
    setup.options.preemption = Preemption::Instant;
    std::size_t served = 0;
    for (const RequestEnd& end : RunFilled(setup).requests)
    {
        if (end.outcome == RequestOutcome::Served)
        {
            ++served;
            EXPECT_LE(end.firstToken, *end.promised) << end.request.number;
        }
    }
    EXPECT_GT(served, 50u);
}

TEST(Offline, PrefillsTakeWhatRequestsLeave)
{
    FillSetup setup = Jittered(Preemption::Continue);
    setup.ppDegree = 1;
    setup.rate = 5;
    const FillOutcome alone = RunFilled(setup);
    setup.options.offlineTokens = 1000;
    const FillOutcome both = RunFilled(setup);
    const auto meanTtft = [](const FillOutcome& outcome)
    {
        double sum = 0;
        double served = 0;
        for (const RequestEnd& end : outcome.requests)
        {
            const bool counts = !end.request.isOffline && end.outcome == RequestOutcome::Served;
            sum += counts ? (end.firstToken - end.request.arrival).ToSeconds() : 0;
            served += counts ? 1 : 0;
        }
        return sum / served;
    };
    EXPECT_GT(FilledShare(both, 0), 0.999);
    EXPECT_LT(FilledShare(alone, 0), 0.9);
    // A request waits for a kernel of an offline prefill at most: 2 ms, where requests wait for 20.
    EXPECT_LT(meanTtft(both), meanTtft(alone) + 0.002);
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
