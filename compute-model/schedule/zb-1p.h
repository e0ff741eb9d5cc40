// ZB-1p (Qi et al., ICLR'24, section 4): the best order of forwards, input gradients and weight gradients that a search
// finds with the activations of p microbatches on a worker, 1F1B's peak. See zb-2p.h.
#pragma once

#include "schedule/schedule-order.h"

namespace geotrain
{

/// With v virtual stages the cap is v p activations of a virtual stage. Throws std::invalid_argument unless p
/// divides m or v is 1.
ScheduleOrder Zb1p(const ScheduleRequest& request);

} // namespace geotrain
