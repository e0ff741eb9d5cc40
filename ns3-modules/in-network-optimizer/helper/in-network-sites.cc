// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/in-network-sites.h"

namespace ns3
{

InNetworkSites::InNetworkSites(const InNetworkClusterSettings& servers,
                               const std::optional<InNetworkWan>& wan)
    : m_wan(wan)
{
    m_clusters.push_back(std::make_unique<InNetworkCluster>(servers));
    for (std::size_t site = 0; m_wan && site < m_wan->sites.size(); ++site)
    {
        m_clusters.push_back(std::make_unique<InNetworkCluster>(m_wan->sites[site].cluster));
    }
}

InNetworkCluster&
InNetworkSites::Home()
{
    return *m_clusters.front();
}

std::uint32_t
InNetworkSites::Workers() const
{
    return m_wan ? static_cast<std::uint32_t>(m_wan->workers.size())
                 : m_clusters.front()->Settings().workers;
}

AggregationEndPoint&
InNetworkSites::Worker(std::uint32_t worker, std::uint32_t server)
{
    const InNetworkWan::Place place =
        m_wan ? m_wan->workers[worker] : InNetworkWan::Place{0, worker};
    return m_clusters[place.site]->Worker(place.number, server);
}

std::unique_ptr<WanRelays>
InNetworkSites::MakeRelays(geotrain::MessageLayer& layer, const WanRelay::FailureCallback& failed)
{
    if (!m_wan)
    {
        return nullptr;
    }
    const std::uint32_t first = Home().Settings().OwnWorkers();
    return std::make_unique<WanRelays>(
        layer,
        *m_wan,
        Home().Settings().servers,
        [this, first](std::size_t site, std::uint32_t server) -> StreamEnd&
        { return Home().Worker(first + static_cast<std::uint32_t>(site), server); },
        [this](std::size_t site, std::uint32_t server) -> StreamEnd&
        { return m_clusters[site + 1]->Server(server).EndPoint(); },
        failed);
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
