// SPDX-License-Identifier: GPL-2.0-only
// The way of a node pair's trains from the pair's own queue to the destination: through the queues
// of the WAN links one after another, with a delay before each and behind the last. A train goes
// into a link's queue when its last byte has come there, so that the trains of all pairs go into it
// in their order. Where links serve by rank, a train stays in the queue until it has left, since those
// of higher rank that come until then go first. Acknowledgements take the way of the pair in the
// other direction.
//
// The class has no clock: time comes with each call.
#pragma once

#include "analytic/analytic-path.h"
#include "analytic/link-queue.h"
#include "analytic/train.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// TrainRoute is the way of the trains of one directed node pair.
class TrainRoute
{
  public:
    /// A train, and when it comes to the next queue or to the destination.
    struct OnTheWay
    {
        Train train;
        Passage passage;
    };

    /// `delay` is that of the whole way, and `rank` that of AnalyticPath. Without hops `queueOf` may be
    /// null.
    TrainRoute(const std::vector<AnalyticPath::Hop>& hops,
               Duration delay,
               const LinkQueueOf& queueOf,
               std::optional<int> rank = std::nullopt);

    bool HasHops() const
    {
        return !m_hops.empty();
    }

    /// Lets the queues remember their trains for as long as acknowledgements may ask for them, on a
    /// path of this round trip without queues.
    void KeepTrains(Duration roundTrip);

    /// Adds a train that left the pair's own queue during `passage`.
    void Push(const Train& train, const Passage& passage);

    /// Moves trains on until `now`, which is at most Next().
    void Advance(Instant now);

    /// Returns the trains that have passed the last queue, which the caller takes out.
    GrowingRing<OnTheWay>& Arrivals()
    {
        return m_arrivals;
    }

    /// Returns when Advance() next has something to do; Never if nothing is on the way.
    Instant Next() const;

    /// Returns when something small that leaves the source at `at` comes to the destination, as far
    /// as that is known.
    Instant Arrives(Instant at) const;

  private:
    /// A Leaving is a train in a queue, and when it leaves unless others go first.
    struct Leaving
    {
        OnTheWay train;
        double above; ///< LinkQueue::WorkAbove() that `train` has waited for
    };

    /// A Hop is a link's queue and what is on the way to it.
    struct Hop
    {
        LinkQueue* queue = nullptr;
        Duration delay; ///< before it
        GrowingRing<OnTheWay> trains;
        GrowingRing<Leaving> leaving; ///< where links serve by rank
    };

    void PassOn(std::size_t hop, OnTheWay train);
    void Leave(std::size_t hop, Instant now);

    std::vector<Hop> m_hops;
    std::optional<int> m_rank;
    Duration m_lastDelay; ///< behind the last queue
    GrowingRing<OnTheWay> m_arrivals;
};

} // namespace geotrain
