// SPDX-License-Identifier: GPL-2.0-only
// Reassembles the stream and sends acknowledgements.
#include "bulk-tcp/model/bulk-receiver.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::uint32_t firstWindow = 65535; ///< bytes, before autotuning
constexpr std::uint32_t ackSize = 52;        ///< bytes on the wire, without SACK blocks
constexpr std::uint32_t sackBlockSize = 8;

} // namespace

BulkReceiver::BulkReceiver(const FlowExit& exit,
                           const BulkTcpOptions& options,
                           BulkReceiverEvents& events)
    : m_exit(exit),
      m_options(options),
      m_rules(MakeReceiverRules(options)),
      m_events(events),
      m_window(static_cast<std::uint32_t>(options.window.Count())),
      m_ecnEcho(m_rules.echoesMarksLate),
      m_quickAcks(options.quickAcks),
      m_sackCompression(options.sackCompression),
      m_delayedAck([this] { SendAck(m_next); })
{
    if (options.offloads)
    {
        m_coalescing = std::make_unique<InterruptCoalescing>(
            options.interruptCoalescing,
            [this](const PacketRecord& run, std::uint32_t packets) { OnData(run, packets); });
    }
    if (options.autotuneWindow)
    {
        m_window = std::min(
            m_window, std::max(firstWindow, 2 * options.initialWindow * options.SegmentSize()));
    }
}

void
BulkReceiver::Receive(const PacketRecord& record)
{
    if (m_synAckNs >= 0 && record.kind != PacketRecord::Kind::Syn)
    {
        EndHandshake();
    }
    switch (record.kind)
    {
    case PacketRecord::Kind::Syn:
        OnSyn(record);
        break;
    case PacketRecord::Kind::Data:
        if (m_coalescing)
        {
            m_coalescing->Receive(record);
        }
        else
        {
            OnData(record, 1);
        }
        break;
    case PacketRecord::Kind::SynAck:
    case PacketRecord::Kind::Ack:
        break; // the end of the handshake
    }
}

void
BulkReceiver::OnSyn(const PacketRecord& syn)
{
    m_ecnEcho.Begin((syn.flags & PacketRecord::Dctcp) != 0);
    m_aceCount.Begin(syn.ace == PacketRecord::s_asksAccurateEcn);
    m_echoMs = syn.timestampMs;
    m_synAckNs = NowNs();
    if (m_rules.acknowledgesFirstData)
    {
        m_unacked = m_options.delayedAckCount;
    }
    PacketRecord answer = MakeAnswer(PacketRecord::Kind::SynAck, BulkTcpOptions::s_synSize);
    answer.window = std::min(m_window, firstWindow); // a SYN's window is not scaled (RFC 7323)
    answer.ace = m_aceCount.IsOn() ? PacketRecord::s_agreesAccurateEcn : 0;
    m_exit.out.Receive(answer);
}

/// The timeout after the first measurement is SRTT + max(4 RTTVAR, least), where RTTVAR is half of
/// SRTT (RFC 6298, section 2.2).
void
BulkReceiver::EndHandshake()
{
    const std::int64_t roundTripNs = NowNs() - m_synAckNs;
    OnHandshake(roundTripNs,
                roundTripNs + std::max(2 * roundTripNs, m_options.minRto.ToNanoseconds()));
    m_synAckNs = -1;
}

/// Takes `packets` packets that have come as one.
void
BulkReceiver::OnData(const PacketRecord& data, std::uint32_t packets)
{
    m_counters.dataPackets += packets;
    if (m_aceCount.IsOn())
    {
        m_aceCount.OnData(data); // without offloads: one packet
    }
    else if (!m_ecnEcho.IsQuiet(data))
    {
        EchoMarks(data);
    }
    NoteTimestamp(data);
    const bool inOrder = data.offset == m_next;
    const bool gapBefore = !m_outOfOrder.Empty();
    m_quickAcks.OnData(NowNs(), Advertised(), m_options.SegmentSize());
    Store(data);
    if (m_hasGivenWay)
    {
        m_hasGivenWay = false; // the segment is acknowledged with the next one
    }
    else if (m_aceCount.WantsAcknowledgement())
    {
        SendAck(m_next);
    }
    else if (HoldsBack())
    {
        m_delayedAck.Set(
            std::min(m_delayedAck.DeadlineNs(), NowNs() + m_sackCompression.DelayNs()));
    }
    else if (!inOrder || gapBefore || IsPushed(data, packets))
    {
        SendAck(m_next);
    }
    else
    {
        DelayAck(packets);
    }
    TellMessages();
}

void
BulkReceiver::NoteTimestamp(const PacketRecord& data)
{
    if (data.offset != m_next || data.offset > m_lastAcked)
    {
        return;
    }
    // A late original does not take the echo back, which would look as if a retransmission before it
    // had not been needed.
    const bool isOlder = static_cast<std::int32_t>(data.timestampMs - m_echoMs) < 0;
    if (!isOlder || m_rules.echoesOlderTimestamps)
    {
        m_echoMs = data.timestampMs;
    }
}

