// SPDX-License-Identifier: GPL-2.0-only
// Computes what a plan costs, by the prices of the data centres: the GPU-hours that it uses, and
// the bytes that leave each data centre. It ignores idle GPUs that nobody rents, storage and
// everything else on a bill.
#pragma once

#include "training-plan/stage-table.h"
#include "training-plan/training-plan.h"

#include <vector>

namespace geotrain
{

/// A PlanCost is the cost of one iteration.
struct PlanCost
{
    double gpuHours = 0;
    double egressGigabytes = 0; ///< payload between data centres, in 10^9 bytes
    double dollars = 0;
};

/// Returns whether anything in the cluster costs dollars.
bool HasPrices(const Cluster& cluster);

/// Returns by what plans are compared: dollars, or GPU-hours where nothing costs any.
double PriceOf(const PlanCost& cost, const Cluster& cluster);

/// Returns the plan's GPUs by data centre.
std::vector<std::uint64_t> GpusByDataCenter(const TrainingPlan& plan, const Cluster& cluster);

/// Returns the payload bytes that leave each data centre for another per iteration. These are
/// activations and gradients between stages (and between the ends of a pipeline with tied
/// embeddings), or the all-reduce.
std::vector<double>
EgressBytesByDataCenter(const TrainingPlan& plan, const Cluster& cluster, const StageTable& table);

/// Returns the cost of an iteration that takes `iterationSeconds`.
PlanCost CostOf(const TrainingPlan& plan,
                const Cluster& cluster,
                const StageTable& table,
                double iterationSeconds);

} // namespace geotrain
