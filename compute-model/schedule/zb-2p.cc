// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/zb-2p.h"

#include "schedule/interleaved.h"
#include "schedule/order-search.h"
#include "schedule/static-rival.h"
#include "schedule/zb-h1.h"
#include "schedule/zb-h2.h"
#include "schedule/zero-bubble-rounds.h"

namespace geotrain
{

namespace
{

std::uint32_t
Zb2pActivations(std::uint32_t, const ScheduleShape& shape)
{
    return shape.memoryCap.value_or(2 * shape.stages * shape.virtualStages);
}

std::optional<ScheduleOrder>
WithCap(ScheduleOrder order, std::uint32_t cap)
{
    order.activationCap.assign(order.stages.size(), cap);
    return order;
}

} // namespace

ScheduleOrder
SearchZeroBubble(const ScheduleRequest& request, std::uint32_t cap, HeldForWeights held)
{
    OrderSearch search(request, held, GoalOfZeroBubble(request));
    search.Consider([cap](const ScheduleRequest& asked) { return WithCap(ZbH1(asked), cap); });
    if (request.virtualStages == 1)
    {
        search.Consider([cap](const ScheduleRequest& asked) { return WithCap(ZbH2(asked), cap); });
        ConsiderRounds(search, request, cap, held);
    }
    search.Climb();
    ScheduleRequest plain = request;
    plain.warmupFactor = 1;
    // Orders that split the backward pass are among the search's candidates.
    return BetterThanStatic(search.Best(), plain, cap, Rivals::WholeBackwards);
}

ScheduleOrder
Zb2p(const ScheduleRequest& request)
{
    return SearchZeroBubble(request, Zb2pActivations(0, request), HeldForWeights::Half);
}

ScheduleEntry
Zb2pEntry()
{
    ScheduleEntry entry;
    entry.name = "zb-2p";
    entry.description = "searched order of F, B and W with 2p activations";
    entry.source = "Qi et al., ICLR'24, section 4";
    entry.make = &Zb2p;
    entry.mostActivations = &Zb2pActivations;
    entry.refuse = &RefuseRounds;
    entry.layout = StageLayout::RoundRobin;
    entry.knowsTurns = true;
    entry.splitsBackward = true;
    entry.givesHalfBack = true;
    entry.ordersTimed = zeroBubbleOrdersTimed;
    return entry;
}

} // namespace geotrain
