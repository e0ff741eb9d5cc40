// SPDX-License-Identifier: GPL-2.0-only
// What a GPU worker is told to do: one instruction stream per iteration, run in order. A worker is
// one tensor-parallel group, which works in step.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// Counts the workers of a run: replica after replica, stages in order within a replica.
using WorkerIndex = std::uint32_t;

/// InstructionKind says what an instruction does.
enum class InstructionKind : std::uint8_t
{
    Forward,
    Recompute,
    Backward, ///< gradients of the inputs, and of the weights where a schedule doesn't split them
    WeightGradient,
    Send,      ///< hands a message to the network and goes on at once
    Receive,   ///< waits until the message is here
    AllReduce, ///< joins a collective and goes on at once
    ReduceScatter,
    AllGather,
    Pull,          ///< asks an in-network optimizer for parameters and goes on at once
    Push,          ///< gives gradients to an in-network optimizer and goes on at once
    AllToAll,      ///< joins an exchange of tokens and goes on at once
    Await,         ///< waits for requests that the worker has made on `lane`
    OptimizerStep, ///< waits for every collective that the worker has joined, not for its pulls
    Bubble         ///< forecasts an idle span that fillers may use; takes no time itself
};

/// Lane is one of the worker's streams of requests. Each serves its requests in the order in which
/// they were made, and none waits for another.
enum class Lane : std::uint8_t
{
    Collective, ///< one after another: AllReduce, ReduceScatter, AllGather
    Pull,
    Push,
    AllToAll
};

constexpr std::size_t laneCount = 4;

/// Payload is what a pipeline message carries.
enum class Payload : std::uint8_t
{
    Activation, ///< from a stage to the next one
    Gradient    ///< from a stage to the one before
};

/// An Instruction is one step of a worker. It is small, since a run walks through millions of them.
struct Instruction
{
    InstructionKind kind = InstructionKind::Forward;
    Payload payload = Payload::Activation; ///< Send, Receive
    Lane lane = Lane::Collective;          ///< Await
    /// Iteration in the stream, from 0; a stream without flush holds several.
    std::uint32_t iteration = 0;
    std::uint32_t stage = 0; ///< pipeline stage (virtual stages count), or layer, from 0
    /// Compute kinds, Send, Receive: microbatch, from 0. Await: latest requests that it does not
    /// wait for.
    std::uint32_t microbatch = 0;
    WorkerIndex peer = 0;    ///< Send: the receiver; Receive: the sender
    std::uint32_t group = 0; ///< collectives: index into ExecutionPlan::groups
    /// Send: payload. Collectives: bytes that each member contributes. Bubble: free memory per GPU.
    Bytes size;
    Duration duration; ///< compute kinds: time; Bubble: length, 0 where no idle span is forecast
    /// Recompute of a worker that deviates: when its gradient is expected, counted from the first
    /// compute instruction. Bubble: when the idle span starts, counted from the start of the
    /// worker's iteration. Forward: how long it waits for its data before it begins.
    Duration expected;
};

inline bool
IsCompute(InstructionKind kind)
{
    return kind == InstructionKind::Forward || kind == InstructionKind::Recompute ||
           kind == InstructionKind::Backward || kind == InstructionKind::WeightGradient ||
           kind == InstructionKind::OptimizerStep;
}

inline bool
IsCollective(InstructionKind kind)
{
    return kind == InstructionKind::AllReduce || kind == InstructionKind::ReduceScatter ||
           kind == InstructionKind::AllGather || kind == InstructionKind::Pull ||
           kind == InstructionKind::Push || kind == InstructionKind::AllToAll;
}

/// Returns the lane of a collective.
inline Lane
LaneOf(InstructionKind kind)
{
    return kind == InstructionKind::Pull       ? Lane::Pull
           : kind == InstructionKind::Push     ? Lane::Push
           : kind == InstructionKind::AllToAll ? Lane::AllToAll
                                               : Lane::Collective;
}

using InstructionStream = std::vector<Instruction>;

} // namespace geotrain
