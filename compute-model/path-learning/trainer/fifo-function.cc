// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trainer/fifo-function.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns the part of one chunk of a tensor, whose first dimension is chunks; null for an empty one.
double*
PartOf(const torch::Tensor& tensor, std::size_t chunk)
{
    if (tensor.numel() == 0)
    {
        return nullptr;
    }
    return tensor.data_ptr<double>() +
           static_cast<std::int64_t>(chunk) * (tensor.numel() / tensor.size(0));
}

} // namespace

torch::Tensor
FifoFunction::forward(torch::autograd::AutogradContext* context,
                      const torch::Tensor& shares,
                      const torch::Tensor& logits,
                      const torch::Tensor& paths,
                      const Batch& batch)
{
    std::vector<double> stays;
    std::vector<std::int64_t> addresses;
    const auto path = paths.accessor<double, 3>();
    for (std::size_t i = 0; i < batch.chunks.size(); ++i)
    {
        const auto rows = path[batch.pathOfChunk[i]];
        std::vector<FifoParameters> lanes;
        for (std::int64_t k = 0; k < paths.size(1); ++k)
        {
            lanes.push_back({rows[k][0], rows[k][1], rows[k][2]});
        }
        const std::vector<double>& some = batch.chunks[i]->recursion.Forward(
            lanes, PartOf(shares, i), PartOf(logits, i), static_cast<std::size_t>(shares.size(1)));
        stays.insert(stays.end(), some.begin(), some.end());
        addresses.push_back(reinterpret_cast<std::int64_t>(&batch.chunks[i]->recursion));
    }
    context->saved_data["recursions"] = addresses;
    context->saved_data["paths"] = batch.pathOfChunk;
    context->saved_data["path_shape"] = paths.sizes().vec();
    context->saved_data["shares_shape"] = shares.sizes().vec();
    context->saved_data["logits_shape"] = logits.sizes().vec();
    return torch::tensor(stays, torch::kDouble).reshape({-1, paths.size(1)});
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
    const torch::Tensor ofLogits = zeros("logits_shape");
    torch::Tensor ofPaths = zeros("path_shape");
    auto path = ofPaths.accessor<double, 3>();
    const double* stay = stays.data_ptr<double>();
    for (std::size_t i = 0; i < addresses.size(); ++i)
    {
        const auto& recursion = *reinterpret_cast<const FifoRecursion*>(addresses[i]);
        const FifoGradient gradient = recursion.Backward(stay);
        stay += recursion.Packets().size() * gradient.lanes.size();
        std::copy(gradient.shares.begin(), gradient.shares.end(), PartOf(ofShares, i));
        if (!gradient.logits.empty())
        {
            std::copy(gradient.logits.begin(), gradient.logits.end(), PartOf(ofLogits, i));
        }
        auto rows = path[pathOfChunk[i]];
        for (std::size_t k = 0; k < gradient.lanes.size(); ++k)
        {
            auto row = rows[static_cast<std::int64_t>(k)];
            row[0] += gradient.lanes[k].bytesPerSecond;
            row[1] += gradient.lanes[k].propagation;
            row[2] += gradient.lanes[k].emptying;
        }
    }
    return {ofShares, ofLogits, ofPaths, torch::Tensor()};
}

} // namespace geotrain
