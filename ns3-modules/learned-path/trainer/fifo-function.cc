// SPDX-License-Identifier: GPL-2.0-only
#include "learned-path/trainer/fifo-function.h"

namespace geotrain
{

torch::Tensor
FifoFunction::forward(torch::autograd::AutogradContext* context,
                      const torch::Tensor& shares,
                      const torch::Tensor& paths,
                      const std::vector<TrainingChunk*>& chunks,
                      const std::vector<std::int64_t>& pathOfChunk)
{
    std::vector<double> stays;
    std::vector<std::int64_t> addresses;
    const auto path = paths.accessor<double, 2>();
    for (std::size_t i = 0; i < chunks.size(); ++i)
    {
        const auto row = path[pathOfChunk[i]];
        const std::vector<double>& some = chunks[i]->recursion.Forward(
            {row[0], row[1], row[2]},
            shares.data_ptr<double>() + static_cast<std::int64_t>(i) * shares.size(1),
            static_cast<std::size_t>(shares.size(1)));
        stays.insert(stays.end(), some.begin(), some.end());
        addresses.push_back(reinterpret_cast<std::int64_t>(&chunks[i]->recursion));
    }
    context->saved_data["recursions"] = addresses;
    context->saved_data["paths"] = pathOfChunk;
    context->saved_data["path_count"] = paths.size(0);
    context->saved_data["windows"] = shares.size(1);
    return torch::tensor(stays, torch::kDouble);
}

torch::autograd::variable_list
FifoFunction::backward(torch::autograd::AutogradContext* context,
                       const torch::autograd::variable_list& gradients)
{
    const auto addresses = context->saved_data["recursions"].toIntVector();
    const auto pathOfChunk = context->saved_data["paths"].toIntVector();
    const std::int64_t windows = context->saved_data["windows"].toInt();
    const auto chunks = static_cast<std::int64_t>(addresses.size());
    const torch::Tensor stays = gradients[0].contiguous();
    torch::Tensor ofShares = torch::zeros({chunks, windows}, torch::kDouble);
    torch::Tensor ofPaths =
        torch::zeros({context->saved_data["path_count"].toInt(), 3}, torch::kDouble);
    auto path = ofPaths.accessor<double, 2>();
    const double* stay = stays.data_ptr<double>();
    for (std::size_t i = 0; i < addresses.size(); ++i)
    {
        const auto& recursion = *reinterpret_cast<const FifoRecursion*>(addresses[i]);
        const FifoGradient gradient = recursion.Backward(stay);
        stay += recursion.Packets().size();
        std::copy(gradient.shares.begin(),
                  gradient.shares.end(),
                  ofShares.data_ptr<double>() + static_cast<std::int64_t>(i) * windows);
        auto row = path[pathOfChunk[i]];
        row[0] += gradient.parameters.bytesPerSecond;
        row[1] += gradient.parameters.propagation;
        row[2] += gradient.parameters.emptying;
    }
    return {ofShares, ofPaths, torch::Tensor(), torch::Tensor()};
}

} // namespace geotrain
