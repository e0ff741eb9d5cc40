// SPDX-License-Identifier: GPL-2.0-only
// Checks that a WanTopology can be built: every value is possible and every data centre is within
// reach.
#pragma once

#include "wan/wan-topology.h"

#include <cstddef>
#include <string>

namespace geotrain
{

/// Sites of a WAN, at most: the address plan has a /20 for each in 10.0.0.0/8.
constexpr std::size_t mostSites = 4096;

/// Throws ConfigError that names `file`, the field (site[2].nic_rate, wan_link[0].delay,
/// caps.node_pair, mtu, ...), its value and the rule.
void Validate(const WanTopology& topology, const std::string& file);

} // namespace geotrain
