// SPDX-License-Identifier: GPL-2.0-only
#include "autograd-gradient.h"

#include "path-learning/trainer/fifo-function.h"

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
    const std::vector<std::int64_t> pathOfChunk{0, 1};
    TrainingChunk copy = chunk;
    FifoFunction::apply(
        bothShares, bothLogits, paths, std::vector<TrainingChunk*>{&copy, &chunk}, pathOfChunk)
        .sum()
        .backward();
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

} // namespace geotrain
