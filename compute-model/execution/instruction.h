// SPDX-License-Identifier: GPL-2.0-only
// What a GPU worker is told to do: one instruction stream an iteration, run in order. A worker is
// one tensor-parallel group, which works in step.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// Counts the workers of a run; replica after replica, stages in order within a replica.
using WorkerIndex = std::uint32_t;

enum class InstructionKind : std::uint8_t
{
    Forward,
    Recompute,
    Backward, ///< of the inputs, and of the weights where a schedule doesn't split them
    WeightGradient,
    Send,      ///< hands a message to the network and goes on at once
    Receive,   ///< waits until the message is here
    AllReduce, ///< joins a collective and goes on at once
    ReduceScatter,
    AllGather,
    OptimizerStep, ///< waits for every collective that the worker has joined
    Bubble ///< an idle span that is forecast here, which fillers may use: takes no time itself
};

enum class Payload : std::uint8_t
{
    Activation, ///< from a stage to the next one
    Gradient    ///< from a stage to the one before
};

/// Kept small: a run walks through millions of them.
struct Instruction
{
    InstructionKind kind = InstructionKind::Forward;
    Payload payload = Payload::Activation; ///< Send and Receive
    std::uint32_t iteration = 0;  ///< of the stream, from 0: a stream without flush holds several
    std::uint32_t stage = 0;      ///< pipeline stage (virtual stages count), from 0
    std::uint32_t microbatch = 0; ///< from 0; compute, Send and Receive
    WorkerIndex peer = 0;         ///< Send: the receiver; Receive: the sender
    std::uint32_t group = 0;      ///< collectives: index into ExecutionPlan::groups
    Bytes
        size; ///< Send: payload; collectives: bytes a member contributes; Bubble: free memory of one GPU
    Duration duration; ///< compute kinds; Bubble: of the idle span, 0 where none is forecast
    /// Recompute of a worker that deviates: when its gradient is to come, from the first compute
    /// on. Bubble: when the idle span starts, from the start of the worker's iteration.
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
           kind == InstructionKind::AllGather;
}

using InstructionStream = std::vector<Instruction>;

} // namespace geotrain
