// SPDX-License-Identifier: GPL-2.0-only
// Models one direction of the way between two stages, as the schedules plan with it: messages
// occupy it one after another, and arrive after its delay. It ignores windows, losses, and sharing
// with other pipelines, which Hop::occupancy allows for.
#pragma once

#include "schedule/schedule-order.h"

#include <algorithm>

namespace geotrain
{

/// A MessageWay remembers how long its direction is occupied.
struct MessageWay
{
    std::int64_t free = 0; ///< time in ns at which the last message has left it

    /// Returns when a message that is ready at `ready` arrives, in ns.
    std::int64_t Carry(std::int64_t ready, const Hop& hop)
    {
        free = std::max(free, ready) + hop.occupancy.ToNanoseconds();
        return free + hop.delay.ToNanoseconds();
    }
};

} // namespace geotrain
