// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/zb-1p.h"

#include "schedule/interleaved.h"
#include "schedule/zb-2p.h"

namespace geotrain
{

namespace
{

std::uint32_t
Zb1pActivations(std::uint32_t, const ScheduleShape& shape)
{
    return shape.memoryCap.value_or(shape.stages * shape.virtualStages);
}

} // namespace

ScheduleOrder
Zb1p(const ScheduleRequest& request)
{
    return SearchZeroBubble(request, Zb1pActivations(0, request), HeldForWeights::Whole);
}

ScheduleEntry
Zb1pEntry()
{
    ScheduleEntry entry;
    entry.name = "zb-1p";
    entry.description = "searched order of F, B and W with p activations";
    entry.source = "Qi et al., ICLR'24, section 4";
    entry.make = &Zb1p;
    entry.mostActivations = &Zb1pActivations;
    entry.refuse = &RefuseRounds;
    entry.layout = StageLayout::RoundRobin;
    entry.knowsTurns = true;
    entry.splitsBackward = true;
    entry.ordersTimed = zeroBubbleOrdersTimed;
    return entry;
}

} // namespace geotrain
