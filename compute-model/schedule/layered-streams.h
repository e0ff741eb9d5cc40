// SPDX-License-Identifier: GPL-2.0-only
// Writes the streams of workers that hold no whole model: parameters come layer by layer. Either the
// model's state is sharded over the workers (ZeRO-3, Rajbhandari et al. 2020): a layer is gathered
// before its forward and again before its backward, and its gradients are scattered after it, all on
// one stream in the order in which they are asked for. Or an in-network optimizer holds it (LuWu,
// arXiv 2409.00918): a layer is pulled before its forward and its backward, and its gradients are
// pushed, on two streams that block neither each other nor the computing. There are no pipelines.
#pragma once

#include "execution/execution-plan.h"

#include <vector>

namespace geotrain
{

/// A DataParallelism says what the workers of one pipeline stage keep of it.
enum class DataParallelism : std::uint8_t
{
    Replicated, ///< all of it
    Zero3,      ///< a part each
    InNetwork   ///< nothing; it is in an in-network optimizer
};

/// A LayerWork is one layer on one worker.
struct LayerWork
{
    Bytes parameters; ///< as they are gathered and pulled; its gradients are as large
    Duration forward;
    Duration recompute; ///< forward again before backward; 0: none
    Duration backward;
};

/// A LayeredWork is what one type of GPU computes in an iteration.
struct LayeredWork
{
    std::vector<LayerWork> layers;
    Duration optimizerStep; ///< of a worker's part; an in-network optimizer has its own
};

/// LayeredStreamInputs are what the streams are made of.
struct LayeredStreamInputs
{
    DataParallelism dataParallelism = DataParallelism::Zero3; ///< not Replicated
    std::vector<LayeredWork> works; ///< by type of GPU; their layers have the same parameters
    std::vector<NodeIndex> nodeOfWorker;
    std::vector<std::uint32_t> workOfWorker; ///< index of `works`
    std::uint32_t iterations = 1;
    std::uint32_t microbatches = 1; ///< of an iteration; 1 in an in-network optimizer
    std::uint32_t prefetch = 1;     ///< layers that are asked for before the one that computes
    ExecutionPlan::Contention contention;
};

/// Builds the plan; all workers are one group. An iteration of ZeRO-3 ends with an optimiser step
/// after its last reduce-scatter, and the next one gathers only then. In an in-network optimizer the
/// streams hold all iterations, whose OptimizerStep takes no time and marks the end of the computing
/// alone: the next iteration's layers are pulled before. A backward waits until the gradients of no
/// more layers are on their way than are asked for ahead. Throws std::invalid_argument where sizes
/// disagree.
ExecutionPlan BuildLayeredStreams(const LayeredStreamInputs& inputs);

} // namespace geotrain
