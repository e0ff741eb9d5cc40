// SPDX-License-Identifier: GPL-2.0-only
// The route of a connection's packets. Ipv4StaticRouting searches its tables and makes a new route
// for every packet, which costs as much as TCP's own work; its answer depends on nothing but the
// destination, so it is kept for 10 ms. Any other routing protocol is asked for each packet, since
// it may draw one of several routes or mark the packet.
#pragma once

#include <ns3/ipv4.h>
#include <ns3/net-device.h>

#include <cstdint>

namespace ns3
{

class RouteCache
{
  public:
    /// The route that is kept, null where it is time to search.
    Ptr<Ipv4Route> Kept() const;

    /// Kept(), or else searched. Null without a route. A change of the static routes is seen after
    /// at most 10 ms.
    Ptr<Ipv4Route>
    Find(Ptr<Ipv4> ipv4, Ptr<Packet> packet, const Ipv4Header& header, Ptr<NetDevice> device);

  private:
    Ptr<Ipv4Route> m_route; ///< a static one
    std::int64_t m_foundNs = 0;
};

} // namespace ns3
