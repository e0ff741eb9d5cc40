// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/one-forward-one-backward.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// Returns the forwards before the first backward.
std::uint32_t
DeepWarmUp(std::uint32_t stage, const ScheduleShape& shape)
{
    const std::uint64_t depth = std::uint64_t{shape.warmupFactor} * (shape.stages - 1 - stage);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(depth, shape.microbatches));
}

} // namespace

std::uint32_t
OneForwardOneBackwardActivations(std::uint32_t worker, const ScheduleShape& shape)
{
    return std::min(DeepWarmUp(worker, shape) + 1, shape.microbatches);
}

ScheduleOrder
OneForwardOneBackward(const ScheduleRequest& request)
{
    ScheduleOrder schedule;
    for (std::uint32_t stage = 0; stage < request.stages; ++stage)
    {
        const std::uint32_t warmUp = DeepWarmUp(stage, request);
        StageOrder order;
        for (std::uint32_t forward = 0; forward < warmUp; ++forward)
        {
            order.push_back({Operation::Kind::Forward, forward});
        }
        for (std::uint32_t backward = 0; backward < request.microbatches; ++backward)
        {
            if (warmUp + backward < request.microbatches)
            {
                order.push_back({Operation::Kind::Forward, warmUp + backward});
            }
            order.push_back({Operation::Kind::Backward, backward});
        }
        schedule.stages.push_back(std::move(order));
        schedule.activationCap.push_back(OneForwardOneBackwardActivations(stage, request));
    }
    return schedule;
}

ScheduleEntry
OneForwardOneBackwardEntry()
{
    ScheduleEntry entry;
    entry.name = "1f1b";
    entry.description = "one forward, one backward in turn; warmup_factor deepens the warm-up";
    entry.source = "Narayanan et al., SC'21, section 2.2.1";
    entry.make = &OneForwardOneBackward;
    entry.mostActivations = &OneForwardOneBackwardActivations;
    entry.deepensWarmUp = true;
    return entry;
}

} // namespace geotrain
