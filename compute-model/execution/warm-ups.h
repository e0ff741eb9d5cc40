// SPDX-License-Identifier: GPL-2.0-only
// Which node pairs a run will use, so that their connections can be warmed before time 0.
#pragma once

#include "execution/execution-plan.h"
#include "execution/temporal-sharing.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace geotrain
{

using RingPredicate = std::function<bool(const std::vector<NodeIndex>& members)>;

/// One warm-up for each directed pair of different nodes that a message, a scatter or gather of
/// temporal sharing (`cells`), or a ring of the groups will use, with the size of the largest
/// message that the pair carries. In the order of the pairs. `carriesRing` says of the nodes of a
/// group whether the network carries its collectives; those that it doesn't carry use no pair.
std::vector<Network::WarmUp> WarmUpsOf(const ExecutionPlan& plan,
                                       const std::optional<CellLayout>& cells,
                                       const RingPredicate& carriesRing);

/// The ends of each: source and destination.
std::vector<std::pair<NodeIndex, NodeIndex>> NodePairsOf(const std::vector<Network::WarmUp>& pairs);

} // namespace geotrain
