// SPDX-License-Identifier: GPL-2.0-only
// Makes the segments that go to the peer: SYN, data, acknowledgement, FIN (RFC 9293, section 3.10).
#include "bulk-tcp/model/bulk-tcp-connection.h"

#include "bulk-tcp/model/timestamp.h"

#include <ns3/tcp-header.h>

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::uint32_t ipTcpHeaders =
    40; ///< bytes, without options: what the MSS leaves out (RFC 6691)
constexpr std::uint32_t largestSynWindow = 65535;

} // namespace

void
BulkTcpConnection::FromSender(const PacketRecord& record)
{
    if (m_traced.state == TcpSocket::CLOSED)
    {
        return;
    }
    switch (record.kind)
    {
    case PacketRecord::Kind::Syn:
        SendSyn();
        break;
    case PacketRecord::Kind::Data:
        SendData(record);
        break;
    case PacketRecord::Kind::SynAck:
    case PacketRecord::Kind::Ack:
        if (!m_answersSyn) // the end of the handshake
        {
            m_incoming.Engine().Acknowledge();
        }
        break;
    }
}

void
BulkTcpConnection::FromReceiver(const PacketRecord& record)
{
    // The engine's own answer to a SYN is not needed: each end sends its SYN.
    if (m_traced.state != TcpSocket::CLOSED && record.kind == PacketRecord::Kind::Ack)
    {
        SendAck(record);
    }
}

void
BulkTcpConnection::SendSyn()
{
    const BulkReceiver& receiver = m_incoming.Engine();
    const auto mss = static_cast<std::uint16_t>(m_options.mtu.Count() - ipTcpHeaders);
    const auto window = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(receiver.Edge() - receiver.Next(), largestSynWindow));
    TcpWireHeader header = m_codec.Syn(mss, window, TimestampMs(NowNs()));
    // RFC 3168, 6.1.1: ECE and CWR ask for ECN, ECE alone agrees.
    const bool wantsEcn = m_sender.State()->m_useEcn != TcpSocketState::Off;
    const int asks = m_answersSyn ? 0 : TcpHeader::ECE | TcpHeader::CWR;
    const int agrees = m_answersSyn && m_echoesInSyn ? TcpHeader::ECE : 0;
    header.flags = static_cast<std::uint8_t>(header.flags | (wantsEcn ? asks | agrees : 0));
    m_events.OnSegment(Create<Packet>(), header, false);
}

void
BulkTcpConnection::SendData(const PacketRecord& data)
{
    const bool reduced = (data.flags & PacketRecord::WindowReduced) != 0;
    const std::uint64_t end = data.offset + data.length;
    const bool last = end == m_toSend.End();
    const TcpWireHeader header = m_codec.Segment(
        static_cast<std::uint8_t>((reduced ? TcpHeader::CWR : 0) | (last ? TcpHeader::PSH : 0)),
        data.offset,
        data.timestampMs,
        m_incoming.Engine().Piggyback());
    m_events.OnSegment(m_toSend.Copy(data.offset, data.length),
                       header,
                       (data.flags & PacketRecord::EctCapable) != 0);
    m_traced.rto = m_sender.RetransmissionTimeoutNow();
    if (end > m_highSent && end <= m_sender.HighTx())
    {
        const auto sent = static_cast<std::uint32_t>(end - m_highSent);
        m_highSent = end;
        m_events.OnDataSent(sent);
    }
}

void
BulkTcpConnection::SendAck(const PacketRecord& ack)
{
    const std::uint64_t next = m_sender.HighTx() + (m_closing.HasSentFin() ? 1 : 0);
    m_events.OnSegment(Create<Packet>(), m_codec.Segment(0, next, ack.timestampMs, ack), false);
}

void
BulkTcpConnection::SendFin()
{
    m_events.OnSegment(
        Create<Packet>(),
        m_codec.Segment(
            TcpHeader::FIN, m_toSend.End(), TimestampMs(NowNs()), m_incoming.Engine().Piggyback()),
        false);
}

} // namespace ns3
