// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trainer/fifo-function.h"

#include <algorithm>

namespace geotrain
{

torch::Tensor
FifoFunction::forward(torch::autograd::AutogradContext* context,
                      const torch::Tensor& shares,
                      const torch::Tensor& paths,
                      const Batch& batch)
{
    std::vector<double> stays;
    std::vector<std::int64_t> addresses;
    const auto path = paths.accessor<double, 2>();
    for (std::size_t i = 0; i < batch.chunks.size(); ++i)
    {
        const auto row = path[batch.pathOfChunk[i]];
        const double* share =
            shares.data_ptr<double>() + static_cast<std::int64_t>(i) * shares.size(1);
        const std::vector<double>& some = batch.chunks[i]->recursion.Forward(
            {row[0], row[1], row[2]}, share, static_cast<std::size_t>(shares.size(1)));
        stays.insert(stays.end(), some.begin(), some.end());
        addresses.push_back(reinterpret_cast<std::int64_t>(&batch.chunks[i]->recursion));
    }
    context->saved_data["recursions"] = addresses;
    context->saved_data["paths"] = batch.pathOfChunk;
    context->saved_data["path_shape"] = paths.sizes().vec();
    context->saved_data["shares_shape"] = shares.sizes().vec();
    return torch::tensor(stays, torch::kDouble);
}

torch::autograd::variable_list
FifoFunction::backward(torch::autograd::AutogradContext* context,
                       const torch::autograd::variable_list& gradients)
{
    const auto zeros = [&](const char* shape)
    { return torch::zeros(context->saved_data[shape].toIntVector(), torch::kDouble); };
    const auto addresses = context->saved_data["recursions"].toIntVector();
    const auto pathOfChunk = context->saved_data["paths"].toIntVector();
    const torch::Tensor stays = gradients[0].contiguous();
    const torch::Tensor ofShares = zeros("shares_shape");
    torch::Tensor ofPaths = zeros("path_shape");
    auto path = ofPaths.accessor<double, 2>();
    const double* stay = stays.data_ptr<double>();
    auto* share = ofShares.data_ptr<double>();
    for (std::size_t i = 0; i < addresses.size(); ++i)
    {
        const auto& recursion = *reinterpret_cast<const FifoRecursion*>(addresses[i]);
        const FifoGradient gradient = recursion.Backward(stay);
        stay += recursion.Packets().size();
        share = std::copy(gradient.shares.begin(), gradient.shares.end(), share);
        auto row = path[pathOfChunk[i]];
        row[0] += gradient.path.bytesPerSecond;
        row[1] += gradient.path.propagation;
        row[2] += gradient.path.emptying;
    }
    return {ofShares, ofPaths, torch::Tensor()};
}

} // namespace geotrain
