// SPDX-License-Identifier: GPL-2.0-only
// What a plan costs: GPU-hours of the GPUs that it uses, and the bytes that leave each data centre,
// by the prices of the data centres. It ignores idle GPUs that nobody rents, storage and everything
// else on a bill.
#pragma once

#include "training-plan/stage-table.h"
#include "training-plan/training-plan.h"

#include <vector>

namespace geotrain
{

struct PlanCost
{
    double gpuHours = 0;        ///< of an iteration
    double egressGigabytes = 0; ///< of an iteration: payload between data centres, 10^9 bytes
    double dollars = 0;         ///< of an iteration
};

/// GPUs of the plan, by data centre.
std::vector<std::uint64_t> GpusByDataCenter(const TrainingPlan& plan, const Cluster& cluster);

/// Payload bytes that leave each data centre for another in an iteration: activations and gradients
/// between stages (and between the ends of a pipeline with tied embeddings), or the all-reduce.
std::vector<double>
EgressBytesByDataCenter(const TrainingPlan& plan, const Cluster& cluster, const StageTable& table);

PlanCost CostOf(const TrainingPlan& plan,
                const Cluster& cluster,
                const StageTable& table,
                double iterationSeconds);

} // namespace geotrain
