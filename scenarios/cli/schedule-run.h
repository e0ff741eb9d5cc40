// SPDX-License-Identifier: GPL-2.0-only
// Runs one pipeline schedule by itself, as `geotrain schedule` shows it: one pipeline, or the
// pipelines of a DP-cell, a node a worker, hops that are a delay and, where messages take turns, an
// occupancy, through the same executor as every other run.
#pragma once

#include "execution/execution-plan.h"
#include "schedule/schedule-order.h"
#include "timing/stage-timing.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

struct ScheduleRunRequest
{
    std::string name;
    ScheduleShape shape;
    StageTiming timing;    ///< of a microbatch in every virtual stage; no optimiser step
    /// One way. One: between any two workers. Else stages-1: from worker i to i+1 and back, others
    /// along the line.
    std::vector<Duration> hops;
    Duration turn; ///< that a message occupies a hop, one after another in each direction
    std::optional<Duration> overlappedBlock; ///< of a forward and a backward as one
    std::optional<ScheduleOrder> ownOrder;   ///< instead of the one of that name
};

struct ScheduleSpan
{
    std::uint32_t worker = 0;
    InstructionKind kind = InstructionKind::Forward;
    std::uint32_t iteration = 0;
    std::uint32_t stage = 0; ///< virtual stages count
    std::uint32_t microbatch = 0;
    Instant start;
    Instant end;
};

struct ScheduleRunResult
{
    Duration makespan;
    /// (cost - work) / cost: the cost is the longest over the workers of the span from its first
    /// operation's start to its last one's end, the work is what that worker computes (zero-bubble
    /// paper, section 2.3). Without flush: of an iteration in the steady state.
    double bubbleRate = 0;
    Duration steadyIteration;                   ///< without flush: the slowest worker's updates
    std::vector<std::uint32_t> peakActivations; ///< by worker, as the run had them
    ScheduleOrder order;
    std::vector<ScheduleSpan> spans;    ///< by end
};

/// Throws std::invalid_argument for an unknown name or an impossible shape. Where `trace` is not
/// empty, writes the run's trace there.
ScheduleRunResult RunSchedule(const ScheduleRunRequest& request,
                              const std::filesystem::path& trace);

} // namespace geotrain
