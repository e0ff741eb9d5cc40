// SPDX-License-Identifier: GPL-2.0-only
// Draws the figures of one run from its trace alone, each as a PNG and a PDF, 7 inches wide. A run
// of training gets the pipeline timeline and the WAN's throughput over the last measured iteration
// that ended, or over the part that the trace holds where the run was killed before one ended. A
// run of bulk messages gets the congestion windows and the WAN's throughput. Where a warning says
// that the result is not to be trusted, each page says so.
#pragma once

#include "figures/figure-place.h"
#include "metrics/run-tally.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes timeline, wan-throughput where bytes crossed the WAN, and the figures of
/// DrawServingFigures() where the run serves prefills, as .png and .pdf into `place`, which must
/// exist. Returns the files. Throws TraceError when the trace is at fault, when gnuplot is missing
/// or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawRunFigures(const RunTally& tally, const FigurePlace& place);

/// Writes congestion and wan-throughput of bulk messages or flows, job number `job` of the run, as
/// .png and .pdf into `place`, which must exist. Returns the files. Throws TraceError as
/// DrawRunFigures() does.
std::vector<std::filesystem::path> DrawTransferFigures(const std::filesystem::path& trace,
                                                       std::uint32_t job,
                                                       const FigurePlace& place);

} // namespace geotrain
