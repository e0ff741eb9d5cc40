// SPDX-License-Identifier: GPL-2.0-only
// ZB-H2 (Qi et al., ICLR'24, section 2.2): worker w of p (from 0) runs 2(p-1-w) + 1 forwards before
// its first backward, so that no worker waits for it. Weight gradients run only where the worker
// would idle or its memory is full. The bubble is (p-1)(T_F + T_B - 2 T_W), for 2p-1 activations.
// The times with which the request plans tell where the worker idles.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// Makes the order. The cap is 2p-1 on every worker (at most m).
ScheduleOrder ZbH2(const ScheduleRequest& request);

/// Returns the schedule's row of the catalogue.
ScheduleEntry ZbH2Entry();

} // namespace geotrain
