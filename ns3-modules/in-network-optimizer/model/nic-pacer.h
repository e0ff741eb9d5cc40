// SPDX-License-Identifier: GPL-2.0-only
// Models the push engine of a NIC. Requests go in the order in which they were made, towards
// whatever server: a later one is sent only where the earlier ones have no credit. The engine fills
// its link no further than a short burst, so that heartbeats don't wait behind a window of data.
// One event paces a burst of packets instead of each.
#pragma once

#include "units/transmission-clock.h"
#include "wan-topology/model/reusable-event.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// A PacedSender sends the requests towards one server.
class PacedSender
{
  public:
    virtual ~PacedSender() = default;

    /// Returns whether it has a packet and the credit for it.
    virtual bool MaySend() const = 0;

    /// Returns the turn of the request whose packet is next; only called where it may send.
    virtual std::uint64_t Turn() const = 0;

    virtual void SendNext() = 0;
};

/// NicPacer knows when the link will have sent what it was given, and whose turn it is.
class NicPacer
{
  public:
    /// `rate` is that of the slowest link behind the NIC, and `burst` what may wait there.
    NicPacer(geotrain::BitRate rate, geotrain::Bytes burst);
    ~NicPacer();
    NicPacer(const NicPacer&) = delete;
    NicPacer& operator=(const NicPacer&) = delete;

    /// Adds a sender, which outlives all events.
    void Join(PacedSender& sender);

    /// Returns the turn of a request that is made now.
    std::uint64_t NextTurn();

    /// Lets the senders send what they may while there is room, now and later.
    void SendAll();

    /// Notes that the link was given `wireBytes`.
    void Send(std::int64_t nowNs, std::int64_t wireBytes);

  private:
    PacedSender* First() const;
    bool HasRoom(std::int64_t nowNs) const;
    void AwaitRoom(std::int64_t nowNs);
    void OnRoom();

    using RoomEvent = ReusableEvent<NicPacer, &NicPacer::OnRoom>;

    geotrain::TransmissionClock m_clock;
    const std::int64_t m_burstNs;
    std::vector<PacedSender*> m_senders;
    std::uint64_t m_turns = 0;
    bool m_awaitsRoom = false;
    Ptr<RoomEvent> m_roomEvent;
};

} // namespace ns3
