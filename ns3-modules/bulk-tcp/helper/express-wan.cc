// SPDX-License-Identifier: GPL-2.0-only
// Joins the hosts of connections with the links between them.
#include "bulk-tcp/helper/express-wan.h"

#include <algorithm>

namespace ns3
{

namespace
{

std::vector<PacketElement*>
WithNodes(std::vector<PacketElement*> hosts, const std::vector<PacketElement*>& nodes)
{
    std::copy(nodes.begin(), nodes.end(), hosts.begin());
    return hosts;
}

} // namespace

ExpressWan::ExpressWan(const geotrain::WanTopology& topology,
                       const std::string& file,
                       const std::vector<PacketElement*>& nodes,
                       PacketLedger* ledger)
    : m_flows(LightWan::HostCount(topology)),
      m_links(topology, WithNodes(m_flows.Hosts(), nodes), file, ledger)
{
}

FlowNumber
ExpressWan::Open(const FlowEnds& hosts,
                 const BulkTcpOptions& options,
                 Ptr<TcpCongestionOps> control,
                 const FlowEvents& events)
{
    const FlowNumber flow = m_links.AddFlow(hosts);
    const auto there = geotrain::Duration::Nanoseconds(hosts.extraRoundTrip.ToNanoseconds() / 2);
    const FlowPath path{m_links.EndsOf(flow),
                        EntryFrom(hosts.source, there),
                        EntryFrom(hosts.destination, hosts.extraRoundTrip - there),
                        options.wholeBursts ? &m_links.TakesBursts() : nullptr};
    m_flows.Open(flow, path, options, control, events);
    return flow;
}

/// Returns what takes a connection's packets from a host and brings them to its NIC after `delay`.
PacketElement&
ExpressWan::EntryFrom(std::uint32_t host, geotrain::Duration delay)
{
    PacketElement& entry = m_links.EntryFrom(host);
    if (delay == geotrain::Duration())
    {
        return entry;
    }
    LinkModel::Settings settings;
    settings.rate = geotrain::BitRate::GigabitsPerSecond(100000); // no time for a packet
    settings.delay = delay;
    m_delays.push_back(std::make_unique<LightLink>(settings, entry, nullptr, host));
    return *m_delays.back();
}

void
ExpressWan::Send(FlowNumber flow, std::uint64_t message, std::uint64_t bytes)
{
    const AtSite site(m_links.EndsOf(flow).source);
    m_flows.Sender(flow).Send(message, bytes);
}

LightWan&
ExpressWan::Links()
{
    return m_links;
}

ExpressFlows&
ExpressWan::Flows()
{
    return m_flows;
}

const ExpressFlows&
ExpressWan::Flows() const
{
    return m_flows;
}

} // namespace ns3
