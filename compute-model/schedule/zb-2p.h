// SPDX-License-Identifier: GPL-2.0-only
// ZB-2p (Qi et al., ICLR'24, section 4) is ZB-1p with twice the memory: the activations of 2p
// microbatches. The search rates candidates by the times with which the request plans: the
// hand-made ZB-H1 and ZB-H2, the paper's heuristic with all its choices and several memory limits
// up to the cap, and then a hill climb.
//
// ZB-1p's cap counts an activation until its weight gradient, as every schedule's does. ZB-2p's
// memory is the paper's, which gives half of an activation back at the input gradient (section 2.3,
// M_W over M_B). Held whole, the last worker's m - 2p weight gradients would have to come before
// its last backward. Its span would then be at least (p-1)(T_F + T_B + 2 T_comm) + m (T_F + T_B) +
// (m - 2p + 1) T_W, a bubble rate of 0.10 where the paper has 0.04.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// Makes the order. With v virtual stages the cap is 2 v p activations of a virtual stage. p must
/// divide m, or v be 1.
ScheduleOrder Zb2p(const ScheduleRequest& request);

/// Returns the schedule's row of the catalogue.
ScheduleEntry Zb2pEntry();

/// Returns the best order that the search finds with at most `cap` activations of virtual stages on
/// each worker, counted as `held` says.
ScheduleOrder
SearchZeroBubble(const ScheduleRequest& request, std::uint32_t cap, HeldForWeights held);

/// Cost of making an order by a search with this climb: about the number of orders that could be
/// timed meanwhile (ScheduleEntry::ordersTimed).
constexpr double zeroBubbleOrdersTimed = 12;

} // namespace geotrain
