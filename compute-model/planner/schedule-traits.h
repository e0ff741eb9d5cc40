// What screening knows of a schedule without making its order: how many activations a stage holds at
// most, how its backward passes are split, and which shapes it has.
#pragma once

#include "planner/training-plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

struct ScheduleTraits
{
    std::string name;

    /// Activations of virtual stages at `worker` at most: the schedule's memory cap.
    std::uint32_t (*inFlight)(std::uint32_t worker, const TrainingPlan& plan) = nullptr;

    std::uint32_t virtualStages = 1; ///< of a worker, as a planner takes it
    bool isWave = false;             ///< virtual stages go down the pipeline and back up
    bool deepensWarmUp = false;      ///< takes a warm-up factor above 1
    bool takesCap = false;           ///< is the better the more activations it may hold
    bool isAsynchronous = false;     ///< no flush: weights are stale
    bool hasPhases = false; ///< all forwards, then all backwards: the WAN is used one way at a time
    bool recomputesAhead = false; ///< while a gradient is on its way
    bool splitsBackward = false;  ///< weight gradients run where a worker would be idle
    std::uint32_t extraWeightCopies = 0;
};

/// The schedules that a planner compares.
const std::vector<ScheduleTraits>& PlannableSchedules();

/// nullptr if there is none of that name.
const ScheduleTraits* FindPlannableSchedule(const std::string& name);

/// Why the plan's schedule has no order for its stages and microbatches; empty where it has one.
std::string ShapeRefusal(const TrainingPlan& plan);

/// By worker, of a plan whose schedule is plannable.
std::vector<std::uint32_t> InFlightOf(const TrainingPlan& plan);

/// By virtual stage: the worker that runs it.
std::vector<std::uint32_t> WorkersOfStages(const TrainingPlan& plan);

} // namespace geotrain
