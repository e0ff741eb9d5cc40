// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/atlas.h"

#include "schedule/cap-ladder.h"
#include "schedule/just-in-time-scheduler.h"
#include "schedule/order-search.h"
#include "schedule/static-rival.h"

#include <algorithm>
#include <optional>

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

using Caps = std::vector<std::uint32_t>; ///< by stage

/// Returns `factor` quarters of the depths that hide the way, at least what a pipeline needs to be
/// full, and at most `most`.
Caps
DepthCaps(const ScheduleRequest& request, std::uint32_t factor, std::uint32_t most)
{
    Caps caps;
    for (std::uint32_t stage = 0; stage < request.stages; ++stage)
    {
        const std::uint32_t depth = DepthThatHidesTheWay(request, stage) * factor / 4;
        caps.push_back(std::min({std::max(depth, request.stages - stage), most}));
    }
    return caps;
}

/// Returns the caps that are tried, the largest first.
std::vector<Caps>
CapsToTry(const ScheduleRequest& request)
{
    const std::uint32_t most =
        std::min(request.memoryCap.value_or(request.microbatches), request.microbatches);
    std::vector<Caps> tried;
    if (request.memoryCap)
    {
        for (const std::uint32_t cap : CapLadder(most, request.stages))
        {
            tried.emplace_back(request.stages, cap);
        }
    }
    for (const std::uint32_t factor : {8u, 6u, 4u, 3u, 2u})
    {
        if (request.memoryCap || factor <= 4)
        {
            tried.push_back(DepthCaps(request, factor, most));
        }
    }
    return tried;
}

/// Returns the caps of the least makespan, the first of equal ones.
Caps
BestCaps(const ScheduleRequest& request)
{
    const std::vector<Caps> tried = CapsToTry(request);
    std::optional<Duration> least;
    Caps best = tried.front();
    std::uint64_t timed = 0; // operations
    for (const Caps& caps : tried)
    {
        if (timed > mostOperationsTimed)
        {
            break;
        }
        const ScheduleOrder order = ScheduleJustInTime(request, caps, request.cellSize);
        timed += OperationsOf(order) * request.cellSize;
        const Duration makespan = SimulateOrder(order, request).Makespan();
        if (!least || makespan < *least)
        {
            least = makespan;
            best = caps;
        }
    }
    return best;
}

} // namespace

ScheduleOrder
Atlas(const ScheduleRequest& request)
{
    ScheduleRequest plain = request;
    plain.warmupFactor = 1;
    const Caps caps = BestCaps(ComparedRequest(plain));
    const Caps allowed = CapsToTry(request).front();
    return BetterThanStatic(ScheduleJustInTime(request, caps, request.cellSize),
                            plain,
                            *std::max_element(allowed.begin(), allowed.end()),
                            Rivals::WholeBackwards);
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
    entry.ordersTimed = 30;
    return entry;
}

} // namespace geotrain
