// Turns a schedule's order into the instruction streams that an executor runs: computes with their times,
// sends and receives with their sizes, the collectives of the gradients, the optimiser's step.
#pragma once

#include "execution/execution-plan.h"
#include "placement/placement.h"
#include "schedule/schedule-order.h"
#include "timing/stage-timing.h"

#include <optional>
#include <vector>

namespace geotrain
{

struct StreamInputs
{
    ScheduleOrder order;
    Placement placement;             ///< its stages are the workers of a pipeline
    std::vector<StageTiming> timing; ///< of one microbatch, by virtual stage
    Bytes boundary; ///< an activation, and its gradient, between two stages; at least 1 byte
    std::vector<Bytes> gradients; ///< that a worker all-reduces over its replicas, by virtual stage
    Bytes
        tiedEmbeddingGradients; ///< all-reduced between a pipeline's first and last stage; 0: not tied
    std::uint32_t iterations = 1;
    std::uint32_t microbatches =
        0; ///< m; 0: as many as the order's first worker has forwards of chunk 0
    /// A stage's gradients are all-reduced in so many equal parts, each as soon as its share of the last backward
    /// has run (PyTorch DDP's buckets, Li et al., VLDB'20, section 3.2.3). 1: all of them at its end.
    std::uint32_t allReduceBuckets = 1;
    std::optional<Duration>
        overlappedBlock; ///< of a Forward and Backward run as one; unset: their sum
};

/// Workers are replica * stages + stage. A backward's recomputation runs when its gradient is here, right
/// before it, as PyTorch's checkpointing does, unless the order has a Recompute of its own; a Backward without a
/// WeightGradient takes both times. The data-parallel all-reduce of a stage starts when its last backward has
/// ended, then, after all of a worker's stages, that of tied embeddings (Megatron-LM's order). A message between two
/// stages of one worker is none. An order without flush is unrolled over all iterations into one stream. Throws
/// std::invalid_argument when sizes disagree.
ExecutionPlan BuildStreams(const StreamInputs& inputs);

} // namespace geotrain
