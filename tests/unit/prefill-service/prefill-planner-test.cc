// SPDX-License-Identifier: GPL-2.0-only
// Checks the placement of a lone prefill against brute force: every way to spread every stage's
// layers over the bubbles.
#include "prefill-service/prefill-planner.h"

#include "hardware/gpu-catalogue.h"
#include "units/random-stream.h"
#include "workload/model-catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geotrain
{
namespace
{

/// Makes the request for a model of `layers` layers, which is small enough to enumerate.
ServingRequest
SmallCluster(std::uint32_t workers, std::uint32_t ppDegree, std::uint32_t layers)
{
    ServingRequest request;
    request.model = MakeGpt("test", layers, 1024, 16, 8000, 2048, false);
    request.ppDegree = ppDegree;
    request.mostTokens = 1000;
    request.gpus = {*FindGpu("A100-80")};
    request.dataCenters = {{"a", BitRate::GigabitsPerSecond(100), Duration::Microseconds(10)}};
    request.nodeLocalRate = BitRate::GigabitsPerSecond(2400);
    for (WorkerIndex worker = 0; worker < workers; ++worker)
    {
        request.workers.push_back({worker, 0, 0, Bytes::Of(60000000000)});
        request.order.push_back(worker);
    }
    return request;
}

/// Returns the earliest end of stage `stage` and all stages after it, by trying each number of
/// layers in each bubble.
Instant
BruteForce(const std::vector<std::vector<UsableSpan>>& bubbles,
           const ServingTimes& times,
           const ServingChain& chain,
           PromptBatch batch,
           std::size_t stage,
           std::uint32_t left,
           std::size_t bubble,
           Instant ready)
{
    const auto& stages = times.StagesOf(chain.gpu, batch);
    if (left == 0)
    {
        if (stage + 1 == stages.size())
        {
            return ready;
        }
        const Instant arrival = ready + times.Hop(chain, stage, batch.tokens);
        return BruteForce(
            bubbles, times, chain, batch, stage + 1, stages[stage + 1].units, 0, arrival);
    }
    const auto& own = bubbles[chain.workers[stage]];
    if (bubble == own.size())
    {
        return Instant::Never();
    }
    Instant best = Instant::Never();
    for (std::uint32_t units = 0; units <= left; ++units)
    {
        const Instant start = std::max(own[bubble].start, ready);
        const Instant end = start + stages[stage].unit * units;
        if (units > 0 && end > own[bubble].end)
        {
            break;
        }
        best = std::min(best,
                        BruteForce(bubbles,
                                   times,
                                   chain,
                                   batch,
                                   stage,
                                   left - units,
                                   bubble + 1,
                                   units > 0 ? end : ready));
    }
    return best;
}

class LonePrefill : public testing::TestWithParam<std::uint64_t>
{
};

TEST_P(LonePrefill, EndsAsEarlyAsBruteForceSays)
{
    RandomStream random(GetParam(), "prefill-planner-test", "bubbles");
    const auto below = [&](std::uint32_t n)
    { return static_cast<std::uint32_t>(random.Uniform() * n); };
    const std::uint32_t workers = 1 + below(4);
    const std::uint32_t ppDegree = 1 + below(workers);
    const ServingRequest request = SmallCluster(workers, ppDegree, 2 * ppDegree + below(3));
    const ServingChains chains = MakeServingChains(request);
    const ServingTimes times(request, chains);
    PrefillPlanner planner(times);
    std::vector<std::vector<UsableSpan>> bubbles(workers);
    for (WorkerIndex worker = 0; worker < workers; ++worker)
    {
        std::int64_t at = 0;
        for (std::uint32_t i = 0; i < 1 + below(6); ++i)
        {
            const std::int64_t start = at + below(2000000);
            at = start + below(1500000);
            bubbles[worker].push_back(
                {Instant::FromNanoseconds(start), Instant::FromNanoseconds(at), 0, i});
        }
        if (planner.ChainOf(worker))
        {
            planner.SetFree(worker, bubbles[worker]);
        }
    }
    const PromptBatch batch{100 + below(800), 1};
    Instant expected = Instant::Never();
    for (const ServingChain& chain : chains.chains)
    {
        expected = std::min(
            expected,
            BruteForce(bubbles, times, chain, batch, 0, times.StagesOf(0, batch)[0].units, 0, {}));
    }
    const auto place = planner.Earliest(batch, {}, Instant::Never());
    EXPECT_EQ(place ? place->end : Instant::Never(), expected);
}

INSTANTIATE_TEST_SUITE_P(Random, LonePrefill, testing::Range<std::uint64_t>(1, 301));

TEST(PrefillPlanner, BestFitLeavesTheSmallestGap)
{
    const ServingRequest request = SmallCluster(2, 1, 2);
    const ServingChains chains = MakeServingChains(request);
    const ServingTimes times(request, chains);
    const PromptBatch batch{500, 1};
    const Duration length = times.ComputeTime(0, batch);
    PrefillPlanner planner(times);
    const Instant later = Instant() + Duration::Milliseconds(5);
    planner.SetFree(0, {{{}, Instant() + length * 3, 0, 0}});
    planner.SetFree(1, {{later, later + length, 0, 0}});
    EXPECT_EQ(planner.Earliest(batch, {}, Instant::Never())->chain, 0u);
    EXPECT_EQ(planner.BestFit(batch, {}, Instant::Never())->chain, 1u);
    // Not past the deadline.
    EXPECT_EQ(planner.BestFit(batch, {}, later)->chain, 0u);
}

TEST(PrefillPlanner, ChainsWithoutRoomForTheKvCacheAreLeftOut)
{
    const ServingRequest request = SmallCluster(2, 1, 2);
    const ServingChains chains = MakeServingChains(request);
    const ServingTimes times(request, chains);
    PrefillPlanner planner(times);
    const std::vector<UsableSpan> free{{{}, Instant() + Duration::Milliseconds(50), 0, 0}};
    planner.SetFree(0, free);
    planner.SetFree(1, free);
    planner.TakeKv(0, 0, planner.KvRoom(0, 0));
    const PromptBatch batch{500, 1};
    EXPECT_EQ(planner.Earliest(batch, {}, Instant::Never())->chain, 1u);
    planner.TakeKv(1, 0, planner.KvRoom(1, 0));
    EXPECT_FALSE(planner.Earliest(batch, {}, Instant::Never()));
}

} // namespace
} // namespace geotrain
