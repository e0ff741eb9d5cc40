// SPDX-License-Identifier: GPL-2.0-only
// Keeps the trains of a pair that have begun to leave its queue, in order, and when their
// acknowledgements leave the receiver. That is the one-way delay after the acknowledged bytes have
// left the queue. For the train that is leaving, the queue's rate predicts it.
#pragma once

#include "analytic/link-queue.h"
#include "analytic/pair-queue.h"

namespace geotrain
{

/// UnacknowledgedTrains are the trains of one pair whose acknowledgements have not come.
class UnacknowledgedTrains
{
  public:
    /// The queue must outlive this. `delay` is one way.
    UnacknowledgedTrains(const PairQueue& queue, Duration delay);

    /// Adds a train that comes to the receiver during `passage`.
    void Add(const Train& train, const Passage& passage);

    /// Adds the queue's first train, which begins to leave.
    void Begin(const Train& train, Instant at);

    /// Completes the times of the train, which has left.
    void End(const Train& train, Instant at);

    /// Predicts again, since the queue has another rate or another first train at `at`.
    void Predict(Instant at);

    bool Empty() const
    {
        return m_trains.Empty();
    }

    /// Returns the oldest train, whose times are those of its acknowledgements and whose losses are
    /// out of what a member has sent; there must be one.
    const Train& Front() const
    {
        return m_trains.Front();
    }

    /// Takes the oldest train. Its first acknowledgement has come, and counts for all of it.
    Train PopFront();

  private:
    AcknowledgedTrain& Push(const Train& train);

    const PairQueue& m_queue;
    Duration m_delay;
    GrowingRing<Train> m_trains;
    bool m_waitsForFirst = false; ///< the last of m_trains is the queue's first
};

} // namespace geotrain
