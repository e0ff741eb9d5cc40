// SPDX-License-Identifier: GPL-2.0-only
// Decides which stage of which pipeline sits on which node of which data centre. Data-parallel
// replicas of a stage share a data centre, so that their all-reduce never crosses the WAN. Tensor
// parallelism stays in a node, and only the pipeline crosses (Atlas, arXiv 2411.14458).
#pragma once

#include "execution/instruction.h"
#include "execution/network.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A PlacementRequest says what is to be placed, and where there is room.
struct PlacementRequest
{
    /// A DataCenter is a place with nodes of one kind.
    struct DataCenter
    {
        std::string name;
        std::uint32_t nodes = 0;
        std::uint32_t gpusPerNode = 0;
        /// Consecutive stages that it hosts; unset means as many as fit.
        std::optional<std::uint32_t> stages;
    };

    /// Stages fill the data centres in this order; transit sites have 0 nodes.
    std::vector<DataCenter> dataCenters;
    std::uint32_t pipelineStages = 1;
    std::uint32_t dataParallel = 1;
    std::uint32_t tensorParallel = 1;
};

/// A Placement says where each worker sits. A worker is one stage of one replica.
struct Placement
{
    std::uint32_t stages = 0;
    std::uint32_t replicas = 0;
    std::vector<NodeIndex> nodeOfWorker;
    /// Empty where replicas are spread over data centres.
    std::vector<std::uint32_t> dataCenterOfStage;
    /// Set only where replicas are spread over data centres.
    std::vector<std::uint32_t> dataCenterOfReplica = {};

    /// Returns the worker of a stage of a replica.
    WorkerIndex WorkerOf(std::uint32_t replica, std::uint32_t stage) const
    {
        return replica * stages + stage;
    }
};

/// Fills the data centres in their order. The workers of a data centre are dealt out to its nodes
/// in turn, stage after stage. So the replicas of a stage use as many nodes, and node pairs on the
/// WAN, as there are. Throws std::invalid_argument, with what is missing where, if it doesn't fit.
Placement Place(const PlacementRequest& request);

} // namespace geotrain
