// Which stage of which pipeline sits on which node of which data centre. Data-parallel replicas of a stage
// share a data centre, so that their all-reduce never crosses the WAN; tensor parallelism stays in a node; only the
// pipeline crosses (Atlas, arXiv 2411.14458).
#pragma once

#include "execution/instruction.h"
#include "execution/network.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

struct PlacementRequest
{
    struct DataCenter
    {
        std::string name;
        std::uint32_t nodes = 0;
        std::uint32_t gpusPerNode = 0;
        std::optional<std::uint32_t> stages; ///< consecutive stages it hosts; unset: as many as fit
    };

    std::vector<DataCenter>
        dataCenters; ///< stages fill them in this order; transit sites have 0 nodes
    std::uint32_t pipelineStages = 1;
    std::uint32_t dataParallel = 1;
    std::uint32_t tensorParallel = 1;
};

struct Placement
{
    std::uint32_t stages = 0;
    std::uint32_t replicas = 0;
    std::vector<NodeIndex> nodeOfWorker;
    std::vector<std::uint32_t> dataCenterOfStage;

    WorkerIndex WorkerOf(std::uint32_t replica, std::uint32_t stage) const
    {
        return replica * stages + stage;
    }
};

/// Fills the data centres in their order. The workers of a data centre are dealt out to its nodes in turn,
/// stage after stage, so that the replicas of a stage use as many nodes (and node pairs on the WAN) as there
/// are. Throws std::invalid_argument, with what is missing where, if it doesn't fit.
Placement Place(const PlacementRequest& request);

} // namespace geotrain
