// SPDX-License-Identifier: GPL-2.0-only
#include "autograd-gradient.h"

#include "path-learning/trainer/fifo-function.h"
#include "path-learning/trainer/window-model.h"

namespace geotrain
{

FifoGradient
AutogradGradient(TrainingChunk& chunk,
                 const std::vector<FifoParameters>& lanes,
                 const std::vector<double>& shares,
                 const std::vector<double>& logits)
{
    std::vector<double> numbers;
    for (const FifoParameters& lane : lanes)
    {
        numbers.insert(numbers.end(), {lane.bytesPerSecond, lane.propagation, lane.emptying});
    }
    const auto count = static_cast<std::int64_t>(lanes.size());
    const auto twice = [](const torch::Tensor& one) {
        return torch::stack({one, one}).set_requires_grad(true);
    };
    const auto paths = twice(torch::tensor(numbers, torch::kDouble).reshape({count, 3}));
    const auto bothShares = twice(torch::tensor(shares, torch::kDouble).reshape({-1, count}));
    const auto bothLogits = twice(torch::tensor(logits, torch::kDouble).reshape({-1, count}));
    TrainingChunk copy = chunk;
    Batch batch;
    batch.chunks = {&copy, &chunk};
    batch.pathOfChunk = {0, 1};
    FifoFunction::apply(bothShares, bothLogits, paths, batch).sum().backward();
    const auto second = [](const torch::Tensor& tensor)
    {
        const auto one = tensor.grad()[1].contiguous();
        return std::vector<double>(one.data_ptr<double>(), one.data_ptr<double>() + one.numel());
    };
    FifoGradient gradient;
    const std::vector<double> path = second(paths);
    for (std::size_t k = 0; k < lanes.size(); ++k)
    {
        gradient.lanes.push_back({path[3 * k], path[3 * k + 1], path[3 * k + 2]});
    }
    gradient.shares = second(bothShares);
    gradient.logits = second(bothLogits);
    return gradient;
}

std::vector<std::vector<double>>
TrainersOutputs(const WindowNetwork& network, const std::vector<std::vector<double>>& features)
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
