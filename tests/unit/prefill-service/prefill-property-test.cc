// SPDX-License-Identifier: GPL-2.0-only
// Tests properties that hold whatever the schedule, the load, the jitter, the memory and the
// policy.
#include "fill-runs.h"

#include <gtest/gtest.h>

#include <set>

namespace geotrain
{
namespace
{

FillSetup
RandomSetup(std::uint64_t seed)
{
    RandomStream random(seed, "prefill-property-test", "setup");
    const auto below = [&](std::uint32_t n)
    { return static_cast<std::uint32_t>(random.Uniform() * n); };
    FillSetup setup;
    setup.seed = seed;
    const char* const schedules[] = {"1f1b", "gpipe", "varuna", "zb-h1"};
    setup.schedule = schedules[below(4)];
    setup.stages = 2 + below(4);
    setup.replicas = 1 + below(2);
    setup.microbatches = 1 + below(8);
    setup.iterations = 3 + below(3);
    setup.forward = Duration::Microseconds(2000 + below(30000));
    setup.backward = Duration::Microseconds(3000 + below(60000));
    setup.hop = Duration::Microseconds(below(40000));
    setup.jitter = below(2) * 0.2 * random.Uniform();
    setup.outageStart = Instant() + Duration::Milliseconds(below(1500));
    setup.outageEnd = setup.outageStart + Duration::Milliseconds(below(2) * below(500));
    setup.free = Bytes::Of(17000000000 + std::int64_t{below(4)} * 300000000);
    setup.ppDegree = 1 + below(setup.stages);
    setup.rate = 2 + below(200);
    setup.medianPrompt = 50 + below(600);
    const PlacementPolicy policies[] = {
        PlacementPolicy::Fifo, PlacementPolicy::EarliestDeadline, PlacementPolicy::Strict};
    setup.options.policy = policies[below(3)];
    setup.options.preemption = static_cast<Preemption>(below(3));
    setup.chunkTokens = below(3) * 300;
    setup.options.offlineTokens = below(2) * 700;
    setup.options.guard = Duration::Microseconds(below(500));
    if (below(2) == 0)
    {
        setup.options.objective = Duration::Milliseconds(50 + below(2000));
        setup.options.objectivePerToken = Duration::Microseconds(below(1000));
    }
    setup.options.batchTokens = below(2) * 600;
    setup.options.batchWait = Duration::Milliseconds(below(30));
    return setup;
}

/// Returns start and end of everything that ran, by worker.
std::map<WorkerIndex, std::vector<std::pair<Instant, Instant>>>
AllWork(const FillOutcome& outcome)
{
    std::map<WorkerIndex, std::vector<std::pair<Instant, Instant>>> work;
    for (const auto& span : outcome.training)
    {
        work[span.worker].emplace_back(span.start, span.end);
    }
    for (const auto& fill : outcome.fills)
    {
        work[fill.work.worker].emplace_back(fill.end.start, fill.end.end);
    }
    return work;
}

class PrefillProperties : public testing::TestWithParam<std::uint64_t>
{
};

TEST_P(PrefillProperties, Hold)
{
    const FillSetup setup = RandomSetup(GetParam());
    const FillOutcome outcome = RunFilled(setup);
    ASSERT_TRUE(outcome.isDone);

    // A GPU does one thing at a time.
    for (auto& [worker, work] : AllWork(outcome))
    {
        auto sorted = work;
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t i = 1; i < sorted.size(); ++i)
        {
            ASSERT_LE(sorted[i - 1].second, sorted[i].first) << "worker " << worker;
        }
    }
    // Memory stays within capacity.
    ASSERT_TRUE(outcome.leastRoom);
    EXPECT_GE(outcome.leastRoom->Count(), 0);
    // Every request ends exactly once. The last one that the source gave may not have arrived when
    // training ended.
    std::set<std::uint64_t> ended;
    for (const RequestEnd& end : outcome.requests)
    {
        if (end.request.isOffline)
        {
            continue;
        }
        EXPECT_TRUE(ended.insert(end.request.number).second) << end.request.number;
        if (end.outcome == RequestOutcome::Served)
        {
            EXPECT_LE(end.request.arrival, end.decided);
            EXPECT_LT(end.decided, end.firstToken);
            EXPECT_LE(end.firstToken, end.delivered);
        }
    }
    EXPECT_GE(ended.size() + 1, outcome.arrived);
    EXPECT_LE(ended.size(), outcome.arrived);
    // Training waits for a kernel at most; for an ideal GPU it never waits.
    const ServingRequest serving = ServingOf(setup);
    const ServingChains chains = MakeServingChains(serving);
    const ServingTimes times(serving, chains);
    const bool isIdeal = setup.options.preemption == Preemption::Instant;
    EXPECT_LE(outcome.longestHold,
              isIdeal ? Duration()
                      : times.LongestKernel({{serving.mostTokens, 1}}) + Duration::Nanoseconds(1));
    if (isIdeal)
    {
        FillSetup bare = setup;
        bare.serves = false;
        EXPECT_TRUE(IsSameTraining(outcome, RunFilled(bare)));
    }
}

INSTANTIATE_TEST_SUITE_P(Random, PrefillProperties, testing::Range<std::uint64_t>(1, 81));

TEST(PrefillService, BatchesShortPromptsAndServesEachOfThem)
{
    FillSetup setup;
    setup.rate = 200;
    setup.medianPrompt = 40;
    setup.options.batchTokens = 800;
    setup.options.batchWait = Duration::Milliseconds(20);
    const FillOutcome outcome = RunFilled(setup);
    std::uint32_t largest = 0;
    int served = 0;
    for (const RequestEnd& end : outcome.requests)
    {
        largest = std::max(largest, end.batch);
        served += end.outcome == RequestOutcome::Served ? 1 : 0;
    }
    EXPECT_GT(largest, 3u);
    EXPECT_GT(served, 50);
}

TEST(PrefillService, RefusesWhatCannotMeetItsObjective)
{
    FillSetup setup;
    setup.rate = 150;
    setup.options.objective = Duration::Milliseconds(400);
    setup.options.preemption = Preemption::Instant;
    const FillOutcome outcome = RunFilled(setup);
    int refused = 0;
    for (const RequestEnd& end : outcome.requests)
    {
        refused += end.outcome == RequestOutcome::TooLate ? 1 : 0;
        if (end.outcome == RequestOutcome::Served) // exact forecasts: what was admitted is in time
        {
            EXPECT_TRUE(end.metObjective);
            EXPECT_LE(end.firstToken - end.request.arrival, *setup.options.objective);
        }
    }
    EXPECT_GT(refused, 20);
}

TEST(PrefillService, RefusesAtOnceWhatFitsNoBubble)
{
    FillSetup setup;
    setup.options.policy = PlacementPolicy::Strict;
    setup.forward = Duration::Microseconds(300);
    setup.backward = Duration::Microseconds(600);
    setup.hop =
        Duration::Microseconds(100); // bubbles of about 2 ms, less than a layer of 500 tokens takes
    setup.medianPrompt = 1500;
    setup.rate = 500;
    const FillOutcome outcome = RunFilled(setup);
    int tooLong = 0;
    for (const RequestEnd& end : outcome.requests)
    {
        if (end.outcome == RequestOutcome::TooLong)
        {
            ++tooLong;
            EXPECT_EQ(end.decided, end.request.arrival);
        }
    }
    EXPECT_GT(tooLong, 3);
}

} // namespace
} // namespace geotrain
