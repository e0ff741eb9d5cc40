// SPDX-License-Identifier: GPL-2.0-only
// Makes FifoRecursion an operation of libtorch's autograd, with the recursion's own backward.
#pragma once

#include "path-learning/trainer/training-batch.h"

#include <torch/torch.h>

namespace geotrain
{

/// FifoFunction runs the recursions of a batch's chunks, one after another.
class FifoFunction : public torch::autograd::Function<FifoFunction>
{
  public:
    /// `shares` is (chunks, windows), and `paths` (paths, 3) with bytes per second, propagation and
    /// emptying time. Returns the stays of all packets in a row. The batch's chunks outlive the
    /// backward.
    static torch::Tensor forward(torch::autograd::AutogradContext* context,
                                 const torch::Tensor& shares,
                                 const torch::Tensor& paths,
                                 const Batch& batch);

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients);
};

} // namespace geotrain
