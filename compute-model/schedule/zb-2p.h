// ZB-2p (Qi et al., ICLR'24, section 4): as ZB-1p with twice the memory: the activations of 2p microbatches. The search
// rates candidates by the times that the request plans with: the hand-made ZB-H1 and ZB-H2, the paper's
// heuristic with all its choices and several memory limits up to the cap, and then a hill climb. ZB-1p keeps to its cap even
// if an activation is held whole until its weight gradient. ZB-2p's memory is the paper's, which gives part of it
// back at the input gradient: held whole, the last worker's m - 2p weight gradients would have to come before its
// last backward, which makes the paper's bubble rates impossible.
#pragma once

#include "schedule/schedule-order.h"

namespace geotrain
{

/// With v virtual stages the cap is 2 v p activations of a virtual stage. Throws std::invalid_argument unless p
/// divides m or v is 1.
ScheduleOrder Zb2p(const ScheduleRequest& request);

/// The best order that the search finds with at most `cap` activations of virtual stages on each worker, counted
/// as `held` says.
ScheduleOrder
SearchZeroBubble(const ScheduleRequest& request, std::uint32_t cap, HeldForWeights held);

} // namespace geotrain
