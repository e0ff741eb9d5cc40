// Atlas (arXiv 2411.14458): Varuna's rules, planned for all C pipelines of a DP-cell at once with the WAN transfer time of
// each hop and the turns that the pipelines take on it, and with as deep a warm-up as hides the WAN's round trips
// where memory allows. Messages take turns in the order in which they are ready, so that a microbatch is at the next data
// centre as early as it can be; where C turns take no longer than a stage's work on a microbatch, no gaps are left
// between microbatches. What the paper leaves open (the depth of the warm-up) is decided here.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// The cap is the request's memoryCap; unset: what covers the time from a worker's forward to its backward, at most m.
ScheduleOrder Atlas(const ScheduleRequest& request);

/// Its row of the catalogue.
ScheduleEntry AtlasEntry();

} // namespace geotrain
