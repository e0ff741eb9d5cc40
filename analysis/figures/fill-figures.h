// SPDX-License-Identifier: GPL-2.0-only
// What fill jobs recover, over the variants of a comparison: against the number of GPUs, and
// against how unsteady the network is. Each is drawn only where the variants differ in it.
#pragma once

#include "figures/comparison-figure.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes into `folder`, as PNG and PDF, what there is of
///   recovered-flops  FLOP/s of fill jobs a GPU against GPUs
///   fill-share       share of bubble time that fill jobs used, against the mean jitter of WAN messages (by how much
///                    one takes longer or shorter than in the iteration before)
///   fill-discarded   share of bubble time whose work was discarded, against the same
/// Returns the files. Throws TraceError when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawFillFigures(const std::vector<VariantSummary>& variants,
                                                   const std::filesystem::path& folder);

} // namespace geotrain