void
BulkReceiver::EchoMarks(const PacketRecord& data)
{
    if (const auto acked = m_ecnEcho.OnData(data, m_next, m_delayedAck.IsSet()))
    {
        SendAck(*acked);
    }
    m_ecnEcho.Settle(data, m_next);
}

void
BulkReceiver::Store(const PacketRecord& data)
{
    const std::uint64_t end = data.offset + data.length;
    if (end <= m_next)
    {
        m_counters.duplicateBytes += data.length;
        m_duplicate = true;
        m_duplicateRange = {data.offset, end};
        m_quickAcks.Begin(Advertised(), m_options.SegmentSize());
        return;
    }
    if (m_messages.empty() || m_messages.rbegin()->first != data.message.end)
    {
        m_messages.try_emplace(data.message.end,
                               Incoming{data.message.number, data.message.begin, false});
    }
    if (data.offset <= m_next)
    {
        Advance(end);
    }
    else
    {
        StoreOutOfOrder(data);
    }
}

void
BulkReceiver::StoreOutOfOrder(const PacketRecord& data)
{
    if (m_sackCompression.GivesWay(SackBlockOf(data)))
    {
        SendAck(m_next);
        m_hasGivenWay = true;
    }
    std::uint64_t added = 0;
    const ByteRanges::Range run =
        m_outOfOrder.Insert(data.offset,
                            data.offset + data.length,
                            [&added](std::uint64_t from, std::uint64_t to) { added += to - from; });
    m_counters.duplicateBytes += data.length - added;
    if (added == 0)
    {
        m_duplicate = true;
        m_duplicateRange = {data.offset, data.offset + data.length};
    }
    PutFirst(run);
}

/// Returns the number of the SACK block that a segment behind a gap extends, the most recent one
/// being 0; the number of blocks if it extends none.
std::size_t
BulkReceiver::SackBlockOf(const PacketRecord& data) const
{
    std::size_t block = 0;
    for (std::uint8_t i = 0; i < m_recentCount; ++i)
    {
        if (const auto run = m_outOfOrder.Find(m_recent[i]))
        {
            if (data.offset <= run->second && run->first <= data.offset + data.length)
            {
                return block;
            }
            ++block;
        }
    }
    return block;
}

void
BulkReceiver::PutFirst(const ByteRanges::Range& run)
{
    std::array<std::uint64_t, s_recentRuns> recent{run.first};
    std::uint8_t count = 1;
    for (std::uint8_t i = 0; i < m_recentCount && count < recent.size(); ++i)
    {
        if (m_recent[i] < run.first || m_recent[i] >= run.second)
        {
            recent[count++] = m_recent[i];
        }
    }
    m_recent = recent;
    m_recentCount = count;
}

void
BulkReceiver::Advance(std::uint64_t end)
{
    const std::uint64_t before = m_next;
    m_next = end;
    if (!m_outOfOrder.Empty())
    {
        m_outOfOrder.EraseBelow(m_next);
        if (!m_outOfOrder.Empty() && m_outOfOrder.First().first == m_next)
        {
            m_next = m_outOfOrder.First().second;
            m_outOfOrder.EraseBelow(m_next);
        }
    }
    m_counters.inOrderBytes += m_next - before;
    if (m_options.autotuneWindow)
    {
        const std::uint64_t wanted = 2 * m_counters.inOrderBytes;
        const auto most = static_cast<std::uint64_t>(m_options.window.Count());
        m_window = std::max(m_window, static_cast<std::uint32_t>(std::min(wanted, most)));
    }
}

void
BulkReceiver::TellMessages()
{
    while (!m_messages.empty())
    {
        Incoming& message = m_messages.begin()->second;
        if (!message.firstByteTold && m_next > message.begin)
        {
            message.firstByteTold = true;
            m_events.OnFirstByte(message.number);
        }
        if (m_next < m_messages.begin()->first)
        {
            return;
        }
        const std::uint64_t number = message.number;
        m_messages.erase(m_messages.begin());
        m_events.OnDelivered(number);
    }
}

/// Returns whether the acknowledgement of a segment that has just come and leaves a gap open waits.
/// What advances by more than a segment is acknowledged at once.
bool
BulkReceiver::HoldsBack()
{
    return !m_outOfOrder.Empty() && !m_quickAcks.IsOn() &&
           m_next - m_lastAcked <= m_options.SegmentSize() && m_sackCompression.Holds(m_next);
}

void
BulkReceiver::DelayAck(std::uint32_t packets)
{
    m_unacked += packets;
    if (m_unacked >= m_options.delayedAckCount || m_quickAcks.IsOn())
    {
        SendAck(m_next);
    }
    else if (!m_delayedAck.IsSet())
    {
        m_delayedAck.Set(NowNs() + m_options.delayedAckTimeout.ToNanoseconds());
    }
}

