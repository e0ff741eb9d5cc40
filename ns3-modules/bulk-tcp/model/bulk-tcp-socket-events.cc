// SPDX-License-Identifier: GPL-2.0-only
// The packets of the socket, and what its connection tells the application.
#include "bulk-tcp/model/bulk-tcp-socket.h"

#include "bulk-tcp/model/log-line.h"

#include <ns3/simulator.h>

#include <optional>

namespace ns3
{

namespace
{

const LogComponent socketLog("BulkTcpSocket", __FILE__);

/// What an application has set of the IP headers of its socket.
struct IpSettings
{
    std::uint8_t tos;
    std::uint8_t priority;
    std::optional<std::uint8_t> ttl;
};

/// Tells IPv4 of them, and of the segment's ECN bits, as ns-3's sockets do.
void
AddTags(Packet& packet, const IpSettings& settings, bool ectCapable)
{
    constexpr int ecnBits = 3;
    constexpr int ect0 = 2;
    const int tos = (settings.tos & ~ecnBits) | (ectCapable ? ect0 : 0);
    if (tos != 0)
    {
        SocketIpTosTag tag;
        tag.SetTos(static_cast<std::uint8_t>(tos));
        packet.AddPacketTag(tag);
    }
    if (settings.priority != 0)
    {
        SocketPriorityTag tag;
        tag.SetPriority(settings.priority);
        packet.AddPacketTag(tag);
    }
    if (settings.ttl)
    {
        SocketIpTtlTag tag;
        tag.SetTtl(*settings.ttl);
        packet.AddPacketTag(tag);
    }
}

/// Tells a trace of a packet with its header, which costs only where somebody listens.
template <typename Trace>
void
Tell(const Trace& trace, const Packet& packet, const BulkTcpSocket* socket)
{
    if (!trace.IsEmpty())
    {
        const Ptr<Packet> payload = packet.Copy();
        TcpHeader header;
        payload->RemoveHeader(header);
        trace(payload, header, socket);
    }
}

} // namespace

bool
BulkTcpSocket::OnPacket(Ptr<Packet> packet, const Ipv4Header& ip)
{
    const Ptr<BulkTcpSocket> alive(this); // whatever the application does
    TcpWireHeader tcp;
    if (m_checksums)
    {
        tcp.UseChecksum(ip.GetSource(), ip.GetDestination());
    }
    const std::uint32_t size = tcp.PeekFrom(*packet);
    if (!tcp.IsChecksumRight())
    {
        return false;
    }
    Tell(m_rxTrace, *packet, this);
    packet->RemoveAtStart(size);
    if (m_state == TcpSocket::LISTEN)
    {
        OnListening(ip, tcp);
    }
    else if (m_connection)
    {
        m_connection->Receive(packet, tcp, ip.GetEcn() == Ipv4Header::ECN_CE);
    }
    return true;
}

void
BulkTcpSocket::OnListening(const Ipv4Header& ip, const TcpWireHeader& tcp)
{
    const InetSocketAddress from(ip.GetSource(), tcp.sourcePort);
    const bool opens = tcp.Has(TcpHeader::SYN) && !tcp.Has(TcpHeader::ACK | TcpHeader::RST);
    if (opens && NotifyConnectionRequest(from))
    {
        CopyObject<BulkTcpSocket>(Ptr<BulkTcpSocket>(this))->Accept(from, ip, tcp);
    }
}

void
BulkTcpSocket::Accept(const InetSocketAddress& from, const Ipv4Header& ip, const TcpWireHeader& syn)
{
    if (!m_endPoint.BindForPeer(InetSocketAddress(ip.GetDestination(), syn.destinationPort), from))
    {
        return;
    }
    if (!MakeConnection(from.GetIpv4(), from.GetPort()))
    {
        m_endPoint.Release();
        return;
    }
    m_accepted = true;
    m_connection->Accept(syn);
}

void
BulkTcpSocket::OnSegment(Ptr<Packet> payload, const TcpWireHeader& header, bool ectCapable)
{
    if (!m_endPoint.IsBound())
    {
        return;
    }
    AddTags(*payload,
            {GetIpTos(), GetPriority(), IsManualIpTtl() ? std::optional(GetIpTtl()) : std::nullopt},
            ectCapable);
    if (m_checksums)
    {
        TcpWireHeader checked = header;
        checked.UseChecksum(m_endPoint.Connection().address, m_endPoint.Connection().peer);
        payload->AddHeader(checked);
    }
    else
    {
        payload->AddHeader(header);
    }
    Tell(m_txTrace, *payload, this);
    m_endPoint.Send(payload);
}

void
BulkTcpSocket::OnEstablished()
{
    LogLine(socketLog, LOG_INFO, m_endPoint.Connection().Name(), " is established");
    if (m_accepted)
    {
        NotifyNewConnectionCreated(this, *m_peer);
    }
    else
    {
        NotifyConnectionSucceeded();
    }
    if (GetTxAvailable() > 0)
    {
        NotifySend(GetTxAvailable());
    }
}

void
BulkTcpSocket::OnDataSent(std::uint32_t bytes)
{
    NotifyDataSent(bytes);
}

void
BulkTcpSocket::OnDataAcked()
{
    if (!m_connection->IsClosing() && GetTxAvailable() > 0)
    {
        NotifySend(GetTxAvailable());
    }
}

void
BulkTcpSocket::OnReadable()
{
    if (m_discards)
    {
        ShutdownRecv();
    }
    else
    {
        NotifyDataRecv();
    }
}

void
BulkTcpSocket::OnPeerClosed()
{
    NotifyNormalClose();
}

void
BulkTcpSocket::OnReset()
{
    m_errno = ERROR_NOTCONN;
}

void
BulkTcpSocket::OnBroken(TcpSocket::TcpStates_t before)
{
    if (before == TcpSocket::SYN_SENT)
    {
        NotifyConnectionFailed();
    }
    else if (before != TcpSocket::SYN_RCVD)
    {
        NotifyErrorClose();
    }
}

void
BulkTcpSocket::OnClosed(TcpSocket::TcpStates_t before)
{
    LogLine(socketLog,
            LOG_INFO,
            m_endPoint.Connection().Name(),
            " closes from ",
            TcpSocket::TcpStateName[before]);
    // The end point may be the one that is calling.
    Simulator::ScheduleNow(&BulkTcpSocket::ReleaseEndPoint, Ptr<BulkTcpSocket>(this));
}

void
BulkTcpSocket::ReleaseEndPoint()
{
    m_endPoint.Release();
}

} // namespace ns3
