// Scheduling across data centres (after CrossPipe, Chen et al., USENIX ATC'25, section 4): a greedy list scheduler over
// forwards, input gradients, weight gradients and communication blocks that knows each hop's latency and occupancy, under
// a memory cap: warm-up forwards first, then forward and backward in turn or backwards first, input gradients before
// weight gradients, these where a worker would idle or its memory is full. Its open rules are searched over; the
// best order, the zero-bubble rounds with the same knowledge among them, is refined by a hill climb. The fall-back is the
// best static schedule of the same memory: one that is made without knowledge of the network.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

struct CrossDcPlan
{
    ScheduleOrder own;
    ScheduleOrder fallback; ///< of the rival
    StaticRival rival;
};

/// The cap is the request's memoryCap, or 2p.
CrossDcPlan PlanCrossDc(const ScheduleRequest& request);

/// The better of the two, the fall-back if they are equal.
ScheduleOrder CrossDc(const ScheduleRequest& request);

/// Its row of the catalogue.
ScheduleEntry CrossDcEntry();

} // namespace geotrain
