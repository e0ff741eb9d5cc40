// SPDX-License-Identifier: GPL-2.0-only
// What a plan is estimated and simulated with.
#pragma once

#include "training-plan/cluster.h"
#include "training-plan/order-cache.h"
#include "training-plan/stage-table.h"
#include "training-plan/training-job.h"

namespace geotrain
{

/// PlanInputs are a plan's job, cluster and stages. All must outlive this.
struct PlanInputs
{
    const TrainingJob& job;
    const Cluster& cluster;
    const StageTable& table;      ///< of the plan's own choice
    OrderCache* orders = nullptr; ///< orders that other plans share; may be null
};

} // namespace geotrain
