// SPDX-License-Identifier: GPL-2.0-only
// Trains a path's network by gradient descent with libtorch: RBU's, whose cross traffic fills a FIFO
// buffer packet by packet, and the plain LSTM's, which says delays and losses itself. The page
// doc/learned-path.md has the equations. It runs on one thread, so that the same records and seed give
// the same weights. This header is without libtorch.
#pragma once

#include "path-learning/path-model.h"
#include "path-learning/training-settings.h"

#include <functional>
#include <vector>

namespace geotrain
{

/// TrainingProgress is how far a training is.
struct TrainingProgress
{
    std::uint32_t epoch = 0;
    double share = 0;       ///< of the work that is done
    double heldOutLoss = 0; ///< the least so far
};

/// Returns whether the training goes on.
using TrainingObserver = std::function<bool(const TrainingProgress&)>;

/// Trains the network of `path`, which is iBoxNet's of `traces` (one member for each), and refines
/// rate, propagation and buffer. Returns the state of the epoch with the least loss on what is held
/// out, also where the observer ends the training.
PathModel TrainPath(const PathModel& path,
                    const std::vector<PacketTrace>& traces,
                    const TrainingSettings& settings,
                    const TrainingObserver& observer);

} // namespace geotrain
