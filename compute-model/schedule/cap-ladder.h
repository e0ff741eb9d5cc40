// SPDX-License-Identifier: GPL-2.0-only
// Lists the memory caps that a search tries. More activations are no gain of themselves: they may
// queue on the WAN, and delay those of others that are more urgent. So a search looks at smaller
// caps than the largest that it may use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace geotrain
{

/// Returns caps up to `cap`, the largest first: `cap` itself, and those from `stages` on in steps of
/// one `part`-th.
inline std::vector<std::uint32_t>
CapLadder(std::uint32_t cap, std::uint32_t stages, std::uint32_t part = 4)
{
    std::vector<std::uint32_t> caps;
    for (std::uint32_t rung = stages; rung < cap; rung += std::max(1u, rung / part))
    {
        caps.push_back(rung);
    }
    caps.push_back(cap);
    std::reverse(caps.begin(), caps.end());
    return caps;
}

} // namespace geotrain
