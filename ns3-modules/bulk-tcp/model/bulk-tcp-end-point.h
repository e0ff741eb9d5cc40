// SPDX-License-Identifier: GPL-2.0-only
// The place of a bulk-tcp socket in its node's IPv4 stack: its address and port, which it takes from
// ns3::TcpL4Protocol so that ns-3's own sockets work beside it, and once it has a peer its entry in
// BulkTcpProtocol and the route of its segments.
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

class BulkTcpEndPoint
{
  public:
    explicit BulkTcpEndPoint(BulkTcpSocket& socket);

    /// Has no address yet, but the stack of `listener`.
    BulkTcpEndPoint(BulkTcpSocket& socket, const BulkTcpEndPoint& listener);

    /// `node` has an IPv4 stack with TCP, or else the program ends with a message.
    void Setup(Ptr<Node> node);

    /// Releases, and forgets the stack.
    void Dispose();

    bool IsBound() const;

    /// Takes an address and port; port 0 means any that is free.
    Socket::SocketErrno Bind(const InetSocketAddress& own);

    /// Takes them for a connection to `peer`. False where another has that connection.
    bool BindForPeer(const InetSocketAddress& own, const InetSocketAddress& peer);

    /// Only packets of this device come in; null means all.
    void BindToNetDevice(Ptr<NetDevice> device);

    /// Makes the connection to `peer` known and gives its route. Null without one, and then nothing
    /// is changed.
    Ptr<Ipv4Route> SetPeer(Ipv4Address peer, std::uint16_t port);

    /// Gives address and port back. It may end the socket's life where nobody else holds it.
    void Release();

    /// The address is that of the route once there is a peer; zeros where nothing is bound.
    InetSocketAddress Own() const;

    /// Addresses and ports of both ends; zeros without a peer, and kept after Release().
    const BulkTcpProtocol::Connection& Connection() const;

    /// Gives a segment of the connection to IPv4.
    void Send(Ptr<Packet> segment);

  private:
    void Use(Ipv4EndPoint* endPoint);
    void Forget();

    BulkTcpSocket& m_socket;
    Ptr<Ipv4> m_ipv4;
    Ptr<TcpL4Protocol> m_tcp;
    Ptr<BulkTcpProtocol> m_protocol;
    Ipv4EndPoint* m_endPoint = nullptr; ///< of m_tcp
    BulkTcpProtocol::Connection m_connection;
    bool m_hasPeer = false;
    RouteCache m_route;
};

} // namespace ns3
