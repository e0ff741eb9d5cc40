// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/helper/light-wan.h"

#include "wan-topology/model/class-queue.h"
#include "wan-topology/model/dual-pi2.h"
#include "wan-topology/model/fq-codel.h"
#include "wan/wan-validation.h"

#include <ns3/abort.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

const geotrain::WanTopology&
WithoutQueueDiscs(const geotrain::WanTopology& topology, const std::string& file)
{
    geotrain::Validate(topology, file);
    for (const geotrain::WanTopology::Link& link : topology.links)
    {
        NS_ABORT_MSG_IF(!link.queueDisc.empty(), "light links have no queue disc of ns-3");
    }
    return topology;
}

/// Returns whether routers know at `at` that a link is out, both since BeginSchedules().
bool
IsKnownToBeOut(const geotrain::WanTopology::Link& link,
               geotrain::Duration after,
               geotrain::Duration at)
{
    return std::any_of(link.outages.begin(),
                       link.outages.end(),
                       [&](const geotrain::Outage& outage)
                       {
                           return !outage.holds && after < outage.end - outage.begin &&
                                  outage.begin + after <= at && at < outage.end + after;
                       });
}

/// Returns when the routers' knowledge of outages changes, since BeginSchedules().
std::set<geotrain::Duration>
TimesOfRerouting(const geotrain::WanTopology& topology)
{
    std::set<geotrain::Duration> times;
    if (topology.rerouteAfter)
    {
        for (const geotrain::WanTopology::Link& link : topology.links)
        {
            for (const geotrain::Outage& outage : link.outages)
            {
                times.insert(outage.begin + *topology.rerouteAfter);
                times.insert(outage.end + *topology.rerouteAfter);
            }
        }
    }
    return times;
}

} // namespace

PacketElement&
LightWan::Hop::Entry() const
{
    if (!shapers.empty())
    {
        return *shapers.back();
    }
    if (queue)
    {
        return *queue;
    }
    return meter ? static_cast<PacketElement&>(*meter) : *link;
}

bool
LightWan::Hop::TakesBursts() const
{
    return !queue && link->TakesBursts() &&
           std::all_of(shapers.begin(),
                       shapers.end(),
                       [](const auto& shaper) { return shaper->TakesBursts(); });
}

std::size_t
LightWan::HostCount(const geotrain::WanTopology& topology)
{
    return topology.NodeCount() + topology.sites.size();
}

LightWan::LightWan(const geotrain::WanTopology& topology,
                   const std::vector<PacketElement*>& hosts,
                   const std::string& file,
                   PacketLedger* ledger)
    : m_topology(WithoutQueueDiscs(topology, file)),
      m_plan(std::make_shared<WanAddressPlan>(topology)),
      m_ledger(ledger),
      m_routers(topology.sites.size(), LightRouter(m_flows)),
      m_paths(std::make_shared<geotrain::WanPaths>(m_topology))
{
    NS_ABORT_MSG_IF(hosts.size() != HostCount(topology),
                    hosts.size() << " hosts for " << HostCount(topology));
    const WanSettings settings(m_topology, m_paths, m_plan, ScheduleBegin());
    MakeWanLinks(settings);
    MakeNics(settings, hosts);
    for (std::uint32_t site = 0; site < m_topology.sites.size(); ++site)
    {
        m_routers[site].Route(HostAtRouter(site), *hosts[HostAtRouter(site)]);
    }
    AddRoutes(*m_paths);
    AddWays(*m_paths);
    m_takesBursts =
        std::all_of(m_hops.begin(), m_hops.end(), [](const Hop& hop) { return hop.TakesBursts(); });
}

/// Makes a link to `host`, or to the router there, without its queue and policer where they stand
/// before it.
std::unique_ptr<LightLink>
LightWan::MakeLink(LinkModel::Settings settings, PacketElement& next, std::uint32_t host) const
{
    if (WaitsBefore(settings))
    {
        settings.queue = QueueLimit();
        settings.policer.reset();
    }
    return std::make_unique<LightLink>(settings, next, m_ledger, host);
}

