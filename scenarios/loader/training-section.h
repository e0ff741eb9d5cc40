// SPDX-License-Identifier: GPL-2.0-only
// Resolves how the model is spread and scheduled: the plan of a scenario, prepared and checked
// against the GPUs' memory; and what `geotrain plan` searches instead.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "training-plan/prepare-plan.h"

#include <string>
#include <vector>

namespace geotrain
{

struct TrainingSection
{
    TrainingPlan plan;
    PreparedPlan prepared;
};

/// What a scenario wants a planner to search; an empty range is left to the planner.
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

/// Sets what of `job` isn't the model's: batch, ZeRO-1, buckets of the all-reduce, overlapped
/// blocks.
void ResolveJob(const scenario::Scenario& scenario, TrainingJob& job);

/// Fills in layers_per_stage, cell_size and the schedule. Throws ConfigError.
TrainingSection ResolveTraining(scenario::Scenario& scenario,
                                const TrainingJob& job,
                                const Cluster& cluster,
                                const ScenarioFile& file);

/// The scenario's own parallelism, microbatches, schedule and sharing without hosts: the shape that
/// Algorithm 1 loops over numbers of DP-cells for. C is parallelism.cell_size, 1 where it isn't
/// set.
TrainingPlan ShapeForPlanning(const scenario::Scenario& scenario);

PlanRanges ResolvePlanRanges(const scenario::Scenario& scenario);

} // namespace geotrain
