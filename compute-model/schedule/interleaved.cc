// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/interleaved.h"

#include "schedule/one-forward-one-backward.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// Returns the warm-up. Megatron-LM warms all microbatches up where there is only one round.
std::uint32_t
InterleavedWarmUp(std::uint32_t worker, const ScheduleShape& shape)
{
    const std::uint32_t p = shape.stages;
    const std::uint32_t total = shape.microbatches * shape.virtualStages;
    const std::uint32_t depth = 2 * (p - 1 - worker) + (shape.virtualStages - 1) * p;
    return shape.microbatches == p ? total : std::min(depth, total);
}

std::uint32_t
InterleavedActivations(std::uint32_t worker, const ScheduleShape& shape)
{
    return shape.virtualStages == 1 ? OneForwardOneBackwardActivations(worker, shape)
                                    : std::min(InterleavedWarmUp(worker, shape) + 1,
                                               shape.microbatches * shape.virtualStages);
}

} // namespace

std::string
RefuseRounds(const ScheduleShape& shape)
{
    return shape.virtualStages > 1 && shape.microbatches % shape.stages != 0
               ? "needs microbatches that the pipeline stages divide"
               : "";
}

Operation
InterleavedForward(const ScheduleRequest& request, std::uint32_t k)
{
    const std::uint32_t p = request.stages;
    const std::uint32_t v = request.virtualStages;
    return {Operation::Kind::Forward, k / (p * v) * p + k % p, k / p % v};
}

Operation
InterleavedBackward(const ScheduleRequest& request, std::uint32_t k)
{
    Operation operation = InterleavedForward(request, k);
    operation.kind = Operation::Kind::Backward;
    operation.chunk = request.virtualStages - 1 - operation.chunk;
    return operation;
}

ScheduleOrder
Interleaved(const ScheduleRequest& request)
{
    if (request.virtualStages == 1)
    {
        return OneForwardOneBackward(request);
    }
    const std::uint32_t p = request.stages;
    const std::uint32_t total = request.microbatches * request.virtualStages;
    ScheduleOrder schedule;
    schedule.stagesOfWorker = RoundRobinStages(p, request.virtualStages);
    for (std::uint32_t worker = 0; worker < p; ++worker)
    {
        const std::uint32_t warmUp = InterleavedWarmUp(worker, request);
        StageOrder order;
        for (std::uint32_t forward = 0; forward < warmUp; ++forward)
        {
            order.push_back(InterleavedForward(request, forward));
        }
        for (std::uint32_t backward = 0; backward < total; ++backward)
        {
            if (warmUp + backward < total)
            {
                order.push_back(InterleavedForward(request, warmUp + backward));
            }
            order.push_back(InterleavedBackward(request, backward));
        }
        schedule.stages.push_back(std::move(order));
        schedule.activationCap.push_back(InterleavedActivations(worker, request));
    }
    return schedule;
}

ScheduleEntry
InterleavedEntry()
{
    ScheduleEntry entry;
    entry.name = "interleaved";
    entry.description =
        "1F1B over v virtual stages per worker: a v-th of the bubble, v times the hops";
    entry.source = "Narayanan et al., SC'21, section 2.2.2";
    entry.make = &Interleaved;
    entry.mostActivations = &InterleavedActivations;
    entry.refuse = &RefuseRounds;
    entry.layout = StageLayout::RoundRobin;
    entry.plannedVirtualStages = 2;
    return entry;
}

} // namespace geotrain
