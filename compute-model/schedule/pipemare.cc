#include "schedule/pipemare.h"

#include "schedule/one-forward-one-backward.h"

#include <algorithm>

namespace geotrain
{

ScheduleOrder
PipeMare(const ScheduleRequest& request)
{
    ScheduleRequest twice = request;
    twice.warmupFactor = 2;
    ScheduleOrder schedule = OneForwardOneBackward(twice);
    NoFlush noFlush;
    for (std::uint32_t stage = 0; stage < request.stages; ++stage)
    {
        const std::uint32_t ahead = 2 * (request.stages - 1 - stage);
        noFlush.warmUp.push_back(ahead);
        noFlush.forwardStaleness.push_back(static_cast<double>(ahead + 1) / request.microbatches);
        // Without flush the next iterations' forwards count too.
        schedule.activationCap[stage] = ahead + 1;
    }
    schedule.noFlush = noFlush;
    return schedule;
}

} // namespace geotrain
