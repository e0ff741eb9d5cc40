// SPDX-License-Identifier: GPL-2.0-only
// What prefills in bubbles give and cost: of one run, and over the variants of a comparison.
#pragma once

#include "figures/comparison-figure.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes into `folder`, as PNG and PDF, what there is of
///   ttft-cdf          distribution of the time to first token, a line for each PP degree; where none are alike but for
///                     that, a line for each variant
///   ttft-rate         its median and 90th percentile against the rate of requests
///   prefill-jitter    share of bubble time that prefills use, and that they lose, against the jitter of WAN messages
///   prefill-forecast  the same against the mean error of the bubbles' forecast
/// The last three have curves for each PP degree, and are of the most variants that serve requests and differ in
/// nothing else but the rate, or the WAN. Returns the files. Throws TraceError when gnuplot is missing or fails, or when a
/// file can't be written.
std::vector<std::filesystem::path> DrawServingFigures(const std::vector<VariantSummary>& variants,
                                                      const std::filesystem::path& folder);

} // namespace geotrain
