// SPDX-License-Identifier: GPL-2.0-only
// Models one direction of the way between two stages, as the schedules plan with it: messages
// occupy it one after another, and arrive after its delay. It ignores sharing with other pipelines,
// which Hop::occupancy allows for. Over cold connections a message takes as long as its place says,
// however long ago the one before it went: windows open with what was acknowledged. A pause closes
// them again.
#pragma once

#include "schedule/schedule-order.h"

#include <algorithm>

namespace geotrain
{

/// A MessageWay remembers how long its direction is occupied.
struct MessageWay
{
    std::int64_t free = 0;   ///< time in ns at which the last message has left it
    std::size_t carried = 0; ///< messages since the first one, or the last pause that counted

    /// Returns when a message that is ready at `ready` arrives, in ns.
    std::int64_t Carry(std::int64_t ready, const Hop& hop)
    {
        if (const std::int64_t latency = LatencyAfterPause(ready, hop); latency > 0)
        {
            carried = 1;
            free = ready + latency - hop.delay.ToNanoseconds();
            return ready + latency;
        }
        if (carried < hop.cold.size())
        {
            return CarryCold(ready, hop);
        }
        ++carried;
        free = std::max(free, ready) + hop.occupancy.ToNanoseconds();
        return free + hop.delay.ToNanoseconds();
    }

  private:
    /// Returns the latency of a message whose windows were halved in the pause before it; 0: none
    /// was. Connections were warmed up one direction after the other before the first message.
    std::int64_t LatencyAfterPause(std::int64_t ready, const Hop& hop) const
    {
        const std::int64_t most = hop.restart.alone.ToNanoseconds();
        if (most == 0)
        {
            return 0;
        }
        const std::int64_t pause = ready - free + (carried == 0 ? most : 0);
        const std::int64_t timeouts = pause / hop.restart.timeout.ToNanoseconds();
        return timeouts > 0
                   ? std::min(most,
                              (hop.Total() + hop.restart.roundTrip * timeouts).ToNanoseconds())
                   : 0;
    }

    std::int64_t CarryCold(std::int64_t ready, const Hop& hop)
    {
        const ColdMessage& message = hop.cold[carried];
        const std::int64_t delay = hop.delay.ToNanoseconds();
        const std::int64_t behind =
            carried == 0 ? 0 : free + delay + message.behind.ToNanoseconds();
        ++carried;
        const std::int64_t arrival = std::max(behind, ready + message.alone.ToNanoseconds());
        free = arrival - delay;
        return arrival;
    }
};

} // namespace geotrain
