// SPDX-License-Identifier: GPL-2.0-only
// Says where packets would be lost at a node's port inside its data centre. A node that several
// others send to at once gets more than its port passes on, and what the port's queue has no room for
// is lost. Over the WAN that leaves small windows for long. The analytic network shares the port
// fairly and loses nothing there.
#pragma once

#include "execution/execution-plan.h"
#include "loader/run-settings.h"
#include "wan/wan-topology.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns a line about the node whose port has the most to hold, where that is more than its queue
/// and some of it comes over the WAN; none where every queue has room.
std::vector<std::string> WarningsOfPorts(const ExecutionPlan& plan,
                                         const WanTopology& wan,
                                         const TransportSettings& transport);

} // namespace geotrain
