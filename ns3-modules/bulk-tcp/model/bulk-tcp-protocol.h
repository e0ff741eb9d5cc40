// SPDX-License-Identifier: GPL-2.0-only
// Gives a node's TCP segments to bulk-tcp's connections by address and port, and everything else to
// ns-3's own TCP, in whose place it stands before Ipv4L3Protocol. A packet of a connection costs
// one look-up and no option objects.
#pragma once

#include <ns3/ip-l4-protocol.h>
#include <ns3/ipv4.h>
#include <ns3/node.h>
#include <ns3/socket.h>
#include <ns3/tcp-l4-protocol.h>

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/// BulkTcpProtocol is the protocol of one node.
class BulkTcpProtocol : public IpL4Protocol
{
  public:
    static TypeId GetTypeId();

    /// Returns the protocol of `node`, which must have an IPv4 stack with TCP. The first call makes
    /// it.
    static Ptr<BulkTcpProtocol> Of(Ptr<Node> node);

    /// A Connection is the two ends of a connection.
    struct Connection
    {
        Ipv4Address address;
        std::uint16_t port = 0;
        Ipv4Address peer;
        std::uint16_t peerPort = 0;

        /// Returns both ends as text, such as "10.0.0.1:49153>10.0.0.2:5000".
        std::string Name() const;
    };

    /// Takes a segment with its header. Returns false where its checksum is wrong.
    using Receiver = std::function<bool(Ptr<Packet> packet, const Ipv4Header& ip)>;

    /// Gives the segments of `connection`, which is that of `socket`, to `receive` until Remove().
    void Add(const Connection& connection, Socket* socket, Receiver receive);
    void Remove(const Connection& connection);

    // These are the connections in the order in which they were made. They are the attribute
    // SocketList, so that Config paths such as
    // /NodeList/*/$geotrain::BulkTcpProtocol/SocketList/*/CongestionWindow reach them.
    std::size_t SocketCount() const;
    Ptr<Socket> SocketAt(std::size_t index) const;

    int GetProtocolNumber() const override;
    RxStatus
    Receive(Ptr<Packet> packet, const Ipv4Header& header, Ptr<Ipv4Interface> interface) override;
    RxStatus
    Receive(Ptr<Packet> packet, const Ipv6Header& header, Ptr<Ipv6Interface> interface) override;
    void ReceiveIcmp(Ipv4Address icmpSource,
                     uint8_t icmpTtl,
                     uint8_t icmpType,
                     uint8_t icmpCode,
                     uint32_t icmpInfo,
                     Ipv4Address payloadSource,
                     Ipv4Address payloadDestination,
                     const uint8_t payload[8]) override;
    void SetDownTarget(DownTargetCallback callback) override;
    void SetDownTarget6(DownTargetCallback6 callback) override;
    DownTargetCallback GetDownTarget() const override;
    DownTargetCallback6 GetDownTarget6() const override;

  protected:
    void DoDispose() override;

  private:
    using Key = std::tuple<std::uint32_t, std::uint16_t, std::uint32_t, std::uint16_t>;
    static Key KeyOf(const Connection& connection);

    /// An Entry is a connection.
    struct Entry
    {
        Socket* socket;
        Receiver receive;
    };

    Ptr<TcpL4Protocol> m_stock;
    std::map<Key, Entry> m_entries;
    std::vector<Socket*> m_list; ///< their sockets, in the order of Add()
};

} // namespace ns3
