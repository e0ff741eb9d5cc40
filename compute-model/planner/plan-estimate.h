// SPDX-License-Identifier: GPL-2.0-only
// The cheap estimate that screens plans. It has closed forms over the stages and no events. It
// ignores the ramp-up of connections, queueing, and what the order of a schedule does beyond its
// number of microbatches in flight.
//
// R(s) is the round trip of a microbatch through stage s and those behind it. A stage that holds at
// most k < m microbatches passes one per R(s)/k (Little's law). With w(s) the work on a microbatch
// and o(s) the time for which its message occupies the way, the pipeline's period is P = max over s
// of (w(s), o(s), n(s), R(s)/k(s)), n(s) being the time for which the messages to both neighbours
// occupy the node's NIC where they stay in the data centre, and m microbatches take R(0) + (m - 1) P. A schedule with phases has
// one period for its forwards, max(F, o), and one for its backwards, max(B, o), in place of both w
// and o. For equal stages and a hop delay c this is 1F1B's closed form (m+p-1)(F+B) + 2c((p-1)m/p +
// p-2) up to 2c/p, and GPipe's exactly.
//
// With v virtual stages per worker, R(0) covers the first p virtual stages, and the time is R(0) +
// (m v - 1) P / v. Weight gradients that run apart are not in R. They fill 2(p - 1) times their own
// length of the ramps (zero bubble paper, section 2: ZB-H2's bubble is (p-1)(F+B-2W)), but no
// worker ends before its work is done. Without flush an iteration takes m P.
#pragma once

#include "planner/all-reduce-estimate.h"
#include "planner/plan-inputs.h"
#include "training-plan/cluster-ways.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// A PlanEstimate holds the times of one iteration.
struct PlanEstimate
{
    double pipelineSeconds = 0;  ///< time to the last backward
    double allReduceSeconds = 0; ///< time behind it, with the optimiser's step
    double seconds = 0;          ///< time of the iteration
};

/// Estimates a legal plan. `ways` are the cluster's; `inFlight` is by worker.
PlanEstimate EstimatePlan(const TrainingPlan& plan,
                          const PlanInputs& inputs,
                          const ClusterWays& ways,
                          const std::vector<std::uint32_t>& inFlight);

} // namespace geotrain
