#include "schedule/pipedream-2bw.h"

#include "schedule/one-forward-one-backward.h"

#include <stdexcept>
#include <string>

namespace geotrain
{

ScheduleOrder
PipeDream2Bw(const ScheduleRequest& request)
{
    if (request.microbatches < request.stages)
    {
        throw std::invalid_argument("PipeDream-2BW needs at least as many microbatches (" +
                                    std::to_string(request.microbatches) + ") as stages (" +
                                    std::to_string(request.stages) +
                                    "), or two weight versions do not suffice");
    }
    ScheduleRequest plain = request;
    plain.warmupFactor = 1;
    ScheduleOrder schedule = OneForwardOneBackward(plain);
    NoFlush noFlush;
    noFlush.delaysWeights = true;
    noFlush.extraWeightCopies = 1;
    noFlush.forwardStaleness.assign(request.stages, 1.0);
    for (std::uint32_t stage = 0; stage < request.stages; ++stage)
    {
        noFlush.warmUp.push_back(request.stages - 1 - stage);
    }
    schedule.noFlush = noFlush;
    return schedule;
}

} // namespace geotrain
