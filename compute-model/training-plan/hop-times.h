// SPDX-License-Identifier: GPL-2.0-only
// What a pipeline's messages take between its stages, for the schedules that plan with it: each
// way's delay, and how long a message occupies it by the lowest of the rates on it, of which packet
// headers take their share. An estimate: a pipeline has an even share of the WAN links and its
// nodes' NICs for itself; slow start and loss are left out. A message between two workers of one
// node takes its copy over NVLink, one between two stages of one worker nothing.
#pragma once

#include "placement/placement.h"
#include "schedule/schedule-order.h"
#include "training-plan/cluster-ways.h"
#include "training-plan/training-plan.h"

#include <vector>

namespace geotrain
{

/// NVLink of the slowest GPU type that takes part: one figure for all nodes.
BitRate NodeLocalRate(const TrainingPlan& plan, const Cluster& cluster);

/// From each virtual stage to the next one, in pipeline 0. `boundary` is a message's payload. Under
/// temporal sharing ways over the WAN take turns.
std::vector<Hop> HopTimes(const TrainingPlan& plan,
                          const Cluster& cluster,
                          const ClusterWays& ways,
                          const Placement& placement,
                          Bytes boundary);

} // namespace geotrain
