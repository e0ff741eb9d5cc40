// SPDX-License-Identifier: GPL-2.0-only
// Congestion controls side by side, from the variants of a comparison: goodput against round trip
// and loss, the distribution of completion times, and iteration time over (congestion control,
// loss). Variants are compared that differ in nothing else that their traces' headers tell.
#pragma once

#include "figures/comparison-figure.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes goodput-rtt, goodput-loss, completion-cdf and iteration-heat-map, as far as the variants
/// have them; returns the files. Throws TraceError.
std::vector<std::filesystem::path>
DrawCongestionControlFigures(const std::vector<VariantSummary>& variants,
                             const std::filesystem::path& folder);

/// Of the runs of bulk messages, one a congestion control, that are alike but for it: the most that
/// there are, of those the first. Indices into `variants`.
std::vector<std::size_t> AlikeButForControl(const std::vector<VariantSummary>& variants);

} // namespace geotrain
