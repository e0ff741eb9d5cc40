// Data parallelism across data centres: whole pipelines sit in one data centre each, and what
// crosses the WAN is their all-reduce. The baseline that Atlas is measured against; pipeline
// messages never leave a data centre.
#pragma once

#include "placement/placement.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// `replicas` are by data centre and add up to request.dataParallel; replicas are numbered through
/// the data centres in their order, so that a ring over them crosses the WAN as rarely as it can.
/// `stages` of the data centres is ignored. The result's dataCenterOfStage is empty,
/// dataCenterOfReplica is set. Throws std::invalid_argument, with what is missing where, if it
/// doesn't fit.
Placement PlaceReplicas(const PlacementRequest& request,
                        const std::vector<std::uint32_t>& replicas);

} // namespace geotrain
