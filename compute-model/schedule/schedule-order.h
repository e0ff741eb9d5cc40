// The order in which each worker of a pipeline works: what a schedule is, before messages.
#pragma once

#include "timing/stage-timing.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

struct Operation
{
    enum class Kind : std::uint8_t
    {
        Forward,
        Backward,       ///< of the inputs; of the weights too where no WeightGradient follows
        WeightGradient, ///< on its own, in schedules that split the backward pass
        Recompute ///< ahead of its Backward's gradient; without one, a Backward recomputes when its gradient is here
    };

    Kind kind = Kind::Forward;
    std::uint32_t microbatch = 0; ///< from 0
    std::uint32_t chunk = 0;      ///< which of the worker's virtual stages, from 0
    bool overlapsNext = false;    ///< a Forward that runs as one block with the Backward after it
    Duration gradientExpected =
        {}; ///< Recompute: when the gradient is to come, from the worker's first start on

    bool operator==(const Operation& other) const
    {
        return kind == other.kind && microbatch == other.microbatch && chunk == other.chunk &&
               overlapsNext == other.overlapsNext;
    }
};

/// Of one worker, for one iteration.
using StageOrder = std::vector<Operation>;

/// What a message between two stages takes: it occupies the way for `occupancy`, and is there `delay` later.
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

/// The times that a schedule plans with.
struct ScheduleTimes
{
    std::vector<StageTiming>
        stages;            ///< by virtual stage; one: all alike; none: 1 ms for F, B and W each
    std::vector<Hop> hops; ///< from virtual stage k to k + 1, and back; one: all alike; none: free

    StageTiming Stage(std::uint32_t stage) const;
    Hop HopAfter(std::uint32_t stage) const;
};

/// What a schedule is made for, without times.
struct ScheduleShape
{
    std::uint32_t stages = 1;       ///< p, the workers of a pipeline, at least 1
    std::uint32_t microbatches = 1; ///< m, at least 1
    std::uint32_t warmupFactor = 1; ///< 1f1b: how many times the usual warm-up depth, at least 1
    std::uint32_t virtualStages =
        1; ///< v, stages a worker hosts; zb-v and dualpipe-v have 2 by nature
    std::optional<std::uint32_t> memoryCap =
        {}; ///< activations of virtual stages that a worker may hold, where a schedule asks
    std::uint32_t cellSize = 1; ///< atlas: C, pipelines that take turns
};

struct ScheduleRequest : ScheduleShape
{
    ScheduleTimes times = {}; ///< where a schedule plans with them
};

/// What of an activation is still held, in halves, between its Backward and its WeightGradient: the zero-bubble
/// paper's M_W over M_B (Qi et al., ICLR'24, section 2.3; a half is what the authors' own code takes).
enum class HeldForWeights : std::uint8_t
{
    Half = 1,
    Whole = 2
};

/// How a schedule without flush updates its weights.
struct NoFlush
{
    std::vector<std::uint32_t> warmUp; ///< forwards ahead of the backwards, by stage
    bool delaysWeights =
        false; ///< an update is used from the next iteration but one (PipeDream-2BW)
    std::vector<double>
        forwardStaleness; ///< by stage: updates between a forward and the use of its gradient
    std::uint32_t extraWeightCopies = 0; ///< beside the one that every schedule has
};

/// How a searched order compares with the best static schedule of the same memory. Both makespans are SimulateOrder()'s.
struct StaticRival
{
    Duration ownMakespan;
    std::string name; ///< gpipe, 1f1b (with its warmup_factor), zb-h1 or zb-h2; empty: none fits
    Duration makespan;
};

struct ScheduleOrder
{
    std::vector<StageOrder> stages; ///< by worker
    /// The memory cap, by worker: activations of a microbatch in a virtual stage that it holds at most. An
    /// activation counts from its forward's start to its last backward's end, the weight gradient's where that is
    /// apart, unless `held` says otherwise.
    std::vector<std::uint32_t> activationCap;
    /// The virtual stages of each worker, in the order of its chunks; empty: worker w has stage w alone.
    std::vector<std::vector<std::uint32_t>> stagesOfWorker = {};
    /// Where the pipelines of a DP-cell differ: the orders of pipeline r are those of r modulo the size.
    std::vector<std::vector<StageOrder>> ofPipeline = {};
    std::optional<NoFlush> noFlush = {};
    /// A worker whose next input is late runs the next forward whose input is here, under its cap (Varuna).
    bool deviates = false;
    /// The last stage recomputes nothing: its backward follows its forward at once.
    bool keepsLastActivations = false;
    /// How its memory cap counts an activation between its input gradient and its weight gradient.
    HeldForWeights held = HeldForWeights::Whole;
    std::optional<StaticRival> rival = {}; ///< that the search was measured against

    std::uint32_t StageCount() const;
    std::uint32_t StageOf(std::uint32_t worker, std::uint32_t chunk) const;
    const std::vector<StageOrder>& OfPipeline(std::uint32_t pipeline) const;
};

/// By virtual stage: who runs it.
struct StageHome
{
    std::uint32_t worker = 0;
    std::uint32_t chunk = 0;
};

/// Throws std::invalid_argument unless every stage from 0 has exactly one worker.
std::vector<StageHome> HomesOf(const ScheduleOrder& order);

/// Worker w has the stages w, w + p, w + 2p, ... (Megatron-LM's interleaving).
std::vector<std::vector<std::uint32_t>> RoundRobinStages(std::uint32_t workers,
                                                         std::uint32_t chunks);

/// Worker w has the stages w and 2p - 1 - w: down the pipeline and back up.
std::vector<std::vector<std::uint32_t>> WaveStages(std::uint32_t workers);

/// The most activations that `order` holds at once, rounded up; the order must be legal for one worker.
std::uint32_t PeakActivations(const StageOrder& order, HeldForWeights held = HeldForWeights::Whole);

} // namespace geotrain
