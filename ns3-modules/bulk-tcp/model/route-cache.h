// SPDX-License-Identifier: GPL-2.0-only
// Keeps the route of a connection's packets. Ipv4StaticRouting searches its tables and makes a new
// route per packet, which costs as much as TCP's own work. Its answer depends only on the
// destination, so it is kept for 10 ms. Any other routing protocol is asked per packet, since it
// may draw one of several routes or mark the packet.
#pragma once

#include <ns3/ipv4.h>
#include <ns3/net-device.h>

#include <cstdint>

namespace ns3
{

/// RouteCache is the cache of one connection.
class RouteCache
{
  public:
    /// Returns the kept route; null if there is none or it is too old.
    Ptr<Ipv4Route> Kept() const;

    /// Returns Kept() or searches for a route; null if there is no route. A change of the static
    /// routes takes effect after at most 10 ms.
    Ptr<Ipv4Route>
    Find(Ptr<Ipv4> ipv4, Ptr<Packet> packet, const Ipv4Header& header, Ptr<NetDevice> device);

  private:
    Ptr<Ipv4Route> m_route; ///< route from Ipv4StaticRouting
    std::int64_t m_foundNs = 0;
};

} // namespace ns3
