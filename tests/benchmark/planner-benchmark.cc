// SPDX-License-Identifier: GPL-2.0-only
// Measures a plan search over the library's 10,240 GPUs, on two threads. items_per_second counts
// legal candidates.

#include "plan-study/plan-ranges.h"
#include "planner/plan-search.h"

#include <benchmark/benchmark.h>

namespace geotrain
{
namespace
{

void
Search(benchmark::State& state)
{
    const PlanningScenario scenario = LoadForPlanning(ReadScenarioText("ten-thousand-gpus"));
    const PlanSpace space = PlanSpaceOf(scenario);
    std::uint64_t legal = 0;
    for (auto _ : state)
    {
        const PlanSearch search = SearchPlans(space, scenario.job, scenario.cluster);
        legal += search.legal;
        state.counters["best_s"] = search.ranked.front().simulation.iterationTime.ToSeconds();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(legal));
}

BENCHMARK(Search)
    ->Name("Planner/search")
    ->Unit(benchmark::kSecond)
    ->Iterations(1)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

} // namespace
} // namespace geotrain
