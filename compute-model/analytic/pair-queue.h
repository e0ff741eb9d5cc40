// SPDX-License-Identifier: GPL-2.0-only
// The queue of a node pair. Trains leave it one after another, at the rate that the network gives
// the pair. It tells when a train begins to leave and when it has left. It also knows when
// something small that joins it would have left.
//
// The class has no clock: time comes with each call.
#pragma once

#include "analytic/train.h"
#include "units/duration.h"
#include "units/growing-ring.h"

namespace geotrain
{

/// A PairQueue is the queue of one directed node pair.
class PairQueue
{
  public:
    /// A Listener is told of trains in the order in which they leave.
    class Listener
    {
      public:
        /// Tells that `train` is the queue's first train from `at` on.
        virtual void Begins(const Train& train, Instant at) = 0;

        /// Tells that `train` has left the queue.
        virtual void HasLeft(const Train& train, Instant at) = 0;

      protected:
        ~Listener() = default;
    };

    /// The listener must outlive this.
    explicit PairQueue(Listener& listener);

    /// Remembers for `howLong` which trains have left, so that LeavesAfter() knows them.
    void KeepDepartures(Duration howLong)
    {
        m_keepsDepartures = true;
        m_kept = howLong;
    }

    /// Adds a train behind all others, at Now().
    void Push(Train train);

    /// Serves the queue until `now`.
    void Serve(Instant now);

    /// Sets the rate from `now` on, in bytes per nanosecond; positive. It is 0 at first.
    void SetRate(Instant now, double bytesPerNanosecond);

    Instant Now() const
    {
        return m_now;
    }

    double Rate() const
    {
        return m_rate;
    }

    bool Empty() const
    {
        return m_trains.Empty();
    }

    /// Returns the train that is leaving; there must be one.
    const Train& First() const
    {
        return m_trains.Front();
    }

    /// Returns how many bytes of the first train have left.
    double ServedOfFirst() const
    {
        return m_servedOfFirst;
    }

    /// Returns when `bytes` of the first train have left. The queue has been served until `at`.
    Instant LeavesFirst(double bytes, Instant at) const;

    /// Returns when a message next begins or ends to leave; Never if the queue is empty.
    Instant NextMark() const;

    /// Returns the bytes that wait or are leaving.
    double Backlog() const
    {
        return m_trains.Empty() ? 0 : m_queued - Served();
    }

    /// Returns how long a train that is pushed now waits.
    Duration Wait() const;

    /// Returns when something small that came to the queue at `queued` has left it.
    Instant LeavesAfter(Instant queued) const;

  private:
    /// A Departure is a train that has left.
    struct Departure
    {
        Instant queued;
        Instant at;
    };

    void End(Instant at);
    double Served() const;
    Instant After(double bytes) const;

    Listener& m_listener;
    GrowingRing<Train> m_trains;
    /// Bytes since the start at which a message begins or ends to leave.
    GrowingRing<double> m_marks;
    double m_queued = 0; ///< bytes queued since the start
    double m_servedOfFirst = 0;
    double m_rate = 0; ///< bytes per nanosecond
    Instant m_now;
    bool m_keepsDepartures = false;
    Duration m_kept;
    GrowingRing<Departure> m_departures; ///< trains that left within the last m_kept
};

} // namespace geotrain
