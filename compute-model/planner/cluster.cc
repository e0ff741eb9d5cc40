#include "planner/cluster.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace geotrain
{

namespace
{

double
Rate(BitRate rate)
{
    return static_cast<double>(rate.ToBitsPerSecond());
}

/// Payload bit/s that windows allow; infinity where there is no limit.
double
WindowRate(const Cluster::Transport& transport, std::uint32_t connections, Duration roundTrip)
{
    if (transport.connection.window == Bytes() || roundTrip == Duration())
    {
        return std::numeric_limits<double>::infinity();
    }
    return 8.0 * static_cast<double>(transport.connection.window.Count()) * connections /
           roundTrip.ToSeconds();
}

void
CheckDataCenter(const Cluster::DataCenter& dataCenter)
{
    const std::string who = "data centre " + dataCenter.name + ": ";
    // Written so that NaN is refused too.
    if (!(dataCenter.dollarsPerGpuHour >= 0) || !(dataCenter.dollarsPerEgressGigabyte >= 0))
    {
        throw std::invalid_argument(who + "a price must be >= 0");
    }
    if (dataCenter.nodes > 0 && dataCenter.gpusPerNode == 0)
    {
        throw std::invalid_argument(who + "its nodes must have GPUs");
    }
    if (dataCenter.nodes > 0 &&
        (dataCenter.nicRate.ToBitsPerSecond() <= 0 || dataCenter.intraRate.ToBitsPerSecond() <= 0))
    {
        throw std::invalid_argument(who + "rates must be positive");
    }
}

} // namespace

std::uint64_t
Cluster::Gpus() const
{
    std::uint64_t gpus = 0;
    for (const DataCenter& dataCenter : dataCenters)
    {
        gpus += dataCenter.Gpus();
    }
    return gpus;
}

void
CheckCluster(const Cluster& cluster)
{
    for (const auto& dataCenter : cluster.dataCenters)
    {
        CheckDataCenter(dataCenter);
    }
    if (cluster.Gpus() == 0)
    {
        throw std::invalid_argument("there must be at least one GPU; the data centres have none");
    }
    for (std::size_t from = 0; from < cluster.dataCenters.size(); ++from)
    {
        for (std::size_t to = 0; to < cluster.dataCenters.size(); ++to)
        {
            const bool inUse =
                cluster.dataCenters[from].nodes > 0 && cluster.dataCenters[to].nodes > 0;
            if (from != to && inUse && !cluster.paths.at(from).at(to))
            {
                throw std::invalid_argument(
                    "the WAN must connect all data centres; there is no path from " +
                    cluster.dataCenters[from].name + " to " + cluster.dataCenters[to].name);
            }
        }
    }
}

double
WanPairRate(const Cluster& cluster, std::size_t from, std::size_t to)
{
    const auto& path = cluster.paths[from][to].value();
    const auto& back = cluster.paths[to][from].value();
    double rate =
        std::min(Rate(cluster.dataCenters[from].nicRate), Rate(cluster.dataCenters[to].nicRate));
    for (const auto& cap :
         {cluster.caps.nodePair, cluster.caps.nodeEgress, cluster.caps.nodeIngress})
    {
        rate = cap ? std::min(rate, Rate(*cap)) : rate;
    }
    for (const std::size_t link : path.links)
    {
        rate = std::min(rate, Rate(cluster.linkRates[link]));
    }
    return std::min(
        rate * cluster.transport.payloadShare,
        WindowRate(cluster.transport, cluster.transport.connections, path.delay + back.delay));
}

double
IntraDcPairRate(const Cluster& cluster, std::size_t dataCenter)
{
    const auto& inside = cluster.dataCenters[dataCenter];
    return std::min(
        std::min(Rate(inside.nicRate), Rate(inside.intraRate)) * cluster.transport.payloadShare,
        WindowRate(cluster.transport, cluster.transport.intraDcConnections, inside.intraDelay * 2));
}

} // namespace geotrain
