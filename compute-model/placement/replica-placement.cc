// SPDX-License-Identifier: GPL-2.0-only
#include "placement/replica-placement.h"

#include <stdexcept>

namespace geotrain
{

namespace
{

void
CheckRoom(const PlacementRequest& request,
          const PlacementRequest::DataCenter& dataCenter,
          std::uint32_t replicas)
{
    const std::uint64_t groups =
        std::uint64_t{dataCenter.nodes} * (dataCenter.gpusPerNode / request.tensorParallel);
    const std::uint64_t needed = std::uint64_t{replicas} * request.pipelineStages;
    if (needed > groups)
    {
        throw std::invalid_argument(
            "data centre " + dataCenter.name + ": " + std::to_string(replicas) + " replicas need " +
            std::to_string(needed * request.tensorParallel) +
            " GPUs (pipeline_stages x tensor_parallel = " + std::to_string(request.pipelineStages) +
            " x " + std::to_string(request.tensorParallel) +
            " a replica, a tensor-parallel group in one node); it has " +
            std::to_string(dataCenter.nodes) + " nodes of " +
            std::to_string(dataCenter.gpusPerNode));
    }
}

} // namespace

Placement
PlaceReplicas(const PlacementRequest& request, const std::vector<std::uint32_t>& replicas)
{
    if (request.pipelineStages == 0 || request.dataParallel == 0 || request.tensorParallel == 0)
    {
        throw std::invalid_argument("every degree of parallelism must be at least 1");
    }
    Placement placement;
    placement.stages = request.pipelineStages;
    placement.replicas = request.dataParallel;
    placement.nodeOfWorker.resize(std::size_t{request.pipelineStages} * request.dataParallel);
    NodeIndex firstNode = 0;
    for (std::uint32_t index = 0; index < request.dataCenters.size(); ++index)
    {
        const auto& dataCenter = request.dataCenters[index];
        const std::uint32_t here = replicas.at(index);
        CheckRoom(request, dataCenter, here);
        const auto firstReplica = static_cast<std::uint32_t>(placement.dataCenterOfReplica.size());
        const NodeDealing dealing{dataCenter.nodes,
                                  dataCenter.gpusPerNode / request.tensorParallel,
                                  request.pipelineStages,
                                  here,
                                  request.placement};
        for (std::uint32_t worker = 0; worker < here * request.pipelineStages; ++worker)
        {
            const std::uint32_t replica = firstReplica + worker % here;
            const std::uint32_t stage = worker / here;
            if (replica < request.dataParallel)
            {
                placement.nodeOfWorker[placement.WorkerOf(replica, stage)] =
                    firstNode + dealing.NodeOf(stage, worker % here);
            }
        }
        placement.dataCenterOfReplica.insert(placement.dataCenterOfReplica.end(), here, index);
        firstNode += dataCenter.nodes;
    }
    if (placement.dataCenterOfReplica.size() != request.dataParallel)
    {
        throw std::invalid_argument("the data centres' replicas must add up to " +
                                    std::to_string(request.dataParallel) + ", not " +
                                    std::to_string(placement.dataCenterOfReplica.size()));
    }
    return placement;
}

} // namespace geotrain
