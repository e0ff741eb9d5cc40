// What a WanTopology must be so that it can be built: every value possible, every data centre within reach.
#pragma once

#include "wan-topology/model/wan-topology.h"

#include <string>

namespace ns3
{

/// Throws geotrain::ConfigError that names `file`, the field (site[2].nic_rate, wan_link[0].delay, caps.node_pair,
/// mtu, ...), its value and the rule.
void Validate(const WanTopology& topology, const std::string& file);

} // namespace ns3