bool
LightWan::WaitsBefore(const LinkModel::Settings& link) const
{
    return link.Reorders() || geotrain::ServeUnlike(m_topology.classes);
}

std::unique_ptr<QueueDiscipline>
LightWan::MakeDiscipline(const LinkModel::Settings& link, bool isWan) const
{
    if (link.fqCoDel)
    {
        const std::int64_t buckets = link.fqCoDel->flows;
        return std::make_unique<FqCoDel>(*link.fqCoDel,
                                         link.queue,
                                         m_topology.mtu,
                                         [this, buckets](const PacketRecord& record)
                                         { return BucketOf(record, buckets); });
    }
    if (link.dualPi2)
    {
        return std::make_unique<DualPi2>(*link.dualPi2, link.queue, m_topology.mtu);
    }
    std::vector<geotrain::TrafficClass> classes = m_topology.classes;
    for (geotrain::TrafficClass& one : classes)
    {
        if (!isWan)
        {
            one.rate.reset();
        }
    }
    return std::make_unique<ClassQueue>(classes,
                                        link.queue,
                                        m_topology.mtu,
                                        [this](const PacketRecord& record)
                                        {
                                            const std::uint32_t own =
                                                m_flows[record.flow].trafficClass;
                                            return m_topology.classes[own].waitsIn.value_or(own);
                                        });
}

/// Hashes a direction of a connection to one of the queues.
std::uint32_t
LightWan::BucketOf(const PacketRecord& record, std::int64_t buckets) const
{
    constexpr std::uint32_t ofBackward = 0x9e3779b9; // any bits
    const FlowEnds& ends = m_flows[record.flow];
    const bool isForward = record.destination == ends.destination;
    const std::uint64_t hash = isForward ? ends.hash : ends.hash ^ ofBackward;
    return static_cast<std::uint32_t>((hash * static_cast<std::uint64_t>(buckets)) >> 32);
}

/// Puts a queue before the link, and before its meter, where packets don't go in their order.
void
LightWan::AddQueue(const LinkModel::Settings& link, Hop& hop) const
{
    if (WaitsBefore(link))
    {
        auto discipline = MakeDiscipline(link, hop.description.linkClass == WanLinkClass::Wan);
        discipline->Tell(m_ledger);
        hop.queue = std::make_unique<LightQueue>(
            std::move(discipline), link.policer, *hop.link, hop.Entry());
    }
}

void
LightWan::MakeWanLinks(const WanSettings& settings)
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
        hop.link = MakeLink(directions[i], m_routers[to], HostAtRouter(to));
        hop.meter = std::make_unique<LightSourceMeter>(
            from, m_topology.NodeCount(), *m_plan, m_flows, *hop.link);
        AddQueue(directions[i], hop);
        m_hops.push_back(std::move(hop));
    }
}

void
LightWan::MakeNics(const WanSettings& settings, const std::vector<PacketElement*>& hosts)
{
    for (std::uint32_t node = 0; node < m_topology.NodeCount(); ++node)
    {
        const std::uint32_t site = m_plan->SiteOf(node);
        LightRouter& router = m_routers[site];
        AddNic(
            settings.FromNode(node),
            {settings.Shaping(node, ShapingRemote::Destination), settings.ConnectionShaping(node)},
            router,
            HostAtRouter(site));
        AddNic(settings.ToNode(node),
               {settings.Shaping(node, ShapingRemote::Source)},
               *hosts[node],
               node);
        router.Route(node, m_hops.back().Entry());
    }
}

void
LightWan::AddNic(const LinkModel::Settings& link,
                 const std::vector<std::optional<NodeShapingSettings>>& caps,
                 PacketElement& next,
                 std::uint32_t host)
{
    Hop hop;
    hop.description = {link.name, WanLinkClass::IntraDc, link.rate};
    hop.link = MakeLink(link, next, host);
    AddQueue(link, hop);
    for (const auto& cap : caps)
    {
        if (cap)
        {
            hop.shapers.push_back(
                std::make_unique<LightShaper>(*cap, m_flows, hop.Entry(), m_ledger));
        }
    }
    m_hops.push_back(std::move(hop));
}

