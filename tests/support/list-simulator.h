// An independent way to a pipeline's makespan: no events, only earliest starts by the data dependencies, round
// and round until nothing changes.
#pragma once

#include "schedule/schedule-order.h"
#include "timing/stage-timing.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace geotrain
{

inline Duration
ListSimulatedMakespan(const ScheduleOrder& order,
                      const std::vector<StageTiming>& timing,
                      Duration hop)
{
    using Key = std::tuple<std::size_t, Operation::Kind, std::uint32_t>;
    std::map<Key, std::int64_t> end; // ns
    bool changed = true;
    std::int64_t makespan = 0;
    while (changed)
    {
        changed = false;
        for (std::size_t stage = 0; stage < order.stages.size(); ++stage)
        {
            std::int64_t free = 0;
            for (const Operation& operation : order.stages[stage])
            {
                const bool isForward = operation.kind == Operation::Kind::Forward;
                std::int64_t start = free;
                if (isForward && stage > 0)
                {
                    start = std::max(start,
                                     end[{stage - 1, operation.kind, operation.microbatch}] +
                                         hop.ToNanoseconds());
                }
                if (!isForward && stage + 1 < order.stages.size())
                {
                    start = std::max(start,
                                     end[{stage + 1, operation.kind, operation.microbatch}] +
                                         hop.ToNanoseconds());
                }
                const Duration time = isForward ? timing[stage].forward : timing[stage].Backward();
                free = start + time.ToNanoseconds();
                auto& known = end[{stage, operation.kind, operation.microbatch}];
                changed = changed || known != free;
                known = free;
                makespan = std::max(makespan, free);
            }
        }
    }
    return Duration::Nanoseconds(makespan);
}

} // namespace geotrain
