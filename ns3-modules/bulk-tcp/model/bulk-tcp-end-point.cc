// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/bulk-tcp-end-point.h"

#include "bulk-tcp/model/log-line.h"

#include <ns3/abort.h>
#include <ns3/ipv4-interface.h>
#include <ns3/ipv4-route.h>
#include <ns3/ipv4-routing-protocol.h>

#include <utility>

namespace ns3
{

namespace
{

const LogComponent endPointLog("BulkTcpEndPoint", __FILE__);

} // namespace

BulkTcpEndPoint::BulkTcpEndPoint(Socket& socket, BulkTcpProtocol::Receiver receive)
    : m_socket(socket),
      m_receive(std::move(receive))
{
}

void
BulkTcpEndPoint::EnterStackOf(const BulkTcpEndPoint& listener)
{
    m_ipv4 = listener.m_ipv4;
    m_tcp = listener.m_tcp;
    m_protocol = listener.m_protocol;
}

void
BulkTcpEndPoint::Setup(Ptr<Node> node)
{
    m_ipv4 = node->GetObject<Ipv4>();
    m_tcp = node->GetObject<TcpL4Protocol>();
    NS_ABORT_MSG_IF(!m_tcp || !m_ipv4,
                    "bulk-tcp needs an IPv4 stack on node "
                        << node->GetId() << ": InternetStackHelper installs one");
    m_protocol = BulkTcpProtocol::Of(node);
}

void
BulkTcpEndPoint::Dispose()
{
    Release();
    m_ipv4 = nullptr;
    m_tcp = nullptr;
    m_protocol = nullptr;
}

bool
BulkTcpEndPoint::IsBound() const
{
    return m_endPoint != nullptr;
}

Socket::SocketErrno
BulkTcpEndPoint::Bind(const InetSocketAddress& own)
{
    const bool anyPort = own.GetPort() == 0;
    const bool anyAddress = own.GetIpv4() == Ipv4Address::GetAny();
    Ipv4EndPoint* endPoint = nullptr;
    if (anyPort)
    {
        endPoint = anyAddress ? m_tcp->Allocate() : m_tcp->Allocate(own.GetIpv4());
    }
    else
    {
        endPoint = m_tcp->Allocate(m_socket.GetBoundNetDevice(), own.GetIpv4(), own.GetPort());
    }
    if (!endPoint)
    {
        return anyPort ? Socket::ERROR_ADDRNOTAVAIL : Socket::ERROR_ADDRINUSE;
    }
    Use(endPoint);
    return Socket::ERROR_NOTERROR;
}

bool
BulkTcpEndPoint::BindForPeer(const InetSocketAddress& own, const InetSocketAddress& peer)
{
    Ipv4EndPoint* endPoint = m_tcp->Allocate(
        m_socket.GetBoundNetDevice(), own.GetIpv4(), own.GetPort(), peer.GetIpv4(), peer.GetPort());
    if (endPoint)
    {
        Use(endPoint);
    }
    return endPoint != nullptr;
}

/// The callback holds the socket, so that it lives as long as segments may come to it.
void
BulkTcpEndPoint::Use(Ipv4EndPoint* endPoint)
{
    using Receive = Callback<void, Ptr<Packet>, Ipv4Header, std::uint16_t, Ptr<Ipv4Interface>>;
    m_endPoint = endPoint;
    m_endPoint->BindToNetDevice(m_socket.GetBoundNetDevice());
    m_endPoint->SetRxCallback(
        Receive([socket = Ptr<Socket>(&m_socket), this](Ptr<Packet> packet,
                                                        const Ipv4Header& ip,
                                                        std::uint16_t /*port*/,
                                                        const Ptr<Ipv4Interface>& /*interface*/)
                { m_receive(packet, ip); }));
    m_endPoint->SetDestroyCallback(MakeCallback(&BulkTcpEndPoint::Forget, this));
    LogLine(endPointLog, LOG_INFO, "takes port ", m_endPoint->GetLocalPort());
}

void
BulkTcpEndPoint::BindToNetDevice(Ptr<NetDevice> device)
{
    if (m_endPoint)
    {
        m_endPoint->BindToNetDevice(device);
    }
}

Ptr<Ipv4Route>
BulkTcpEndPoint::SetPeer(Ipv4Address peer, std::uint16_t port)
{
    Ipv4Header header;
    header.SetDestination(peer);
    header.SetSource(m_endPoint->GetLocalAddress());
    Socket::SocketErrno error = Socket::ERROR_NOTERROR;
    const Ptr<Ipv4RoutingProtocol> routing = m_ipv4->GetRoutingProtocol();
    const Ptr<Ipv4Route> route =
        routing ? routing->RouteOutput(nullptr, header, m_socket.GetBoundNetDevice(), error)
                : nullptr;
    if (!route)
    {
        return nullptr;
    }
    if (m_endPoint->GetLocalAddress() == Ipv4Address::GetAny())
    {
        m_endPoint->SetLocalAddress(route->GetSource());
    }
    m_endPoint->SetPeer(peer, port);
    m_connection = {m_endPoint->GetLocalAddress(), m_endPoint->GetLocalPort(), peer, port};
    m_hasPeer = true;
    m_protocol->Add(m_connection, &m_socket, m_receive);
    return route;
}

void
BulkTcpEndPoint::Release()
{
    if (m_endPoint)
    {
        m_tcp->DeAllocate(m_endPoint); // calls Forget()
    }
}

void
BulkTcpEndPoint::Forget()
{
    if (m_hasPeer)
    {
        m_protocol->Remove(m_connection);
    }
    m_endPoint = nullptr;
}

InetSocketAddress
BulkTcpEndPoint::Own() const
{
    return m_endPoint ? InetSocketAddress(m_endPoint->GetLocalAddress(), m_endPoint->GetLocalPort())
                      : InetSocketAddress(Ipv4Address::GetZero(), 0);
}

const BulkTcpProtocol::Connection&
BulkTcpEndPoint::Connection() const
{
    return m_connection;
}

void
BulkTcpEndPoint::Send(Ptr<Packet> segment)
{
    Ptr<Ipv4Route> route = m_route.Kept();
    if (!route)
    {
        Ipv4Header ip;
        ip.SetSource(m_connection.address);
        ip.SetDestination(m_connection.peer);
        ip.SetProtocol(TcpL4Protocol::PROT_NUMBER);
        route = m_route.Find(m_ipv4, segment, ip, m_socket.GetBoundNetDevice());
    }
    m_ipv4->Send(
        segment, m_connection.address, m_connection.peer, TcpL4Protocol::PROT_NUMBER, route);
}

} // namespace ns3
