// SPDX-License-Identifier: GPL-2.0-only
// Estimates the times of a pipeline's messages between its stages, for the schedules that plan with
// them: each way's delay, and how long a message occupies it. The occupancy follows from the lowest
// of the rates on the way, less the share of packet headers. A pipeline is taken to have an even
// share of the WAN links, of its nodes' NICs and of their pairs; slow start and loss are left out. A
// message between two workers of one node takes the time of its copy over NVLink, one between two
// stages of one worker none.
#pragma once

#include "placement/placement.h"
#include "schedule/schedule-order.h"
#include "training-plan/cluster-ways.h"
#include "training-plan/training-plan.h"

#include <vector>

namespace geotrain
{

/// Returns the NVLink rate of the slowest GPU type that takes part; it is used for all nodes.
BitRate NodeLocalRate(const TrainingPlan& plan, const Cluster& cluster);

/// Returns the hops from each virtual stage to the next one, in pipeline 0. `boundary` is a
/// message's payload. Under temporal sharing, pipelines take turns on ways over the WAN.
std::vector<Hop> HopTimes(const TrainingPlan& plan,
                          const Cluster& cluster,
                          const ClusterWays& ways,
                          const Placement& placement,
                          Bytes boundary);

} // namespace geotrain
