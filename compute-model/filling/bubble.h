// A bubble: a span in which training leaves a worker's GPUs idle. Kinds are those of the idle metrics.
#pragma once

#include "execution/instruction.h"

namespace geotrain
{

enum class BubbleKind : std::uint8_t
{
    FillDrain,       ///< before an iteration's first forward
    ForwardBackward, ///< before an iteration's first recomputation or backward
    WanWait,         ///< every other wait for a message
    AllReduce        ///< before the optimiser's step
};

/// A bubble as it is forecast.
struct Bubble
{
    WorkerIndex worker = 0;
    BubbleKind kind = BubbleKind::WanWait;
    Instant start;       ///< expected
    Instant end;         ///< expected
    Instant latestStart; ///< bound: `start` and how late it recently was in the mean
    Instant
        earliestEnd; ///< bound, `end` less how early it recently was in the mean: a strict filler ends before it;
        ///< never before `start`
    std::uint32_t iterationsAhead = 0; ///< 0: of the iteration that the worker is in
    std::uint32_t endsWith =
        0;            ///< position, among the iteration's computations, of the one that ends it
    Bytes freeMemory; ///< of one GPU: capacity less model state and live activations; at least 0

    Duration Length() const
    {
        return end - start;
    }
};

/// Memory of one GPU of a worker, as training uses it.
struct WorkerMemory
{
    Bytes capacity;
    Bytes state;         ///< parameters, gradients, optimiser state, working space: always there
    Bytes perActivation; ///< of one microbatch between its forward and its backward
    std::uint32_t peakActivations = 0; ///< that the schedule holds at most
};

/// What is free at every moment of an iteration: beside state and the most activations. At least 0.
inline Bytes
AlwaysFree(const WorkerMemory& memory)
{
    const Bytes used = memory.state + memory.perActivation * memory.peakActivations;
    return used < memory.capacity ? memory.capacity - used : Bytes();
}

} // namespace geotrain
