// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/helper/express-wan.h"

#include "wan/wan-validation.h"

#include <ns3/abort.h>

namespace ns3
{

namespace
{

const geotrain::WanTopology&
Checked(const geotrain::WanTopology& topology, const std::string& file)
{
    geotrain::Validate(topology, file);
    for (const geotrain::WanTopology::Link& link : topology.links)
    {
        NS_ABORT_MSG_IF(!link.queueDisc.empty(), "light links have no queue disc of ns-3");
    }
    return topology;
}

} // namespace

PacketElement&
ExpressWan::Hop::Entry() const
{
    if (meter)
    {
        return *meter;
    }
    return shaper ? static_cast<PacketElement&>(*shaper) : *link;
}

ExpressWan::ExpressWan(const geotrain::WanTopology& topology, const std::string& file)
    : m_topology(Checked(topology, file)),
      m_plan(std::make_shared<WanAddressPlan>(topology)),
      m_hosts(topology.NodeCount() + topology.sites.size()),
      m_routers(topology.sites.size())
{
    const auto paths = std::make_shared<geotrain::WanPaths>(m_topology);
    const WanSettings settings(m_topology, paths, m_plan);
    MakeWanLinks(settings);
    MakeNics(settings);
    AddRoutes(*paths);
    AddSiteRoutes(*paths);
}

void
ExpressWan::MakeWanLinks(const WanSettings& settings)
{
    const std::vector<LinkModel::Settings> directions = settings.WanDirections();
    for (std::size_t i = 0; i < directions.size(); ++i)
    {
        const geotrain::WanTopology::Link& link = m_topology.links[i / 2];
        const bool forward = i % 2 == 0;
        const std::uint32_t from = forward ? link.from : link.to;
        const std::uint32_t to = forward ? link.to : link.from;
        Hop hop;
        hop.description = {directions[i].name, WanLinkClass::Wan, directions[i].rate};
        hop.link = std::make_unique<ExpressLink>(directions[i], m_routers[to]);
        hop.meter = std::make_unique<ExpressSourceMeter>(
            from, m_topology.NodeCount(), *m_plan, m_flows, *hop.link);
        m_hops.push_back(std::move(hop));
    }
}

void
ExpressWan::MakeNics(const WanSettings& settings)
{
    for (std::uint32_t node = 0; node < m_topology.NodeCount(); ++node)
    {
        ExpressRouter& router = m_routers[m_plan->SiteOf(node)];
        AddNic(settings.FromNode(node), settings.Shaping(node, ShapingRemote::Destination), router);
        AddNic(settings.ToNode(node), settings.Shaping(node, ShapingRemote::Source), m_hosts[node]);
        router.Route(node, m_hops.back().Entry());
    }
}

void
ExpressWan::AddNic(const LinkModel::Settings& link,
                   const std::optional<NodeShapingSettings>& shaping,
                   PacketElement& next)
{
    Hop hop;
    hop.description = {link.name, WanLinkClass::IntraDc, link.rate};
    hop.link = std::make_unique<ExpressLink>(link, next);
    if (shaping)
    {
        hop.shaper = std::make_unique<ExpressShaper>(*shaping, m_flows, *hop.link);
    }
    m_hops.push_back(std::move(hop));
}

void
ExpressWan::AddRoutes(const geotrain::WanPaths& paths)
{
    for (std::uint32_t node = 0; node < m_topology.NodeCount(); ++node)
    {
        for (std::uint32_t site = 0; site < m_topology.sites.size(); ++site)
        {
            if (const std::optional<geotrain::WanHop> hop = paths.NextHop(site, m_plan->SiteOf(node)))
            {
                m_routers[site].Route(node, m_hops[2 * hop->link + (hop->forward ? 0 : 1)].Entry());
            }
        }
    }
}

void
ExpressWan::AddSiteRoutes(const geotrain::WanPaths& paths)
{
    for (std::uint32_t to = 0; to < m_topology.sites.size(); ++to)
    {
        const std::uint32_t host = m_topology.NodeCount() + to;
        m_routers[to].Route(host, m_hosts[host]);
        for (std::uint32_t site = 0; site < m_topology.sites.size(); ++site)
        {
            if (const std::optional<geotrain::WanHop> hop = paths.NextHop(site, to))
            {
                m_routers[site].Route(host, m_hops[2 * hop->link + (hop->forward ? 0 : 1)].Entry());
            }
        }
    }
}

FlowNumber
ExpressWan::Open(const FlowEnds& ends,
                 const BulkTcpOptions& options,
                 Ptr<TcpCongestionOps> control,
                 BulkSenderEvents& senderEvents,
                 BulkReceiverEvents& receiverEvents)
{
    const std::size_t firstNic = 2 * m_topology.links.size();
    const auto nic = [&](std::uint32_t node) -> PacketElement&
    { return m_hops.at(firstNic + 2 * node).Entry(); };
    return AddFlow(ends,
                   nic(ends.source),
                   nic(ends.destination),
                   options,
                   control,
                   senderEvents,
                   receiverEvents);
}

FlowNumber
ExpressWan::OpenBetweenSites(const FlowEnds& sites,
                             const BulkTcpOptions& options,
                             Ptr<TcpCongestionOps> control,
                             BulkSenderEvents& senderEvents,
                             BulkReceiverEvents& receiverEvents)
{
    const std::uint32_t firstHost = m_topology.NodeCount();
    return AddFlow({firstHost + sites.source, firstHost + sites.destination},
                   m_routers.at(sites.source),
                   m_routers.at(sites.destination),
                   options,
                   control,
                   senderEvents,
                   receiverEvents);
}

FlowNumber
ExpressWan::AddFlow(const FlowEnds& ends,
                    PacketElement& fromSource,
                    PacketElement& fromDestination,
                    const BulkTcpOptions& options,
                    Ptr<TcpCongestionOps> control,
                    BulkSenderEvents& senderEvents,
                    BulkReceiverEvents& receiverEvents)
{
    const auto flow = static_cast<FlowNumber>(m_flows.size());
    m_flows.push_back(ends);
    m_senders.push_back(std::make_unique<BulkSender>(
        flow, ends.destination, options, control, fromSource, senderEvents));
    m_receivers.push_back(std::make_unique<BulkReceiver>(
        flow, ends.source, options, fromDestination, receiverEvents));
    m_hosts[ends.source].Attach(flow, *m_senders.back());
    m_hosts[ends.destination].Attach(flow, *m_receivers.back());
    return flow;
}

LinkModel&
ExpressWan::ModelAt(std::size_t number)
{
    return m_hops[number].link->Model();
}

std::size_t
ExpressWan::FlowCount() const
{
    return m_flows.size();
}

BulkSender&
ExpressWan::Sender(FlowNumber flow)
{
    return *m_senders.at(flow);
}

const BulkSender&
ExpressWan::Sender(FlowNumber flow) const
{
    return *m_senders.at(flow);
}

const BulkReceiver&
ExpressWan::Receiver(FlowNumber flow) const
{
    return *m_receivers.at(flow);
}

void
ExpressWan::CheckConservation() const
{
    for (std::size_t i = 0; i < m_senders.size(); ++i)
    {
        const std::uint64_t sent = m_senders[i]->GetCounters().sentBytes;
        const std::uint64_t received = m_receivers[i]->GetCounters().inOrderBytes;
        const bool done = !m_senders[i]->Outstanding() && !m_senders[i]->Failed();
        NS_ABORT_MSG_IF(received > sent || (done && received != sent),
                        "connection " << i << ": " << sent << " bytes were sent and " << received
                                      << " received");
    }
}

const geotrain::WanTopology&
ExpressWan::Topology() const
{
    return m_topology;
}

std::size_t
ExpressWan::LinkCount() const
{
    return m_hops.size();
}

const WanLink&
ExpressWan::LinkAt(std::size_t number) const
{
    return m_hops[number].description;
}

WanLinkCounters
ExpressWan::CountersAt(std::size_t number) const
{
    const Hop& hop = m_hops[number];
    WanLinkCounters counters =
        CountersOf(hop.link->Model(), geotrain::Instant::FromNanoseconds(NowNs()));
    if (hop.meter)
    {
        counters.localBytes = hop.meter->Bytes();
    }
    if (hop.shaper)
    {
        counters.queuedBytes += hop.shaper->GetShaping().QueuedBytes().Count();
        counters.drops += hop.shaper->GetShaping().Drops();
    }
    return counters;
}

} // namespace ns3
