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

/// NodePlacement says how the replicas of a stage go to the nodes of its data centre.
enum class NodePlacement : std::uint8_t
{
    Pack,  ///< side by side in a node, as Megatron-LM's ranks are
    Spread ///< each on a node of its own, as far as there are nodes
};

/// A NodeDealing deals the workers of a data centre out to its nodes, stage after stage.
struct NodeDealing
{
    std::uint32_t nodes = 1;
    std::uint32_t slots = 1;    ///< workers that a node has room for
    std::uint32_t stages = 1;   ///< stages in the data centre
    std::uint32_t replicas = 1; ///< replicas of each of them
    NodePlacement placement = NodePlacement::Spread;

    /// Returns the node of a replica of a stage, both counted in the data centre. Spreading goes
    /// round the nodes. Packing fills one after another, and splits a stage that fits into a node
    /// only where the stages would not fit otherwise.
    std::uint32_t NodeOf(std::uint32_t stage, std::uint32_t replica) const;

    /// Returns the most replicas of a stage that share a node.
    std::uint32_t ReplicasOnNode() const;

    /// Returns whether the replicas of some stage are on several nodes.
    bool LeavesNode() const;

    /// Returns the most stages whose rings share a NIC, where rings leave a node.
    double RingsOnNic() const;

    /// Returns after how many stages one has nodes again that an earlier one has, and both send to
    /// other replicas over their NICs; `stages` where none does.
    std::uint32_t StagesUntilNicsRepeat() const;

  private:
    std::uint32_t StagesPerNode() const;
};

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
    NodePlacement placement = NodePlacement::Spread;
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

/// Fills the data centres in their order, and deals the workers of each out to its nodes. Spread
/// replicas of a stage use as many nodes, and node pairs on the WAN, as there are. Throws
/// std::invalid_argument, with what is missing where, if it doesn't fit.
Placement Place(const PlacementRequest& request);

} // namespace geotrain
