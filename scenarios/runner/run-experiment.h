// SPDX-License-Identifier: GPL-2.0-only
// Runs the workloads of an experiment on one testbed: warms their connections, begins all, runs the
// clock until all are over or a deadline comes, and finishes all.
#pragma once

#include "loader/experiment.h"
#include "runner/baseline.h"
#include "runner/run-options.h"
#include "runner/workload.h"

#include <vector>

namespace geotrain
{

/// Runs workloads on the testbed of `experiment`, and writes their trace into the folder of
/// `options`. Throws ConfigError, and UnfinishedRun where work is undone.
void RunWorkloads(Workloads workloads,
                  const Experiment& experiment,
                  const RunOptions& options,
                  EarlyEnd& early);

/// Runs the experiment and writes its trace into the folder of `options`. There is a baseline per
/// job. Throws ConfigError, and UnfinishedRun where work is undone.
void RunExperiment(const Experiment& experiment,
                   const RunOptions& options,
                   const std::vector<Baseline>& baselines,
                   EarlyEnd& early);

} // namespace geotrain
