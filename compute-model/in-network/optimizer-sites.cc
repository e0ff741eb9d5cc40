// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/optimizer-sites.h"

namespace geotrain
{

OptimizerSites::OptimizerSites(const InNetworkClusterSettings& servers,
                               const std::optional<InNetworkWan>& wan)
    : m_wan(wan),
      m_aggregation(servers.aggregation),
      m_servers(servers.servers),
      m_workers(servers.workers),
      m_ownWorkers(servers.OwnWorkers())
{
}

std::uint32_t
OptimizerSites::Workers() const
{
    return m_wan ? static_cast<std::uint32_t>(m_wan->workers.size()) : m_workers;
}

const AggregationSettings&
OptimizerSites::Aggregation() const
{
    return m_aggregation;
}

std::int64_t
OptimizerSites::Progress()
{
    return 0;
}

std::vector<std::string>
OptimizerSites::Waits()
{
    return {};
}

void
OptimizerSites::AddPackets(NetworkCounters& /*counters*/) const
{
}

StreamEnd&
OptimizerSites::Worker(std::uint32_t worker, std::uint32_t server)
{
    return WorkerAt(m_wan ? m_wan->workers[worker] : InNetworkWan::Place{0, worker}, server);
}

const std::optional<InNetworkWan>&
OptimizerSites::Wan() const
{
    return m_wan;
}

std::uint32_t
OptimizerSites::Servers() const
{
    return m_servers;
}

StreamEnd&
OptimizerSites::RelayAtServers(std::size_t site, std::uint32_t server)
{
    return WorkerAt({0, m_ownWorkers + static_cast<std::uint32_t>(site)}, server);
}

StreamEnd&
OptimizerSites::RelayAtSite(std::size_t site, std::uint32_t server)
{
    return ServerAt(site + 1, server);
}

} // namespace geotrain
