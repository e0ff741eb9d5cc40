// SPDX-License-Identifier: GPL-2.0-only
// Measures the operations per second that each schedule plans.

#include "schedule/schedule-catalogue.h"

#include <benchmark/benchmark.h>

namespace geotrain
{
namespace
{

void
MakeOrder(benchmark::State& state, const ScheduleEntry& entry)
{
    ScheduleRequest request;
    request.stages = 16;
    request.microbatches = 64;
    std::int64_t operations = 0;
    for (auto _ : state)
    {
        const ScheduleOrder order = entry.make(request);
        for (const StageOrder& stage : order.stages)
        {
            operations += static_cast<std::int64_t>(stage.size());
        }
    }
    state.SetItemsProcessed(operations);
}

const bool areRegistered = []
{
    for (const ScheduleEntry& entry : ScheduleCatalogue())
    {
        benchmark::RegisterBenchmark(("Schedule/" + entry.name).c_str(),
                                     [&entry](benchmark::State& state) { MakeOrder(state, entry); })
            ->Unit(benchmark::kMillisecond);
    }
    return true;
}();

} // namespace
} // namespace geotrain
