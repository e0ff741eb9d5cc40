// SPDX-License-Identifier: GPL-2.0-only
// Makes the clusters and jobs that the planner's tests share.
#pragma once

#include "error-text.h"
#include "hardware/gpu-catalogue.h"
#include "training-plan/cluster.h"
#include "training-plan/training-job.h"
#include "training-plan/training-plan.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace geotrain
{

/// Makes data centres of `nodesOf` nodes with `gpusPerNode` A100-80 each, in a chain with `delay`
/// one way from node to node. Neighbours have a link of 100 Gbit/s, node pairs 5 Gbit/s, and NICs
/// 100 Gbit/s.
inline Cluster
Chain(const std::vector<std::uint32_t>& nodesOf,
      std::uint32_t gpusPerNode,
      Duration delay = Duration::Milliseconds(20))
{
    Cluster cluster;
    for (std::uint32_t index = 0; index < nodesOf.size(); ++index)
    {
        WanTopology::Site site;
        site.name = std::string(1, static_cast<char>('a' + index));
        site.nodes = nodesOf[index];
        site.nicRate = BitRate::GigabitsPerSecond(100);
        site.intraRate = BitRate::GigabitsPerSecond(100);
        site.intraDelay = Duration::Microseconds(10);
        cluster.wan.sites.push_back(site);
        Cluster::DataCenter dataCenter;
        dataCenter.gpusPerNode = gpusPerNode;
        dataCenter.gpu = *FindGpu("A100-80");
        cluster.dataCenters.push_back(dataCenter);
        if (index > 0)
        {
            WanTopology::Link link;
            link.from = index - 1;
            link.to = index;
            link.rate = BitRate::GigabitsPerSecond(100);
            link.delay = std::max(Duration(), delay - site.intraDelay);
            cluster.wan.links.push_back(link);
        }
    }
    cluster.wan.caps.nodePair = BitRate::GigabitsPerSecond(5);
    cluster.transport.connections = 20;
    AnalyticConnection& connection = cluster.transport.connection;
    connection.window = Bytes::Of(2000000);
    connection.segment = Bytes::Of(8948); // of an MTU of 9,000
    connection.initialWindow = connection.segment * 10;
    connection.firstFlight = Bytes::Of(65535);
    cluster.turnLatency = Duration::Microseconds(10);
    return cluster;
}

/// Sets the same rate for every WAN link.
inline void
SetLinkRates(Cluster& cluster, BitRate rate)
{
    for (WanTopology::Link& link : cluster.wan.links)
    {
        link.rate = rate;
    }
}

/// Makes a GPT of hidden 4,096 and sequence 2,048: a layer has 0.2 billion parameters.
inline TrainingJob
SmallJob(std::uint32_t layers, std::uint64_t globalBatch)
{
    TrainingJob job;
    job.model = MakeGpt("gpt", layers, 4096, 32, 50304, 2048, false);
    job.globalBatch = globalBatch;
    return job;
}

/// Returns the message that answers a caller's mistake; empty if it is accepted.
template <typename Call>
std::string
RefusalOf(Call call)
{
    return ErrorText<std::invalid_argument>(call);
}

} // namespace geotrain
