// The time of a run: what a Network owns and everything in a run is scheduled on. Nothing outside a
// network's own implementation asks another clock (ns-3's, the wall).
#pragma once

#include "units/duration.h"

#include <cstdint>
#include <functional>

namespace geotrain
{

class Clock
{
  public:
    using Callback = std::function<void()>;
    using EventNumber = std::uint64_t;

    virtual ~Clock() = default;

    virtual Instant Now() const = 0;

    /// Calls `callback` at `at`, which must not lie in the past. Events of the same instant run in the
    /// order in which they were scheduled.
    virtual EventNumber Schedule(Instant at, Callback callback) = 0;

    /// Forgets an event; one that has run or was cancelled is ignored.
    virtual void Cancel(EventNumber event) = 0;

    /// Runs events until none is left, Stop() is called, or the next one lies after `deadline`.
    virtual void Run(Instant deadline) = 0;

    /// Ends Run() after the event in progress.
    virtual void Stop() = 0;
};

} // namespace geotrain
