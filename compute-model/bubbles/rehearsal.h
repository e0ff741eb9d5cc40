// Rehearses the first iterations of a plan on some network, without jitter and fillers: what a forecast starts from.
#pragma once

#include "bubbles/bubble-forecast.h"
#include "execution/executor.h"

namespace geotrain
{

/// Runs up to `iterations` iterations of `plan` over `carrier` and `network`, which are used up by it. A stream
/// without flush is run to its end. Iterations that do not end before `deadline` are left out.
Rehearsal Rehearse(const ExecutionPlan& plan,
                   std::uint32_t iterations,
                   Network& network,
                   MessageCarrier& carrier,
                   Instant deadline,
                   ExecutorOptions options = {});

} // namespace geotrain
