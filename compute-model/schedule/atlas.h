// SPDX-License-Identifier: GPL-2.0-only
// Atlas (arXiv 2411.14458) follows Varuna's rules, planned for all C pipelines of a DP-cell at once
// with the WAN transfer time of each hop and the turns that the pipelines take on it. Its warm-up
// is deep enough to hide the WAN's round trips, where memory allows. Messages take turns in the
// order in which they are ready, so that a microbatch is at the next data centre as early as it can
// be.
// Where C turns take no longer than a stage's work on a microbatch, no gaps are left between
// microbatches. What the paper leaves open (the depth of the warm-up) is decided here.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// Makes the order. The cap is the request's memoryCap. If that is unset, the cap covers the time
/// from a worker's forward to its backward, at most m.
ScheduleOrder Atlas(const ScheduleRequest& request);

/// Returns the schedule's row of the catalogue.
ScheduleEntry AtlasEntry();

} // namespace geotrain
