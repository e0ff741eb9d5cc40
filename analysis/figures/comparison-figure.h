// SPDX-License-Identifier: GPL-2.0-only
// Draws the variants of a comparison side by side: a bar of the iteration time and a stacked bar of
// where the GPU time went.
#pragma once

#include "figures/figure-place.h"
#include "figures/comparison.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes `stem`.png and `stem`.pdf with the variants from top to bottom, and returns the files.
/// `variants` must not be empty. Throws TraceError when gnuplot is missing or fails, or when a file
/// can't be written.
std::vector<std::filesystem::path> DrawComparison(const std::vector<VariantSummary>& variants,
                                                  const FigurePlace& place);

} // namespace geotrain
