// SPDX-License-Identifier: GPL-2.0-only
// The network of a learned path as a module of libtorch, in double precision.
#pragma once

#include "wan/learned-link.h"

#include <torch/torch.h>

namespace geotrain
{

/// WindowModule is an LSTM and a linear layer.
struct WindowModule : torch::nn::Module
{
    /// Has the shape of `network`, and weights of its own.
    explicit WindowModule(const WindowNetwork& network);

    /// Takes normalised features (windows, batch, features), and returns the outputs (windows,
    /// batch, outputs).
    torch::Tensor forward(const torch::Tensor& inputs);

    /// Fills the weights of `network`.
    void Export(WindowNetwork& network) const;

    torch::nn::LSTM lstm;
    torch::nn::Linear linear;
};

} // namespace geotrain
