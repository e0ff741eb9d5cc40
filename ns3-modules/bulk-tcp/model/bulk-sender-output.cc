// SPDX-License-Identifier: GPL-2.0-only
// Decides what is sent as far as pace and windows allow: retransmissions, segments one by one, and
// bursts of segmentation offload.
#include "bulk-tcp/model/bulk-sender.h"

#include <algorithm>

namespace ns3
{

void
BulkSender::UpdatePace()
{
    if (m_offloads)
    {
        UpdateBurst();
        return;
    }
    if (const auto rate = m_window.UpdatePacingRate(m_timeout.Rtt()))
    {
        m_pacer.SetRate(*rate);
    }
    if (m_burst)
    {
        m_burst->SetRate(m_window.PacingRateWanted(m_timeout.Rtt()));
    }
}

/// With offloads a burst is what Linux hands down at once, paced or not.
void
BulkSender::UpdateBurst()
{
    m_window.UpdatePacingRate(m_timeout.Rtt());
    const TcpSocketState& tcb = *m_window.State();
    const std::uint64_t rate = m_window.RateOfBursts(m_timeout.Rtt());
    m_burst->SetRate(rate, tcb.m_minRtt.GetNanoSeconds());
    m_window.SetRateOfBursts(rate);
    if (rate > 0)
    {
        m_pacer.SetRate(rate);
    }
}

void
BulkSender::SendPending()
{
    if (m_failed)
    {
        Abort();
        return;
    }
    RestartAfterIdle();
    if (m_burst)
    {
        m_burst->Restart();
    }
    m_waitsForWindow = false;
    while (SendOne())
    {
    }
    m_window.NoteSent(m_waitsForWindow);
    ArmTimers();
}

bool
BulkSender::SendOne()
{
    if (m_window.IsPaced() && m_pacer.Holds(m_nowNs))
    {
        m_pacingTimer.Set(m_pacer.NextNs());
        return false;
    }
    const std::uint64_t room = m_window.Room();
    const std::uint32_t length = NextNewLength();
    Segment* lost = m_losses->NextLost();
    if (lost && !m_states.Undo().PutsNewDataFirst(length > 0 && FitsReceiver(length)))
    {
        return SendAgain(*lost, room);
    }
    if (length == 0)
    {
        const bool isRecovering = m_window.State()->m_congState == TcpSocketState::CA_RECOVERY;
        if (Segment* doubtful = isRecovering ? m_losses->NextDoubtful() : nullptr)
        {
            return SendAgain(*doubtful, room);
        }
        m_losses->Rate().OnAppLimited(m_losses->InFlight());
        return false;
    }
    if (room < length || !FitsReceiver(length))
    {
        return false;
    }
    const std::uint64_t receiverRoom = m_edge - Board().HighTx();
    if (m_burst && WaitsForBurst(std::min(room, receiverRoom)))
    {
        m_waitsForWindow = room < receiverRoom;
        return false;
    }
    BeginIfIdle();
    if (m_offloads)
    {
        SendBurst(room);
    }
    else
    {
        SendNew(length);
    }
    return true;
}

/// Returns whether a packet of new data, for which there is room, waits for a larger burst.
bool
BulkSender::WaitsForBurst(std::uint64_t room)
{
    const TcpSocketState& tcb = *m_window.State();
    const bool isOneLeft = m_queue.Current().end - Board().HighTx() <= tcb.m_segmentSize;
    if (isOneLeft || m_losses->InFlight() == 0 || tcb.m_congState >= TcpSocketState::CA_RECOVERY)
    {
        return false;
    }
    OffloadBurst::View view;
    view.nowNs = m_nowNs;
    view.lastSentNs = m_lastSentNs;
    view.firstSentNs = Board().FirstSentNs();
    view.roundTripNs = m_timeout.Rtt().SmoothedNs();
    view.room = room;
    view.window = std::min<std::uint64_t>(tcb.m_cWnd.Get(), m_largestWindow);
    view.segmentSize = tcb.m_segmentSize;
    return m_burst->Waits(view);
}

void
BulkSender::BeginIfIdle()
{
    if (m_losses->InFlight() == 0)
    {
        m_states.OnSendingBegins();
    }
}

bool
BulkSender::SendAgain(Segment& segment, std::uint64_t room)
{
    if (room < segment.length)
    {
        return false;
    }
    BeginIfIdle();
    Retransmit(segment);
    m_losses->OnSentAgain(segment);
    return true;
}

std::uint32_t
BulkSender::NextNewLength() const
{
    const std::uint64_t left = m_queue.Current().end - Board().HighTx();
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(left, m_window.State()->m_segmentSize));
}

bool
BulkSender::FitsReceiver(std::uint32_t length) const
{
    return Board().HighTx() + length <= m_edge;
}

void
BulkSender::SendNew(std::uint32_t length)
{
    const std::uint64_t offset = Board().HighTx();
    m_losses->OnSent(m_nowNs, length);
    m_counters.sentBytes += length;
    if (m_burst)
    {
        m_burst->OnSent();
    }
    Transmit(offset, length, m_queue.Current(), false);
    if (const auto finished = m_queue.OnSent(Board().HighTx()))
    {
        m_events.OnSent(*finished);
    }
}

