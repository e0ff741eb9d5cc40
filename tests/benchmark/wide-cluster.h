// SPDX-License-Identifier: GPL-2.0-only
// Makes pipelines over a chain of data centres on the analytic network, for benchmarks. There is
// one node per worker, and the stages are shared out equally. Every node has its NIC and its WAN
// cap towards either side, and neighbours share a WAN link.
#pragma once

#include "analytic/analytic-network.h"
#include "schedule/instruction-streams.h"
#include "schedule/one-forward-one-backward.h"

namespace geotrain
{

struct WideCluster
{
    std::uint32_t dataCenters = 8;
    std::uint32_t stages = 64; ///< a multiple of dataCenters
    std::uint32_t replicas = 20;
    BitRate nic = BitRate::GigabitsPerSecond(400);
    BitRate pairCap = BitRate::GigabitsPerSecond(5);
    BitRate wanLink = BitRate::GigabitsPerSecond(80); ///< less than the caps of 20 pairs add up to
    Duration wanDelay = Duration::Milliseconds(20);
    Duration intraDelay = Duration::Microseconds(10);
    std::uint32_t wanConnections = 24;

    Placement Place() const
    {
        PlacementRequest request;
        request.pipelineStages = stages;
        request.dataParallel = replicas;
        request.tensorParallel = 8;
        for (std::uint32_t index = 0; index < dataCenters; ++index)
        {
            request.dataCenters.push_back({"dc" + std::to_string(index),
                                           stages / dataCenters * replicas,
                                           8,
                                           stages / dataCenters});
        }
        return geotrain::Place(request);
    }

    std::uint32_t DataCenterOf(NodeIndex node) const
    {
        return node / (stages / dataCenters * replicas);
    }

    /// The links are NIC out, NIC in, WAN cap down and up of every node; then the WAN links, down
    /// and up.
    AnalyticTopology Topology() const
    {
        const std::uint32_t nodes = stages * replicas;
        AnalyticTopology topology;
        topology.linkRates.assign(std::size_t{2} * nodes, nic);
        topology.linkRates.insert(topology.linkRates.end(), std::size_t{2} * nodes, pairCap);
        topology.linkRates.insert(topology.linkRates.end(), std::size_t{2} * dataCenters, wanLink);
        topology.pathOf = [*this, nodes](NodeIndex source, NodeIndex destination)
        {
            const std::uint32_t from = DataCenterOf(source);
            const std::uint32_t to = DataCenterOf(destination);
            AnalyticPath path;
            path.links = {source, nodes + destination};
            path.crossesWan = from != to;
            path.delay = path.crossesWan ? wanDelay : intraDelay;
            path.roundTrip = path.delay * 2;
            if (path.crossesWan)
            {
                path.connections = wanConnections;
                path.links.push_back((to > from ? 2 : 3) * std::size_t{nodes} + source);
                path.links.push_back(4 * std::size_t{nodes} + 2 * from + (to > from ? 0 : 1));
            }
            return path;
        };
        return topology;
    }

    /// Makes one iteration of 1F1B with twice the warm-up, and the gradients' all-reduce.
    ExecutionPlan Plan(std::uint32_t microbatches) const
    {
        StageTiming timing;
        timing.forward = Duration::Milliseconds(20);
        timing.recompute = Duration::Milliseconds(20);
        timing.backwardInput = Duration::Milliseconds(20);
        timing.backwardWeight = Duration::Milliseconds(20);
        timing.optimizerStep = Duration::Milliseconds(30);
        StreamInputs inputs;
        inputs.order = OneForwardOneBackward({stages, microbatches, 2});
        inputs.placement = Place();
        inputs.timing.assign(stages, timing);
        inputs.gradients.assign(stages, Bytes::Of(700000000));
        inputs.boundary = Bytes::Of(33554432); // sequence 4,096, hidden 4,096, bf16
        return BuildStreams(inputs);
    }
};

inline std::int64_t
InstructionsOf(const ExecutionPlan& plan)
{
    std::int64_t count = 0;
    for (const auto& worker : plan.workers)
    {
        count += static_cast<std::int64_t>(worker.stream.size());
    }
    return count;
}

} // namespace geotrain
