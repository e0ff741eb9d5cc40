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
    const FlowPath path{
        hosts, m_links.EntryFrom(hosts.source), m_links.EntryFrom(hosts.destination)};
    m_flows.Open(flow, path, options, control, events);
    return flow;
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
