// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/zb-h2.h"

#include "schedule/order-search.h"
#include "schedule/zero-bubble-rounds.h"

#include <algorithm>

namespace geotrain
{

namespace
{

std::uint32_t
ZbH2Activations(std::uint32_t, const ScheduleShape& shape)
{
    return std::min(2 * shape.stages - 1, shape.microbatches);
}

} // namespace

ScheduleOrder
ZbH2(const ScheduleRequest& request)
{
    const std::uint32_t cap = ZbH2Activations(0, request);
    RoundChoices choices;
    for (std::uint32_t worker = 0; worker < request.stages; ++worker)
    {
        choices.warmUp.push_back(2 * (request.stages - 1 - worker) + 1);
    }
    OrderSearch search(request, HeldForWeights::Whole);
    for (const bool fillsSmallGaps : {false, true})
    {
        choices.fillsSmallGaps = fillsSmallGaps;
        search.Consider([cap, choices](const ScheduleRequest& asked)
                        { return ScheduleInRounds(asked, cap, HeldForWeights::Whole, choices); });
    }
    return search.Best();
}

ScheduleEntry
ZbH2Entry()
{
    ScheduleEntry entry;
    entry.name = "zb-h2";
    entry.description = "deeper warm-up, weight gradients only when idle: 2p-1 activations";
    entry.source = "Qi et al., ICLR'24, section 2.2";
    entry.make = &ZbH2;
    entry.mostActivations = &ZbH2Activations;
    entry.knowsTurns = true;
    entry.splitsBackward = true;
    return entry;
}

} // namespace geotrain
