// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/atlas.h"

#include "schedule/just-in-time-scheduler.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns on how many microbatches a stage has to work until the gradient of the first one comes
/// back, including that one.
std::uint32_t
DepthThatHidesTheWay(const ScheduleRequest& request, std::uint32_t stage)
{
    const auto work = [&request](std::uint32_t index)
    {
        const StageTiming timing = request.times.Stage(index);
        const bool isLast = index + 1 == request.stages;
        return timing.forward + timing.Backward() + (isLast ? Duration() : timing.recompute);
    };
    Duration away;
    for (std::uint32_t next = stage + 1; next < request.stages; ++next)
    {
        const Hop hop = request.times.HopAfter(next - 1);
        const std::int64_t turns = hop.takesTurns ? request.cellSize : 1;
        away = away + work(next) + (hop.delay + hop.occupancy * turns) * 2;
    }
    const std::int64_t own = std::max<std::int64_t>(1, work(stage).ToNanoseconds());
    const std::int64_t depth = 1 + (away.ToNanoseconds() + own - 1) / own;
    return static_cast<std::uint32_t>(std::min<std::int64_t>(depth, request.microbatches));
}

} // namespace

ScheduleOrder
Atlas(const ScheduleRequest& request)
{
    std::vector<std::uint32_t> caps;
    for (std::uint32_t stage = 0; stage < request.stages; ++stage)
    {
        const std::uint32_t depth =
            std::max(DepthThatHidesTheWay(request, stage), request.stages - stage);
        caps.push_back(std::min(request.memoryCap.value_or(depth), request.microbatches));
    }
    return ScheduleJustInTime(request, caps, request.cellSize);
}

ScheduleEntry
AtlasEntry()
{
    ScheduleEntry entry;
    entry.name = "atlas";
    entry.description =
        "Varuna's rules with WAN transfer times and the turns of a DP-cell known, deeper warm-up";
    entry.source = "arXiv 2411.14458";
    entry.make = &Atlas;
    entry.mostActivations = [](std::uint32_t, const ScheduleShape& shape)
    { return std::min(shape.memoryCap.value_or(shape.microbatches), shape.microbatches); };
    entry.knowsTurns = true;
    entry.recomputesAhead = true;
    entry.fillsMemory = true;
    return entry;
}

} // namespace geotrain
