// SPDX-License-Identifier: GPL-2.0-only
// Counts nodes and GPUs, and checks what a cluster must have before anything is planned on it.
#include "training-plan/cluster.h"

#include "wan/wan-paths.h"

#include <stdexcept>

namespace geotrain
{

namespace
{

void
CheckDataCenter(const Cluster& cluster, std::uint32_t index)
{
    const auto& dataCenter = cluster.dataCenters[index];
    const WanTopology::Site& site = cluster.wan.sites[index];
    const std::string who = "data centre " + site.name + ": ";
    // Written so that NaN is refused too.
    if (!(dataCenter.dollarsPerGpuHour >= 0) || !(dataCenter.dollarsPerEgressGigabyte >= 0))
    {
        throw std::invalid_argument(who + "a price must be >= 0");
    }
    if (site.nodes > 0 && dataCenter.gpusPerNode == 0)
    {
        throw std::invalid_argument(who + "its nodes must have GPUs");
    }
    if (site.nodes > 0 &&
        (site.nicRate.ToBitsPerSecond() <= 0 || site.intraRate.ToBitsPerSecond() <= 0))
    {
        throw std::invalid_argument(who + "rates must be positive");
    }
}

} // namespace

const std::string&
Cluster::NameOf(std::uint32_t dataCenter) const
{
    return wan.sites.at(dataCenter).name;
}

std::uint32_t
Cluster::NodesOf(std::uint32_t dataCenter) const
{
    return wan.sites.at(dataCenter).nodes;
}

const GpuSpec&
Cluster::GpuOfNode(std::uint32_t node) const
{
    std::uint32_t index = 0;
    for (; node >= NodesOf(index); ++index)
    {
        node -= NodesOf(index);
    }
    const DataCenter& dataCenter = dataCenters.at(index);
    std::uint32_t fromEnd = NodesOf(index) - node; // 1: the last node
    for (auto other = dataCenter.otherGpus.rbegin(); other != dataCenter.otherGpus.rend(); ++other)
    {
        if (fromEnd <= other->nodes)
        {
            return other->gpu;
        }
        fromEnd -= other->nodes;
    }
    return dataCenter.gpu;
}

std::vector<GpuSpec>
Cluster::GpuTypes() const
{
    std::vector<GpuSpec> types;
    for (const auto& dataCenter : dataCenters)
    {
        types.push_back(dataCenter.gpu);
        for (const auto& other : dataCenter.otherGpus)
        {
            types.push_back(other.gpu);
        }
    }
    return types;
}

std::uint64_t
Cluster::GpusOf(std::uint32_t dataCenter) const
{
    return std::uint64_t{NodesOf(dataCenter)} * dataCenters[dataCenter].gpusPerNode;
}

std::uint64_t
Cluster::GroupsOf(std::uint32_t dataCenter, std::uint32_t width) const
{
    return std::uint64_t{NodesOf(dataCenter)} * (dataCenters[dataCenter].gpusPerNode / width);
}

std::uint64_t
Cluster::Gpus() const
{
    std::uint64_t gpus = 0;
    for (std::uint32_t index = 0; index < dataCenters.size(); ++index)
    {
        gpus += GpusOf(index);
    }
    return gpus;
}

std::shared_ptr<const WanPaths>
Cluster::Paths() const
{
    auto paths = std::atomic_load(&m_paths); // planners share a cluster among threads
    if (paths == nullptr || !paths->AreOf(wan))
    {
        paths = std::make_shared<const WanPaths>(wan);
        std::atomic_store(&m_paths, paths);
    }
    return paths;
}

void
CheckCluster(const Cluster& cluster)
{
    const auto count = static_cast<std::uint32_t>(cluster.dataCenters.size());
    if (cluster.wan.sites.size() < count)
    {
        throw std::invalid_argument("every data centre must be a site of the WAN");
    }
    for (std::uint32_t index = 0; index < count; ++index)
    {
        CheckDataCenter(cluster, index);
    }
    if (cluster.Gpus() == 0)
    {
        throw std::invalid_argument("there must be at least one GPU; the data centres have none");
    }
    const auto paths = cluster.Paths();
    for (std::uint32_t from = 0; from < count; ++from)
    {
        for (std::uint32_t to = 0; to < count; ++to)
        {
            if (cluster.NodesOf(from) > 0 && cluster.NodesOf(to) > 0 && !paths->SiteDelay(from, to))
            {
                throw std::invalid_argument(
                    "the WAN must connect all data centres; there is no path from " +
                    cluster.NameOf(from) + " to " + cluster.NameOf(to));
            }
        }
    }
}

} // namespace geotrain
