// SPDX-License-Identifier: GPL-2.0-only
// Turns a schedule's order into the instruction streams that an executor runs: computes with their
// times, sends and receives with their sizes, the collectives of the gradients, the optimiser's
// step.
#pragma once

#include "execution/execution-plan.h"
#include "placement/placement.h"
#include "schedule/schedule-order.h"
#include "timing/stage-timing.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// StreamInputs are what streams are made of.
struct StreamInputs
{
    ScheduleOrder order;
    Placement placement; ///< where workers sit; its stages are the workers of a pipeline
    std::vector<StageTiming> timing; ///< times per microbatch, by virtual stage
    /// Size of an activation, and of its gradient, between two stages; at least 1 byte.
    Bytes boundary;
    /// Gradients that a worker all-reduces over its replicas, by virtual stage.
    std::vector<Bytes> gradients;
    /// Gradients that a pipeline's first and last stage all-reduce; 0: embeddings are not tied.
    Bytes tiedEmbeddingGradients;
    std::uint32_t iterations = 1;
    /// Microbatches m; 0: as many as the order's first worker has forwards of chunk 0.
    std::uint32_t microbatches = 0;
    /// Number of equal parts in which a stage's gradients are all-reduced, each as soon as its
    /// share of the last backward has run (PyTorch DDP's buckets, Li et al., VLDB'20, section
    /// 3.2.3). 1: all of them at its end.
    std::uint32_t allReduceBuckets = 1;
    /// Most bytes of such a part; 0: allReduceBuckets says how many there are.
    Bytes gradientBucket;
    /// Time of a Forward and Backward run as one block; unset: their sum.
    std::optional<Duration> overlappedBlock;
};

/// Builds the plan; workers are numbered replica * stages + stage. A backward's recomputation runs
/// when its gradient is here, right before it, as PyTorch's checkpointing does, unless the order
/// has a Recompute of its own. A Backward without a WeightGradient takes both times. The
/// data-parallel all-reduce of a stage starts when its last backward has ended. That of tied
/// embeddings starts after all of a worker's stages (Megatron-LM's order). No message goes between
/// two stages of one worker. An order without flush is unrolled over all iterations into one
/// stream. Throws std::invalid_argument when sizes disagree.
ExecutionPlan BuildStreams(const StreamInputs& inputs);

} // namespace geotrain
