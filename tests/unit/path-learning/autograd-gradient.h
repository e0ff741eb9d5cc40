// SPDX-License-Identifier: GPL-2.0-only
// Asks libtorch for the gradient of the sum of a chunk's stays, so that a test without libtorch's
// headers can compare it.
#pragma once

#include "path-learning/trainer/training-record.h"

namespace geotrain
{

/// Returns the gradient through FifoFunction, for two chunks that are the same one: of their paths the
/// second one's.
FifoGradient AutogradGradient(TrainingChunk& chunk,
                              const std::vector<FifoParameters>& lanes,
                              const std::vector<double>& shares,
                              const std::vector<double>& logits);

} // namespace geotrain
