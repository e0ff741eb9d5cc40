// SPDX-License-Identifier: GPL-2.0-only
// Simulates a scenario whose transfer has flows: their warm-up, their drawn starts, what each does
// over the measured time, and their trace.
#pragma once

#include "runner/run.h"

namespace geotrain
{

/// Runs the simulation of a scenario with flows. Returns why it ended with work undone; empty where
/// it did not. Throws ConfigError, and TraceError when the trace can't be written.
std::string
SimulateFlows(const LoadedScenario& scenario, const RunOptions& options, EarlyEnd& early);

} // namespace geotrain
