// SPDX-License-Identifier: GPL-2.0-only
// Draws what is known of learned paths: packets over them beside those of the true path, how their
// training went, and what an iteration takes over many of them.
#pragma once

#include "figures/comparison.h"
#include "figures/curve-points.h"
#include "figures/figure-place.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A PathFlow is what one flow got of one path.
struct PathFlow
{
    std::string control;             ///< its congestion control
    std::string path;                ///< name of the path
    std::vector<double> delays;      ///< of the packets that arrived, in s
    std::vector<double> throughputs; ///< of equal times, in bit/s
};

/// Draws `path-spread`: the distributions of one-way delay and throughput by congestion control,
/// with a box per path. Nothing where the flows have one path. Throws TraceError, as the others do,
/// when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawPathSpread(const std::vector<PathFlow>& flows,
                                                  const FigurePlace& folder);

/// Draws `path-population`: the distribution of the iteration time over learned paths, with a curve
/// per family. Paths that differ in the number at their names' end are a family. Nothing where no
/// three variants of training differ in their learned path.
std::vector<std::filesystem::path> DrawPathPopulation(const Comparison& comparison,
                                                      const FigurePlace& folder);

/// Draws `delay-over-time`: delays in s by the time of sending, as recorded and as the learned path
/// gives them to the same packets.
std::vector<std::filesystem::path> DrawDelayOverTime(const CurvePoints& measured,
                                                     const CurvePoints& learned,
                                                     const FigurePlace& folder);

/// Draws `training-loss`: a value before the first epoch and after each.
std::vector<std::filesystem::path> DrawTrainingLoss(const std::vector<double>& training,
                                                    const std::vector<double>& heldOut,
                                                    const FigurePlace& folder);

} // namespace geotrain
