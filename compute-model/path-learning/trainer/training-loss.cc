// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trainer/training-loss.h"

#include "path-learning/trainer/fifo-function.h"

namespace geotrain
{

namespace
{

using torch::Tensor;

/// Returns the mean error of delays, and of windows' mean delays. `errors` are by packet, in emptying
/// times.
Tensor
DelayLoss(const Batch& batch, const Tensor& errors, std::int64_t windows)
{
    const Tensor arrived = (1 - batch.losses) * batch.weights;
    const Tensor zeros = torch::zeros({windows}, torch::kDouble);
    const Tensor counts = zeros.index_add(0, batch.windowOfPacket, arrived);
    const Tensor means =
        zeros.index_add(0, batch.windowOfPacket, arrived * errors) / counts.clamp_min(1);
    return (arrived * errors.abs()).sum() / arrived.sum().clamp_min(1) +
           means.square().sum() / (counts > 0).sum().clamp_min(1);
}

/// Returns the room that lost packets would have found, and that arrived ones lacked.
Tensor
RoomLoss(const Batch& batch, const Tensor& stays, const Tensor& emptying)
{
    const Tensor room = (emptying - stays) / emptying.detach();
    const Tensor wrong = batch.losses * torch::relu(room) + (1 - batch.losses) * torch::relu(-room);
    return (batch.weights * wrong).sum() / batch.weights.sum().clamp_min(1);
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
LossOf(const Batch& batch, const Tensor& outputs, const Tensor& paths, bool isPlain)
{
    const Tensor byChunk = outputs.transpose(0, 1); // (chunks, windows, outputs)
    const Tensor shares = torch::softplus(byChunk.select(2, 0)).contiguous();
    const Tensor ofPacket = paths.index_select(0, batch.pathOfPacket); // (packets, 3)
    const Tensor emptying = ofPacket.select(1, 2);
    const Tensor stays = isPlain
                             ? emptying * shares.reshape({-1}).index_select(0, batch.windowOfPacket)
                             : FifoFunction::apply(shares, paths, batch);
    const Tensor late = ofPacket.select(1, 1) + stays - batch.delays;
    const Tensor loss = DelayLoss(batch, late / emptying.detach(), shares.numel());
    if (isPlain)
    {
        const Tensor odds =
            byChunk.select(2, 1).reshape({-1}).index_select(0, batch.windowOfPacket);
        return loss + torch::binary_cross_entropy_with_logits(odds, batch.losses);
    }
    return loss + RoomLoss(batch, stays, emptying) + CrossLoss(batch, shares);
}

} // namespace geotrain
