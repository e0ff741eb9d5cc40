// SPDX-License-Identifier: GPL-2.0-only
// Runs an experiment and writes a folder of results.
#pragma once

#include "loader/experiment.h"
#include "metrics/summary.h"
#include "runner/run-options.h"
#include "runner/unfinished-run.h"

namespace geotrain
{

/// Runs the experiment, writes scenario.textproto, trace.pb, summary.csv, run-info.json, figures/ and
/// report.html, and returns the summary. Throws ConfigError, and TraceError when a file can't be written. Throws
/// UnfinishedRun after it has written everything that it can.
Summary Run(const Experiment& experiment, const RunOptions& options);

} // namespace geotrain
