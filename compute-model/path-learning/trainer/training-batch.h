// SPDX-License-Identifier: GPL-2.0-only
// Makes the tensors that a step of a training takes of chunks of records.
#pragma once

#include "path-learning/trainer/training-record.h"

#include <torch/torch.h>

#include <vector>

namespace geotrain
{

// Both are estimates.
constexpr std::size_t chunkWindows = 64;  ///< through which gradients flow
constexpr std::size_t warmUpWindows = 32; ///< before a chunk, for the state of the LSTM

torch::Tensor TensorOf(const std::vector<double>& values);

/// Returns the features as the network takes them: (windows, windowFeatures).
torch::Tensor Normalised(const std::vector<WindowFeatures::Values>& features,
                         const WindowNetwork& network);

/// A Batch is some chunks, with what their losses are made of. Packets are in a row.
struct Batch
{
    std::vector<TrainingChunk*> chunks;
    std::vector<std::int64_t> pathOfChunk;
    torch::Tensor inputs;         ///< (warm-up and chunk windows, chunks, features)
    torch::Tensor cross;          ///< (chunks, windows): cross traffic over the rate
    torch::Tensor crossWeights;   ///< 0: unknown
    torch::Tensor isLeast;        ///< 1: it may have been more
    torch::Tensor pathOfPacket;   ///< by packet
    torch::Tensor windowOfPacket; ///< by packet, chunk by chunk
    torch::Tensor delays, losses, weights;
};

/// BatchMaker makes batches of what the records say of their windows when it is made.
class BatchMaker
{
  public:
    /// Records outlive it. `isOnePath`: all are of path 0; else each is of its own.
    BatchMaker(const std::vector<TrainingRecord>& records,
               const WindowNetwork& network,
               bool isOnePath);

    Batch BatchOf(const std::vector<TrainingChunk*>& chunks) const;

  private:
    const std::vector<TrainingRecord>& m_records;
    bool m_isOnePath;
    std::vector<torch::Tensor> m_inputs; ///< by record, with the room that chunks need at its ends
};

} // namespace geotrain
