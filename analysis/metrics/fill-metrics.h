// SPDX-License-Identifier: GPL-2.0-only
// Computes the metrics of fillers; analysis/README.md defines them.
#pragma once

#include "metrics/run-tally.h"
#include "metrics/run-summary.h"

namespace geotrain
{

/// Appends the metrics of the forecast, of requests, of fill jobs and of training's waits, where
/// the trace has any of them.
void AddFillMetrics(Summary& summary, const RunTally& tally);

} // namespace geotrain
