// SPDX-License-Identifier: GPL-2.0-only
// The pipeline timeline of one iteration: a row a worker, grouped by data centre, then replica and
// stage. Above 200 workers the first replicas stand for all, and the axis says so. An all-reduce
// shows where the worker does nothing else meanwhile.
#pragma once

#include "metrics/run-tally.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes `stem`.png and `stem`.pdf of the tally's last iteration; returns the files. Throws
/// TraceError.
std::vector<std::filesystem::path> DrawTimeline(const RunTally& tally,
                                                const std::filesystem::path& stem);

} // namespace geotrain
