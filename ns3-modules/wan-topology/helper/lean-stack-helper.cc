// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/helper/lean-stack-helper.h"

#include "wan-topology/model/lean-traffic-control-layer.h"

#include <ns3/abort.h>
#include <ns3/arp-l3-protocol.h>
#include <ns3/icmpv4-l4-protocol.h>
#include <ns3/ipv4-global-routing-helper.h>
#include <ns3/ipv4-list-routing-helper.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/packet-socket-factory.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/udp-l4-protocol.h>

namespace ns3
{

namespace
{

Ipv4ListRoutingHelper
StaticThenGlobal()
{
    Ipv4ListRoutingHelper list;
    list.Add(Ipv4StaticRoutingHelper(), 0);
    list.Add(Ipv4GlobalRoutingHelper(), -10);
    return list;
}

/// Installs in the order of InternetStackHelper::Install, in which the protocols find each other.
void
InstallOn(Ptr<Node> node, const Ipv4RoutingHelper& routing)
{
    NS_ABORT_MSG_IF(node->GetObject<Ipv4>(),
                    "node " << node->GetId() << " has an IPv4 stack already");
    const Ptr<ArpL3Protocol> arp = CreateObject<ArpL3Protocol>();
    node->AggregateObject(arp);
    const Ptr<LeanIpv4L3Protocol> ipv4 = CreateObject<LeanIpv4L3Protocol>();
    node->AggregateObject(ipv4);
    node->AggregateObject(CreateObject<Icmpv4L4Protocol>());
    ipv4->SetRoutingProtocol(routing.Create(node));
    const Ptr<LeanTrafficControlLayer> traffic = CreateObject<LeanTrafficControlLayer>();
    node->AggregateObject(traffic);
    node->AggregateObject(CreateObject<UdpL4Protocol>());
    node->AggregateObject(CreateObject<TcpL4Protocol>());
    node->AggregateObject(CreateObject<PacketSocketFactory>());
    arp->SetTrafficControl(traffic);
}

} // namespace

LeanStackHelper::LeanStackHelper()
    : LeanStackHelper(StaticThenGlobal())
{
}

LeanStackHelper::LeanStackHelper(const Ipv4RoutingHelper& routing)
    : m_routing(routing.Copy())
{
}

void
LeanStackHelper::Install(const NodeContainer& nodes) const
{
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        InstallOn(*node, *m_routing);
    }
}

} // namespace ns3
