// SPDX-License-Identifier: GPL-2.0-only
// Draws what prefills in bubbles give and cost, for one run or for the variants of a comparison.
#pragma once

#include "figures/comparison-figure.h"
#include "figures/figure-place.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes into `folder`, as PNG and PDF, those of these figures for which the variants have data:
///   ttft-cdf          distribution of the time to first token, with a line per PP degree; with a
///                     line per variant where no variants differ in the PP degree alone
///   ttft-rate         median and 90th percentile of the time to first token against the rate of
///                     requests
///   utilization-objective  GPU time used, and requests in time, against the objective for the time
///                     to first token, with a pair of curves per rate of requests
///   prefill-jitter    share of bubble time that prefills use, and share whose work is discarded,
///                     against the mean jitter of WAN messages
///   prefill-forecast  the same two shares against the mean error of the bubbles' forecast
/// Those of rates, jitter and forecast have curves per PP degree. Each draws the largest group of variants that serve
/// requests and differ only in the PP degree and in the rate (ttft-rate) or the WAN (the others).
/// Returns the files. Throws TraceError when gnuplot is missing or fails, or when a file can't be
/// written.
std::vector<std::filesystem::path> DrawServingFigures(const std::vector<VariantSummary>& variants,
                                                      const FigurePlace& folder);

} // namespace geotrain
