// SPDX-License-Identifier: GPL-2.0-only
// Holds the place of a bulk-tcp socket in its node's IPv4 stack. Address and port come from
// ns3::TcpL4Protocol, so that ns-3's own sockets work beside it. Once it has a peer, it has an
// entry in BulkTcpProtocol and a route for its segments.
#pragma once

#include "bulk-tcp/model/bulk-tcp-protocol.h"
#include "bulk-tcp/model/route-cache.h"

#include <ns3/inet-socket-address.h>
#include <ns3/ipv4-end-point.h>
#include <ns3/ipv4.h>
#include <ns3/node.h>
#include <ns3/socket.h>
#include <ns3/tcp-l4-protocol.h>

#include <cstdint>

namespace ns3
{

/// BulkTcpEndPoint is the place of one socket.
class BulkTcpEndPoint
{
  public:
    /// Segments go to `receive`, which is `socket`'s.
    BulkTcpEndPoint(Socket& socket, BulkTcpProtocol::Receiver receive);

    /// Enters the stack of `listener`, without an address.
    void EnterStackOf(const BulkTcpEndPoint& listener);

    /// Enters the stack of `node`. The program ends with a message where it has no IPv4 with TCP.
    void Setup(Ptr<Node> node);

    /// Releases the address and leaves the stack.
    void Dispose();

    bool IsBound() const;

    /// Takes an address and port; port 0 means any that is free.
    Socket::SocketErrno Bind(const InetSocketAddress& own);

    /// Takes an address and port for a connection to `peer`. Returns false where another socket has
    /// that connection.
    bool BindForPeer(const InetSocketAddress& own, const InetSocketAddress& peer);

    /// Lets only packets of `device` in; null lets all in.
    void BindToNetDevice(Ptr<NetDevice> device);

    /// Registers the connection to `peer` and returns its route. Without a route it returns null
    /// and changes nothing.
    Ptr<Ipv4Route> SetPeer(Ipv4Address peer, std::uint16_t port);

    /// Gives address and port back. The socket may be destroyed if nobody else holds it.
    void Release();

    /// Returns the own address and port. The address is that of the route once there is a peer;
    /// both are zeros where nothing is bound.
    InetSocketAddress Own() const;

    /// Returns addresses and ports of both ends. They are zeros without a peer, and stay after
    /// Release().
    const BulkTcpProtocol::Connection& Connection() const;

    /// Gives a segment of the connection to IPv4.
    void Send(Ptr<Packet> segment);

  private:
    void Use(Ipv4EndPoint* endPoint);
    void Forget();

    Socket& m_socket;
    BulkTcpProtocol::Receiver m_receive;
    Ptr<Ipv4> m_ipv4;
    Ptr<TcpL4Protocol> m_tcp;
    Ptr<BulkTcpProtocol> m_protocol;
    Ipv4EndPoint* m_endPoint = nullptr; ///< of m_tcp
    BulkTcpProtocol::Connection m_connection;
    bool m_hasPeer = false;
    RouteCache m_route;
};

} // namespace ns3
