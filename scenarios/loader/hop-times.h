// What a pipeline's messages take between its stages, for the schedules that plan with it: each way's delay, and how
// long a message occupies it by the lowest of the rates on it. An estimate: a pipeline's fair share of the WAN links;
// headers, slow start and loss are left out.
#pragma once

#include "placement/placement.h"
#include "schedule/schedule-order.h"
#include "schema/scenario.pb.h"
#include "wan/wan-topology.h"

#include <vector>

namespace geotrain
{

/// From each virtual stage to the next one, in pipeline 0. `workerOfStage` is by virtual stage, `boundary` a message's
/// payload. Under temporal sharing ways over the WAN take turns.
std::vector<Hop> HopTimes(const scenario::Scenario& scenario,
                          const WanTopology& topology,
                          const Placement& placement,
                          const std::vector<std::uint32_t>& workerOfStage,
                          Bytes boundary);

} // namespace geotrain
