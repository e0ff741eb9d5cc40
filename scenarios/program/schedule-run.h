// Runs one pipeline schedule by itself, as `geotrain schedule` shows it: one pipeline, a node a stage, hops
// that are pure delay, through the same executor as every other run.
#pragma once

#include "execution/execution-plan.h"
#include "schedule/schedule-order.h"
#include "timing/stage-timing.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

struct ScheduleRunRequest
{
    std::string name;
    ScheduleRequest shape;
    StageTiming timing;         ///< of every stage; no optimiser step
    std::vector<Duration> hops; ///< one way, from stage i to i+1 and back: stages-1
};

struct ScheduleSpan
{
    std::uint32_t stage = 0;
    InstructionKind kind = InstructionKind::Forward;
    std::uint32_t microbatch = 0;
    Instant start;
    Instant end;
};

struct ScheduleRunResult
{
    Duration makespan;
    double bubbleRate = 0;                      ///< idle share of all GPUs' time over the makespan
    std::vector<std::uint32_t> peakActivations; ///< by stage
    ScheduleOrder order;
    std::vector<ScheduleSpan> spans; ///< by end
};

/// Throws std::invalid_argument for an unknown name or an impossible shape. Where `trace` is not empty, writes the
/// run's trace there.
ScheduleRunResult RunSchedule(const ScheduleRunRequest& request,
                              const std::filesystem::path& trace);

} // namespace geotrain
