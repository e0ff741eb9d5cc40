// SPDX-License-Identifier: GPL-2.0-only
// Adds a short way for TCP segments, in and out, to ns-3's Ipv4L3Protocol. The long way makes four
// callbacks, three copies and a search of the routing tables' lists for a packet that is for this
// very address, which costs more than TCP itself. What comes out is the same to the byte and the
// nanosecond, with one exception: the identification field counts the packets of the node, not
// those between two addresses.
//
// A segment takes the long way where anybody could tell the difference: as soon as somebody has
// connected to one of the trace sources Tx, Rx, SendOutgoing or LocalDeliver (pcap and FlowMonitor
// do); where a raw socket was made; with checksums, IP options or fragments; behind ARP; for
// another address than the interface's own (forwarding, broadcast, multicast); and with another
// routing protocol than Ipv4StaticRouting or Ipv4ListRouting, which could see it on its way.
#pragma once

#include <ns3/ipv4-l3-protocol.h>
#include <ns3/traffic-control-layer.h>

namespace ns3
{

/// LeanIpv4L3Protocol is the IPv4 of a node in a built WAN.
class LeanIpv4L3Protocol : public Ipv4L3Protocol
{
  public:
    static TypeId GetTypeId();

    /// Gives a packet that came in by `device` to TCP. Returns false, with nothing done, where it
    /// must go the long way.
    bool Deliver(Ptr<NetDevice> device, Ptr<const Packet> packet);

    /// Makes all later packets go the long way.
    void Watch();

    /// Does the same as Ipv4::Send. `packet` itself may go out with its IP header; the caller must
    /// not use it afterwards.
    void Send(Ptr<Packet> packet,
              Ipv4Address source,
              Ipv4Address destination,
              uint8_t protocol,
              Ptr<Ipv4Route> route) override;
    void SetRoutingProtocol(Ptr<Ipv4RoutingProtocol> routingProtocol) override;
    Ptr<Socket> CreateRawSocket() override;

  protected:
    /// Reads ns-3's GlobalValue ChecksumEnabled and DefaultTtl, which hold for the run. Before it,
    /// all packets go the long way.
    void DoInitialize() override;
    void DoDispose() override;

  private:
    bool IsLean() const;
    bool
    MaySendByDevice(const Packet& packet, Ipv4Address destination, const Ipv4Route& route) const;
    Ipv4Header MakeHeader(Packet& packet, Ipv4Address source, Ipv4Address destination);

    Ptr<TrafficControlLayer> m_traffic;
    bool m_isReady = false; ///< initialised, and without checksums
    bool m_isWatched = false;
    bool m_routesPlainly = false; ///< what is for this node goes to it whatever the tables say
    std::uint8_t m_ttl = 0;
    std::uint16_t m_identification = 0;
};

} // namespace ns3
