// SPDX-License-Identifier: GPL-2.0-only
// ZB-H1 (Qi et al., "Zero Bubble Pipeline Parallelism", ICLR'24, section 2.1) is 1F1B with the
// weight gradients apart. Those of worker w are kept back by w microbatches, so that every input
// gradient goes up as soon as it can. It holds p activations on every worker, the peak of 1F1B, and
// has a third of its bubble: (p-1)(T_F + T_B - T_W). With v virtual stages (PyTorch's
// ScheduleInterleavedZeroBubble) (v-1)p + p-1-w forwards warm up.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// Makes the order. p must divide m, or v be 1.
ScheduleOrder ZbH1(const ScheduleRequest& request);

/// Returns the schedule's row of the catalogue.
ScheduleEntry ZbH1Entry();

} // namespace geotrain
