// SPDX-License-Identifier: GPL-2.0-only
// The cheap estimate that screens plans: closed forms over the stages, no events. It ignores
// ramp-up of connections, queueing, and what the order of a schedule does beyond its number of
// microbatches in flight.
//
// A stage s that holds at most k < m microbatches whose round trip through the stages behind it
// takes R(s) passes one each R(s)/k (Little's law). With w(s) the work on a microbatch and o(s) the
// time that its message occupies the way, the pipeline's period is P = max over s of (w(s), o(s),
// R(s)/k(s)), and m microbatches take R(0) + (m - 1) P. A schedule with phases has one period for
// its forwards, max(F, o), and one for its backwards, max(B, o), in place of both w and o. For
// equal stages and a hop delay c that is 1F1B's closed form (m+p-1)(F+B) + 2c((p-1)m/p + p-2) to
// 2c/p, and GPipe's exactly.
//
// With v virtual stages a worker, R(0) is that of the first p of them and m v of them take P / v
// each. Weight gradients apart leave R, and fill 2(p - 1) of their own time of the ramps (zero
// bubble paper, section 2: (p-1)(F+B-2W) is ZB-H2's bubble), while no worker ends before its work
// does. Without flush an iteration takes m P.
#pragma once

#include "training-plan/cluster-ways.h"
#include "training-plan/stage-table.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

struct PlanEstimate
{
    double pipelineSeconds = 0;  ///< to the last backward
    double allReduceSeconds = 0; ///< and the optimiser's step behind it
    double seconds = 0;          ///< of an iteration
};

/// `ways` are the cluster's, `inFlight` is by worker. The plan must be legal.
PlanEstimate EstimatePlan(const TrainingPlan& plan,
                          const TrainingJob& job,
                          const Cluster& cluster,
                          const ClusterWays& ways,
                          const StageTable& table,
                          const std::vector<std::uint32_t>& inFlight);

} // namespace geotrain
