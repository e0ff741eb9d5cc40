// SPDX-License-Identifier: GPL-2.0-only
#include "autograd-gradient.h"

#include "learned-path/trainer/fifo-function.h"

namespace geotrain
{

FifoGradient
AutogradGradient(TrainingChunk& chunk,
                 const FifoParameters& parameters,
                 const std::vector<double>& shares)
{
    const auto row = torch::tensor(
        {parameters.bytesPerSecond, parameters.propagation, parameters.emptying}, torch::kDouble);
    auto paths = torch::stack({row, row}).set_requires_grad(true);
    const auto one = torch::tensor(shares, torch::kDouble);
    auto both = torch::stack({one, one}).set_requires_grad(true);
    const std::vector<std::int64_t> pathOfChunk{0, 1};
    TrainingChunk copy = chunk;
    FifoFunction::apply(both, paths, std::vector<TrainingChunk*>{&copy, &chunk}, pathOfChunk)
        .sum()
        .backward();
    const auto ofPath = paths.grad()[1].contiguous();
    const auto ofShares = both.grad()[1].contiguous();
    const double* path = ofPath.data_ptr<double>();
    const double* share = ofShares.data_ptr<double>();
    return {{path[0], path[1], path[2]}, {share, share + shares.size()}};
}

} // namespace geotrain
