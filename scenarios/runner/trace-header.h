// SPDX-License-Identifier: GPL-2.0-only
// The header of a run's trace: who works where, and what the metrics are measured against.
#pragma once

#include "loader/scenario-loader.h"
#include "runner/run-plan.h"
#include "schema/trace.pb.h"

#include <string>

namespace geotrain
{

/// `variant` is empty for a run by itself.
trace::RunHeader
MakeTraceHeader(const LoadedScenario& scenario, const PlanStreams& plan, const std::string& variant);

/// The same of a scenario with a transfer.
trace::RunHeader MakeTransferHeader(const LoadedScenario& scenario, const std::string& variant);

} // namespace geotrain
