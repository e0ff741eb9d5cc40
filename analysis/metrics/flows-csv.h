// SPDX-License-Identifier: GPL-2.0-only
// Writes flows.csv, which holds the metrics of each flow of a run.
#pragma once

#include "metrics/flow-tally.h"

#include <filesystem>

namespace geotrain
{

/// Writes the table of the flows of `tally` to `path`, one row per flow.
void WriteFlowsCsv(const FlowTally& tally, const std::filesystem::path& path);

} // namespace geotrain
