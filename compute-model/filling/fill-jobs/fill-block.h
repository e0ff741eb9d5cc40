// SPDX-License-Identifier: GPL-2.0-only
// Describes a fill job's model as blocks in a row, each with its cost on one GPU for one batch.
#pragma once

#include "timing/layer-timing.h"

#include <string>
#include <vector>

namespace geotrain
{

/// A FillBlock is one block of a model with its cost per batch.
struct FillBlock
{
    std::string name;
    double parameters = 0;
    PassSeconds training;        ///< time per batch
    double inferenceSeconds = 0; ///< time per batch
    double forwardFlops = 0;     ///< multiply-adds count as two
    double keptBytes = 0;        ///< bytes of the forward pass that the backward pass needs
    double outputBytes = 0;      ///< its result, and the gradient of it
    /// Whether its result is too large to keep: a training pass can't pause after its forward.
    bool isConsumedAtOnce = false;
    bool isForTrainingOnly = false; ///< a head that inference leaves out
};

using FillBlocks = std::vector<FillBlock>;

} // namespace geotrain
