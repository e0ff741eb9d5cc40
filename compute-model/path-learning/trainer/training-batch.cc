// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trainer/training-batch.h"

#include "path-learning/window-lstm.h"

#include <algorithm>

namespace geotrain
{

using torch::Tensor;

Tensor
TensorOf(const std::vector<double>& values)
{
    return torch::tensor(values, torch::kDouble);
}

Tensor
Normalised(const std::vector<WindowFeatures::Values>& features, const WindowNetwork& network)
{
    std::vector<double> flat;
    flat.reserve(features.size() * windowFeatures);
    for (const WindowFeatures::Values& window : features)
    {
        for (std::size_t i = 0; i < window.size(); ++i)
        {
            flat.push_back(
                std::clamp((window[i] - network.featureMeans[i]) / network.featureDeviations[i],
                           -farthestFeature,
                           farthestFeature));
        }
    }
    return TensorOf(flat).reshape({-1, static_cast<std::int64_t>(windowFeatures)});
}

BatchMaker::BatchMaker(const std::vector<TrainingRecord>& records,
                       const WindowNetwork& network,
                       bool isOnePath)
    : m_records(records),
      m_isOnePath(isOnePath)
{
    for (const TrainingRecord& record : records)
    {
        m_inputs.push_back(torch::constant_pad_nd(Normalised(record.inputs, network),
                                                  {0,
                                                   0,
                                                   static_cast<std::int64_t>(warmUpWindows),
                                                   static_cast<std::int64_t>(chunkWindows)}));
    }
}

Batch
BatchMaker::BatchOf(const std::vector<TrainingChunk*>& chunks) const
{
    Batch batch;
    batch.chunks = chunks;
    std::vector<Tensor> inputs;
    std::vector<double> cross(chunks.size() * chunkWindows), delays, losses, weights;
    std::vector<double> crossWeights(cross.size()), isLeast(cross.size());
    std::vector<std::int64_t> pathOfPacket, windowOfPacket;
    for (std::size_t i = 0; i < chunks.size(); ++i)
    {
        const TrainingChunk& chunk = *chunks[i];
        const auto path = static_cast<std::int64_t>(m_isOnePath ? 0 : chunk.record);
        batch.pathOfChunk.push_back(path);
        const auto first = static_cast<std::int64_t>(chunk.firstWindow);
        inputs.push_back(m_inputs[chunk.record].slice(
            0, first, first + static_cast<std::int64_t>(warmUpWindows + chunkWindows)));
        for (std::size_t value = 0; value < chunk.windows; ++value)
        {
            const WindowTruth& truth =
                m_records[chunk.record].crossTraffic[chunk.firstWindow + value];
            const std::size_t at = i * chunkWindows + value;
            cross[at] = truth.share;
            crossWeights[at] = truth.weight;
            isLeast[at] = truth.isLeast ? 1 : 0;
        }
        delays.insert(delays.end(), chunk.delays.begin(), chunk.delays.end());
        losses.insert(losses.end(), chunk.losses.begin(), chunk.losses.end());
        weights.insert(weights.end(), chunk.weights.begin(), chunk.weights.end());
        pathOfPacket.insert(pathOfPacket.end(), chunk.delays.size(), path);
        for (const std::int64_t window : chunk.windowOfPacket)
        {
            windowOfPacket.push_back(window + static_cast<std::int64_t>(i * chunkWindows));
        }
    }
    batch.inputs = torch::stack(inputs, 1);
    const std::vector<std::int64_t> shape{static_cast<std::int64_t>(chunks.size()),
                                          static_cast<std::int64_t>(chunkWindows)};
    batch.cross = TensorOf(cross).reshape(shape);
    batch.crossWeights = TensorOf(crossWeights).reshape(shape);
    batch.isLeast = TensorOf(isLeast).reshape(shape);
    batch.pathOfPacket = torch::tensor(pathOfPacket, torch::kLong);
    batch.windowOfPacket = torch::tensor(windowOfPacket, torch::kLong);
    batch.delays = TensorOf(delays);
    batch.losses = TensorOf(losses);
    batch.weights = TensorOf(weights);
    return batch;
}

} // namespace geotrain
