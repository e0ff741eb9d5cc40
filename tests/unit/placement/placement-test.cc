// SPDX-License-Identifier: GPL-2.0-only
#include "placement/placement.h"

#include <gtest/gtest.h>

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
