// SPDX-License-Identifier: GPL-2.0-only
// The queue of a WAN link in one direction: one FIFO of bytes for all node pairs that cross it. A
// train takes as long as what is ahead of it and itself, whoever sent these, and something small,
// such as an acknowledgement, waits behind the data of that direction. What the queue has no room
// for is lost, and so is each packet that the link's random losses choose.
//
// Trains may have ranks. One of the highest rank waits for those of its rank alone, as if others were
// not there. Each rank has the whole room for itself. A train of a lower rank leaves when the link has
// sent what came before it and all of higher rank, also what comes until then (WorkAbove()): exactly so
// for trains, which can be interrupted at any byte, so to within a packet. Only something small of a
// lower rank, such as an acknowledgement, does not wait for what comes after it.
//
// The class has no clock: time comes with each call.
#pragma once

#include "analytic/tail-drop.h"
#include "units/bytes.h"
#include "units/duration.h"
#include "units/growing-ring.h"
#include "units/random-stream.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace geotrain
{

/// A Passage is when the first and the last byte of a train pass a point of its way.
struct Passage
{
    Instant first;
    Instant last;
};

/// LinkQueue is the queue of a WAN link in one direction.
class LinkQueue
{
  public:
    /// Settings describe a link's direction in payload bytes.
    struct Settings
    {
        double rate = 0;                                        ///< bytes per nanosecond, positive
        double limit = std::numeric_limits<double>::infinity(); ///< most bytes that wait
        double lossRate = 0;                                    ///< probability per packet
        std::int64_t segment = 1;                               ///< bytes per packet, positive
        std::uint64_t seed = 1;                                 ///< of random losses
        std::string name;                                       ///< of the stream of random losses
    };

    /// A Departure is what becomes of a train.
    struct Departure
    {
        Passage passage;
        std::int64_t lost = 0; ///< bytes of it
        bool endsLost = false; ///< its end is among these
    };

    explicit LinkQueue(const Settings& settings);

    /// Remembers trains for at least `howLong` after they have left, so that LeavesAfter() knows
    /// them.
    void KeepFor(Duration howLong);

    /// Takes a train of `bytes` that comes in during `in`. Trains come in the order of the calls.
    Departure Enter(const Passage& in, std::int64_t bytes, int rank = 0);

    /// Returns how long the link has been busy, since time 0, with all of higher rank than `rank` that
    /// has come until now. What this grows by while a train waits delays it.
    double WorkAbove(int rank) const;

    /// Returns when something small that comes at `at` has left.
    Instant LeavesAfter(Instant at, int rank = 0) const;

    /// Returns the time that a full queue takes to empty; 0 where the queue has no limit.
    Duration LongestWait() const;

  private:
    /// A Level is how long the queue was busy as of the arrival of a train.
    struct Level
    {
        Instant at;
        Instant busyUntil;
    };

    /// A Backlog is what is to be sent of a rank and of those above it.
    struct Backlog
    {
        int rank = 0;
        double busyUntil = 0; ///< ns since time 0
        double above = 0;     ///< WorkAbove()
        GrowingRing<Level> levels;
        TailDrop tail; ///< of the rank alone
    };

    double NextLoss();
    std::int64_t LostAtRandom(std::int64_t bytes);
    std::size_t IndexOf(int rank);
    void Note(Backlog& backlog, Instant at) const;

    Settings m_settings;
    RandomStream m_random;
    double m_untilLoss = std::numeric_limits<double>::infinity(); ///< packets
    Duration m_kept;
    std::vector<Backlog> m_backlogs; ///< by rank, the lowest first
};

/// Returns the queue of a link, which must outlive all that uses it.
using LinkQueueOf = std::function<LinkQueue&(std::size_t link)>;

} // namespace geotrain
