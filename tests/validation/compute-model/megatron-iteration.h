// SPDX-License-Identifier: GPL-2.0-only
// Computes the time of a training iteration on Megatron-LM's cluster (Selene: DGX A100 nodes of 8
// GPUs and 8 NICs of 200 Gbit/s) from StageTiming and catalogue figures: interleaved 1F1B with its
// bubble, pipeline messages, the replicas' gradient all-reduce, tied embeddings, the optimiser
// step. Nothing in it is fitted.
#pragma once

#include "hardware/gpu-spec.h"
#include "timing/stage-timing.h"
#include "workload/transformer-spec.h"

#include <cstdint>

namespace geotrain
{

struct MegatronRun
{
    TransformerSpec model;
    std::uint32_t gpus = 1;
    std::uint32_t tensorParallel = 1;
    std::uint32_t pipelineStages = 1;
    std::uint32_t chunksPerStage = 1; ///< v of the interleaved schedule
    std::uint32_t globalBatch = 1;    ///< sequences
    std::uint32_t microbatchSize = 1;
    Recomputation recomputation = Recomputation::Full;
    Attention attention = Attention::Unfused; ///< as the software of 2021 and 2022 computed it
    double tensorOverlap = 0;     ///< share of the all-reduces inside a node that compute hides
    bool shardsOptimizer = false; ///< ZeRO-1
};

/// Makes a model of Narayanan et al., SC'21: sequence 2,048, vocabulary 51,200, tied embeddings.
TransformerSpec MegatronModel(std::uint32_t layers, std::uint32_t hidden, std::uint32_t heads);

/// Selene's nodes have 8 GPUs and 8 x 200 Gbit/s.
NodeSpec SeleneNode(const GpuSpec& gpu);

/// Returns the time of an iteration in seconds.
double IterationSeconds(const MegatronRun& run, const NodeSpec& node);

/// Returns the operations of an iteration as the papers count them with full recomputation: 96 B s
/// l h^2 (1 + s/6h + V/16lh).
double PublishedFlops(const MegatronRun& run);

} // namespace geotrain
