// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trainer/training-loss.h"

#include "path-learning/trainer/fifo-function.h"

namespace geotrain
{

namespace
{

using torch::Tensor;

/// PacketErrors are how far what a path says of packets is from what was recorded, in emptying times.
struct PacketErrors
{
    Tensor distance; ///< by packet
    Tensor error;    ///< by packet: mean over the lanes with their weights
    Tensor weights;  ///< (packets, lanes): how likely the packet took the lane
};

/// With one lane, errors are those of its delays. With several, the distance is what a mixture of
/// Laplace distributions around the lanes' delays gives: -scale log sum_k p_k exp(-|d_k - d| / scale),
/// so that the choice's probabilities p become the shares of the packets.
PacketErrors
ErrorsOf(const Batch& batch, const Tensor& errors, const Tensor& choices, double scale)
{
    if (errors.size(1) == 1)
    {
        return {errors.abs().squeeze(1), errors.squeeze(1), torch::ones_like(errors)};
    }
    const Tensor ofPacket = torch::log_softmax(choices, 2)
                                .reshape({-1, errors.size(1)})
                                .index_select(0, batch.windowOfPacket);
    const Tensor joint = ofPacket - errors.abs() / scale;
    const Tensor losses = batch.losses.unsqueeze(1);
    const Tensor taken = torch::softmax(joint, 1);
    return {-scale * torch::logsumexp(joint, 1),
            (taken * errors).sum(1),
            losses * ofPacket.exp() + (1 - losses) * taken};
}

/// Returns the mean error of delays, and of windows' mean delays.
Tensor
DelayLoss(const Batch& batch, const PacketErrors& errors, std::int64_t windows)
{
    const Tensor arrived = (1 - batch.losses) * batch.weights;
    const Tensor zeros = torch::zeros({windows}, torch::kDouble);
    const Tensor counts = zeros.index_add(0, batch.windowOfPacket, arrived);
    const Tensor means =
        zeros.index_add(0, batch.windowOfPacket, arrived * errors.error) / counts.clamp_min(1);
    return (arrived * errors.distance).sum() / arrived.sum().clamp_min(1) +
           means.square().sum() / (counts > 0).sum().clamp_min(1);
}

/// Returns the room that lost packets would have found, and that arrived ones lacked.
Tensor
RoomLoss(const Batch& batch, const Tensor& stays, const Tensor& emptying, const Tensor& weights)
{
    const Tensor room = (emptying - stays) / emptying.detach();
    const Tensor losses = batch.losses.unsqueeze(1);
    const Tensor wrong = losses * torch::relu(room) + (1 - losses) * torch::relu(-room);
    return (batch.weights * (weights * wrong).sum(1)).sum() / batch.weights.sum().clamp_min(1);
}

Tensor
CrossLoss(const Batch& batch, const Tensor& shares)
{
    const Tensor less = batch.cross - shares;
    const Tensor off = batch.isLeast * torch::relu(less) + (1 - batch.isLeast) * less.abs();
    return (batch.crossWeights * off).sum() / batch.crossWeights.sum().clamp_min(1);
}

} // namespace

Tensor
LossOf(const Batch& batch,
       const Tensor& outputs,
       const Tensor& paths,
       double choiceScale,
       bool isPlain)
{
    const std::int64_t lanes = paths.size(1);
    const Tensor byChunk = outputs.transpose(0, 1); // (chunks, windows, outputs)
    const Tensor shares = torch::softplus(byChunk.narrow(2, 0, lanes)).contiguous();
    const Tensor choices = lanes > 1 ? byChunk.narrow(2, lanes, lanes).contiguous()
                                     : torch::empty({0}, torch::kDouble);
    const Tensor ofPacket = paths.index_select(0, batch.pathOfPacket); // (packets, lanes, 3)
    const Tensor emptying = ofPacket.select(2, 2);
    const Tensor stays =
        isPlain ? emptying * shares.reshape({-1, 1}).index_select(0, batch.windowOfPacket)
                : FifoFunction::apply(shares, choices, paths, batch);
    const Tensor late = ofPacket.select(2, 1) + stays - batch.delays.unsqueeze(1);
    const PacketErrors errors = ErrorsOf(batch,
                                         late / emptying.detach(),
                                         choices,
                                         choiceScale / emptying.detach().mean().item<double>());
    const std::int64_t windows = shares.size(0) * shares.size(1);
    const Tensor loss = DelayLoss(batch, errors, windows);
    if (isPlain)
    {
        const Tensor odds =
            byChunk.select(2, 1).reshape({-1}).index_select(0, batch.windowOfPacket);
        return loss + torch::binary_cross_entropy_with_logits(odds, batch.losses);
    }
    return loss + RoomLoss(batch, stays, emptying, errors.weights) + CrossLoss(batch, shares);
}

} // namespace geotrain
