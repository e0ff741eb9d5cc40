// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/in-network-cluster.h"

#include <algorithm>
#include <utility>

namespace ns3
{

using geotrain::BitRate;
using geotrain::Duration;

namespace
{

constexpr double lastingSeconds = 1e9; // an outage that no run outlasts: 31 years

/// Returns the pattern of each worker; that of a relay is the sum of those behind it.
std::vector<PatternValues>
ValuesOf(const geotrain::InNetworkClusterSettings& settings)
{
    std::vector<PatternValues> values;
    for (std::uint32_t worker = 0; worker < settings.OwnWorkers(); ++worker)
    {
        values.push_back(PatternValues::OfWorker(settings.firstWorker + worker));
    }
    for (const geotrain::RelayedSite& site : settings.relayed)
    {
        values.emplace_back();
        for (std::uint32_t worker = 0; worker < site.workers; ++worker)
        {
            values.back().Add(PatternValues::OfWorker(site.firstWorker + worker));
        }
    }
    return values;
}

PatternValues
SumOf(const std::vector<PatternValues>& values)
{
    PatternValues sum;
    for (const PatternValues& each : values)
    {
        sum.Add(each);
    }
    return sum;
}

} // namespace

void
InNetworkCluster::StreamDemux::Receive(const PacketRecord& record)
{
    endPoints[record.flow]->Receive(record);
}

InNetworkCluster::InNetworkCluster(const geotrain::InNetworkClusterSettings& settings)
    : m_settings((settings.Check(), settings)),
      m_values(ValuesOf(settings)),
      m_allValues(SumOf(m_values)),
      m_sums(m_allValues)
{
    const BitRate nic = std::min(settings.nicRate, settings.hostCap.value_or(settings.nicRate));
    for (std::uint32_t worker = 0; worker < settings.workers; ++worker)
    {
        m_workers.push_back(std::make_unique<StreamDemux>(nic, settings.aggregation.Burst()));
    }
    MakeSwitches();
    if (HasServers())
    {
        MakeServers();
    }
    for (std::size_t level = 0; level + 1 < m_switches.size(); ++level)
    {
        ConnectSwitches(level);
    }
    MakeWorkers();
}

bool
InNetworkCluster::HasServers() const
{
    return m_settings.aggregation.acknowledgement !=
           geotrain::AggregationSettings::Acknowledgement::Result;
}

AggregationSwitch&
InNetworkCluster::Root()
{
    return *m_switches.back().front();
}

PacketElement&
InNetworkCluster::AddLink(const std::string& name,
                          BitRate rate,
                          PacketElement& next,
                          std::optional<Duration> diesAt)
{
    LinkModel::Settings link;
    static_cast<geotrain::LinkImpairments&>(link) = m_settings.impairments;
    if (diesAt)
    {
        const Duration begin = Duration::Nanoseconds(NowNs()) + *diesAt;
        link.outages.push_back({begin, begin + Duration::Seconds(lastingSeconds), false});
    }
    link.delay = m_settings.linkDelay;
    return AddLink(std::move(link), name, rate, next);
}

PacketElement&
InNetworkCluster::AddLink(LinkModel::Settings link,
                          const std::string& name,
                          BitRate rate,
                          PacketElement& next)
{
    link.rate = rate;
    link.name = m_settings.LinkName(name);
    link.seed = m_settings.seed;
    m_links.push_back(std::make_unique<LightLink>(link, next));
    return *m_links.back();
}

PacketElement&
InNetworkCluster::HostLink(const std::string& name, PacketElement& next)
{
    return m_settings.hostCap ? AddLink({}, name, *m_settings.hostCap, next) : next;
}

void
InNetworkCluster::MakeSwitches()
{
    std::uint32_t children = m_settings.workers;
    for (const std::uint32_t parents : m_settings.switches)
    {
        std::vector<std::uint32_t> counts(parents);
        for (const geotrain::TreePlace& place : geotrain::PlacesBelow(parents, children))
        {
            counts[place.parent] = place.number + 1;
        }
        m_switches.emplace_back();
        for (const std::uint32_t count : counts)
        {
            m_switches.back().push_back(std::make_unique<AggregationSwitch>(
                m_settings.aggregation, count, m_settings.servers));
        }
        children = parents;
    }
}

void
InNetworkCluster::MakeServers()
{
    for (FlowNumber server = 0; server < m_settings.servers; ++server)
    {
        const std::string name = "server " + std::to_string(server);
        ConnectServer(server,
                      m_settings.addsAtServer ? Root().Above()
                                              : AddLink(name + " down",
                                                        m_settings.serverRate,
                                                        Root().Above(),
                                                        m_settings.serversDieAt));
    }
    if (m_settings.addsAtServer)
    {
        const auto dies = m_settings.serversDieAt;
        m_serverUp = &AddLink("server 0 up", m_settings.serverRate, Root().Below(), dies);
        m_serverDown = &AddLink("server 0 down", m_settings.serverRate, m_router, dies);
    }
}

void
InNetworkCluster::ConnectServer(FlowNumber server, PacketElement& down)
{
    m_servers.push_back(std::make_unique<OptimizerServer>(m_settings, server, m_allValues, down));
    AggregationEndPoint& endPoint = m_servers.back()->EndPoint();
    const std::string name = "server " + std::to_string(server);
    Root().ConnectUp(
        server,
        m_settings.addsAtServer
            ? endPoint
            : AddLink(name + " up", m_settings.serverRate, endPoint, m_settings.serversDieAt),
        0);
}

void
InNetworkCluster::ConnectSwitches(std::size_t level)
{
    const auto& below = m_switches[level];
    const auto& above = m_switches[level + 1];
    const auto places = geotrain::PlacesBelow(static_cast<std::uint32_t>(above.size()),
                                              static_cast<std::uint32_t>(below.size()));
    for (std::size_t number = 0; number < below.size(); ++number)
    {
        const auto [parent, child] = places[number];
        const std::string name = "switch " + std::to_string(level) + "." + std::to_string(number);
        PacketElement& up = AddLink(name + " up", m_settings.trunkRate, above[parent]->Below());
        for (FlowNumber server = 0; server < m_settings.servers; ++server)
        {
            below[number]->ConnectUp(server, up, child);
        }
        above[parent]->AddChild(
            AddLink(name + " down", m_settings.trunkRate, below[number]->Above()));
    }
}

void
InNetworkCluster::MakeWorkers()
{
    const auto& leaves = m_switches.front();
    const auto places = geotrain::PlacesBelow(m_settings.switches.front(), m_settings.workers);
    for (std::uint32_t worker = 0; worker < m_settings.workers; ++worker)
    {
        const auto [parent, child] = places[worker];
        const std::string name = "worker " + std::to_string(worker);
        PacketElement& above = m_serverUp ? *m_serverUp : leaves[parent]->Below();
        const auto dies = parent == 0 ? m_settings.switchDiesAt : std::nullopt;
        PacketElement& up = AddLink(name + " up", m_settings.nicRate, above, dies);
        MakeEndPoints(worker, child, HostLink(name + " host up", up));
        PacketElement& host = HostLink(name + " host down", *m_workers[worker]);
        PacketElement& down = AddLink(name + " down", m_settings.nicRate, host, dies);
        leaves[parent]->AddChild(m_serverDown ? *m_serverDown : down);
        m_router.Route(child, down);
    }
}

void
InNetworkCluster::MakeEndPoints(std::uint32_t worker, std::uint32_t child, PacketElement& up)
{
    for (FlowNumber server = 0; server < m_settings.servers; ++server)
    {
        auto& endPoints = m_workers[worker]->endPoints;
        const StreamPort port{{server, child}, m_workers[worker]->pacer, up};
        endPoints.push_back(std::make_unique<AggregationEndPoint>(
            m_settings.aggregation, port, 1, m_values[worker]));
        if (!HasServers())
        {
            endPoints.back()->Receiver().SetSink(m_sums);
        }
    }
}

const geotrain::InNetworkClusterSettings&
InNetworkCluster::Settings() const
{
    return m_settings;
}

AggregationEndPoint&
InNetworkCluster::Worker(std::uint32_t worker, std::uint32_t server)
{
    return *m_workers[worker]->endPoints[server];
}

OptimizerServer&
InNetworkCluster::Server(std::uint32_t server)
{
    return *m_servers[server];
}

std::vector<geotrain::LayerPipeline*>
InNetworkCluster::Pipelines()
{
    std::vector<geotrain::LayerPipeline*> pipelines;
    for (const auto& server : m_servers)
    {
        pipelines.push_back(&server->Pipeline());
    }
    return pipelines;
}

const std::vector<std::unique_ptr<LightLink>>&
InNetworkCluster::Links() const
{
    return m_links;
}

std::int64_t
InNetworkCluster::Progress()
{
    std::int64_t progress = 0;
    for (std::uint32_t server = 0; server < m_servers.size(); ++server)
    {
        progress += m_servers[server]->Pipeline().GetCounters().chunks;
        progress += m_servers[server]->EndPoint().Receiver().GetCounters().packets;
        for (std::uint32_t worker = 0; worker < m_settings.workers; ++worker)
        {
            progress += Worker(worker, server).Receiver().GetCounters().packets;
        }
    }
    return progress;
}

std::vector<std::string>
InNetworkCluster::Waits()
{
    std::vector<std::string> waits;
    for (std::uint32_t server = 0; server < m_servers.size(); ++server)
    {
        const std::string name = m_settings.NameOfServer(server);
        ListWaits(name, m_servers[server]->EndPoint(), waits);
        for (std::uint32_t worker = 0; worker < m_settings.workers; ++worker)
        {
            ListWaits(m_settings.NameOf(worker) + ", " + name, Worker(worker, server), waits);
        }
    }
    return waits;
}

void
InNetworkCluster::ListWaits(const std::string& who,
                            const AggregationEndPoint& endPoint,
                            std::vector<std::string>& waits) const
{
    const WindowSender& sender = endPoint.Sender();
    if (sender.HasWork())
    {
        waits.push_back(who + (sender.HasFailed() ? " gave up on packet " : " waits for packet ") +
                        std::to_string(sender.Acknowledged()) + " to be acknowledged");
    }
    if (endPoint.Receiver().HasWork())
    {
        waits.push_back(who + " waits for packet " +
                        std::to_string(endPoint.Receiver().Current().ack));
    }
}

} // namespace ns3
