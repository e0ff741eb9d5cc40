// SPDX-License-Identifier: GPL-2.0-only
// Places data parallelism across data centres: each whole pipeline sits in one data centre, and
// what crosses the WAN is their all-reduce. It is the baseline that Atlas is measured against.
#pragma once

#include "placement/placement.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// Places the replicas. `replicas` gives their number per data centre and adds up to
/// request.dataParallel. Replicas are numbered through the data centres in their order, so that a
/// ring over them crosses the WAN as rarely as possible. `stages` of the data centres is ignored.
/// The result's dataCenterOfStage is empty and its dataCenterOfReplica is set. Throws
/// std::invalid_argument, with what is missing where, if it doesn't fit.
Placement PlaceReplicas(const PlacementRequest& request,
                        const std::vector<std::uint32_t>& replicas);

} // namespace geotrain
