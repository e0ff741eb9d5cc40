// SPDX-License-Identifier: GPL-2.0-only
// Compares congestion controls by the variants of a comparison: goodput against round trip and
// against loss, the distribution of completion times, and iteration time by congestion control and
// loss. A figure compares only variants whose trace headers agree in everything else.
#pragma once

#include "figures/comparison-figure.h"
#include "figures/figure-place.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes those of the figures goodput-rtt, goodput-loss, completion-cdf and iteration-heat-map for
/// which the variants have the metrics, and returns the files. Throws TraceError when gnuplot is
/// missing or fails, or when a file can't be written.
std::vector<std::filesystem::path>
DrawCongestionControlFigures(const std::vector<VariantSummary>& variants,
                             const FigurePlace& folder);

/// Returns the largest set of runs of bulk messages that differ in the congestion control alone, as
/// indices into `variants`: one run per congestion control. Of several largest sets it is the one
/// with most variants, then the first. It is empty where no two congestion controls compare.
std::vector<std::size_t> AlikeButForControl(const std::vector<VariantSummary>& variants);

} // namespace geotrain
