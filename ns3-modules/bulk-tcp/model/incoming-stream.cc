// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/incoming-stream.h"

#include "bulk-tcp/model/log-line.h"
#include "bulk-tcp/model/segment-codec.h"

#include <ns3/tcp-header.h>

#include <utility>

namespace ns3
{

namespace
{

const LogComponent incomingLog("IncomingStream", __FILE__);

} // namespace

IncomingStream::IncomingStream(const BulkTcpOptions& options,
                               PacketElement& out,
                               std::function<void()> readable)
    : m_readable(std::move(readable)),
      m_engine({0, 0, out}, options, m_noMessages)
{
}

BulkReceiver&
IncomingStream::Engine()
{
    return m_engine;
}

const BulkReceiver&
IncomingStream::Engine() const
{
    return m_engine;
}

bool
IncomingStream::Receive(std::int64_t begin,
                        Ptr<Packet> packet,
                        const TcpWireHeader& tcp,
                        bool marked)
{
    const auto edge = static_cast<std::int64_t>(m_engine.Edge());
    const std::int64_t end = begin + packet->GetSize();
    if (begin < 0 || begin > edge || (m_endedAt && end > static_cast<std::int64_t>(*m_endedAt)) ||
        (packet->GetSize() > 0 && begin == edge))
    {
        LogLine(incomingLog, LOG_LOGIC, "a segment at ", begin, " is outside of the window");
        m_engine.Acknowledge(); // a probe, or old
        return false;
    }
    const bool fin = tcp.Has(TcpHeader::FIN) && end <= edge;
    if (end > edge)
    {
        packet->RemoveAtEnd(static_cast<std::uint32_t>(end - edge));
    }
    if (fin)
    {
        m_finAt = static_cast<std::uint64_t>(end);
    }
    if (packet->GetSize() > 0)
    {
        Deliver(static_cast<std::uint64_t>(begin), packet, tcp, marked);
    }
    return fin;
}

void
IncomingStream::Deliver(std::uint64_t offset,
                        Ptr<Packet> packet,
                        const TcpWireHeader& tcp,
                        bool marked)
{
    PacketRecord data{};
    data.kind = PacketRecord::Kind::Data;
    data.offset = offset;
    data.length = packet->GetSize();
    data.flags =
        static_cast<std::uint8_t>((marked ? PacketRecord::CongestionExperienced : 0) |
                                  (tcp.Has(TcpHeader::CWR) ? PacketRecord::WindowReduced : 0));
    data.message.end = UINT64_MAX; // a stream has none
    data.timestampMs = TimestampsOf(tcp).valueMs;
    const std::uint64_t before = m_buffer.Next();
    m_buffer.Insert(offset, packet);
    if (m_buffer.Next() > before)
    {
        m_isDelivering = true;
        m_readable();
        m_isDelivering = false;
    }
    m_engine.SetUnread(m_buffer.Unread());
    m_engine.Receive(data);
    if (tcp.Has(TcpHeader::PSH) && m_buffer.Unread() == 0)
    {
        m_engine.AcknowledgePushed();
    }
}

bool
IncomingStream::HasJustEnded()
{
    const bool hasEnded = m_finAt && !m_endedAt && m_engine.Next() == *m_finAt;
    if (hasEnded)
    {
        m_endedAt = m_finAt;
    }
    return hasEnded;
}

std::uint64_t
IncomingStream::End() const
{
    return m_endedAt.value_or(UINT64_MAX);
}

Ptr<Packet>
IncomingStream::Read(std::uint32_t most, bool isOpen)
{
    const Ptr<Packet> packet = m_buffer.Take(most);
    if (packet && m_isDelivering)
    {
        m_engine.SetUnread(m_buffer.Unread());
    }
    else if (packet && isOpen)
    {
        m_engine.OnRead(m_buffer.Unread());
    }
    return packet;
}

std::uint64_t
IncomingStream::Unread() const
{
    return m_buffer.Unread();
}

bool
IncomingStream::IsReadToEnd() const
{
    return m_endedAt && m_buffer.Next() == *m_endedAt;
}

} // namespace ns3
