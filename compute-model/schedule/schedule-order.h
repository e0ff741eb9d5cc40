// SPDX-License-Identifier: GPL-2.0-only
// Defines the order in which each worker of a pipeline works: a schedule before its messages.
#pragma once

#include "timing/stage-timing.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

constexpr std::int64_t unknownTime =
    -1; ///< ns, of what hasn't happened in a schedule that is being made

/// An Operation is one computation of a worker.
struct Operation
{
    /// Kind says what is computed.
    enum class Kind : std::uint8_t
    {
        Forward,
        /// Gradient of the inputs, and of the weights too where no WeightGradient follows.
        Backward,
        WeightGradient, ///< on its own, in schedules that split the backward pass
        /// Recomputation ahead of its Backward's gradient; without one, a Backward recomputes when
        /// its gradient is here.
        Recompute
    };

    Kind kind = Kind::Forward;
    std::uint32_t microbatch = 0; ///< from 0
    std::uint32_t chunk = 0;      ///< the worker's virtual stage, from 0
    bool overlapsNext = false;    ///< a Forward that runs as one block with the Backward after it
    /// Recompute: when the gradient is expected, counted from the worker's first start.
    Duration gradientExpected = {};

    bool operator==(const Operation& other) const
    {
        return kind == other.kind && microbatch == other.microbatch && chunk == other.chunk &&
               overlapsNext == other.overlapsNext;
    }
};

/// A StageOrder is the order of one worker for one iteration.
using StageOrder = std::vector<Operation>;

/// A Hop is what a message between two stages takes: it occupies the way for `occupancy`, and is
/// there `delay` later.
struct Hop
{
    Duration delay;
    Duration occupancy;
    bool takesTurns = false; ///< the pipelines of a DP-cell share the way (temporal sharing)

    Duration Total() const
    {
        return delay + occupancy;
    }
};

/// ScheduleTimes are the times with which a schedule plans.
struct ScheduleTimes
{
    /// By virtual stage; one entry: all alike; none: 1 ms for F, B and W each.
    std::vector<StageTiming> stages;
    /// From virtual stage k to k + 1, and back; one entry: all alike; none: free.
    std::vector<Hop> hops;

    /// Returns the times of a virtual stage.
    StageTiming Stage(std::uint32_t stage) const;

    /// Returns the hop from a virtual stage to the next one.
    Hop HopAfter(std::uint32_t stage) const;
};

/// A ScheduleShape is what a schedule is made for, without times.
struct ScheduleShape
{
    std::uint32_t stages = 1;       ///< p, the workers of a pipeline, at least 1
    std::uint32_t microbatches = 1; ///< m, at least 1
    /// 1f1b: factor on the usual warm-up depth, at least 1.
    std::uint32_t warmupFactor = 1;
    /// v, stages per worker; zb-v and dualpipe-v have 2 by nature.
    std::uint32_t virtualStages = 1;
    /// Most activations of virtual stages that a worker may hold, where a schedule takes a cap.
    std::optional<std::uint32_t> memoryCap = {};
    std::uint32_t cellSize = 1; ///< C, pipelines that take turns
};

/// A ScheduleRequest is a shape with times.
struct ScheduleRequest : ScheduleShape
{
    ScheduleTimes times = {}; ///< used where a schedule plans with them
};

/// Returns whether several pipelines of the request take turns on a hop.
bool TakesTurns(const ScheduleRequest& request);

/// HeldForWeights is the part of an activation, in halves, that is still held between its Backward
/// and its WeightGradient: the zero-bubble paper's M_W over M_B (Qi et al., ICLR'24, section 2.3;
/// the authors' own code takes a half).
enum class HeldForWeights : std::uint8_t
{
    Half = 1,
    Whole = 2
};

/// NoFlush says how a schedule without flush updates its weights.
struct NoFlush
{
    std::vector<std::uint32_t> warmUp; ///< forwards ahead of the backwards, by stage
    /// Whether an update is used only from the next iteration but one (PipeDream-2BW).
    bool delaysWeights = false;
    /// By stage: updates between a forward and the use of its gradient.
    std::vector<double> forwardStaleness;
    std::uint32_t extraWeightCopies = 0; ///< weight copies beside the one that every schedule has
};

/// A StaticRival says how a searched order compares with the best static schedule of the same
/// memory. Both makespans are SimulateOrder()'s.
struct StaticRival
{
    Duration ownMakespan;
    /// gpipe, 1f1b (with its warmup_factor), zb-h1 or zb-h2; empty: none fits.
    std::string name;
    Duration makespan;
    bool isUsed = false; ///< the search fell back to it
};

/// A ScheduleOrder holds the orders of all workers of a pipeline.
struct ScheduleOrder
{
    std::vector<StageOrder> stages; ///< by worker
    /// The memory cap by worker: the most activations of a microbatch in a virtual stage that it
    /// holds. An activation counts from its forward's start to its last backward's end (the weight
    /// gradient's where that is apart), unless `held` says otherwise.
    std::vector<std::uint32_t> activationCap;
    /// The virtual stages of each worker, in the order of its chunks; empty: worker w has stage w
    /// alone.
    std::vector<std::vector<std::uint32_t>> stagesOfWorker = {};
    /// Set where the pipelines of a DP-cell differ. Pipeline r has the orders of entry r modulo the
    /// number of entries.
    std::vector<std::vector<StageOrder>> ofPipeline = {};
    std::optional<NoFlush> noFlush = {};
    /// Whether a worker whose next input is late runs the next forward whose input is here, under
    /// its cap (Varuna).
    bool deviates = false;
    /// Whether the last stage recomputes nothing, since its backward follows its forward at once.
    bool keepsLastActivations = false;
    /// Says how its memory cap counts an activation between its input gradient and its weight
    /// gradient.
    HeldForWeights held = HeldForWeights::Whole;
    /// The static schedule with which a search compared its order.
    std::optional<StaticRival> rival = {};

    /// Returns the number of virtual stages.
    std::uint32_t StageCount() const;

    /// Returns the virtual stage that a worker runs as `chunk`.
    std::uint32_t StageOf(std::uint32_t worker, std::uint32_t chunk) const;

    /// Returns the orders of the workers of a pipeline.
    const std::vector<StageOrder>& OfPipeline(std::uint32_t pipeline) const;
};

/// A StageHome says which worker runs a virtual stage, and as which chunk.
struct StageHome
{
    std::uint32_t worker = 0;
    std::uint32_t chunk = 0;
};

/// Returns the home of each virtual stage. Throws std::invalid_argument unless every stage from 0
/// has exactly one worker.
std::vector<StageHome> HomesOf(const ScheduleOrder& order);

/// Gives worker w the stages w, w + p, w + 2p, ... (Megatron-LM's interleaving).
std::vector<std::vector<std::uint32_t>> RoundRobinStages(std::uint32_t workers,
                                                         std::uint32_t chunks);

/// Gives worker w the stages w and 2p - 1 - w: down the pipeline and back up.
std::vector<std::vector<std::uint32_t>> WaveStages(std::uint32_t workers);

/// Returns the most activations that `order` holds at once, rounded up; the order must be legal for
/// one worker.
std::uint32_t PeakActivations(const StageOrder& order, HeldForWeights held = HeldForWeights::Whole);

} // namespace geotrain
