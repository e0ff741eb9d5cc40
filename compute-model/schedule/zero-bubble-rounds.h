// SPDX-License-Identifier: GPL-2.0-only
// The heuristic of the zero-bubble paper (Qi et al., ICLR'24, section 3.1 and appendix B): forwards
// fill the time before the first backward as far as memory goes. Then, round by round, each worker
// runs one forward and one input gradient. A weight gradient runs where it fits into a gap, where a
// gap would be larger than the largest so far, and where memory is full. Three choices that the
// paper leaves open are searched by its callers.
#pragma once

#include "schedule/order-search.h"
#include "schedule/schedule-order.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// RoundChoices are the choices that the paper leaves open.
struct RoundChoices
{
    bool forwardMayDelayFirstBackward = false; ///< only in the warm-up
    bool prefersBackward = false; ///< before a forward that the next worker can't use yet
    bool fillsSmallGaps = false;  ///< fills them with a weight gradient that is longer than the gap
    /// Forwards before a worker's first backward; empty: as many as fit.
    std::vector<std::uint32_t> warmUp = {};
};

/// Returns what the zero-bubble searches make least: the longest span, as the authors do. Where
/// pipelines take turns it is the makespan, since workers of short spans may start late.
OrderSearch::Goal GoalOfZeroBubble(const ScheduleRequest& request);

/// Makes an order of one stage per worker, each with at most `cap` activations. Returns nothing
/// where the rounds don't fit the cap.
std::optional<ScheduleOrder> ScheduleInRounds(const ScheduleRequest& request,
                                              std::uint32_t cap,
                                              HeldForWeights held,
                                              const RoundChoices& choices);

/// Returns the part by which the memory limits that a zero-bubble search tries grow, as CapLadder()
/// takes it. Turns make the makespan jump from one limit to the next, so that with them the steps are
/// smaller: a search must not leave out the limits that one with less memory tries.
std::uint32_t LadderPart(const ScheduleRequest& request);

/// Gives the search all choices for the request's workers, with several memory limits up to the cap.
void ConsiderRounds(OrderSearch& search,
                    const ScheduleRequest& request,
                    std::uint32_t cap,
                    HeldForWeights held);

} // namespace geotrain
