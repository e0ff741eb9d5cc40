// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trainer/window-model.h"

namespace geotrain
{

namespace
{

std::vector<double>
ValuesOf(const torch::Tensor& tensor)
{
    const torch::Tensor whole = tensor.detach().contiguous();
    const double* data = whole.data_ptr<double>();
    return {data, data + whole.numel()};
}

} // namespace

WindowModule::WindowModule(const WindowNetwork& network)
    : lstm(torch::nn::LSTMOptions(static_cast<std::int64_t>(windowFeatures),
                                  static_cast<std::int64_t>(network.hidden))),
      linear(static_cast<std::int64_t>(network.hidden),
             static_cast<std::int64_t>(network.Outputs()))
{
    register_module("lstm", lstm);
    register_module("linear", linear);
    to(torch::kDouble);
}

torch::Tensor
WindowModule::forward(const torch::Tensor& inputs)
{
    return linear(std::get<0>(lstm(inputs)));
}

/// The layout of libtorch is that of WindowNetwork, but for two biases that it adds up.
void
WindowModule::Export(WindowNetwork& network) const
{
    const auto weights = lstm->named_parameters();
    network.inputWeights = ValuesOf(weights["weight_ih_l0"]);
    network.stateWeights = ValuesOf(weights["weight_hh_l0"]);
    network.biases = ValuesOf(weights["bias_ih_l0"] + weights["bias_hh_l0"]);
    network.outputWeights = ValuesOf(linear->weight);
    network.outputBiases = ValuesOf(linear->bias);
}

} // namespace geotrain
