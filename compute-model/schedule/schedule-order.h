// The order in which each pipeline stage works: what a schedule is, before times and messages.
#pragma once

#include <cstdint>
#include <vector>

namespace geotrain
{

struct Operation
{
    enum class Kind : std::uint8_t
    {
        Forward,
        Backward,      ///< of the inputs; of the weights too where no WeightGradient follows
        WeightGradient ///< on its own, in schedules that split the backward pass
    };

    Kind kind = Kind::Forward;
    std::uint32_t microbatch = 0; ///< from 0

    bool operator==(const Operation& other) const
    {
        return kind == other.kind && microbatch == other.microbatch;
    }
};

/// Of one stage, for one iteration.
using StageOrder = std::vector<Operation>;

struct ScheduleRequest
{
    std::uint32_t stages = 1;       ///< p, at least 1
    std::uint32_t microbatches = 1; ///< m, at least 1
    std::uint32_t warmupFactor = 1; ///< 1f1b: how many times the usual warm-up depth, at least 1
};

struct ScheduleOrder
{
    std::vector<StageOrder> stages;
    /// The memory cap: microbatches whose activations a stage holds at most. An activation counts from its
    /// forward's start to its last backward's end.
    std::vector<std::uint32_t> activationCap;
};

/// The most activations that `order` holds at once; the order must be legal for one stage.
std::uint32_t PeakActivations(const StageOrder& order);

} // namespace geotrain
