// SPDX-License-Identifier: GPL-2.0-only
// Tells from a worker's forecast bubbles when work that runs whenever the worker is idle will have
// ended. It counts on each bubble from its latest start to its earliest end, so that a promise made
// of it is kept more often than not. What comes after the forecast is taken to repeat its last
// iteration.
#pragma once

#include "filling/bubble.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// IdleForecast is the idle time that is to come on one worker.
class IdleForecast
{
  public:
    /// Replaces the forecast by `bubbles`, in order of time, of the iteration in progress and of the
    /// one after, which takes `period`.
    void Set(const std::vector<Bubble>& bubbles, Duration period);

    /// Returns when the worker will have been idle for `work` since `from`: at `from` plus `work`
    /// where nothing is forecast, Instant::Never() where no idle time is.
    Instant EndOf(Instant from, Duration work) const;

    /// Returns the earliest end of the bubble of this iteration that ends with computation
    /// `position`; nullopt where none is forecast.
    std::optional<Instant> EarliestEnd(std::uint32_t position) const;

    /// Returns the longest bubble.
    Duration Longest() const;

  private:
    struct Span
    {
        Instant start;
        Instant end;
        Duration before; ///< idle time of the spans before
        std::uint32_t iterationsAhead = 0;
        std::uint32_t endsWith = 0;
    };

    Duration IdleUntil(Instant at) const;
    Instant WhenIdleFor(Duration idle) const;

    std::vector<Span> m_spans;
    Duration m_idle;          ///< of all spans
    Duration m_idlePerPeriod; ///< of the spans of the next iteration
    Duration m_period;
};

} // namespace geotrain
