// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/pipemare.h"

#include "schedule/one-forward-one-backward.h"

namespace geotrain
{

namespace
{

/// Returns the activations that a worker holds. Without flush the next iterations' forwards count
/// too.
std::uint32_t
PipeMareActivations(std::uint32_t worker, const ScheduleShape& shape)
{
    return 2 * (shape.stages - 1 - worker) + 1;
}

} // namespace

ScheduleOrder
PipeMare(const ScheduleRequest& request)
{
    ScheduleRequest twice = request;
    twice.warmupFactor = 2;
    ScheduleOrder schedule = OneForwardOneBackward(twice);
    NoFlush noFlush;
    for (std::uint32_t stage = 0; stage < request.stages; ++stage)
    {
        const std::uint32_t held = PipeMareActivations(stage, request);
        noFlush.warmUp.push_back(held - 1);
        noFlush.forwardStaleness.push_back(static_cast<double>(held) / request.microbatches);
        schedule.activationCap[stage] = held;
    }
    schedule.noFlush = noFlush;
    return schedule;
}

ScheduleEntry
PipeMareEntry()
{
    ScheduleEntry entry;
    entry.name = "pipemare";
    entry.description = "no flush, latest weights; forward weights up to (2p-1)/m updates old";
    entry.source = "Yang et al., MLSys'21, section 2";
    entry.make = &PipeMare;
    entry.mostActivations = &PipeMareActivations;
    entry.isAsynchronous = true;
    return entry;
}

} // namespace geotrain
