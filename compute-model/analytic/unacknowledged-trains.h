// SPDX-License-Identifier: GPL-2.0-only
// Trains of a pair that have begun to leave its queue, in order, and when their acknowledgements
// leave the receiver: a way's delay after the bytes that they answer have left the queue. Of the
// train that is leaving that is predicted with the queue's rate.
#pragma once

#include "analytic/pair-queue.h"

namespace geotrain
{

class UnacknowledgedTrains
{
  public:
    struct Entry
    {
        std::uint32_t group = 0; ///< of connections, that sent it
        AcknowledgedTrain times;
    };

    /// The queue must outlive this. `delay` is one way.
    UnacknowledgedTrains(const PairQueue& queue, Duration delay);

    /// The queue's first train begins to leave.
    void Begin(const Train& train, Instant at);

    /// It has left.
    void End(const Train& train, Instant at);

    /// The queue has another rate, or another first train, at `at`.
    void Predict(Instant at);

    bool Empty() const
    {
        return m_trains.Empty();
    }

    /// The oldest. There must be one.
    const Entry& Front() const
    {
        return m_trains.Front();
    }

    /// Takes the oldest: its first acknowledgement has come, and counts for all of it.
    Entry PopFront();

  private:
    const PairQueue& m_queue;
    Duration m_delay;
    GrowingRing<Entry> m_trains;
    bool m_waitsForFirst = false; ///< the last of m_trains is the queue's first
};

} // namespace geotrain
