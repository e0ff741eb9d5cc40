// SPDX-License-Identifier: GPL-2.0-only
// Orders the members of collectives by the nodes that they are on. A ring whose members on a node
// are side by side enters and leaves each node once, and goes by NVLink inside, as NCCL's rings do.
// In another order every hop may cross a NIC.
#pragma once

#include "execution/execution-plan.h"

namespace geotrain
{

/// Puts the members of each group of `plan` that are on one node side by side. Nodes come in the
/// order of their first members, and the members of a node in the order that they had.
void OrderGroupsByNode(ExecutionPlan& plan);

/// Returns the shape of a group whose members are on these nodes. Where members of a node are not
/// side by side, the nodes count as unequal.
GroupShape ShapeOf(const std::vector<NodeIndex>& members);

} // namespace geotrain
