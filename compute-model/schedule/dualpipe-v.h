// SPDX-License-Identifier: GPL-2.0-only
// DualPipe-V (DeepSeek-AI, "DualPipe", cut in half; Qi et al.'s wave placement): worker w of p has
// the stages w and 2p-1-w, so that microbatches go down the pipeline and back up. In the steady
// state a worker runs a forward of one chunk and a backward of the other as one overlapped block,
// in which computation hides the block's communication. Weight gradients are apart only where that
// fills the bubbles of the ends. It needs m >= 2p.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// Makes the order. The cap is 2p + 1 activations of half a worker's layers. m must be at least 2p.
ScheduleOrder DualPipeV(const ScheduleRequest& request);

/// Returns the schedule's row of the catalogue.
ScheduleEntry DualPipeVEntry();

} // namespace geotrain
