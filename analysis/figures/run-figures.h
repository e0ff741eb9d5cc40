// SPDX-License-Identifier: GPL-2.0-only
// The figures of one run, from its trace alone: the pipeline timeline and the WAN's throughput over
// time. Each is a PNG and a PDF, 7 inches wide. Both show the last measured iteration that ended;
// of a run that was killed before, what there is. Of bulk messages: the congestion windows and the
// WAN's throughput.
#pragma once

#include "metrics/run-tally.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes timeline.png and .pdf, and wan-throughput.png and .pdf where bytes crossed the WAN, into
/// `folder`, which exists; what prefills waited, where there are any. Returns the files. Throws
/// TraceError when the trace is at fault, when gnuplot is missing or fails, or when a file can't be
/// written.
std::vector<std::filesystem::path> DrawRunFigures(const RunTally& tally,
                                                  const std::filesystem::path& folder);

/// The same of a trace of bulk messages: congestion.png and .pdf, and wan-throughput.
std::vector<std::filesystem::path> DrawTransferFigures(const std::filesystem::path& trace,
                                                       const std::filesystem::path& folder);

} // namespace geotrain
