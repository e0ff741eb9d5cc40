// SPDX-License-Identifier: GPL-2.0-only
// Models one direction of a FIFO link as functions of time. Packets wait in a queue, are sent at
// the link's rate one after another, may be lost at random, and arrive a propagation delay after
// their last bit was sent. The queue is virtual: it is the size of each waiting packet and the time
// when it will be sent. There is no clock, event loop or packet here, so that a NetDevice and a
// light link can share it. Framing costs nothing: rates are those of IP packets. ImpairedLink models
// everything but drop-tail queues and independent losses, and LearnedDirection what was learned.
#pragma once

#include "units/random-stream.h"
#include "units/transmission-clock.h"
#include "wan-topology/model/impaired-link.h"
#include "wan-topology/model/learned-direction.h"
#include "wan-topology/model/link-settings.h"
#include "wan-topology/model/waiting-packets.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace ns3
{

/// LinkModel is one direction of a link.
class LinkModel
{
  public:
    using Settings = LinkSettings;
    using Outcome = LinkOutcome;
    using Verdict = LinkOutcome::Verdict;
    using Counters = LinkCounters;

    explicit LinkModel(const Settings& settings);

    /// Offers a packet of `size` at `now`, which never goes back. It waits only where the link is
    /// busy. A queue limit counts what waits behind the packet being sent, and an idle link takes
    /// any packet. Arrivals are in the order of the offers unless MayReorder().
    Outcome Offer(geotrain::Instant now, geotrain::Bytes size, bool ecnCapable = false);

    /// A Burst is `count` packets of `size`, the last of which comes `spread` after the first one.
    struct Burst
    {
        geotrain::Bytes size;
        std::uint32_t count;
        geotrain::Duration spread;
    };

    /// A Piece is packets of a burst in a row, all of which were accepted, or none.
    struct Piece
    {
        std::uint32_t first; ///< place in the burst, from 0
        std::uint32_t count;
        bool isAccepted;
        geotrain::Instant firstArrival;
        geotrain::Instant lastArrival;
    };

    /// Offers a burst to a plain link, and gives its pieces to `give` in their order. The burst is sent in
    /// a row: of packets that come between its first one and its last one, none goes before these.
    template <typename Give>
    void OfferBurst(geotrain::Instant now, const Burst& burst, const Give& give);

    /// Sends bytes that are no packets, such as those of a whole message, in their turn: they are never
    /// dropped and take no room in the queue. Returns their departure. Only links without impairments
    /// carry them.
    geotrain::Instant Carry(geotrain::Instant now, geotrain::Bytes size);

    const Settings& GetSettings() const
    {
        return m_settings;
    }

    /// Returns whether it has neither impairments but independent losses, nor was learned.
    bool IsPlain() const
    {
        return m_isPlain;
    }

    bool MayReorder() const;
    bool MayMark() const;    ///< whether ECN-capable packets may be marked
    bool IsImpaired() const; ///< whether packets may be marked, duplicated or reordered

    /// Returns the bytes that are still to be sent.
    geotrain::Bytes Backlog(geotrain::Instant now) const;

    /// Returns when all that it has taken is sent, long ago where that is nothing. A learned link is
    /// always free, since its queue was learned too.
    geotrain::Instant FreeAt() const;

    /// Returns the bytes that have been put on the wire, but for those that an outage lost.
    geotrain::Bytes SentBytes(geotrain::Instant now) const;

    const Counters& GetCounters() const;

  private:
    bool HasRoom(geotrain::Instant now, geotrain::Bytes size);
    void Wait(geotrain::Instant until, geotrain::Bytes size);
    bool Loses(geotrain::Bytes size);
    Outcome Drop(geotrain::Bytes size);
    Outcome OfferPlain(geotrain::Instant now, geotrain::Bytes size);
    Outcome OfferPlain(geotrain::Instant now, geotrain::Instant rowBegin, geotrain::Bytes size);
    Piece SendUnbounded(geotrain::Instant now, const Burst& burst);
    Outcome OfferOther(geotrain::Instant now, geotrain::Bytes size, bool ecnCapable);
    const Counters& OtherCounters() const;

    // What a packet needs comes first, so that it lies together.
    bool m_isPlain;  ///< neither m_impaired nor m_learned is there
    bool m_hasLimit; ///< of its queue
    geotrain::Duration m_delay;
    double m_lossRate;
    geotrain::TransmissionClock m_clock;
    Counters m_counters;
    WaitingPackets m_waiting; ///< empty where the queue has no limit
    geotrain::RandomStream m_loss;
    Settings m_settings;
    // At most one of these is there, and stands for the members above but the settings.
    std::unique_ptr<ImpairedLink> m_impaired;
    std::unique_ptr<LearnedDirection> m_learned;
};

// These are inline since they are called for each packet on each hop.

inline LinkModel::Outcome
LinkModel::Offer(geotrain::Instant now, geotrain::Bytes size, bool ecnCapable)
{
    return m_isPlain ? OfferPlain(now, size) : OfferOther(now, size, ecnCapable);
}

inline LinkModel::Outcome
LinkModel::OfferPlain(geotrain::Instant now, geotrain::Bytes size)
{
    return OfferPlain(now, now, size);
}

/// Offers a packet that comes at `now`, and is sent in a row with what came from `rowBegin` on.
inline LinkModel::Outcome
LinkModel::OfferPlain(geotrain::Instant now, geotrain::Instant rowBegin, geotrain::Bytes size)
{
    if (m_hasLimit && !HasRoom(now, size))
    {
        return Drop(size);
    }
    ++m_counters.acceptedPackets;
    m_counters.acceptedBytes += size.Count();
    const geotrain::Instant freeAt = m_clock.FreeAt();
    if (freeAt > now)
    {
        m_counters.queueingNs += (freeAt - now).ToNanoseconds();
        if (m_hasLimit)
        {
            Wait(freeAt, size);
        }
    }
    Outcome outcome;
    outcome.departure = m_clock.Send(rowBegin, size);
    if (m_lossRate > 0 && Loses(size))
    {
        outcome.verdict = Verdict::Lost;
        return outcome;
    }
    outcome.arrival = outcome.departure + m_delay;
    return outcome;
}

template <typename Give>
void
LinkModel::OfferBurst(geotrain::Instant now, const Burst& burst, const Give& give)
{
    if (!m_hasLimit && m_lossRate == 0)
    {
        give(SendUnbounded(now, burst));
        return;
    }
    const geotrain::Duration alone = m_settings.rate.TransmissionTime(burst.size);
    const auto gap =
        geotrain::Duration::Nanoseconds(burst.spread.ToNanoseconds() / (burst.count - 1));
    Piece piece{};
    for (std::uint32_t i = 0; i < burst.count; ++i)
    {
        const geotrain::Instant at = now + gap * i;
        const Outcome outcome = OfferPlain(at, now, burst.size);
        const bool isAccepted = outcome.verdict == Verdict::Accepted;
        if (piece.count > 0 && piece.isAccepted != isAccepted)
        {
            give(std::as_const(piece));
            piece = {i, 0, isAccepted, {}, {}};
        }
        piece.isAccepted = isAccepted;
        piece.lastArrival = std::max(outcome.departure, at + alone) + m_delay;
        piece.firstArrival = piece.count == 0 ? piece.lastArrival : piece.firstArrival;
        ++piece.count;
    }
    give(std::as_const(piece));
}

inline bool
LinkModel::IsImpaired() const
{
    return m_impaired != nullptr;
}

inline const LinkModel::Counters&
LinkModel::GetCounters() const
{
    return m_isPlain ? m_counters : OtherCounters();
}

} // namespace ns3
