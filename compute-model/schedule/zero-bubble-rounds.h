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

/// Makes an order of one stage per worker, each with at most `cap` activations. Returns nothing
/// where the rounds don't fit the cap.
std::optional<ScheduleOrder> ScheduleInRounds(const ScheduleRequest& request,
                                              std::uint32_t cap,
                                              HeldForWeights held,
                                              const RoundChoices& choices);

/// Gives the search all choices for `stages` workers, with several memory limits up to the cap.
void ConsiderRounds(OrderSearch& search,
                    std::uint32_t stages,
                    std::uint32_t cap,
                    HeldForWeights held);

} // namespace geotrain
