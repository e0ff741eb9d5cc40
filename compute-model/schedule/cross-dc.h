// SPDX-License-Identifier: GPL-2.0-only
// Schedules across data centres (after CrossPipe, Chen et al., USENIX ATC'25, section 4). A greedy
// list scheduler over forwards, input gradients, weight gradients and communication blocks knows
// each hop's latency and occupancy, and keeps to a memory cap. Warm-up forwards come first, then
// forward and backward in turn or backwards first. Input gradients go before weight gradients,
// which run where a worker would idle or its memory is full. The open rules are searched over. The
// best order, the zero-bubble rounds with the same knowledge among them, is refined by a hill
// climb. The fall-back is the best static schedule of the same memory, which is made without
// knowledge of the network.
#pragma once

#include "schedule/schedule-entry.h"
#include "schedule/static-rival.h"

namespace geotrain
{

/// A CrossDcPlan holds the searched order and the static one that it competes with.
struct CrossDcPlan
{
    ScheduleOrder own;
    ScheduleOrder fallback; ///< order of `rival`
    StaticRival rival;
};

/// Makes both orders. The cap is the request's memoryCap, or 2p.
CrossDcPlan PlanCrossDc(const ScheduleRequest& request);

/// Returns the better of the two; the fall-back if they are equal.
ScheduleOrder CrossDc(const ScheduleRequest& request);

/// Returns the schedule's row of the catalogue.
ScheduleEntry CrossDcEntry();

} // namespace geotrain
