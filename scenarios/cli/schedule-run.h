// SPDX-License-Identifier: GPL-2.0-only
// Runs one pipeline schedule by itself, for `geotrain schedule`: one pipeline, or the pipelines of
// a DP-cell, with a node per worker. A hop is a delay and, where messages take turns, a time for
// which a message occupies it. The executor is the same as in every other run.
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

/// A ScheduleRunRequest describes the schedule and its times.
struct ScheduleRunRequest
{
    std::string name; ///< name in ScheduleCatalogue()
    ScheduleShape shape;
    StageTiming timing; ///< times per microbatch and virtual stage, without optimiser step

    /// One-way delays. A single one holds between any two workers. Otherwise there are stages-1:
    /// entry i is the delay between workers i and i+1, and delays add up between other workers.
    std::vector<Duration> hops;

    Duration turn; ///< time for which a message occupies a hop's direction; 0: it occupies nothing
    std::optional<Duration> overlappedBlock; ///< time of a forward and a backward as one block
    std::optional<ScheduleOrder> ownOrder;   ///< an order that replaces that of `name`
};

/// A ScheduleSpan is one computation of a worker.
struct ScheduleSpan
{
    std::uint32_t worker = 0;
    InstructionKind kind = InstructionKind::Forward;
    std::uint32_t iteration = 0;
    std::uint32_t stage = 0; ///< the virtual stage where there are virtual stages
    std::uint32_t microbatch = 0;
    Instant start;
    Instant end;
};

/// A ScheduleRunResult is what a run of a schedule shows.
struct ScheduleRunResult
{
    Duration makespan; ///< end of the first iteration's last computation

    /// (cost - work) / cost (zero-bubble paper, section 2.3). The cost is the longest time of any
    /// worker from its first operation's start to its last one's end, and the work is the time that
    /// this worker computes. Without flush, both are those of an iteration in the steady state.
    double bubbleRate = 0;

    Duration steadyIteration; ///< without flush: time between the slowest worker's updates
    std::vector<std::uint32_t> peakActivations; ///< most activations held, by worker
    ScheduleOrder order;
    std::vector<ScheduleSpan> spans; ///< in the order of their ends
};

/// Runs the schedule, and writes the run's trace to `trace` unless that is empty. Throws
/// std::invalid_argument for an unknown name or an impossible shape.
ScheduleRunResult RunSchedule(const ScheduleRunRequest& request,
                              const std::filesystem::path& trace);

} // namespace geotrain
