// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/in-network-sites.h"

namespace ns3
{

InNetworkSites::InNetworkSites(const geotrain::InNetworkClusterSettings& servers,
                               const std::optional<geotrain::InNetworkWan>& wan)
    : geotrain::OptimizerSites(servers, wan)
{
    m_clusters.push_back(std::make_unique<InNetworkCluster>(servers));
    for (std::size_t site = 0; wan && site < wan->sites.size(); ++site)
    {
        m_clusters.push_back(std::make_unique<InNetworkCluster>(wan->sites[site].cluster));
    }
}

std::vector<geotrain::LayerPipeline*>
InNetworkSites::Pipelines()
{
    return m_clusters.front()->Pipelines();
}

bool
InNetworkSites::HasPackets() const
{
    return true;
}

geotrain::StreamEnd&
InNetworkSites::WorkerAt(const geotrain::InNetworkWan::Place& place, std::uint32_t server)
{
    return m_clusters[place.site]->Worker(place.number, server);
}

geotrain::StreamEnd&
InNetworkSites::ServerAt(std::size_t site, std::uint32_t server)
{
    return m_clusters[site]->Server(server).EndPoint();
}

std::int64_t
InNetworkSites::Progress()
{
    std::int64_t progress = 0;
    for (const auto& cluster : m_clusters)
    {
        progress += cluster->Progress();
    }
    return progress;
}

std::vector<std::string>
InNetworkSites::Waits()
{
    std::vector<std::string> waits;
    for (const auto& cluster : m_clusters)
    {
        const std::vector<std::string> own = cluster->Waits();
        waits.insert(waits.end(), own.begin(), own.end());
    }
    return waits;
}

void
InNetworkSites::AddPackets(geotrain::NetworkCounters& counters) const
{
    for (const auto& cluster : m_clusters)
    {
        for (const auto& link : cluster->Links())
        {
            const LinkModel::Counters& own = link->Model().GetCounters();
            counters.intraDcPackets += static_cast<std::uint64_t>(own.acceptedPackets);
            counters.droppedPackets += static_cast<std::uint64_t>(own.lostPackets);
        }
    }
}

} // namespace ns3
