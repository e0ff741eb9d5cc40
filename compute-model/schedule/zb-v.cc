// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/zb-v.h"

#include "schedule/cap-ladder.h"
#include "schedule/list-scheduler.h"
#include "schedule/order-search.h"
#include "schedule/static-rival.h"
#include "schedule/zb-2p.h"
#include "schedule/zero-bubble-rounds.h"
#include "schedule/zero-bubble-wave.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

std::uint32_t
ZbVActivations(std::uint32_t, const ScheduleShape& shape)
{
    return shape.memoryCap.value_or(2 * shape.stages);
}

std::optional<ScheduleOrder>
WaveOrder(const ScheduleRequest& request, std::uint32_t cap, const WaveChoices& choices)
{
    auto made = ScheduleInWaves(request, cap, choices);
    return made ? std::optional(std::move(made->order)) : std::nullopt;
}

/// Gives the search attempts, each with the bubbles of the last one allowed, as long as the largest
/// falls.
void
ConsiderWaves(OrderSearch& search,
              const ScheduleRequest& request,
              std::uint32_t cap,
              WaveChoices choices)
{
    const ScheduleRequest compared = ViewsOfOnePipeline(ComparedRequest(request)).front();
    std::optional<std::int64_t> largest;
    while (auto attempt = ScheduleInWaves(compared, cap, choices))
    {
        const std::int64_t bubble =
            *std::max_element(attempt->bubbles.begin(), attempt->bubbles.end());
        search.Consider([cap, choices](const ScheduleRequest& asked)
                        { return WaveOrder(asked, cap, choices); });
        if (largest && bubble >= *largest)
        {
            return;
        }
        largest = bubble;
        choices.allowedBubbles = attempt->bubbles;
    }
}

} // namespace

ScheduleOrder
ZbV(const ScheduleRequest& request)
{
    ScheduleRequest wave = request;
    wave.virtualStages = 2;
    const std::uint32_t cap = ZbVActivations(0, request);
    OrderSearch search(wave, HeldForWeights::Whole, GoalOfZeroBubble(wave));
    for (const std::uint32_t limit : CapLadder(cap, 2 * wave.stages, LadderPart(wave)))
    {
        for (const unsigned choice : {0u, 1u, 2u, 3u})
        {
            ConsiderWaves(search, wave, limit, {(choice & 1) != 0, (choice & 2) != 0, {}});
        }
        search.Consider([limit](const ScheduleRequest& asked)
                        { return ScheduleByList(asked, WaveStages(asked.stages), {limit}); });
    }
    search.Climb();
    ScheduleOrder own = search.Best();
    own.activationCap.assign(wave.stages, cap);
    return BetterThanStatic(std::move(own), wave, cap, Rivals::Waves);
}

ScheduleEntry
ZbVEntry()
{
    ScheduleEntry entry;
    entry.name = "zb-v";
    entry.description =
        "searched order over two chunks a worker, down and up: no bubble with p activations";
    entry.source = "Qi et al., arXiv 2401.10241, section 6";
    entry.make = &ZbV;
    entry.mostActivations = &ZbVActivations;
    entry.layout = StageLayout::Wave;
    entry.plannedVirtualStages = 2;
    entry.knowsTurns = true;
    entry.splitsBackward = true;
    entry.ordersTimed = zeroBubbleOrdersTimed;
    return entry;
}

} // namespace geotrain
