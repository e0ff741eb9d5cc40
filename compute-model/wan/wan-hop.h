// SPDX-License-Identifier: GPL-2.0-only
// A link of a path.
#pragma once

#include <cstdint>

namespace geotrain
{

/// A WanHop is a link of a path and the direction in which it is crossed.
struct WanHop
{
    std::uint32_t link = 0; ///< index into WanTopology::links
    bool forward = true;    ///< from Link::from to Link::to

    bool operator==(const WanHop& other) const
    {
        return link == other.link && forward == other.forward;
    }
};

} // namespace geotrain
