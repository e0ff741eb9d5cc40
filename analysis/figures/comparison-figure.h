// SPDX-License-Identifier: GPL-2.0-only
// Draws the variants of a comparison as bars, a row per variant: of training the iteration time
// beside the shares of GPU time, of bulk messages the completion time beside the goodput. Means
// over seeds have their 95 % intervals.
#pragma once

#include "figures/comparison.h"
#include "figures/figure-place.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Draws the figure at `place`, on as many pages as the variants need and with the same scale on
/// each, and returns its files. The names of further pages end in -2, -3 and so on. `variants` must
/// not be empty. Throws TraceError when gnuplot is missing or fails, or when a file can't be
/// written.
std::vector<std::filesystem::path> DrawComparison(const std::vector<VariantSummary>& variants,
                                                  const FigurePlace& place);

} // namespace geotrain
