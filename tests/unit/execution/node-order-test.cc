// SPDX-License-Identifier: GPL-2.0-only
#include "execution/node-order.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Returns the only group of a plan whose workers are on these nodes, once it is in order.
std::vector<WorkerIndex>
Ordered(const std::vector<NodeIndex>& nodeOfWorker)
{
    ExecutionPlan plan;
    plan.groups.emplace_back();
    for (const NodeIndex node : nodeOfWorker)
    {
        plan.groups.front().push_back(static_cast<WorkerIndex>(plan.workers.size()));
        plan.workers.push_back({"", node, {}});
    }
    OrderGroupsByNode(plan);
    return plan.groups.front();
}

TEST(NodeOrder, MembersOfANodeAreSideBySide)
{
    EXPECT_EQ(Ordered({0, 1, 0, 1, 0, 1}), (std::vector<WorkerIndex>{0, 2, 4, 1, 3, 5}));
}

TEST(NodeOrder, NodesMayHaveDifferentNumbersOfMembers)
{
    EXPECT_EQ(Ordered({5, 2, 5, 7, 2, 5}), (std::vector<WorkerIndex>{0, 2, 5, 1, 4, 3}));
}

TEST(NodeOrder, MembersOnNodesOfTheirOwnStayWhereTheyAre)
{
    EXPECT_EQ(Ordered({3, 0, 2, 1}), (std::vector<WorkerIndex>{0, 1, 2, 3}));
}

TEST(NodeOrder, TheShapeOfAGroupSaysHowManyMembersEachNodeHas)
{
    EXPECT_EQ(ShapeOf({0, 1, 2}).perNode, 1u);
    EXPECT_EQ(ShapeOf({4, 4, 1, 1, 3, 3}).perNode, 2u);
    EXPECT_EQ(ShapeOf({5, 5, 5}).perNode, 3u);
    EXPECT_EQ(ShapeOf({0, 0, 1}).perNode, 0u);
    EXPECT_EQ(ShapeOf({0, 1, 0, 1}).perNode, 0u);
    EXPECT_EQ(ShapeOf({0, 1, 0, 1}).members, 4u);
}

} // namespace
} // namespace geotrain
