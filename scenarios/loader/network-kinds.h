// SPDX-License-Identifier: GPL-2.0-only
// The kinds of network that a scenario may run on. A new one is a value of the schema's
// Network.Kind, a row here and its maker in runner/run-network.cc; nobody compares their names.
#pragma once

#include "execution/network-kind.h"
#include "loader/schema-types.h"

#include <string>
#include <vector>

namespace geotrain
{

/// All of them, in the schema's order.
const std::vector<const NetworkKind*>& NetworkKinds();

/// "packet", "analytic": as the command line takes them.
std::vector<std::string> NetworkNames();

/// The kind that a resolved scenario's run names.
const NetworkKind& NetworkKindOf(const scenario::Run& run);

/// "PACKET": the kinds with packets as a scenario writes them, "A or B".
std::string NetworksWithPackets();

/// The first kind with packets.
const NetworkKind& PacketNetworkKind();

/// "run.network=PACKET": what makes a scenario run on the network of that name.
std::string NetworkAssignment(const std::string& name);

} // namespace geotrain
