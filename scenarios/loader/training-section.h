// SPDX-License-Identifier: GPL-2.0-only
// Resolves how the model is spread and scheduled: a scenario's plan, prepared and checked against
// the GPUs' memory. For `geotrain plan` it resolves the ranges to search instead.
#pragma once

#include "loader/experiment.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"

#include <string>
#include <vector>

namespace geotrain
{

/// PlanRanges are the values that a planner searches; the planner chooses those of an empty range.
struct PlanRanges
{
    std::vector<std::uint32_t> pipelineStages;
    std::vector<std::uint32_t> tensorParallel;
    std::vector<std::uint32_t> dataParallel;
    std::vector<std::uint32_t> microbatchSizes;
    std::vector<std::uint32_t> warmupFactors;
    std::vector<std::uint32_t> cellSizes;
    std::vector<std::string> schedules;
    std::vector<WanSharing> sharing;
    std::vector<CrossDc> crossDc;
};

/// Sets the fields of `job` that don't belong to the model: batch, ZeRO-1, overlaps and buckets of
/// all-reduces, and overlapped blocks. Throws ConfigError.
void ResolveJob(const scenario::Scenario& scenario, TrainingJob& job, const ScenarioFile& file);

/// Makes and prepares the plan of the job and the cluster of `spec`, and fills in layers_per_stage,
/// cell_size and the schedule. Adds to `warnings` what doesn't fit where run.memory_check is WARN.
/// Throws ConfigError.
void ResolveTraining(scenario::Scenario& scenario,
                     TrainingSpec& spec,
                     std::vector<std::string>& warnings,
                     const ScenarioFile& file);

/// Returns the scenario's own parallelism, microbatches, schedule and sharing without hosts. Atlas'
/// Algorithm 1 tries numbers of DP-cells for this shape; its C is parallelism.cell_size, or 1 where
/// that isn't set.
TrainingPlan ShapeForPlanning(const scenario::Scenario& scenario);

/// Returns the ranges of the scenario's `plan`.
PlanRanges ResolvePlanRanges(const scenario::Scenario& scenario);

} // namespace geotrain
