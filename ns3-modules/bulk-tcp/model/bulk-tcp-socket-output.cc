// SPDX-License-Identifier: GPL-2.0-only
// The socket's segments to the network: SYN, data, acknowledgement, FIN, reset (RFC 9293, section
// 3.10).
#include "bulk-tcp/model/bulk-tcp-socket.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::uint32_t ipTcpHeaders =
    40; ///< bytes, without options: what the MSS leaves out (RFC 6691)
constexpr std::uint32_t largestSynWindow = 65535;
constexpr std::int64_t nsPerMs = 1000000;

std::uint32_t
TimestampMs()
{
    return static_cast<std::uint32_t>(NowNs() / nsPerMs);
}

bool
Has(const TcpWireHeader& header, std::uint8_t flag)
{
    return (header.flags & flag) != 0;
}

} // namespace

void
BulkTcpSocket::FromSender(const PacketRecord& record)
{
    if (m_state == TcpSocket::CLOSED)
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
            m_receiver->Acknowledge();
        }
        break;
    }
}

void
BulkTcpSocket::FromReceiver(const PacketRecord& record)
{
    // The engine's own answer to a SYN is not needed: each end sends its SYN.
    if (m_state != TcpSocket::CLOSED && record.kind == PacketRecord::Kind::Ack)
    {
        SendAck(record);
    }
}

void
BulkTcpSocket::SendSyn()
{
    const auto mss = static_cast<std::uint16_t>(m_options.mtu.Count() - ipTcpHeaders);
    const auto window = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(m_receiver->Edge() - m_receiver->Next(), largestSynWindow));
    TcpWireHeader header = m_codec->Syn(mss, window, TimestampMs());
    // RFC 3168, 6.1.1: ECE and CWR ask for ECN, ECE alone agrees.
    const bool wantsEcn = m_sender->State()->m_useEcn != TcpSocketState::Off;
    const int asks = m_answersSyn ? 0 : TcpHeader::ECE | TcpHeader::CWR;
    const int agrees = m_answersSyn && m_echoesInSyn ? TcpHeader::ECE : 0;
    header.flags = static_cast<std::uint8_t>(header.flags | (wantsEcn ? asks | agrees : 0));
    Transmit(Create<Packet>(), header, false);
}

void
BulkTcpSocket::SendData(const PacketRecord& data)
{
    const bool reduced = (data.flags & PacketRecord::WindowReduced) != 0;
    const std::uint64_t end = data.offset + data.length;
    const bool last = end == m_toSend.End();
    const TcpWireHeader header = m_codec->Segment(
        static_cast<std::uint8_t>((reduced ? TcpHeader::CWR : 0) | (last ? TcpHeader::PSH : 0)),
        data.offset,
        data.timestampMs,
        m_receiver->Piggyback());
    Transmit(m_toSend.Copy(data.offset, data.length),
             header,
             (data.flags & PacketRecord::EctCapable) != 0);
    NoteRto();
    if (end > m_highSent && end <= m_sender->HighTx())
    {
        const auto sent = static_cast<std::uint32_t>(end - m_highSent);
        m_highSent = end;
        NotifyDataSent(sent);
    }
}

void
BulkTcpSocket::SendAck(const PacketRecord& ack)
{
    const ByteRanges::Range duplicate = m_receiver->DuplicateRange();
    const bool tells = (ack.flags & PacketRecord::Duplicate) != 0;
    const std::uint64_t next = m_sender->HighTx() + (m_finSent ? 1 : 0);
    Transmit(Create<Packet>(),
             m_codec->Segment(0, next, ack.timestampMs, ack, tells ? &duplicate : nullptr),
             false);
}

void
BulkTcpSocket::SendFin()
{
    Transmit(
        Create<Packet>(),
        m_codec->Segment(TcpHeader::FIN, m_toSend.End(), TimestampMs(), m_receiver->Piggyback()),
        false);
}

/// To what is not acceptable (RFC 9293, 3.10.7.1).
void
BulkTcpSocket::SendReset(const TcpWireHeader& cause, std::uint32_t length)
{
    if (Has(cause, TcpHeader::RST))
    {
        return;
    }
    TcpWireHeader header;
    header.sourcePort = cause.destinationPort;
    header.destinationPort = cause.sourcePort;
    if (Has(cause, TcpHeader::ACK))
    {
        header.flags = TcpHeader::RST;
        header.sequence = cause.acknowledgement;
    }
    else
    {
        header.flags = TcpHeader::RST | TcpHeader::ACK;
        header.acknowledgement = cause.sequence + length + (Has(cause, TcpHeader::SYN) ? 1 : 0);
    }
    Transmit(Create<Packet>(), header, false);
}

void
BulkTcpSocket::Transmit(Ptr<Packet> packet, TcpWireHeader header, bool ectCapable)
{
    if (!m_endPoint)
    {
        return;
    }
    const Ipv4Address source = m_connection.address;
    const Ipv4Address destination = m_connection.peer;
    AddTags(packet, ectCapable);
    if (m_checksums)
    {
        header.UseChecksum(source, destination);
    }
    packet->AddHeader(header);
    Trace(m_txTrace, packet);
    Ptr<Ipv4Route> route = m_route.Kept();
    if (!route)
    {
        route = FindRoute(packet);
    }
    m_ipv4->Send(packet, source, destination, TcpL4Protocol::PROT_NUMBER, route);
}

Ptr<Ipv4Route>
BulkTcpSocket::FindRoute(Ptr<Packet> packet)
{
    Ipv4Header ip;
    ip.SetSource(m_connection.address);
    ip.SetDestination(m_connection.peer);
    ip.SetProtocol(TcpL4Protocol::PROT_NUMBER);
    return m_route.Find(m_ipv4, packet, ip, GetBoundNetDevice());
}

/// Tells a trace of a packet with its header, which costs only where somebody listens.
void
BulkTcpSocket::Trace(const SegmentTrace& trace, Ptr<const Packet> packet) const
{
    if (!trace.IsEmpty())
    {
        const Ptr<Packet> payload = packet->Copy();
        TcpHeader header;
        payload->RemoveHeader(header);
        trace(payload, header, this);
    }
}

void
BulkTcpSocket::AddTags(Ptr<Packet> packet, bool ectCapable) const
{
    constexpr int ecnBits = 3;
    constexpr int ect0 = 2;
    const int tos = (GetIpTos() & ~ecnBits) | (ectCapable ? ect0 : 0);
    if (tos != 0)
    {
        SocketIpTosTag tag;
        tag.SetTos(static_cast<std::uint8_t>(tos));
        packet->AddPacketTag(tag);
    }
    if (GetPriority() != 0)
    {
        SocketPriorityTag tag;
        tag.SetPriority(GetPriority());
        packet->AddPacketTag(tag);
    }
    if (IsManualIpTtl())
    {
        SocketIpTtlTag tag;
        tag.SetTtl(GetIpTtl());
        packet->AddPacketTag(tag);
    }
}

} // namespace ns3
