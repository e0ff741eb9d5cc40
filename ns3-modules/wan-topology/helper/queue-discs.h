// SPDX-License-Identifier: GPL-2.0-only
// Knows which of ns-3's queue discs a WAN link can have: some are parts of others, and ns-3 ends the
// program where they stand alone.
#pragma once

#include <string>

namespace ns3
{

/// Returns whether a packet crosses a link with the queue disc of the TypeId `name`. It is tried in
/// another process, once per name.
bool CanCrossQueueDisc(const std::string& name);

} // namespace ns3
