// SPDX-License-Identifier: GPL-2.0-only
// Asks libtorch for the gradient of the sum of a chunk's stays, and for what it makes of a network, so
// that a test without libtorch's headers can compare them.
#pragma once

#include "path-learning/trainer/training-record.h"

namespace geotrain
{

/// Returns the gradient through FifoFunction, for two chunks that are the same one: of their paths the
/// second one's.
FifoGradient AutogradGradient(TrainingChunk& chunk,
                              const FifoParameters& path,
                              const std::vector<double>& shares);

/// Returns what libtorch makes of a network's weights: its outputs for the windows of a record.
std::vector<std::vector<double>>
TrainersOutputs(const WindowNetwork& network, const std::vector<WindowFeatures::Values>& features);

} // namespace geotrain
