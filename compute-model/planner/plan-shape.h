// SPDX-License-Identifier: GPL-2.0-only
// What a plan asks of its schedule, and what the schedule's row of the catalogue says of the plan.
#pragma once

#include "planner/training-plan.h"
#include "schedule/schedule-catalogue.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// The pipelines of a DP-cell count where the schedule plans their turns.
ScheduleShape ShapeOf(const TrainingPlan& plan);

/// MostActivations() of the plan's schedule, which must be in the catalogue.
std::vector<std::uint32_t> InFlightOf(const TrainingPlan& plan);

/// By virtual stage: the worker that runs it.
std::vector<std::uint32_t> WorkersOfStages(const TrainingPlan& plan);

} // namespace geotrain
