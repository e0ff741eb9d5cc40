// SPDX-License-Identifier: GPL-2.0-only
// The time of a run. A Network owns its clock, and everything in a run is scheduled on it. Only the
// implementation of a network asks another clock (ns-3's, the wall's). Whoever runs the clock
// decides when it stops; several jobs may be scheduled on one clock, and none of them can end the
// others.
#pragma once

#include "units/duration.h"

#include <cstdint>
#include <functional>

namespace geotrain
{

/// A Clock holds the present instant and the events that are scheduled.
class Clock
{
  public:
    using Callback = std::function<void()>;
    using Predicate = std::function<bool()>;
    using EventNumber = std::uint64_t;

    virtual ~Clock() = default;

    virtual Instant Now() const = 0;

    /// Calls `callback` at `at`, which must not lie in the past. Events of the same instant run in
    /// the order in which they were scheduled.
    virtual EventNumber Schedule(Instant at, Callback callback) = 0;

    /// Removes an event. One that has run or was cancelled is ignored.
    virtual void Cancel(EventNumber event) = 0;

    /// Runs events until none is left, `isOver` holds, or the next one lies after `deadline`. An
    /// empty predicate never holds. The predicate is asked after each event that called something
    /// outside the network.
    virtual void RunUntil(const Predicate& isOver, Instant deadline) = 0;

    /// Makes the clock ask `watch` after every so many events, also where these call nothing outside
    /// the network and while connections are warmed. Where it holds, RunUntil() and
    /// Network::Prepare() end early. It must have no effect on results. A clock that has no such
    /// thing ignores it; an empty `watch` takes it away.
    virtual void SetWatch(Predicate /*watch*/)
    {
    }

    /// Runs events until none is left or the next one lies after `deadline`.
    void Run(Instant deadline)
    {
        RunUntil({}, deadline);
    }
};

} // namespace geotrain
