// SPDX-License-Identifier: GPL-2.0-only
#include "fill-jobs/fill-scheduler.h"

#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// Makes a job that takes a second per sample, and half of that on GPUs of class 1.
FillJob
Job(std::uint64_t number, std::uint64_t seconds)
{
    FillJob job;
    job.number = number;
    job.samples = seconds;
    return job;
}

std::optional<Duration>
Quote(const FillJob& job, std::uint32_t gpuClass)
{
    return Duration::Seconds(static_cast<double>(job.samples) / (gpuClass + 1));
}

/// Returns the order in which one busy GPU takes jobs of these lengths.
std::vector<std::uint64_t>
OrderOn(FillPolicy policy, const std::vector<std::uint64_t>& seconds)
{
    FillScheduler scheduler(std::move(policy), &Quote, {0});
    std::optional<FillScheduler::Assignment> first;
    scheduler.Arrive(Job(0, 1), first);
    std::optional<FillScheduler::Assignment> none;
    for (std::size_t i = 0; i < seconds.size(); ++i)
    {
        EXPECT_EQ(scheduler.Arrive(Job(i + 1, seconds[i]), none), FillScheduler::Arrival::Queued);
    }
    std::vector<std::uint64_t> order;
    while (const auto job = scheduler.Release(0))
    {
        order.push_back(*job);
    }
    return order;
}

TEST(FillScheduler, ShortestJobFirstWithTiesByArrival)
{
    EXPECT_EQ(OrderOn(FindFillPolicy("shortest-job-first"), {5, 3, 9, 3}),
              (std::vector<std::uint64_t>{2, 4, 1, 3}));
}

TEST(FillScheduler, MakespanTakesTheLongestFirst)
{
    EXPECT_EQ(OrderOn(FindFillPolicy("makespan"), {5, 3, 9, 3}),
              (std::vector<std::uint64_t>{3, 1, 2, 4}));
}

TEST(FillScheduler, EarliestDeadlineFirstWithoutDeadlineLast)
{
    FillScheduler scheduler(FindFillPolicy("deadline"), &Quote, {0});
    std::optional<FillScheduler::Assignment> assignment;
    scheduler.Arrive(Job(1, 1), assignment);
    const auto arrive = [&](std::uint64_t number, std::optional<std::int64_t> deadline)
    {
        FillJob job = Job(number, 1);
        if (deadline)
        {
            job.deadline = Instant::FromNanoseconds(*deadline);
        }
        scheduler.Arrive(job, assignment);
    };
    arrive(2, std::nullopt);
    arrive(3, 50);
    arrive(4, 20);
    EXPECT_EQ(*scheduler.Release(0), 4U);
    EXPECT_EQ(*scheduler.Release(0), 3U);
    EXPECT_EQ(*scheduler.Release(0), 2U);
}

TEST(FillScheduler, AUsersPolicyIsAScore)
{
    const FillPolicy largestNumber = [](const FillCandidate& candidate)
    { return -static_cast<double>(candidate.job.number); };
    EXPECT_EQ(OrderOn(largestNumber, {5, 3, 9}), (std::vector<std::uint64_t>{3, 2, 1}));
}

TEST(FillScheduler, WeightsMakeAScore)
{
    FillScoreWeights longest;
    longest.processing = -1;
    EXPECT_EQ(OrderOn(WeightedScore(longest), {5, 3, 9}), (std::vector<std::uint64_t>{3, 1, 2}));
}

TEST(FillScheduler, AFreeGpuThatSuitsTheJobBestTakesIt)
{
    for (const auto& policy : {FindFillPolicy("shortest-job-first"), FindFillPolicy("makespan")})
    {
        FillScheduler scheduler(policy, &Quote, {0, 1, 0});
        std::optional<FillScheduler::Assignment> assignment;
        EXPECT_EQ(scheduler.Arrive(Job(1, 4), assignment), FillScheduler::Arrival::Assigned);
        EXPECT_EQ(assignment->gpu, 1U); // class 1 is twice as fast
        scheduler.Arrive(Job(2, 4), assignment);
        EXPECT_EQ(assignment->gpu, 0U);
    }
}

TEST(FillScheduler, AJobThatRunsNowhereIsRefused)
{
    FillScheduler scheduler(FindFillPolicy("shortest-job-first"),
                            [](const FillJob& job, std::uint32_t gpuClass) {
                                return job.samples > 5 || gpuClass == 0 ? std::nullopt
                                                                        : Quote(job, gpuClass);
                            },
                            {0, 1});
    std::optional<FillScheduler::Assignment> assignment;
    EXPECT_EQ(scheduler.Arrive(Job(1, 9), assignment), FillScheduler::Arrival::Refused);
    EXPECT_EQ(scheduler.Arrive(Job(2, 3), assignment), FillScheduler::Arrival::Assigned);
    EXPECT_EQ(assignment->gpu, 1U);
    EXPECT_EQ(scheduler.Arrive(Job(3, 3), assignment), FillScheduler::Arrival::Queued);
    EXPECT_FALSE(scheduler.Release(0)); // class 0 can't run it
    EXPECT_EQ(*scheduler.Release(1), 3U);
}

TEST(FillScheduler, PoliciesHaveNames)
{
    EXPECT_NO_THROW(FindFillPolicy("shortest-job-first"));
    EXPECT_NO_THROW(FindFillPolicy("makespan"));
    EXPECT_NO_THROW(FindFillPolicy("deadline"));
    EXPECT_THROW(FindFillPolicy("sjf"), std::invalid_argument);
}

// Every job runs exactly once, whatever comes and goes, and no free GPU coexists with a job that
// waits.
TEST(FillScheduler, EveryJobRunsExactlyOnce)
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
    {
        RandomStream stream(seed, "fill-scheduler-test", "events");
        FillScheduler scheduler(FindFillPolicy("shortest-job-first"), &Quote, {0, 0, 1, 1, 1});
        std::vector<bool> isBusy(5);
        std::vector<int> runs(201);
        for (std::uint64_t number = 1; number <= 200; ++number)
        {
            std::optional<FillScheduler::Assignment> assignment;
            scheduler.Arrive(Job(number, 1 + number % 7), assignment);
            if (assignment)
            {
                EXPECT_FALSE(isBusy[assignment->gpu]);
                isBusy[assignment->gpu] = true;
                ++runs[assignment->job];
            }
            const auto gpu = static_cast<std::uint32_t>(stream.Uniform() * 5);
            if (isBusy[gpu] && stream.Uniform() < 0.9)
            {
                const auto next = scheduler.Release(gpu);
                isBusy[gpu] = next.has_value();
                runs[next ? *next : 0] += next ? 1 : 0;
            }
            const bool isAnyFree = std::count(isBusy.begin(), isBusy.end(), false) > 0;
            EXPECT_TRUE(!isAnyFree || scheduler.Waiting() == 0);
        }
        while (const auto next = scheduler.Release(0))
        {
            ++runs[*next];
        }
        EXPECT_EQ(std::count(runs.begin() + 1, runs.end(), 1), 200);
    }
}

} // namespace

} // namespace geotrain
