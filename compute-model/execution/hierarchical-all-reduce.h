// SPDX-License-Identifier: GPL-2.0-only
// Builds the hierarchical all-reduce of data parallelism across data centres. It is a
// reduce-scatter inside each data centre, an all-reduce of each member's shard with its
// counterparts over the WAN, and an all-gather inside. The WAN then carries 2(D-1)/D of the
// gradients out of each of D data centres, over as many node pairs as there are members. A flat
// ring of n carries 2(n-1)/n over one pair and has the WAN's latency in every step.
#pragma once

#include "execution/collective-algorithm.h"
#include "execution/execution-plan.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// Rewrites every all-reduce of `plan` whose group spans several data centres. Throws
/// std::invalid_argument where a group does not have the same number of members in each of its data
/// centres.
void UseHierarchicalAllReduce(ExecutionPlan& plan,
                              const std::vector<std::uint32_t>& dataCenterOfNode);

/// Rings, and UseHierarchicalAllReduce() for what spans data centres.
extern const CollectiveAlgorithm hierarchicalCollective;

} // namespace geotrain
