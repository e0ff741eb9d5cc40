// Clusters and jobs that the planner's tests share.
#pragma once

#include "error-text.h"
#include "hardware/gpu-catalogue.h"
#include "planner/cluster.h"
#include "planner/training-plan.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace geotrain
{

/// `nodesOf` nodes of `gpusPerNode` A100-80 each, in a chain with `delay` one way and a link of 100
/// Gbit/s between neighbours, 5 Gbit/s a node pair, 100 Gbit/s NICs.
inline Cluster
Chain(const std::vector<std::uint32_t>& nodesOf,
      std::uint32_t gpusPerNode,
      Duration delay = Duration::Milliseconds(20))
{
    Cluster cluster;
    for (std::size_t index = 0; index < nodesOf.size(); ++index)
    {
        Cluster::DataCenter dataCenter;
        dataCenter.name = std::string(1, static_cast<char>('a' + index));
        dataCenter.nodes = nodesOf[index];
        dataCenter.gpusPerNode = gpusPerNode;
        dataCenter.gpu = *FindGpu("A100-80");
        dataCenter.nicRate = BitRate::GigabitsPerSecond(100);
        dataCenter.intraRate = BitRate::GigabitsPerSecond(100);
        dataCenter.intraDelay = Duration::Microseconds(10);
        cluster.dataCenters.push_back(dataCenter);
    }
    const std::size_t count = nodesOf.size();
    cluster.linkRates.assign(2 * count,
                             BitRate::GigabitsPerSecond(100)); // 2i: i to i+1; 2i+1: back
    cluster.paths.assign(count, std::vector<std::optional<Cluster::Path>>(count));
    for (std::size_t from = 0; from < count; ++from)
    {
        for (std::size_t to = from + 1; to < count; ++to)
        {
            Cluster::Path there;
            Cluster::Path back;
            for (std::size_t link = from; link < to; ++link)
            {
                there.links.push_back(2 * link);
                back.links.push_back(2 * link + 1);
            }
            there.delay = delay * static_cast<std::int64_t>(to - from);
            back.delay = there.delay;
            cluster.paths[from][to] = there;
            cluster.paths[to][from] = back;
        }
    }
    cluster.caps.nodePair = BitRate::GigabitsPerSecond(5);
    cluster.transport.connections = 20;
    cluster.transport.connection.window = Bytes::Of(2000000);
    cluster.turnLatency = Duration::Microseconds(10);
    return cluster;
}

/// A GPT of hidden 4,096 and sequence 2,048: a layer has 0.2 billion parameters.
inline TrainingJob
SmallJob(std::uint32_t layers, std::uint64_t globalBatch)
{
    TrainingJob job;
    job.model = MakeGpt("gpt", layers, 4096, 32, 50304, 2048, false);
    job.globalBatch = globalBatch;
    return job;
}

/// What a caller's mistake is answered with; empty where it is accepted.
template <typename Call>
std::string
RefusalOf(Call call)
{
    return ErrorText<std::invalid_argument>(call);
}

} // namespace geotrain
