// SPDX-License-Identifier: GPL-2.0-only
// Rehearses iterations of a plan on some network, without jitter and fillers. A forecast starts
// from the result. On a network like the run's own it is exact for every iteration that nothing
// disturbs.
#pragma once

#include "execution/plan-run.h"
#include "filling/bubble-forecast.h"

namespace geotrain
{

/// Runs up to `iterations` iterations of `plan` on `network`, which must not be used afterwards. It
/// stops once they repeat to the nanosecond, 32 times and with a period of at most 4; they are then
/// taken to go on so. A stream without flush is run to its end. Iterations that do not end before
/// `deadline` are left out.
Rehearsal Rehearse(const ExecutionPlan& plan,
                   std::uint32_t iterations,
                   Network& network,
                   const PlanRunSettings& settings,
                   Instant deadline);

} // namespace geotrain
