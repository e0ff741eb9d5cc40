// SPDX-License-Identifier: GPL-2.0-only
// Finds WAN links that idle in a run though their ends talk: a detour of less delay takes their
// traffic (wan_routing), or a parallel link.
#pragma once

#include "wan/resources.h"
#include "wan/wan-paths.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns a line per link that no connection of `pairs` crosses, although one of them sends from one of
/// its ends to the other. `paths` are those of `topology`; each pair has `connections`, which parallel
/// links share.
std::vector<std::string> WarningsOfIdleLinks(const WanTopology& topology,
                                             const WanPaths& paths,
                                             const std::vector<NodePair>& pairs,
                                             std::uint32_t connections);

} // namespace geotrain
