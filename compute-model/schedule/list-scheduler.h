// A greedy list scheduler over forwards, input gradients and weight gradients, with the latency and the occupancy of
// every way between stages (CrossPipe, Chen et al., USENIX ATC'25, section 4): whenever a worker is free it takes the
// first of what it can do, in the order of its rules.
#pragma once

#include "schedule/schedule-order.h"

#include <vector>

namespace geotrain
{

struct ListRules
{
    std::uint32_t cap = 1; ///< activations of virtual stages that a worker holds
    bool alternates =
        false; ///< forward and backward in turn once backwards have come; else backwards first
    /// How much of a weight gradient may run past the next input that is under way, in [0, 1].
    double overrun = 0;
};

/// The pipeline's workers have the virtual stages `stagesOfWorker` (as in ScheduleOrder; empty: one each). No more
/// microbatches are under way than fit the cap if each of a worker's stages holds all of them. Throws
/// std::invalid_argument if not even one fits.
ScheduleOrder ScheduleByList(const ScheduleRequest& request,
                             const std::vector<std::vector<std::uint32_t>>& stagesOfWorker,
                             const ListRules& rules);

} // namespace geotrain
