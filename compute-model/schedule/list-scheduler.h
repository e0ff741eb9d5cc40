// SPDX-License-Identifier: GPL-2.0-only
// Schedules greedily from a list of forwards, input gradients and weight gradients, with the
// latency and the occupancy of every way between stages (CrossPipe, Chen et al., USENIX ATC'25,
// section 4). Whenever a worker is free it takes the first of what it can do, in the order of its
// rules.
#pragma once

#include "schedule/schedule-order.h"

#include <vector>

namespace geotrain
{

/// ListRules are the rules that a search varies.
struct ListRules
{
    /// Most activations of virtual stages that a worker holds.
    std::uint32_t cap = 1;
    /// Whether forwards and backwards run in turn once backwards have come; otherwise backwards go
    /// first.
    bool alternates = false;
    /// Share of a weight gradient that may run past the next input under way, in [0, 1].
    double overrun = 0;
};

/// Makes an order. The pipeline's workers have the virtual stages `stagesOfWorker` (as in
/// ScheduleOrder; empty: one each). No more microbatches are under way than fit the cap if each of
/// a worker's stages holds all of them. Throws std::invalid_argument if not even one fits.
ScheduleOrder ScheduleByList(const ScheduleRequest& request,
                             const std::vector<std::vector<std::uint32_t>>& stagesOfWorker,
                             const ListRules& rules);

} // namespace geotrain
