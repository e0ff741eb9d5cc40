// SPDX-License-Identifier: GPL-2.0-only
// Checks the impairments of a WAN link: what it may have besides its rate, delay, queue and loss.
#pragma once

#include "wan/wan-topology.h"

#include <string>

namespace geotrain
{

/// Checks all of `link` except the rates and sizes of queues. Throws ConfigError that names `file`,
/// the field under `link`'s own `field` ("wan_link[0]"), its value and the rule.
void ValidateImpairments(const WanTopology::Link& link,
                         Bytes mtu,
                         const std::string& file,
                         const std::string& field);

} // namespace geotrain
