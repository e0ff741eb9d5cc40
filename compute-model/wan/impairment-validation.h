// What may be asked of a WAN link besides its rate, delay, queue and loss.
#pragma once

#include "wan/wan-topology.h"

#include <string>

namespace geotrain
{

/// All of `link` but the rates and sizes of queues. Throws ConfigError that names `file`, the field under
/// `link`'s own `field` ("wan_link[0]"), its value and the rule.
void ValidateImpairments(const WanTopology::Link& link,
                         Bytes mtu,
                         const std::string& file,
                         const std::string& field);

} // namespace geotrain
