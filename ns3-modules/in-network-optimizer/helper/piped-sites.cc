// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/piped-sites.h"

#include <utility>

namespace ns3
{

using geotrain::Bytes;

PipedSite::PipedSite(geotrain::Clock& clock, const InNetworkClusterSettings& settings)
    : m_links(RatesOfLinks(settings)),
      m_path(settings.aggregation.heartbeatInterval.ToSeconds(), HeartbeatHops(settings))
{
    const bool isKept =
        settings.aggregation.acknowledgement == AggregationSettings::Acknowledgement::Heartbeat;
    const std::size_t ends = settings.workers + 1;
    const auto isServer = [server = settings.workers](std::size_t end) { return end == server; };
    for (std::uint32_t number = 0; number < settings.servers; ++number)
    {
        Streams& streams = m_streams.emplace_back();
        streams.down = std::make_unique<StreamPipe>(
            clock,
            EstimatePulls(settings),
            m_links,
            PullsOnLinks(settings, number),
            ends,
            [isServer](std::size_t end) { return !isServer(end); },
            isKept ? &m_path : nullptr);
        streams.up = std::make_unique<StreamPipe>(clock,
                                                  EstimatePushes(settings),
                                                  m_links,
                                                  PushesOnLinks(settings, number),
                                                  ends,
                                                  isServer);
        streams.server = std::make_unique<PipeEnd>(*streams.down, *streams.up, settings.workers);
        for (std::uint32_t worker = 0; worker < settings.workers; ++worker)
        {
            streams.workers.emplace_back(*streams.up, *streams.down, worker);
        }
    }
}

StreamEnd&
PipedSite::Server(std::uint32_t server)
{
    return *m_streams[server].server;
}

StreamEnd&
PipedSite::Worker(std::uint32_t worker, std::uint32_t server)
{
    return m_streams[server].workers[worker];
}

PipedSites::PipedSites(geotrain::Clock& clock,
                       const InNetworkClusterSettings& servers,
                       const std::optional<InNetworkWan>& wan)
    : OptimizerSites(servers, wan)
{
    m_sites.emplace_back(clock, servers);
    for (std::size_t site = 0; wan && site < wan->sites.size(); ++site)
    {
        m_sites.emplace_back(clock, wan->sites[site].cluster);
    }
    for (std::uint32_t server = 0; server < servers.servers; ++server)
    {
        StreamEnd& end = m_sites.front().Server(server);
        m_pipelines.push_back(std::make_unique<LayerPipeline>(
            clock,
            servers.server,
            [&end](Bytes length, std::function<void()> done) { end.Push(length, std::move(done)); },
            [&end](Bytes length, std::function<void()> done)
            { end.Pull(length, std::move(done)); }));
    }
}

std::vector<LayerPipeline*>
PipedSites::Pipelines()
{
    std::vector<LayerPipeline*> pipelines;
    for (const auto& pipeline : m_pipelines)
    {
        pipelines.push_back(pipeline.get());
    }
    return pipelines;
}

StreamEnd&
PipedSites::WorkerAt(const InNetworkWan::Place& place, std::uint32_t server)
{
    return m_sites[place.site].Worker(place.number, server);
}

StreamEnd&
PipedSites::ServerAt(std::size_t site, std::uint32_t server)
{
    return m_sites[site].Server(server);
}

} // namespace ns3
