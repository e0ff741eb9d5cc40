// What screening knows of a schedule without making its order: how many microbatches a stage holds
// at most.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

struct ScheduleTraits
{
    std::string name;
    bool deepensWarmUp = false;  ///< takes a warm-up factor above 1
    bool isAsynchronous = false; ///< no flush: weights are stale
    bool hasPhases = false; ///< all forwards, then all backwards: the WAN is used one way at a time

    /// Microbatches in flight at `stage` of `stages` at most (the schedule's memory cap).
    std::uint32_t (*inFlight)(std::uint32_t stage,
                              std::uint32_t stages,
                              std::uint32_t microbatches,
                              std::uint32_t warmupFactor) = nullptr;
};

/// The schedules that a planner compares.
const std::vector<ScheduleTraits>& PlannableSchedules();

/// nullptr if there is none of that name.
const ScheduleTraits* FindPlannableSchedule(const std::string& name);

} // namespace geotrain
