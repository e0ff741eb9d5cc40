// SPDX-License-Identifier: GPL-2.0-only
// Finds the node pairs that a run will use, so that their connections can be warmed before time 0.
#pragma once

#include "execution/execution-plan.h"
#include "execution/temporal-sharing.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace geotrain
{

/// Returns whether the network carries the collectives of a group on these nodes.
using CarriedPredicate = std::function<bool(const std::vector<NodeIndex>& members)>;

/// Returns one warm-up per directed pair of different nodes that the plan will use, in the order of
/// the pairs. Pairs are used by messages, by scatter and gather of temporal sharing (`cells`), and
/// by collectives, whose messages count as an n-th of the vector. A warm-up has the size of the
/// pair's largest message. A group whose collectives the network doesn't carry uses no pair.
std::vector<Network::WarmUp> WarmUpsOf(const ExecutionPlan& plan,
                                       const std::optional<CellLayout>& cells,
                                       const CarriedPredicate& isCarried);

/// Returns source and destination of each warm-up.
std::vector<std::pair<NodeIndex, NodeIndex>> NodePairsOf(const std::vector<Network::WarmUp>& pairs);

} // namespace geotrain
