// SPDX-License-Identifier: GPL-2.0-only
// A bubble is a span in which training leaves a worker's GPUs idle. Its kinds are those of the idle
// metrics.
#pragma once

#include "execution/instruction.h"

namespace geotrain
{

/// BubbleKind is what training waits for in a bubble.
enum class BubbleKind : std::uint8_t
{
    FillDrain,       ///< before an iteration's first forward
    ForwardBackward, ///< before an iteration's first recomputation or backward
    WanWait,         ///< every other wait for a message
    AllReduce        ///< before the optimiser's step
};

/// A Bubble is a forecast idle span.
struct Bubble
{
    WorkerIndex worker = 0;
    BubbleKind kind = BubbleKind::WanWait;
    Instant start; ///< expected
    Instant end;   ///< expected
    /// Upper bound: `start` and how late it recently was on average.
    Instant latestStart;
    /// Lower bound: `end` less how early it recently was on average; never before `start`. A strict
    /// filler ends before it.
    Instant earliestEnd;
    std::uint32_t iterationsAhead = 0; ///< 0: it belongs to the iteration that the worker is in
    /// The computation that ends it, by its position among the iteration's computations.
    std::uint32_t endsWith = 0;
    /// Free memory per GPU: capacity less model state and live activations; at least 0.
    Bytes freeMemory;

    Duration Length() const
    {
        return end - start;
    }
};

/// WorkerMemory is how training uses the memory of one GPU of a worker.
struct WorkerMemory
{
    Bytes capacity;
    /// Parameters, gradients, optimiser state and working space, which are always there.
    Bytes state;
    Bytes perActivation;               ///< one microbatch between its forward and its backward
    std::uint32_t peakActivations = 0; ///< most activations that the schedule holds at once
};

/// Returns what is free at every moment of an iteration: capacity less state and the most
/// activations, at least 0.
inline Bytes
AlwaysFree(const WorkerMemory& memory)
{
    const Bytes used = memory.state + memory.perActivation * memory.peakActivations;
    return used < memory.capacity ? memory.capacity - used : Bytes();
}

} // namespace geotrain