/// Sends as much new data at once as Linux hands down for segmentation offload: a packet or more, for
/// which there is `room`, of one message. Less than a segment fills the receiver's window, as without
/// Nagle's algorithm (tcp_mss_split_point).
void
BulkSender::SendBurst(std::uint64_t room)
{
    const std::uint32_t segment = m_window.State()->m_segmentSize;
    const std::uint64_t begin = Board().HighTx();
    const PacketRecord::MessageTag message = m_queue.Current();
    const std::uint64_t left = message.end - begin;
    std::uint64_t burst = std::min(m_burst->Segments(segment) * segment, room);
    burst = std::min(burst < left ? burst - burst % segment : left, m_edge - begin);
    const auto runt = static_cast<std::uint32_t>(burst % segment);
    if (burst > runt)
    {
        m_losses->OnSentBurst(m_nowNs, burst / segment, segment);
    }
    if (runt > 0)
    {
        m_losses->OnSent(m_nowNs, runt);
    }
    m_counters.dataPackets += burst / segment + (runt > 0 ? 1 : 0);
    GiveOut(MakeData(begin, segment, message, false), begin + burst);
    m_states.OnTransmit(static_cast<std::uint32_t>(burst));
    m_counters.sentBytes += burst;
    m_lastSentNs = m_nowNs;
    m_burst->Restart();
    if (m_window.IsPaced())
    {
        m_pacer.OnSentBurst(m_nowNs, burst);
    }
    if (const auto finished = m_queue.OnSent(Board().HighTx()))
    {
        m_events.OnSent(*finished);
    }
}

/// Gives out the packets up to `end`, of which `data` is the first one, with the length of a segment: in as
/// few records as the exit takes.
void
BulkSender::GiveOut(PacketRecord data, std::uint64_t end)
{
    const std::uint32_t segment = data.length;
    const std::uint64_t mostAtOnce = m_exit.TakesBursts() ? PacketRecord::s_mostPackets : 1;
    while (data.offset < end)
    {
        const std::uint64_t left = end - data.offset;
        const bool leadsOthers = (data.flags & PacketRecord::WindowReduced) != 0;
        const std::uint64_t packets =
            std::clamp<std::uint64_t>(left / segment, 1, leadsOthers ? 1 : mostAtOnce);
        data.length = static_cast<std::uint32_t>(std::min(left, packets * segment));
        data.followers = static_cast<std::uint8_t>(packets - 1);
        if (left < segment)
        {
            data.wireSize = static_cast<std::uint16_t>(left + BulkTcpOptions::s_dataHeaderSize);
        }
        m_exit.out.Receive(data);
        data.offset += data.length;
        data.flags &= static_cast<std::uint8_t>(~PacketRecord::WindowReduced); // of the first alone
    }
}

void
BulkSender::Retransmit(Segment& segment)
{
    Repeat(segment, false);
}

void
BulkSender::Repeat(Segment& segment, bool isProbe)
{
    m_counters.retransmittedBytes += segment.length;
    ++m_counters.retransmittedPackets;
    if (m_losses->OnRetransmitted(segment, m_nowNs, isProbe))
    {
        m_timeout.Restart(m_nowNs);
    }
    Transmit(segment.offset, segment.length, m_queue.At(segment.offset), true);
}

void
BulkSender::Transmit(std::uint64_t offset,
                     std::uint32_t length,
                     const PacketRecord::MessageTag& tag,
                     bool again)
{
    const PacketRecord data = MakeData(offset, length, tag, again);
    m_states.OnTransmit(length);
    m_lastSentNs = m_nowNs;
    if (m_window.IsPaced())
    {
        Pace(length);
    }
    ++m_counters.dataPackets;
    m_exit.out.Receive(data);
}

/// Tells the pacer of a packet that goes out by itself.
void
BulkSender::Pace(std::uint32_t length)
{
    if (m_window.PacesSinglePackets())
    {
        m_pacer.OnSentAlone(m_nowNs, length, m_window.State()->m_pacingRate.Get().GetBitRate());
    }
    else if (m_offloads)
    {
        m_pacer.OnSentBurst(m_nowNs, length);
    }
    else
    {
        m_pacer.OnSent(m_nowNs, length);
    }
}

PacketRecord
BulkSender::MakeData(std::uint64_t offset,
                     std::uint32_t length,
                     const PacketRecord::MessageTag& tag,
                     bool again)
{
    PacketRecord data =
        MakePacket(PacketRecord::Kind::Data, length + BulkTcpOptions::s_dataHeaderSize);
    data.offset = offset;
    data.length = length;
    data.message = tag;
    data.flags = m_states.TakeEcnFlags(again);
    return data;
}

void
BulkSender::RestartAfterIdle()
{
    const bool isIdle = Board().HighTx() == Board().Una() && Board().HighTx() > 0;
    if (!isIdle || NextNewLength() == 0)
    {
        return;
    }
    if (m_window.RestartAfterIdle((m_nowNs - m_lastSentNs) / m_timeout.Ns()))
    {
        UpdatePace();
    }
}

} // namespace ns3
