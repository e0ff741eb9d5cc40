// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/route-cache.h"

#include "wan-topology/model/reusable-event.h"

#include <ns3/ipv4-list-routing.h>
#include <ns3/ipv4-route.h>
#include <ns3/ipv4-static-routing.h>

namespace ns3
{

namespace
{

constexpr std::int64_t keptNs = 10000000;

/// Returns the static routing if it is asked before all others; null if another one is.
Ptr<Ipv4StaticRouting>
FirstAsStatic(Ptr<Ipv4RoutingProtocol> routing)
{
    const Ptr<Ipv4ListRouting> list = DynamicCast<Ipv4ListRouting>(routing);
    if (!list)
    {
        return DynamicCast<Ipv4StaticRouting>(routing);
    }
    std::int16_t priority = 0;
    return list->GetNRoutingProtocols() == 0
               ? nullptr
               : DynamicCast<Ipv4StaticRouting>(list->GetRoutingProtocol(0, priority));
}

} // namespace

Ptr<Ipv4Route>
RouteCache::Kept() const
{
    return m_route && NowNs() < m_foundNs + keptNs ? m_route : nullptr;
}

Ptr<Ipv4Route>
RouteCache::Find(Ptr<Ipv4> ipv4,
                 Ptr<Packet> packet,
                 const Ipv4Header& header,
                 Ptr<NetDevice> device)
{
    if (const Ptr<Ipv4Route> kept = Kept())
    {
        return kept;
    }
    m_route = nullptr;
    Socket::SocketErrno error = Socket::ERROR_NOTERROR;
    const Ptr<Ipv4RoutingProtocol> routing = ipv4->GetRoutingProtocol();
    if (const Ptr<Ipv4StaticRouting> first = FirstAsStatic(routing))
    {
        m_route = first->RouteOutput(packet, header, device, error);
        m_foundNs = NowNs();
    }
    return m_route ? m_route : routing->RouteOutput(packet, header, device, error);
}

} // namespace ns3
