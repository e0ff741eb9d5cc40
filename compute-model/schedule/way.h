// SPDX-License-Identifier: GPL-2.0-only
// One direction of the way between two stages, as the schedules plan with it: messages occupy it one after another, and
// arrive after its delay. It ignores sharing with other pipelines, which Hop::occupancy allows for.
#pragma once

#include "schedule/schedule-order.h"

#include <algorithm>

namespace geotrain
{

struct Way
{
    std::int64_t free = 0; ///< ns: when the last message has left it

    /// When a message that is ready at `ready` arrives, in ns.
    std::int64_t Carry(std::int64_t ready, const Hop& hop)
    {
        free = std::max(free, ready) + hop.occupancy.ToNanoseconds();
        return free + hop.delay.ToNanoseconds();
    }
};

} // namespace geotrain
