// SPDX-License-Identifier: GPL-2.0-only
#include "autograd-gradient.h"

#include "path-learning/trainer/fifo-function.h"
#include "path-learning/trainer/window-model.h"

namespace geotrain
{

FifoGradient
AutogradGradient(TrainingChunk& chunk,
                 const FifoParameters& path,
                 const std::vector<double>& shares)
{
    const auto twice = [](const std::vector<double>& values)
    {
        const auto one = torch::tensor(values, torch::kDouble);
        return torch::stack({one, one}).set_requires_grad(true);
    };
    const auto paths = twice({path.bytesPerSecond, path.propagation, path.emptying});
    const auto bothShares = twice(shares);
    TrainingChunk copy = chunk;
    Batch batch;
    batch.chunks = {&copy, &chunk};
    batch.pathOfChunk = {0, 1};
    FifoFunction::apply(bothShares, paths, batch).sum().backward();
    const auto second = [](const torch::Tensor& tensor)
    {
        const auto one = tensor.grad()[1].contiguous();
        return std::vector<double>(one.data_ptr<double>(), one.data_ptr<double>() + one.numel());
    };
    const std::vector<double> ofPath = second(paths);
    return {{ofPath[0], ofPath[1], ofPath[2]}, second(bothShares)};
}

std::vector<std::vector<double>>
TrainersOutputs(const WindowNetwork& network, const std::vector<WindowFeatures::Values>& features)
{
    const torch::NoGradGuard guard;
    WindowModule module(network);
    const auto assign = [](torch::Tensor tensor, const std::vector<double>& values)
    { tensor.copy_(torch::tensor(values, torch::kDouble).reshape(tensor.sizes())); };
    const auto weights = module.lstm->named_parameters();
    assign(weights["weight_ih_l0"], network.inputWeights);
    assign(weights["weight_hh_l0"], network.stateWeights);
    assign(weights["bias_ih_l0"], network.biases);
    assign(weights["bias_hh_l0"], std::vector<double>(network.biases.size()));
    assign(module.linear->weight, network.outputWeights);
    assign(module.linear->bias, network.outputBiases);
    const torch::Tensor outputs =
        module.forward(Normalised(features, network).unsqueeze(1)).squeeze(1);
    std::vector<std::vector<double>> rows;
    for (std::int64_t i = 0; i < outputs.size(0); ++i)
    {
        const torch::Tensor row = outputs[i].contiguous();
        rows.emplace_back(row.data_ptr<double>(), row.data_ptr<double>() + row.numel());
    }
    return rows;
}

} // namespace geotrain
