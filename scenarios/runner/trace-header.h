// SPDX-License-Identifier: GPL-2.0-only
// Makes the header of a run's trace: the workers and their nodes, and the peaks and capacities that
// metrics refer to.
#pragma once

#include "loader/scenario-loader.h"
#include "runner/run-plan.h"
#include "runner/run-variant.h"
#include "schema/trace.pb.h"

#include <string>

namespace geotrain
{

/// Makes the header of a run of training.
trace::RunHeader
MakeTraceHeader(const LoadedScenario& scenario, const PlanStreams& plan, const RunVariant& variant);

/// Makes the header of a run of bulk messages.
trace::RunHeader MakeTransferHeader(const LoadedScenario& scenario, const RunVariant& variant);

} // namespace geotrain
