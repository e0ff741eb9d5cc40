// PipeFill's execution plan: a fill job's operators, packed greedily into the cycle of bubbles that a GPU has in every
// iteration of the main job, under the time and the free memory of each (Arfeen et al., arXiv 2410.07192).
//
// A piece of work in a bubble is: switch in, optionally move optimiser state of the main job to the CPU, compute, move it
// back, switch out. A switch costs a fixed time, and moves what the job holds over PCIe unless that always fits beside
// the main job. The piece ends before the bubble does; its computing takes at most the fill fraction of the bubble, so
// that a bubble which ends a little early costs nothing. What the paper leaves open (the fixed cost, PCIe's rate, that
// state is moved in every bubble that needs the room) is our reading.
#pragma once

#include "fill-jobs/fill-job.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// An idle span of a GPU.
struct FillBubble
{
    Duration length;
    Bytes freeMemory;
};

/// What a fill job sees of a GPU.
struct FillGpu
{
    std::vector<FillBubble> cycle; ///< of one iteration, in order of time
    Duration period;               ///< of one iteration; positive
    Bytes alwaysFree;              ///< beside the main job at its peak
    Bytes offloadable;             ///< optimiser state of the main job
};

struct FillCosts
{
    double fillFraction = 0.68; ///< of a bubble, for computing; in (0, 1]
    Duration contextSwitch =
        Duration::Milliseconds(2); ///< each way, without moving anything; an estimate
    BitRate pcieRate =
        BitRate::GigabitsPerSecond(100); ///< each way; about what 16 lanes of PCIe 3 give
    bool offloadsOptimizerState = false;
};

/// Segments of a job that run in one bubble.
struct FillPiece
{
    std::uint64_t segments = 0;
    Duration before; ///< switch in, state of the main job out
    Duration compute;
    Duration after;   ///< state of the main job back, switch out
    Bytes memory;     ///< the most that the job needs meanwhile
    Bytes offloaded;  ///< of the main job meanwhile
    Duration restore; ///< part of `after`: until that is back
    Flops work;

    Duration Total() const
    {
        return before + compute + after;
    }
};

/// What there is of a bubble.
struct FillRoom
{
    Duration compute; ///< at most, for computing
    Duration total;   ///< at most, with the switches
    Bytes memory;
};

FillRoom RoomOf(const FillBubble& bubble, const FillCosts& costs);

/// The most segments that fit `room`, from `segment` (in the order of a pass) on, at most `left`; nullopt if not even
/// one does.
std::optional<FillPiece> PackBubble(const FillProgram& program,
                                    std::size_t segment,
                                    std::uint64_t left,
                                    const FillRoom& room,
                                    const FillGpu& gpu,
                                    const FillCosts& costs);

/// The segments of `piece`, which began at `segment`, that are done `computed` into it: what counts when it is stopped
/// there. None where the job then holds more than stays on the GPU beside training, since that was not moved to the
/// CPU.
FillPiece DoneOf(const FillProgram& program,
                 std::size_t segment,
                 const FillPiece& piece,
                 Duration computed,
                 const FillGpu& gpu);

/// Until the segment that runs `computed` into a piece has ended; 0 at the end of one.
Duration RestOfSegment(const FillProgram& program, std::size_t segment, Duration computed);

/// Why a program can't run on a GPU.
struct FillRefusal
{
    std::string reason;  ///< names the operators, what they need and what the bubbles have
    double shortage = 0; ///< how many times too much, of time or memory, above 1
};

/// The first operators that fit no bubble of `gpu`; nullopt if all fit.
std::optional<FillRefusal>
FindMisfit(const FillProgram& program, const FillGpu& gpu, const FillCosts& costs);

/// How `program` runs on `gpu` once it has settled: after `iterations` iterations it is at the same operator again.
struct FillPlan
{
    std::vector<FillPiece>
        pieces; ///< of these iterations; a bubble that stays empty has one of 0 segments
    std::uint64_t iterations = 0;
    std::uint64_t segments = 0; ///< done in these iterations
    Duration period;            ///< of one iteration

    /// Until `passes` passes through `program` are done.
    Duration TimeOf(std::uint64_t passes, const FillProgram& program) const;
};

/// Throws std::invalid_argument where FindMisfit() finds one.
FillPlan PlanFill(const FillProgram& program, const FillGpu& gpu, const FillCosts& costs);

} // namespace geotrain
