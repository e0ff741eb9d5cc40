// SPDX-License-Identifier: GPL-2.0-only
// Draws what fill jobs recover in the variants of a comparison: against the number of GPUs, and
// against the jitter of WAN messages. A figure is drawn only where the variants differ in its x.
#pragma once

#include "figures/comparison-figure.h"
#include "figures/figure-place.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes into `folder`, as PNG and PDF, those of these figures for which the variants have data:
///   recovered-flops  FLOP/s of fill jobs per GPU against the number of GPUs
///   fill-gain        their FLOP/s as a share of training's, against the number of GPUs; both from
///                    the least to the most of the variants with equally many GPUs
///   fill-share       share of bubble time that fill jobs used, against the mean jitter of WAN
///                    messages: by how much a message takes longer or shorter than in the
///                    iteration before
///   fill-discarded   share of bubble time whose work was discarded, against the same jitter
/// Returns the files. Throws TraceError when gnuplot is missing or fails, or when a file can't be
/// written.
std::vector<std::filesystem::path> DrawFillFigures(const std::vector<VariantSummary>& variants,
                                                   const FigurePlace& folder);

} // namespace geotrain
