// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/pipedream-2bw.h"

#include "schedule/one-forward-one-backward.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// Number of weight copies beside the schedule's usual one: there are two versions of the weights.
constexpr std::uint32_t copiesBeside = 1;

} // namespace

ScheduleOrder
PipeDream2Bw(const ScheduleRequest& request)
{
    ScheduleRequest plain = request;
    plain.warmupFactor = 1;
    ScheduleOrder schedule = OneForwardOneBackward(plain);
    NoFlush noFlush;
    noFlush.delaysWeights = true;
    noFlush.extraWeightCopies = copiesBeside;
    noFlush.forwardStaleness.assign(request.stages, 1.0);
    for (std::uint32_t stage = 0; stage < request.stages; ++stage)
    {
        noFlush.warmUp.push_back(request.stages - 1 - stage);
    }
    schedule.noFlush = noFlush;
    return schedule;
}

ScheduleEntry
PipeDream2BwEntry()
{
    ScheduleEntry entry;
    entry.name = "pipedream-2bw";
    entry.description = "1F1B without flush, weights one update late; two versions of the weights";
    entry.source = "Narayanan et al., ICML'21, section 3.1";
    entry.make = &PipeDream2Bw;
    entry.mostActivations = [](std::uint32_t worker, const ScheduleShape& shape)
    { return std::min(shape.stages - worker, shape.microbatches); };
    entry.refuse = [](const ScheduleShape& shape)
    {
        return std::string(shape.microbatches < shape.stages
                               ? "needs at least one microbatch per pipeline stage"
                               : "");
    };
    entry.isAsynchronous = true;
    entry.extraWeightCopies = copiesBeside;
    return entry;
}

} // namespace geotrain