/// A reader who has read all that was pushed is no reason to wait. A segment that is not full counts as
/// pushed (Linux's tcp_measure_rcv_mss).
bool
BulkReceiver::IsPushed(const PacketRecord& data, std::uint32_t packets) const
{
    const bool isShort = m_coalescing && packets == 1 && data.length < m_options.SegmentSize();
    const bool isEnd = data.offset + data.length == data.message.end;
    return m_rules.acknowledgesPushed && (isShort || isEnd);
}

/// Returns the bytes of the window that the sender knows of.
std::uint64_t
BulkReceiver::Advertised() const
{
    return m_edge > m_next ? m_edge - m_next : std::min(m_window, firstWindow);
}

PacketRecord
BulkReceiver::MakeAnswer(PacketRecord::Kind kind, std::uint32_t wireSize) const
{
    PacketRecord record = m_exit.MakePacket(kind, wireSize, NowNs());
    record.echoMs = m_echoMs;
    return record;
}

void
BulkReceiver::SendAck(std::uint64_t offset)
{
    PacketRecord ack = MakeAnswer(PacketRecord::Kind::Ack, ackSize);
    ack.offset = offset;
    ack.window = Window();
    ack.flags = m_ecnEcho.IsOn() ? PacketRecord::EcnEcho : 0;
    ack.ace = m_aceCount.Tell();
    AddSackBlocks(ack);
    m_duplicate = false;
    OnAcknowledged(ack);
    ++m_counters.acks;
    m_exit.out.Receive(ack);
}

void
BulkReceiver::OnAcknowledged(const PacketRecord& ack)
{
    m_edge = std::max(m_edge, ack.offset + ack.window);
    m_unacked = 0;
    m_quickAcks.OnAcknowledged();
    m_sackCompression.OnAcknowledged();
    m_delayedAck.Stop();
    m_lastAcked = std::max(m_lastAcked, ack.offset);
}

std::uint32_t
BulkReceiver::Window() const
{
    const auto unread = static_cast<std::uint32_t>(std::min<std::uint64_t>(m_unread, m_window));
    const std::uint32_t room = m_window - unread;
    // The edge moves by a segment or not at all (RFC 9293, 3.8.6.2.2).
    if (unread > 0 && m_next + room < m_edge + std::min(m_options.SegmentSize(), m_window / 2))
    {
        return static_cast<std::uint32_t>(std::max(m_edge, m_next) - m_next);
    }
    return room;
}

void
BulkReceiver::SetUnread(std::uint64_t bytes)
{
    m_unread = bytes;
}

void
BulkReceiver::OnRead(std::uint64_t unread)
{
    m_unread = unread;
    if (m_next + Window() >= m_edge + std::min(2 * m_options.SegmentSize(), m_window / 2))
    {
        Acknowledge();
    }
}

void
BulkReceiver::Acknowledge()
{
    SendAck(m_next);
}

void
BulkReceiver::AcknowledgePushed()
{
    if (m_unacked > 0 && m_rules.acknowledgesPushed)
    {
        SendAck(m_next);
    }
}

void
BulkReceiver::OnHandshake(std::int64_t roundTripNs, std::int64_t timeoutNs)
{
    m_sackCompression.SetRoundTrip(roundTripNs);
    m_quickAcks.SetRetransmissionTimeout(timeoutNs);
}

PacketRecord
BulkReceiver::Piggyback()
{
    PacketRecord ack = MakeAnswer(PacketRecord::Kind::Ack, 0);
    ack.offset = m_next;
    ack.window = Window();
    ack.flags = m_ecnEcho.IsOn() ? PacketRecord::EcnEcho : 0;
    OnAcknowledged(ack);
    return ack;
}

std::uint64_t
BulkReceiver::Next() const
{
    return m_next;
}

std::uint64_t
BulkReceiver::Edge() const
{
    return std::max(m_edge, m_next + m_window - std::min<std::uint64_t>(m_unread, m_window));
}

void
BulkReceiver::AddSackBlocks(PacketRecord& ack) const
{
    const auto add = [&ack](const ByteRanges::Range& run)
    {
        ack.sack[ack.sackBlocks++] = {static_cast<std::uint32_t>(run.first - ack.offset),
                                      static_cast<std::uint32_t>(run.second - ack.offset)};
    };
    if (m_duplicate && m_rules.reportsDuplicates)
    {
        ack.flags |= PacketRecord::Duplicate;
        add(m_duplicateRange); // precedes all other blocks (RFC 2883, 4)
    }
    for (std::uint8_t i = 0; i < m_recentCount && ack.sackBlocks < ack.sack.size(); ++i)
    {
        const auto run = m_outOfOrder.Find(m_recent[i]);
        if (run)
        {
            add(*run);
        }
    }
    ack.wireSize = static_cast<std::uint16_t>(ack.wireSize + ack.sackBlocks * sackBlockSize);
}

const BulkReceiver::Counters&
BulkReceiver::GetCounters() const
{
    return m_counters;
}

} // namespace ns3
