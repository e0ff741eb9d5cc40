// SPDX-License-Identifier: GPL-2.0-only
// Variants side by side: a bar of the iteration time and a stacked bar of where the GPU time went.
#pragma once

#include "figures/comparison.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes `stem`.png and `stem`.pdf, variants from top to bottom. Returns the files. `variants` is
/// not empty. Throws TraceError when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawComparison(const std::vector<VariantSummary>& variants,
                                                  const std::filesystem::path& stem);

} // namespace geotrain