void
LightWan::AddRoutes(const geotrain::WanPaths& paths)
{
    for (std::uint32_t node = 0; node < m_topology.NodeCount(); ++node)
    {
        AddRoutesTo(node, m_plan->SiteOf(node), paths);
    }
    for (std::uint32_t site = 0; site < m_topology.sites.size(); ++site)
    {
        AddRoutesTo(HostAtRouter(site), site, paths);
    }
}

/// Returns what leads over a hop: its link, or what deals connections out to it and to others.
PacketElement&
LightWan::EntryOf(const geotrain::WanHop& hop, const geotrain::WanPaths& paths)
{
    const auto indexOf = [](const geotrain::WanHop& of)
    { return 2 * of.link + (of.forward ? 0 : 1); };
    const std::vector<geotrain::WanHop>& sharing = paths.Sharing(hop);
    if (sharing.size() == 1)
    {
        return m_hops[indexOf(hop)].Entry();
    }
    const auto [share, isNew] = m_shares.try_emplace(indexOf(sharing.front()), m_flows);
    for (const geotrain::WanHop& of : isNew ? sharing : std::vector<geotrain::WanHop>())
    {
        const geotrain::WanTopology::Link& link = m_topology.links[of.link];
        const geotrain::BitRate rate = link.RateOf(of.forward);
        share->second.Add(m_hops[indexOf(of)].Entry(),
                          static_cast<double>(rate.ToBitsPerSecond()),
                          LinkSchedule(rate, {}, link.outages, ScheduleBegin()));
    }
    return share->second;
}

/// Routes packets to `host`, which is at `site`, from all other sites.
void
LightWan::AddRoutesTo(std::uint32_t host, std::uint32_t site, const geotrain::WanPaths& paths)
{
    for (std::uint32_t from = 0; from < m_topology.sites.size(); ++from)
    {
        if (const std::optional<geotrain::WanHop> hop = paths.NextHop(from, site))
        {
            m_routers[from].Route(host, EntryOf(*hop, paths));
        }
    }
}

/// Numbers the ways of all pairs of sites, and routes packets over them.
void
LightWan::AddWays(const geotrain::WanPaths& paths)
{
    std::uint32_t way = 1;
    for (std::uint32_t from = 0; from < m_topology.sites.size(); ++from)
    {
        for (std::uint32_t to = 0; to < m_topology.sites.size() && !m_topology.routes.empty(); ++to)
        {
            m_firstWays[{from, to}] = way;
            for (const geotrain::WanWay& each : paths.WaysOf(from, to))
            {
                for (const geotrain::WanHop& hop : each.hops)
                {
                    const geotrain::WanTopology::Link& link = m_topology.links[hop.link];
                    m_routers[hop.forward ? link.from : link.to].RouteWay(way, EntryOf(hop, paths));
                }
                ++way;
            }
        }
    }
}

/// Sets a connection's ways there and back, by its draw.
void
LightWan::SetWays(FlowEnds& flow) const
{
    const auto siteOf = [this](std::uint32_t host) {
        return host < m_topology.NodeCount() ? m_plan->SiteOf(host) : host - m_topology.NodeCount();
    };
    const auto numberOf = [&](std::uint32_t from, std::uint32_t to) -> std::uint32_t
    {
        const auto way = m_paths->WayOf(from, to, flow.draw);
        return way ? m_firstWays.at({from, to}) + static_cast<std::uint32_t>(*way) : 0;
    };
    const std::uint32_t source = siteOf(flow.source);
    const std::uint32_t destination = siteOf(flow.destination);
    flow.way = numberOf(source, destination);
    flow.wayBack = numberOf(destination, source);
}

void
LightWan::BeginSchedules()
{
    WanLinks::BeginSchedules();
    for (const geotrain::Duration& at : TimesOfRerouting(m_topology))
    {
        Simulator::Schedule(
            NanoSeconds(static_cast<std::uint64_t>(at.ToNanoseconds())), &LightWan::Reroute, this);
    }
}

