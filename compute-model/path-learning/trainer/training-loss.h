// SPDX-License-Identifier: GPL-2.0-only
// Computes what a training minimises; the README has the equations.
#pragma once

#include "path-learning/trainer/training-batch.h"

namespace geotrain
{

/// Returns the loss of a batch: delays in the path's emptying times. `outputs` are the network's for the
/// batch's windows, (windows, chunks, outputs); `paths` is FifoFunction's. A plain network says delays
/// and losses.
torch::Tensor
LossOf(const Batch& batch, const torch::Tensor& outputs, const torch::Tensor& paths, bool isPlain);

} // namespace geotrain
