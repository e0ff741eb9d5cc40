// SPDX-License-Identifier: GPL-2.0-only
// A bubble is a span in which training leaves a worker's GPUs idle.
#pragma once

#include "execution/instruction.h"

namespace geotrain
{

/// A Bubble is a forecast idle span.
struct Bubble
{
    WorkerIndex worker = 0;
    Instant start; ///< expected
    Instant end;   ///< expected
    /// `start`, and the 90th percentile of how late its place in the iteration recently was.
    Instant latestStart;
    /// `end` less the 90th percentile of how early its place recently was; never before `start`.
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
