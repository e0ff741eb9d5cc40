// SPDX-License-Identifier: GPL-2.0-only
// Times a plan's pipelines by the timeline of its order, for the second sieve of the search.
#pragma once

#include "planner/hop-probe.h"
#include "training-plan/prepare-plan.h"

namespace geotrain
{

/// Returns the time to the last backward of the slowest pipeline of a plan, whose messages over the
/// WAN take what `probe` measured. Replicas in different data centres have their own times and ways.
/// `prepared` and `table` are the plan's, `ways` are the cluster's.
Duration PipelineTime(const TrainingPlan& plan,
                      const PreparedPlan& prepared,
                      const Cluster& cluster,
                      const ClusterWays& ways,
                      const StageTable& table,
                      HopProbe& probe);

} // namespace geotrain
