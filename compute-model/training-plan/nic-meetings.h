// SPDX-License-Identifier: GPL-2.0-only
// Says where collectives inside data centres meet other messages in the NICs of their nodes. They wait
// for each other there, of which a formula of the collectives' times knows nothing.
#pragma once

#include "execution/execution-plan.h"
#include "execution/temporal-sharing.h"

#include <vector>

namespace geotrain
{

/// Returns whether the nodes are in several data centres.
bool CrossesWan(const CellLayout& cells, const std::vector<NodeIndex>& nodes);

/// Returns whether workers that are no members of such a collective send or receive over the NICs of its
/// nodes, or members join others too, over the WAN or not, and come to the second at unlike times.
bool CollectivesMeetMessages(const ExecutionPlan& plan, const CellLayout& cells);

} // namespace geotrain
