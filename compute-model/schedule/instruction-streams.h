// SPDX-License-Identifier: GPL-2.0-only
// Turns a schedule's order into the instruction streams that an executor runs: computes with their
// times, sends and receives with their sizes, the collectives of the gradients, the optimiser's
// step.
#pragma once

#include "execution/execution-plan.h"
#include "schedule/stream-inputs.h"

namespace geotrain
{

/// Builds the plan; workers are numbered replica * stages + stage. A backward's recomputation runs
/// when its gradient is here, right before it, as PyTorch's checkpointing does, unless the order
/// has a Recompute of its own. A Backward without a WeightGradient takes both times. The
/// data-parallel all-reduce of a stage starts when its last backward has ended. That of tied
/// embeddings starts after all of a worker's stages (Megatron-LM's order). No message goes between
/// two stages of one worker. An order without flush is unrolled over all iterations into one
/// stream. Throws std::invalid_argument when sizes disagree.
ExecutionPlan BuildStreams(const StreamInputs& inputs);

} // namespace geotrain
