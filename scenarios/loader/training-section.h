// SPDX-License-Identifier: GPL-2.0-only
// Resolves how the model is spread and scheduled: a scenario's plan, prepared and checked against
// the GPUs' memory. For `geotrain plan` it resolves the ranges to search instead.
#pragma once

#include "in-network/in-network-settings.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "loader/tried-plans.h"
#include "training-plan/prepare-plan.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A TrainingSection is a scenario's plan, and the same plan prepared for a run.
struct TrainingSection
{
    TrainingPlan plan;
    PreparedPlan prepared;
    std::optional<InNetworkClusterSettings> inNetwork; ///< where parameters come from one
    std::optional<InNetworkWan> inNetworkWan;          ///< where it is in several data centres
    std::vector<std::string> warnings; ///< where run.memory_check is WARN: what doesn't fit
};

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

/// Makes the plan, and fills in layers_per_stage, cell_size and the schedule. `tried` keeps what trials
/// of schedules say. Throws ConfigError.
TrainingSection ResolveTraining(scenario::Scenario& scenario,
                                const TrainingJob& job,
                                const Cluster& cluster,
                                const ScenarioFile& file,
                                TriedPlans& tried);

/// Returns the scenario's own parallelism, microbatches, schedule and sharing without hosts. Atlas'
/// Algorithm 1 tries numbers of DP-cells for this shape; its C is parallelism.cell_size, or 1 where
/// that isn't set.
TrainingPlan ShapeForPlanning(const scenario::Scenario& scenario);

/// Returns the ranges of the scenario's `plan`.
PlanRanges ResolvePlanRanges(const scenario::Scenario& scenario);

} // namespace geotrain
