// SPDX-License-Identifier: GPL-2.0-only
// The queue of a node pair: trains leave it one after another, at the rate that the network gives
// the pair. It tells when a train begins to leave and when it has left, and when something small
// that joins it would have left.
//
// Logic without a clock: time comes with each call.
#pragma once

#include "analytic/train.h"
#include "units/duration.h"
#include "units/growing-ring.h"

namespace geotrain
{

class PairQueue
{
  public:
    /// Hears of trains in the order in which they leave.
    class Listener
    {
      public:
        /// `train` is the queue's first from `at` on.
        virtual void Begins(const Train& train, Instant at) = 0;

        /// `train` is the queue's no more.
        virtual void HasLeft(const Train& train, Instant at) = 0;

      protected:
        ~Listener() = default;
    };

    /// The listener must outlive this.
    explicit PairQueue(Listener& listener);

    /// Remembers which trains have left, for so long, so that LeavesAfter knows them.
    void KeepDepartures(Duration howLong)
    {
        m_keepsDepartures = true;
        m_kept = howLong;
    }

    /// Adds a train behind all others, now.
    void Push(Train train);

    /// Goes on to `now`.
    void Serve(Instant now);

    /// The rate from `now` on, in bytes per nanosecond; positive. 0 at first.
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

    /// The train that is leaving. There must be one.
    const Train& First() const
    {
        return m_trains.Front();
    }

    /// Whether any byte of the first train has left.
    double ServedOfFirst() const
    {
        return m_servedOfFirst;
    }

    /// When `bytes` of the first train have left, seen from `at`, to which the queue has been
    /// served.
    Instant LeavesFirst(double bytes, Instant at) const;

    /// When a message next begins or ends to leave; Never if the queue is empty.
    Instant NextMark() const;

    /// For how long what is pushed now waits.
    Duration Wait() const;

    /// When something small that came to the queue at an instant has left it.
    Instant LeavesAfter(Instant queued) const;

  private:
    /// A train that has left.
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
    GrowingRing<double>
        m_marks;         ///< bytes since the start at which a message begins or ends to leave
    double m_queued = 0; ///< bytes since the start
    double m_servedOfFirst = 0;
    double m_rate = 0; ///< bytes per nanosecond
    Instant m_now;
    bool m_keepsDepartures = false;
    Duration m_kept;
    GrowingRing<Departure> m_departures; ///< of the last m_kept
};

} // namespace geotrain
