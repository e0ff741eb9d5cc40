// SPDX-License-Identifier: GPL-2.0-only
// Lists the kinds of network that a scenario may run on. A new one is a value of the schema's
// Network.Kind, a row here and its maker in runner/testbed.cc; nobody compares their names.
#pragma once

#include "execution/network-kind.h"
#include "loader/schema-types.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns all kinds, in the schema's order.
const std::vector<const NetworkKind*>& NetworkKinds();

/// Returns their names as the command line takes them, such as "packet" and "analytic".
std::vector<std::string> NetworkNames();

/// Returns the kind that a resolved scenario's run names.
const NetworkKind& NetworkKindOf(const scenario::Run& run);

/// Returns the first kind with packets.
const NetworkKind& PacketNetworkKind();

/// Returns the assignment that makes a scenario run on the network of that name, such as
/// "run.network=PACKET".
std::string NetworkAssignment(const std::string& name);

} // namespace geotrain
