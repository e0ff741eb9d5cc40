// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/helper/built-wan.h"

namespace ns3
{

BuiltWan::BuiltWan(const geotrain::WanTopology& topology)
    : m_topology(topology),
      m_paths(std::make_shared<geotrain::WanPaths>(topology))
{
}

Ptr<Node>
BuiltWan::NodeAt(std::uint32_t node) const
{
    return m_nodes.at(node);
}

Ipv4Address
BuiltWan::AddressOf(std::uint32_t node) const
{
    return m_addresses.at(node);
}

Ptr<WanLinkDevice>
BuiltWan::NicOf(std::uint32_t node) const
{
    return m_nics.at(node);
}

Ptr<WanLinkDevice>
BuiltWan::PortTo(std::uint32_t node) const
{
    return m_ports.at(node);
}

const std::vector<BuiltWan::Link>&
BuiltWan::Links() const
{
    return m_links;
}

WanLinkCounters
BuiltWan::CountersOf(const Link& link) const
{
    WanLinkCounters counters = link.device->GetCounters();
    if (link.queueDisc)
    {
        counters.queuedBytes += link.queueDisc->GetNBytes();
        counters.drops += link.queueDisc->GetStats().nTotalDroppedPackets;
        counters.queueingNs += link.waitInDisc->GetNanoSeconds();
    }
    return counters;
}

std::size_t
BuiltWan::LinkCount() const
{
    return m_links.size();
}

const WanLink&
BuiltWan::LinkAt(std::size_t number) const
{
    return m_links[number];
}

WanLinkCounters
BuiltWan::CountersAt(std::size_t number) const
{
    return CountersOf(m_links[number]);
}

Time
BuiltWan::RoundTripTime(std::uint32_t a, std::uint32_t b) const
{
    const std::optional<geotrain::Duration> roundTrip = m_paths->RoundTripTime(a, b);
    NS_ABORT_MSG_IF(!roundTrip, "no path between nodes " << a << " and " << b);
    return NanoSeconds(roundTrip->ToNanoseconds());
}

const geotrain::WanTopology&
BuiltWan::Topology() const
{
    return m_topology;
}

const geotrain::WanPaths&
BuiltWan::Paths() const
{
    return *m_paths;
}

} // namespace ns3
