// SPDX-License-Identifier: GPL-2.0-only
// Tests the balance of layers over unlike GPUs: against all splits by the formula that it makes
// least, and against all splits of a pair of stages as simulated.
#include "planner-fixture.h"

#include "planner/layer-balance.h"
#include "planner/plan-search.h"
#include "planner/plan-simulation.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace geotrain
{
namespace
{

using Split = std::vector<std::uint32_t>;

double
TimeOf(const std::vector<std::vector<double>>& secondsOf, const Split& split, double microbatches)
{
    double sum = 0;
    double longest = 0;
    for (std::size_t stage = 0; stage < split.size(); ++stage)
    {
        const double seconds = secondsOf[stage][split[stage] - 1];
        sum += seconds;
        longest = std::max(longest, seconds);
    }
    return sum + (microbatches - 1) * longest;
}

/// Calls `visit` with every split of `left` layers over the stages from split.size() on.
template <typename Visit>
void
ForAllSplits(std::size_t stages, std::uint32_t left, Split split, Visit visit)
{
    if (split.size() + 1 == stages)
    {
        split.push_back(left);
        visit(split);
        return;
    }
    for (std::uint32_t layers = 1; layers + (stages - split.size() - 1) <= left; ++layers)
    {
        Split longer = split;
        longer.push_back(layers);
        ForAllSplits(stages, left - layers, longer, visit);
    }
}

TEST(LayerBalance, IsTheBestOfAllSplits)
{
    std::mt19937 engine(3);
    const auto draw = [&engine](std::uint32_t low, std::uint32_t high)
    { return low + static_cast<std::uint32_t>(engine() % (high - low + 1)); };
    for (int trial = 0; trial < 200; ++trial)
    {
        const std::uint32_t stages = draw(2, 4);
        const std::uint32_t layers = draw(stages, 12);
        const std::uint32_t microbatches = draw(1, 16);
        std::vector<std::vector<double>> secondsOf(stages);
        for (auto& seconds : secondsOf)
        {
            const double first = draw(0, 5);
            const double each = draw(1, 9);
            for (std::uint32_t count = 1; count <= layers; ++count)
            {
                seconds.push_back(first + each * count);
            }
        }
        double best = 1e9;
        ForAllSplits(stages,
                     layers,
                     {},
                     [&](const Split& split)
                     { best = std::min(best, TimeOf(secondsOf, split, microbatches)); });
        const Split found = ShareLayersOut(secondsOf, layers, microbatches);
        ASSERT_EQ(found.size(), stages);
        EXPECT_DOUBLE_EQ(TimeOf(secondsOf, found, microbatches), best);
    }
}

TEST(LayerBalance, LayersThatDoNotFitHaveNoSplit)
{
    EXPECT_TRUE(ShareLayersOut({{1, 2}, {1, 2}}, 5, 4).empty());
    EXPECT_TRUE(ShareLayersOut({{1, 2}, {}}, 2, 4).empty());
    EXPECT_TRUE(ShareLayersOut({{1}, {1}, {1}}, 2, 4).empty());
}

/// A GPT of 32 layers over an H100 and an A100 near each other, as two stages with 1F1B.
struct Pair
{
    TrainingJob job;
    Cluster cluster;
    PlanSpace space;
};

Pair
UnlikePair(std::uint32_t hidden = 2048, Duration delay = Duration::Milliseconds(1))
{
    Pair pair;
    pair.job.model = MakeGpt("gpt", 32, hidden, hidden / 128, 50304, 2048, false);
    pair.job.globalBatch = 64;
    pair.cluster = Chain({1, 1}, 1, delay);
    pair.cluster.wan.caps.nodePair = BitRate::GigabitsPerSecond(100);
    pair.cluster.dataCenters[0].gpu = *FindGpu("H100");
    pair.space.pipelineStages = {2};
    pair.space.tensorParallel = {1};
    pair.space.dataParallel = {1};
    pair.space.microbatchSizes = {1};
    pair.space.schedules = {"1f1b"};
    pair.space.sharing = {WanSharing::Spatial};
    pair.space.crossDc = {CrossDc::Pipeline};
    return pair;
}

/// Returns the least time of all splits that fit, in either order of the GPUs, in seconds.
double
BestOfAllSplits(const Pair& pair, TrainingPlan plan)
{
    double best = std::numeric_limits<double>::infinity();
    for (const bool swapped : {false, true})
    {
        plan.hosts = {{swapped ? 1u : 0u, 1}, {swapped ? 0u : 1u, 1}};
        const StageGpus gpus = GpusOfStages(plan, pair.cluster);
        for (std::uint32_t first = 1; first < 32; ++first)
        {
            plan.layersPerStage = {first, 32 - first};
            const auto table = MakeStageTable(pair.job, pair.cluster, plan);
            const auto needed = MemoryByWorker(plan, pair.job, table, InFlightOf(plan));
            if (needed[0].Total() <= SmallestMemory(gpus[0]) &&
                needed[1].Total() <= SmallestMemory(gpus[1]))
            {
                best = std::min(
                    best,
                    SimulatePlan(plan, {pair.job, pair.cluster, table}).iterationTime.ToSeconds());
            }
        }
    }
    return best;
}

// The balance ignores messages, which move the best split by several layers over 5 and 20 ms.
TEST(LayerBalance, ThePlanOfAnH100AndAnA100IsTheBestOfAllSplitsAsSimulated)
{
    for (const auto& [hidden, delay] : {std::pair{2048u, 1}, {2560u, 5}, {2560u, 20}})
    {
        const Pair pair = UnlikePair(hidden, Duration::Milliseconds(delay));
        const auto search = SearchPlans(pair.space, pair.job, pair.cluster);
        const TrainingPlan& plan = search.ranked.front().plan;
        ASSERT_EQ(plan.layersPerStage.size(), 2u);
        const bool isH100First = plan.hosts.front().dataCenter == 0;
        EXPECT_GE(plan.layersPerStage[isH100First ? 0 : 1], 20u) << "the H100 has the most layers";
        EXPECT_EQ(search.ranked.front().simulation.iterationTime.ToSeconds(),
                  BestOfAllSplits(pair, plan))
            << hidden << " " << delay;
    }
}

TEST(LayerBalance, IsThatOfOneDataCenterWithTheSameTwoGpuTypes)
{
    Pair pair = UnlikePair();
    pair.cluster = Chain({2}, 1);
    pair.cluster.dataCenters[0].gpu = *FindGpu("H100");
    pair.cluster.dataCenters[0].otherGpus = {{1, *FindGpu("A100-80")}};
    const auto search = SearchPlans(pair.space, pair.job, pair.cluster);
    const auto& best = search.ranked.front();
    ASSERT_EQ(best.plan.layersPerStage.size(), 2u);
    EXPECT_GE(best.plan.layersPerStage[0], 20u);
    TrainingPlan even = best.plan;
    even.layersPerStage.clear();
    const auto table = MakeStageTable(pair.job, pair.cluster, even);
    EXPECT_LT(best.simulation.iterationTime,
              SimulatePlan(even, {pair.job, pair.cluster, table}).iterationTime);
}

} // namespace
} // namespace geotrain
