// SPDX-License-Identifier: GPL-2.0-only
#include "placement/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace geotrain
{
namespace
{

std::string
Refusal(const PlacementRequest& request)
{
    try
    {
        Place(request);
    }
    catch (const std::invalid_argument& error)
    {
        return error.what();
    }
    return "";
}

TEST(Placement, StagesFillTheDataCentresInTheirOrder)
{
    PlacementRequest request{{{"a", 4, 1, {}}, {"transit", 0, 0, {}}, {"b", 8, 1, {}}}, 3, 4, 1};
    const Placement placement = Place(request);
    EXPECT_EQ(placement.dataCenterOfStage, (std::vector<std::uint32_t>{0, 2, 2}));
    EXPECT_EQ(placement.nodeOfWorker[placement.WorkerOf(1, 0)], 1u);
    EXPECT_EQ(placement.nodeOfWorker[placement.WorkerOf(1, 1)], 5u);
    EXPECT_EQ(placement.nodeOfWorker[placement.WorkerOf(1, 2)], 9u);
}

TEST(Placement, ReplicasOfAStageUseAsManyNodesAsThereAre)
{
    for (std::uint32_t nodes = 2; nodes <= 8; ++nodes)
    {
        const Placement placement = Place({{{"a", nodes, 8, {}}}, 2, 4, 2});
        for (std::uint32_t stage = 0; stage < 2; ++stage)
        {
            std::set<NodeIndex> used;
            for (std::uint32_t replica = 0; replica < 4; ++replica)
            {
                used.insert(placement.nodeOfWorker[placement.WorkerOf(replica, stage)]);
            }
            EXPECT_EQ(used.size(), std::min(nodes, 4u)) << nodes << " nodes";
        }
    }
}

TEST(Placement, ANodeNeverHoldsMoreGpusThanItHas)
{
    for (std::uint32_t nodes = 1; nodes <= 6; ++nodes)
    {
        for (std::uint32_t gpus = 1; gpus <= 8; ++gpus)
        {
            for (std::uint32_t tp = 1; tp <= gpus; ++tp)
            {
                const std::uint32_t slots = nodes * (gpus / tp);
                const Placement placement = Place({{{"a", nodes, gpus, {}}}, 1, slots, tp});
                std::vector<std::uint32_t> used(nodes, 0);
                for (const NodeIndex node : placement.nodeOfWorker)
                {
                    used[node] += tp;
                }
                for (const std::uint32_t count : used)
                {
                    EXPECT_LE(count, gpus);
                }
            }
        }
    }
}

NodeDealing
Packed(std::uint32_t nodes, std::uint32_t slots, std::uint32_t stages, std::uint32_t replicas)
{
    return {nodes, slots, stages, replicas, NodePlacement::Pack};
}

/// Returns by stage the nodes of its replicas.
std::vector<std::vector<std::uint32_t>>
NodesByStage(const NodeDealing& dealing)
{
    std::vector<std::vector<std::uint32_t>> nodes(dealing.stages);
    for (std::uint32_t stage = 0; stage < dealing.stages; ++stage)
    {
        for (std::uint32_t replica = 0; replica < dealing.replicas; ++replica)
        {
            nodes[stage].push_back(dealing.NodeOf(stage, replica));
        }
    }
    return nodes;
}

TEST(NodeDealing, PackingPutsTheReplicasOfAStageSideBySideIntoANode)
{
    using Nodes = std::vector<std::vector<std::uint32_t>>;
    // Two stages of four replicas have a node of four each, or one of eight together.
    EXPECT_EQ(NodesByStage(Packed(2, 4, 2, 4)), (Nodes{{0, 0, 0, 0}, {1, 1, 1, 1}}));
    EXPECT_EQ(NodesByStage(Packed(2, 8, 2, 4)), (Nodes{{0, 0, 0, 0}, {0, 0, 0, 0}}));
    // Stages of three are not split over nodes of four while there are nodes.
    EXPECT_EQ(NodesByStage(Packed(3, 4, 2, 3)), (Nodes{{0, 0, 0}, {1, 1, 1}}));
    EXPECT_EQ(NodesByStage(Packed(3, 4, 4, 3)),
              (Nodes{{0, 0, 0}, {0, 1, 1}, {1, 1, 2}, {2, 2, 2}}));
    // More replicas than a node holds fill nodes one after another.
    EXPECT_EQ(NodesByStage(Packed(2, 4, 1, 7)), (Nodes{{0, 0, 0, 0, 1, 1, 1}}));
}

TEST(NodeDealing, SpreadingPutsThemOnNodesOfTheirOwn)
{
    EXPECT_EQ(NodesByStage({4, 8, 2, 3, NodePlacement::Spread}),
              (std::vector<std::vector<std::uint32_t>>{{0, 1, 2}, {3, 0, 1}}));
}

TEST(NodeDealing, BothAreTheSameWhereANodeHoldsOneWorker)
{
    for (std::uint32_t replicas = 1; replicas <= 4; ++replicas)
    {
        EXPECT_EQ(NodesByStage(Packed(12, 1, 3, replicas)),
                  NodesByStage({12, 1, 3, replicas, NodePlacement::Spread}));
    }
}

// Whatever fits: no node holds more than it has room for, and what is said of replicas and rings on a
// node is what counting them gives.
TEST(NodeDealing, CountsAreThoseOfTheNodesThatItDealsOut)
{
    for (const auto placement : {NodePlacement::Pack, NodePlacement::Spread})
    {
        for (std::uint32_t nodes = 1; nodes <= 5; ++nodes)
        {
            for (std::uint32_t slots = 1; slots <= 8; ++slots)
            {
                for (std::uint32_t stages = 1; stages <= 6; ++stages)
                {
                    for (std::uint32_t replicas = 1; stages * replicas <= nodes * slots; ++replicas)
                    {
                        const NodeDealing dealing{nodes, slots, stages, replicas, placement};
                        std::vector<std::uint32_t> workersOn(nodes, 0);
                        std::vector<std::uint32_t> ringsOn(nodes, 0); // that leave the node
                        std::uint32_t most = 0;
                        for (const auto& ofStage : NodesByStage(dealing))
                        {
                            std::vector<std::uint32_t> replicasOn(nodes, 0);
                            for (const std::uint32_t node : ofStage)
                            {
                                ++workersOn.at(node);
                                most = std::max(most, ++replicasOn[node]);
                            }
                            for (std::uint32_t node = 0; node < nodes; ++node)
                            {
                                ringsOn[node] +=
                                    replicasOn[node] > 0 && replicasOn[node] < replicas ? 1 : 0;
                            }
                        }
                        const auto rings = *std::max_element(ringsOn.begin(), ringsOn.end());
                        EXPECT_LE(*std::max_element(workersOn.begin(), workersOn.end()), slots);
                        EXPECT_EQ(dealing.ReplicasOnNode(), most);
                        EXPECT_EQ(dealing.LeavesNode(), rings > 0);
                        if (dealing.LeavesNode() && placement == NodePlacement::Pack)
                        {
                            EXPECT_LE(rings, dealing.RingsOnNic());
                        }
                    }
                }
            }
        }
    }
}

TEST(Placement, SaysWhatIsMissingWhere)
{
    EXPECT_EQ(
        Refusal({{{"a", 4, 1, {}}, {"b", 3, 1, {}}}, 2, 4, 1}),
        "the data centres have room for 1 of 2 pipeline stages: 1 stage needs 4 GPUs "
        "(data_parallel x tensor_parallel = 4 x 1 per stage, a tensor-parallel group in one node)");
    EXPECT_NE(Refusal({{{"b", 3, 1, 1}}, 1, 4, 1}).find("data centre b: 1 stage needs 4 GPUs"),
              std::string::npos);
    EXPECT_NE(Refusal({{{"b", 8, 1, 3}}, 2, 1, 1}).find("3 stages where 2 of 2 are left"),
              std::string::npos);
    EXPECT_NE(Refusal({{{"b", 8, 4, {}}}, 1, 1, 8}), "");
}

} // namespace
} // namespace geotrain
