// SPDX-License-Identifier: GPL-2.0-only
// Estimates what a run takes of the machine before it begins: memory, by the number of things that
// are in memory at once, and time, by the number of packets or messages. The figures were measured;
// README.md has the runs and the error.
#pragma once

#include "loader/machine-memory.h"
#include "loader/scenario-loader.h"
#include "runner/transfer-run.h"
#include "training-plan/plan-streams.h"

namespace geotrain
{

/// A RunCost is what a run is estimated to take.
struct RunCost
{
    MemoryEstimate memory;
    double packets = 0;     ///< data packets over all connections, without retransmissions
    double messages = 0;    ///< messages of pipelines and steps of collectives
    double wallSeconds = 0; ///< on one core; within a factor of three where nothing is lost
};

/// Returns the cost of a run of training whose streams were made.
RunCost CostOfTraining(const LoadedScenario& scenario, const PlanStreams& plan);

/// Returns the cost of a run. It makes the streams of training.
RunCost CostOf(const LoadedScenario& scenario);

/// Returns the cost of a transfer without a scenario.
RunCost CostOf(const TransferSettings& settings);

/// Throws ConfigError where the run needs more than run.memory_limit.
void RefuseTooLarge(const LoadedScenario& scenario, const RunCost& cost);

} // namespace geotrain