/// Routes packets around the links that routers know to be out.
void
LightWan::Reroute()
{
    const auto now = geotrain::Instant::FromNanoseconds(NowNs()) - *ScheduleBegin();
    std::vector<bool> isOut;
    for (const geotrain::WanTopology::Link& link : m_topology.links)
    {
        isOut.push_back(IsKnownToBeOut(link, *m_topology.rerouteAfter, now));
    }
    m_paths = std::make_shared<geotrain::WanPaths>(m_topology, isOut);
    AddRoutes(*m_paths);
    AddWays(*m_paths);
    for (FlowEnds& flow : m_flows)
    {
        SetWays(flow);
    }
}

std::uint32_t
LightWan::HostAtRouter(std::uint32_t site) const
{
    return m_topology.NodeCount() + site;
}

FlowNumber
LightWan::AddFlow(const FlowEnds& hosts)
{
    m_flows.push_back(hosts);
    if (!m_topology.classes.empty())
    {
        const geotrain::TrafficClass& ofFlow = m_topology.classes.at(hosts.trafficClass);
        m_flows.back().rank = ofFlow.priority;
        m_flows.back().dscp = ofFlow.dscp;
    }
    const std::uint32_t connection = m_connections[{hosts.source, hosts.destination}]++;
    m_flows.back().draw = geotrain::DrawOf(hosts.source, hosts.destination, connection);
    constexpr std::uint32_t another = 1U << 31; // a connection that there isn't
    constexpr double spread = 4294967296;       // 2^32
    m_flows.back().hash = static_cast<std::uint32_t>(
        spread * geotrain::DrawOf(hosts.source, hosts.destination, connection + another));
    SetWays(m_flows.back());
    return static_cast<FlowNumber>(m_flows.size() - 1);
}

const FlowEnds&
LightWan::EndsOf(FlowNumber flow) const
{
    return m_flows.at(flow);
}

PacketElement&
LightWan::EntryFrom(std::uint32_t host)
{
    if (host >= m_topology.NodeCount())
    {
        return m_routers.at(host - m_topology.NodeCount());
    }
    return m_hops[2 * (m_topology.links.size() + host)].Entry();
}

const bool&
LightWan::TakesBursts() const
{
    return m_takesBursts;
}

const geotrain::WanTopology&
LightWan::Topology() const
{
    return m_topology;
}

std::size_t
LightWan::LinkCount() const
{
    return m_hops.size();
}

const WanLink&
LightWan::LinkAt(std::size_t number) const
{
    return m_hops[number].description;
}

void
LightWan::ObservePackets(std::size_t number, const PacketObserver& observer)
{
    m_takesBursts = false;
    m_hops[number].link->SetObserver(
        [this, observer](const PacketRecord& record, const LinkModel::Outcome& outcome)
        {
            PassedPacket passed;
            passed.at = geotrain::Instant::FromNanoseconds(NowNs());
            passed.size = geotrain::Bytes::Of(record.wireSize);
            if (outcome.verdict == LinkModel::Verdict::Accepted)
            {
                passed.delay = outcome.arrival - passed.at;
            }
            passed.dscp = record.dscp;
            passed.isCrossTraffic = m_flows[record.flow].source >= m_topology.NodeCount();
            observer(passed);
        });
}

LinkModel*
LightWan::NicQueue(std::uint32_t node, bool sends)
{
    const Hop& hop = m_hops[2 * (m_topology.links.size() + node) + (sends ? 0 : 1)];
    return hop.queue ? nullptr : &hop.link->Model();
}

WanLinkCounters
LightWan::CountersAt(std::size_t number) const
{
    const Hop& hop = m_hops[number];
    WanLinkCounters counters =
        CountersOf(hop.link->Model(), geotrain::Instant::FromNanoseconds(NowNs()));
    if (hop.meter)
    {
        counters.localBytes = hop.meter->Bytes();
    }
    for (const auto& shaper : hop.shapers)
    {
        counters.queuedBytes += shaper->GetShaping().QueuedBytes().Count();
        counters.drops += shaper->GetShaping().Drops();
    }
    if (hop.queue)
    {
        const QueueDiscipline::Counters& queue = hop.queue->Discipline().GetCounters();
        counters.queuedBytes += queue.waiting.Count();
        counters.drops += queue.drops;
        counters.queueingNs += queue.queueingNs;
    }
    return counters;
}

} // namespace ns3
