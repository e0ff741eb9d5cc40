// SPDX-License-Identifier: GPL-2.0-only
// Tests data parallelism across data centres: where replicas sit, and how their all-reduce is
// split.
#include "planner-fixture.h"

#include "execution/hierarchical-all-reduce.h"
#include "placement/replica-placement.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(ReplicaPlacement, APipelineStaysInOneDataCenter)
{
    const PlacementRequest request{{{"a", 4, 1, {}}, {"b", 2, 1, {}}}, 2, 3, 1};
    const Placement placement = PlaceReplicas(request, {2, 1});
    EXPECT_EQ(placement.dataCenterOfReplica, (std::vector<std::uint32_t>{0, 0, 1}));
    for (std::uint32_t replica = 0; replica < 3; ++replica)
    {
        for (std::uint32_t stage = 0; stage < 2; ++stage)
        {
            const NodeIndex node = placement.nodeOfWorker[placement.WorkerOf(replica, stage)];
            EXPECT_EQ(node >= 4, replica == 2);
        }
    }
}

TEST(ReplicaPlacement, SaysWhatIsMissingWhere)
{
    const PlacementRequest request{{{"a", 3, 1, {}}, {"b", 2, 1, {}}}, 2, 3, 1};
    EXPECT_EQ(RefusalOf(
                  [&] {
                      PlaceReplicas(request, {2, 1});
                  }),
              "data centre a: 2 replicas need 4 GPUs (pipeline_stages x tensor_parallel = 2 x 1 a "
              "replica, a "
              "tensor-parallel group in one node); it has 3 nodes of 1");
    EXPECT_EQ(RefusalOf(
                  [&] {
                      PlaceReplicas(request, {1, 1});
                  }),
              "the data centres' replicas must add up to 3, not 2");
}

ExecutionPlan
FourWorkersReduce(Bytes size)
{
    ExecutionPlan plan;
    plan.groups = {{0, 1, 2, 3}};
    for (NodeIndex node = 0; node < 4; ++node)
    {
        Instruction reduce;
        reduce.kind = InstructionKind::AllReduce;
        reduce.size = size;
        plan.workers.push_back({"worker", node, {reduce}});
    }
    return plan;
}

TEST(HierarchicalAllReduce, ScattersInsideReducesShardsAcrossAndGathersInside)
{
    ExecutionPlan plan = FourWorkersReduce(Bytes::Of(101));
    UseHierarchicalAllReduce(plan, {0, 0, 1, 1});
    const auto& stream = plan.workers[3].stream;
    ASSERT_EQ(stream.size(), 3u);
    EXPECT_EQ(stream[0].kind, InstructionKind::ReduceScatter);
    EXPECT_EQ(plan.groups[stream[0].group], (std::vector<WorkerIndex>{2, 3}));
    EXPECT_EQ(stream[0].size, Bytes::Of(101));
    EXPECT_EQ(stream[1].kind, InstructionKind::AllReduce);
    EXPECT_EQ(plan.groups[stream[1].group], (std::vector<WorkerIndex>{1, 3}));
    EXPECT_EQ(stream[1].size, Bytes::Of(51)); // half, rounded up
    EXPECT_EQ(stream[2].kind, InstructionKind::AllGather);
    EXPECT_EQ(stream[2].group, stream[0].group);
}

TEST(HierarchicalAllReduce, LeavesAGroupInsideADataCenterAlone)
{
    ExecutionPlan plan = FourWorkersReduce(Bytes::Of(100));
    UseHierarchicalAllReduce(plan, {0, 0, 0, 0});
    ASSERT_EQ(plan.workers[0].stream.size(), 1u);
    EXPECT_EQ(plan.workers[0].stream[0].kind, InstructionKind::AllReduce);
}

TEST(HierarchicalAllReduce, RefusesUnequalNumbersOfMembers)
{
    ExecutionPlan plan = FourWorkersReduce(Bytes::Of(100));
    EXPECT_EQ(RefusalOf(
                  [&] {
                      UseHierarchicalAllReduce(plan, {0, 0, 0, 1});
                  }),
              "a hierarchical all-reduce needs as many replicas in each data centre, not 3 and 1");
}

} // namespace
} // namespace geotrain
