// SPDX-License-Identifier: GPL-2.0-only
#include "placement/placement.h"

#include <algorithm>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// Returns how many stages' workers fit into a data centre.
std::uint64_t
StagesThatFit(const PlacementRequest::DataCenter& dataCenter, const PlacementRequest& request)
{
    const std::uint64_t slots =
        std::uint64_t{dataCenter.nodes} * (dataCenter.gpusPerNode / request.tensorParallel);
    return slots / request.dataParallel;
}

std::string
Need(const PlacementRequest& request, std::uint32_t stages)
{
    const std::uint64_t gpus =
        std::uint64_t{stages} * request.dataParallel * request.tensorParallel;
    return std::to_string(stages) + (stages == 1 ? " stage needs " : " stages need ") +
           std::to_string(gpus) +
           " GPUs (data_parallel x tensor_parallel = " + std::to_string(request.dataParallel) +
           " x " + std::to_string(request.tensorParallel) +
           " per stage, a tensor-parallel group in one node)";
}

std::uint32_t
StagesOf(const PlacementRequest::DataCenter& dataCenter,
         const PlacementRequest& request,
         std::uint32_t left)
{
    const std::uint64_t fit = StagesThatFit(dataCenter, request);
    const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, fit));
    const std::uint32_t wanted = dataCenter.stages.value_or(most);
    if (wanted > fit)
    {
        throw std::invalid_argument("data centre " + dataCenter.name + ": " +
                                    Need(request, wanted) + "; it has " +
                                    std::to_string(dataCenter.nodes) + " nodes of " +
                                    std::to_string(dataCenter.gpusPerNode));
    }
    if (wanted > left)
    {
        throw std::invalid_argument("data centre " + dataCenter.name + " is to host " +
                                    std::to_string(wanted) + " stages where " +
                                    std::to_string(left) + " of " +
                                    std::to_string(request.pipelineStages) + " are left");
    }
    return wanted;
}

} // namespace

/// Returns how many whole stages packing puts into each node; 0 where it splits stages.
std::uint32_t
NodeDealing::StagesPerNode() const
{
    const std::uint32_t whole = placement == NodePlacement::Pack ? slots / replicas : 0;
    return std::uint64_t{whole} * nodes < stages ? 0 : whole;
}

std::uint32_t
NodeDealing::NodeOf(std::uint32_t stage, std::uint32_t replica) const
{
    if (const std::uint32_t whole = StagesPerNode())
    {
        return stage / whole;
    }
    const std::uint32_t worker = stage * replicas + replica;
    return placement == NodePlacement::Pack ? worker / slots : worker % nodes;
}

std::uint32_t
NodeDealing::ReplicasOnNode() const
{
    return placement == NodePlacement::Pack ? std::min(slots, replicas)
                                            : (replicas + nodes - 1) / nodes;
}

bool
NodeDealing::LeavesNode() const
{
    return nodes > 1 && replicas > 1 && StagesPerNode() == 0;
}

double
NodeDealing::RingsOnNic() const
{
    if (placement == NodePlacement::Pack)
    {
        return replicas % slots == 0 ? 1 : 2; // one ends on the node, and another begins
    }
    const std::uint64_t workers = std::uint64_t{stages} * replicas;
    return static_cast<double>((workers + nodes - 1) / nodes) / ReplicasOnNode();
}

std::uint32_t
NodeDealing::StagesUntilNicsRepeat() const
{
    if (!LeavesNode())
    {
        return stages;
    }
    if (placement == NodePlacement::Spread)
    {
        return std::max(1u, nodes / replicas);
    }
    return replicas % slots == 0 ? stages : 1;
}

Placement
Place(const PlacementRequest& request)
{
    if (request.pipelineStages == 0 || request.dataParallel == 0 || request.tensorParallel == 0)
    {
        throw std::invalid_argument("every degree of parallelism must be at least 1");
    }
    Placement placement;
    placement.stages = request.pipelineStages;
    placement.replicas = request.dataParallel;
    placement.nodeOfWorker.resize(std::size_t{request.pipelineStages} * request.dataParallel);
    std::uint32_t firstStage = 0;
    NodeIndex firstNode = 0;
    for (std::uint32_t index = 0; index < request.dataCenters.size(); ++index)
    {
        const auto& dataCenter = request.dataCenters[index];
        const std::uint32_t stages =
            StagesOf(dataCenter, request, request.pipelineStages - firstStage);
        const NodeDealing dealing{dataCenter.nodes,
                                  dataCenter.gpusPerNode / request.tensorParallel,
                                  stages,
                                  request.dataParallel,
                                  request.placement};
        for (std::uint32_t worker = 0; worker < stages * request.dataParallel; ++worker)
        {
            const std::uint32_t replica = worker % request.dataParallel;
            const std::uint32_t stage = worker / request.dataParallel;
            placement.nodeOfWorker[placement.WorkerOf(replica, firstStage + stage)] =
                firstNode + dealing.NodeOf(stage, replica);
        }
        placement.dataCenterOfStage.insert(placement.dataCenterOfStage.end(), stages, index);
        firstStage += stages;
        firstNode += dataCenter.nodes;
    }
    if (firstStage < request.pipelineStages)
    {
        throw std::invalid_argument("the data centres have room for " + std::to_string(firstStage) +
                                    " of " + std::to_string(request.pipelineStages) +
                                    " pipeline stages: " + Need(request, 1));
    }
    return placement;
}

} // namespace geotrain
