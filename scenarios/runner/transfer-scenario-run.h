// SPDX-License-Identifier: GPL-2.0-only
// Simulates a scenario of bulk messages: the measured series, its rival, and their trace.
#pragma once

#include "runner/run.h"

namespace geotrain
{

/// Runs the scenario and writes trace.pb. Returns the report of an unfinished run; empty where it
/// finished. Throws ConfigError, and TraceError when the trace can't be written.
std::string
SimulateTransfer(const LoadedScenario& scenario, const RunOptions& options, EarlyEnd& early);

} // namespace geotrain
