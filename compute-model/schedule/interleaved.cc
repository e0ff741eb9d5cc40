#include "schedule/interleaved.h"

#include "schedule/one-forward-one-backward.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace geotrain
{

void
CheckRounds(const ScheduleRequest& request)
{
    if (request.virtualStages > 1 && request.microbatches % request.stages != 0)
    {
        throw std::invalid_argument(
            "with virtual stages the workers of a pipeline (" + std::to_string(request.stages) +
            ") must divide its microbatches (" + std::to_string(request.microbatches) + ")");
    }
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
    CheckRounds(request);
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
        // Megatron-LM warms all microbatches up where there is one round only.
        const std::uint32_t depth = 2 * (p - 1 - worker) + (request.virtualStages - 1) * p;
        const std::uint32_t warmUp = request.microbatches == p ? total : std::min(depth, total);
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
        schedule.activationCap.push_back(std::min(warmUp + 1, total));
    }
    return schedule;
}

} // namespace geotrain
