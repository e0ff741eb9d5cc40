// What prefills in bubbles give and cost: of one run, and over the variants of a comparison.
#pragma once

#include "figures/comparison-figure.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes into `folder`, as PNG and PDF, what there is of
///   ttft-cdf         distribution of the time to first token, a line for each variant, named with its PP degree
///   ttft-rate        its median and 90th percentile against the rate of requests, where variants differ in that
///   prefill-jitter   share of GPU time that prefills use, and that they lose, against the mean error of the bubbles'
///                    forecast, where variants differ in that
/// over the variants that serve requests. Returns the files. Throws TraceError when gnuplot is missing or fails, or
/// when a file can't be written.
std::vector<std::filesystem::path> DrawServingFigures(const std::vector<VariantSummary>& variants,
                                                      const std::filesystem::path& folder);

} // namespace geotrain
