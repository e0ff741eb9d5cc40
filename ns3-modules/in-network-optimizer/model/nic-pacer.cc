// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/model/nic-pacer.h"

#include <algorithm>

namespace ns3
{

NicPacer::NicPacer(geotrain::BitRate rate, geotrain::Bytes burst)
    : m_clock(rate),
      m_burstNs(rate.TransmissionTime(burst).ToNanoseconds()),
      m_roomEvent(Create<RoomEvent>(this))
{
}

NicPacer::~NicPacer()
{
    m_roomEvent->Detach();
}

void
NicPacer::Join(PacedSender& sender)
{
    m_senders.push_back(&sender);
}

std::uint64_t
NicPacer::NextTurn()
{
    return m_turns++;
}

void
NicPacer::SendAll()
{
    const std::int64_t now = NowNs();
    for (PacedSender* first = First(); first; first = First())
    {
        if (!HasRoom(now))
        {
            AwaitRoom(now);
            return;
        }
        first->SendNext();
    }
}

void
NicPacer::Send(std::int64_t nowNs, std::int64_t wireBytes)
{
    m_clock.Send(geotrain::Instant::FromNanoseconds(nowNs), geotrain::Bytes::Of(wireBytes));
}

PacedSender*
NicPacer::First() const
{
    PacedSender* first = nullptr;
    for (PacedSender* const sender : m_senders)
    {
        if (sender->MaySend() && (!first || sender->Turn() < first->Turn()))
        {
            first = sender;
        }
    }
    return first;
}

bool
NicPacer::HasRoom(std::int64_t nowNs) const
{
    return m_clock.FreeAt().ToNanoseconds() < nowNs + m_burstNs;
}

/// Waits until half a burst will be left, so that the link never runs dry.
void
NicPacer::AwaitRoom(std::int64_t nowNs)
{
    if (!m_awaitsRoom)
    {
        m_awaitsRoom = true;
        m_roomEvent->ScheduleIn(
            std::max<std::int64_t>(0, m_clock.FreeAt().ToNanoseconds() - m_burstNs / 2 - nowNs));
    }
}

void
NicPacer::OnRoom()
{
    m_awaitsRoom = false;
    SendAll();
}

} // namespace ns3
