// SPDX-License-Identifier: GPL-2.0-only
// Simulates a scenario of bulk messages: the series that is measured, its rival, and what of both
// goes into the trace.
#pragma once

#include "runner/run.h"

namespace geotrain
{

/// Writes trace.pb. Returns the report of an unfinished run, or nothing. Throws ConfigError and
/// TraceError.
std::string SimulateTransfer(const LoadedScenario& scenario, const RunOptions& options);

} // namespace geotrain
