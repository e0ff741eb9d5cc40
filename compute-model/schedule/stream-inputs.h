// SPDX-License-Identifier: GPL-2.0-only
// Lists what instruction streams are made of: a schedule's order, where its workers sit, the times of
// computes, the sizes of messages and of gradients.
#pragma once

#include "placement/placement.h"
#include "schedule/schedule-order.h"
#include "timing/stage-timing.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// An ExpertExchange is what brings tokens to their experts and back where these are spread over
/// replicas: an all-to-all of the replicas of a group before the experts of each layer, and one behind
/// them, in each pass over the layers.
struct ExpertExchange
{
    std::uint32_t degree = 1; ///< consecutive replicas that share the experts; 1: each has all
    std::vector<std::uint32_t> layers; ///< with experts, by virtual stage
    bool isRecomputed = false;         ///< where a forward is run again, tokens are exchanged again
    Bytes size; ///< what a worker's tokens of a microbatch are, its own part included
    /// Share of it that goes to other nodes, where a token goes once to a node for several experts.
    double betweenNodes = 1;
    /// Gradients of a worker's experts, which are all-reduced with the replicas that have the same
    /// ones, by virtual stage.
    std::vector<Bytes> gradients;

    bool IsThere() const
    {
        return degree > 1;
    }
};

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
    /// Parameters that a worker gathers from its replicas before an iteration ends, by virtual
    /// stage; empty: none.
    std::vector<Bytes> gathered = {};
    Duration iterationOverhead; ///< the first stage waits so long for an iteration's first input
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
    ExpertExchange experts = {};
};

} // namespace geotrain
