// SPDX-License-Identifier: GPL-2.0-only
// What a live WAN tells of itself. It is trivially copyable and has one writer, so that it can lie
// in memory that processes share.
#pragma once

#include "live-wan/model/lateness.h"

#include <cstdint>
#include <type_traits>

namespace ns3
{

/// A LiveWanReport counts from the beginning of the WAN.
struct LiveWanReport
{
    std::uint64_t taken = 0;   ///< IP packets taken from the nodes
    std::uint64_t given = 0;   ///< IP packets given to the nodes
    std::uint64_t foreign = 0; ///< frames that are no IP packet for a node; ignored
    /// @name Drops of its own, which no link of the scenario caused
    /// @{
    std::uint64_t ringDrops = 0;   ///< frames that came while a port's ring was full
    std::uint64_t poolDrops = 0;   ///< packets that came while all frames were on the way
    std::uint64_t refused = 0;     ///< frames that the kernel refused to send
    std::uint64_t kernelDrops = 0; ///< frames that the kernel dropped between a port and its node
    /// @}
    std::int64_t processorNs = 0; ///< time of a core that the WAN has used
    Lateness lateness;            ///< of each departure to a node after its due time

    std::uint64_t OwnDrops() const
    {
        return ringDrops + poolDrops + refused + kernelDrops;
    }

    /// Returns whether the WAN kept up: it dropped nothing of its own, and 99 % of the departures
    /// were at most `tolerableNs` late.
    bool KeptUp(std::int64_t tolerableNs = 1000000) const
    {
        return OwnDrops() == 0 && lateness.PercentileNs(0.99) <= tolerableNs;
    }
};

static_assert(std::is_trivially_copyable_v<LiveWanReport>);

} // namespace ns3
