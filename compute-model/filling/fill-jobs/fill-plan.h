// SPDX-License-Identifier: GPL-2.0-only
// Makes PipeFill's execution plan: a fill job's operators are packed greedily into the cycle of
// bubbles that a GPU has in every iteration of the main job, under the time and the free memory of
// each bubble (Arfeen et al., arXiv 2410.07192).
//
// A piece of work in a bubble switches in, optionally moves optimiser state of the main job to the
// CPU, computes, moves it back, and switches out. A switch costs a fixed time, and moves what the
// job holds over PCIe unless that always fits beside the main job. The piece ends before the bubble
// does. Its computing takes at most the fill fraction of the bubble, so that a bubble which ends a
// little early costs nothing. What the paper leaves open (the fixed cost, PCIe's rate, that state
// is moved in every bubble that needs the room) is our reading, as is that a piece which training
// interrupts goes on at its next kernel where the operator's memory stays on the GPU beside training,
// and from the last operator whose state stays else.
#pragma once

#include "fill-jobs/fill-job.h"
#include "filling/filler.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A FillBubble is an idle span of a GPU with the memory that is free in it.
struct FillBubble
{
    Duration length;
    Bytes freeMemory;
};

/// FillCosts are what packing and switching cost.
struct FillCosts
{
    double fillFraction = 0.68; ///< share of a bubble for computing, in (0, 1]
    /// Time per direction without moving anything; an estimate.
    Duration contextSwitch = Duration::Milliseconds(2);
    /// Rate per direction; about what 16 lanes of PCIe 3 give.
    BitRate pcieRate = BitRate::GigabitsPerSecond(100);
    bool offloadsOptimizerState = false;
    Preemption preemption = Preemption::Continue;
};

/// A FillGpu is what a fill job sees of a GPU.
struct FillGpu
{
    std::vector<FillBubble> cycle; ///< bubbles of one iteration, in order of time
    Duration period;               ///< length of one iteration; positive
    Bytes alwaysFree;              ///< free beside the main job at its peak
    Bytes offloadable;             ///< optimiser state that can move to the CPU
    FillCosts costs;
};

/// A FillPosition is where a job is in its pass.
struct FillPosition
{
    std::size_t segment = 0;
    Duration into; ///< computed of it
};

/// A FillPiece is the segments of a job that run in one bubble.
struct FillPiece
{
    std::uint64_t segments = 0;
    Duration into;   ///< computed of the segment after them
    Duration before; ///< switch in; state of the main job out
    Duration compute;
    Duration after;   ///< state of the main job back; switch out
    Bytes memory;     ///< most that the job needs meanwhile
    Bytes offloaded;  ///< state of the main job on the CPU meanwhile
    Duration restore; ///< part of `after` until that state is back
    Flops work;

    Duration Total() const
    {
        return before + compute + after;
    }
};

/// A FillRoom is what a bubble has for a piece.
struct FillRoom
{
    Duration compute; ///< limit for computing
    Duration total;   ///< limit with the switches
    Bytes memory;
};

/// Returns the room that a bubble has for a piece.
FillRoom RoomOf(const FillBubble& bubble, const FillCosts& costs);

/// Packs the most segments that fit `room`, from `at` on, at most `left`. Returns nullopt if not
/// even one fits.
std::optional<FillPiece> PackBubble(const FillProgram& program,
                                    const FillPosition& at,
                                    std::uint64_t left,
                                    const FillRoom& room,
                                    const FillGpu& gpu);

/// Returns what of `piece`, which began at `at`, counts when it is stopped `computed` into it. It is
/// nothing where the job then holds more than stays on the GPU beside training, since that was not
/// moved to the CPU.
FillPiece DoneOf(const FillProgram& program,
                 const FillPosition& at,
                 const FillPiece& piece,
                 Duration computed,
                 const FillGpu& gpu);

/// Returns the time until the kernel that runs `computed` into a piece has ended; 0 at the end of one.
Duration RestOfKernel(const FillProgram& program, const FillPosition& at, Duration computed);

/// A FillRefusal says why a program can't run on a GPU.
struct FillRefusal
{
    std::string reason;  ///< names the operators, what they need and what the bubbles have
    double shortage = 0; ///< factor by which time or memory is too much, above 1
};

/// Returns the first operators that fit no bubble of `gpu`; nullopt if all fit.
std::optional<FillRefusal> FindMisfit(const FillProgram& program, const FillGpu& gpu);

/// A FillPlan says how a program runs on a GPU once it has settled: after `iterations` iterations
/// it is at the same operator again. Where that takes millions of steps, they are the first ones.
struct FillPlan
{
    /// Pieces of these iterations; a bubble that stays empty has one of 0 segments.
    std::vector<FillPiece> pieces;
    std::uint64_t iterations = 0;
    std::uint64_t segments = 0; ///< segments done in these iterations
    Duration period;            ///< length of one iteration

    /// Returns the time until `passes` passes through `program` are done.
    Duration TimeOf(std::uint64_t passes, const FillProgram& program) const;
};

/// Plans a program; nullopt where FindMisfit() finds a misfit.
std::optional<FillPlan> PlanFill(const FillProgram& program, const FillGpu& gpu);

} // namespace geotrain
