// SPDX-License-Identifier: GPL-2.0-only
// Keeps the time that prefills have reserved on one worker, in order of its begin, with an alarm
// that rings when the first reservation begins.
#pragma once

#include "execution/clock.h"
#include "filling/bubble.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

namespace geotrain
{

/// A Reservation is for units of one stage of a batch.
struct Reservation
{
    Instant start;
    Instant limit; ///< end of its bubble
    std::uint32_t units = 0;
    std::uint32_t batch = 0;
    std::size_t stage = 0;
};

/// WorkerReservations are the reservations of one worker.
class WorkerReservations
{
  public:
    /// `due` is called when the first reservation begins, if AwaitFirst() was called. `clock` must
    /// outlive this.
    WorkerReservations(Clock& clock, std::function<void()> due);

    /// Returns the reservation that begins first; nullptr without any.
    const Reservation* First() const;
    void RemoveFirst();

    /// Adds a reservation behind those that begin at the same time.
    void Insert(const Reservation& reservation);

    /// Removes the reservations for which `goes` returns true. It is called for each in order, and
    /// may change their limit.
    template <typename Goes>
    void RemoveIf(Goes goes);

    /// Sets the alarm to the begin of the first reservation, or to this instant where that is past.
    /// Without reservations nothing changes.
    void AwaitFirst();

  private:
    Clock& m_clock;
    std::function<void()> m_due;
    std::deque<Reservation> m_reserved;
    Clock::EventNumber m_alarm = 0;
    std::optional<Instant> m_awaited;
};

template <typename Goes>
void
WorkerReservations::RemoveIf(Goes goes)
{
    for (auto next = m_reserved.begin(); next != m_reserved.end();)
    {
        next = goes(*next) ? m_reserved.erase(next) : next + 1;
    }
}

} // namespace geotrain
