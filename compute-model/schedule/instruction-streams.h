// Turns a schedule's order into the instruction streams that an executor runs: computes with their times,
// sends and receives with their sizes, the collectives of the gradients, the optimiser's step.
#pragma once

#include "execution/execution-plan.h"
#include "placement/placement.h"
#include "schedule/schedule-order.h"
#include "timing/stage-timing.h"

#include <vector>

namespace geotrain
{

struct StreamInputs
{
    ScheduleOrder order;
    Placement placement;
    std::vector<StageTiming> timing; ///< of one microbatch, by stage
    Bytes boundary; ///< an activation, and its gradient, between two stages; at least 1 byte
    std::vector<Bytes>
        gradients; ///< that a worker of the stage all-reduces over its replicas, by stage
    Bytes
        tiedEmbeddingGradients; ///< all-reduced between a pipeline's first and last stage; 0: not tied
    std::uint32_t iterations = 1;
};

/// Workers are replica * stages + stage. A backward's recomputation runs when its gradient is here, right
/// before it, as PyTorch's checkpointing does; where a schedule splits no weight gradients, a Backward takes both times.
/// The data-parallel all-reduce of a stage starts when its last backward has ended, then that of tied embeddings
/// (Megatron-LM's order). Throws std::invalid_argument when sizes disagree.
ExecutionPlan BuildStreams(const StreamInputs& inputs);

} // namespace geotrain
