// SPDX-License-Identifier: GPL-2.0-only
// Simulates Varuna's rules ahead (Athlur et al., EuroSys'22, section 4.1). (i) A backward runs as
// soon as its gradient and its recomputation are there. (ii) A recomputation ends when the gradient
// is predicted to come, no forward comes between it and its backward, and the last stage has none.
// (iii) Otherwise forwards run, up to the memory cap. Several pipelines of a DP-cell are simulated
// together: on ways where they take turns, messages go one after another by the times at which they
// are ready, ties by pipeline, as temporal sharing does.
#pragma once

#include "schedule/schedule-order.h"

#include <vector>

namespace geotrain
{

/// Returns the orders of `pipelines` pipelines, each of whose workers holds at most `caps[w]`
/// activations. They deviate at run time. Throws std::invalid_argument if a cap is 0.
ScheduleOrder ScheduleJustInTime(const ScheduleRequest& request,
                                 const std::vector<std::uint32_t>& caps,
                                 std::uint32_t pipelines);

} // namespace geotrain
