// SPDX-License-Identifier: GPL-2.0-only
// Tests every row of the catalogue of collectives by what it does to the parts of a vector, and the
// pairs that are warmed for it.
#include "execution/collective-catalogue.h"

#include "execution/ring-collective.h"
#include "execution/tree-collective.h"
#include "execution/warm-ups.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace geotrain
{
namespace
{

constexpr std::uint32_t most = 33;

/// Returns the parts that a member sends in all steps.
std::uint64_t
PartsSent(const CollectiveAlgorithm& algorithm,
          CollectiveKind kind,
          std::uint32_t members,
          std::uint32_t member)
{
    std::uint64_t parts = 0;
    for (std::uint32_t step = 0; step < algorithm.Steps(kind, members); ++step)
    {
        parts += algorithm.stepOf(kind, members, member, step).parts;
    }
    return parts;
}

TEST(CollectiveCatalogue, FindsEachRowByItsName)
{
    for (const CollectiveAlgorithm* algorithm : CollectiveCatalogue())
    {
        EXPECT_EQ(FindCollective(algorithm->name), algorithm);
        EXPECT_NE(std::string(algorithm->description), "");
    }
    EXPECT_EQ(FindCollective("butterfly"), nullptr);
}

TEST(CollectiveCatalogue, EveryMemberSendsAllPartsButOneAndTwiceInAnAllReduce)
{
    for (const CollectiveAlgorithm* algorithm : CollectiveCatalogue())
    {
        for (std::uint32_t n = 1; n <= most; ++n)
        {
            for (const std::uint32_t member : {0u, n - 1})
            {
                for (const auto kind : {CollectiveKind::ReduceScatter, CollectiveKind::AllGather})
                {
                    EXPECT_EQ(PartsSent(*algorithm, kind, n, member), n - 1) << algorithm->name;
                }
                EXPECT_EQ(PartsSent(*algorithm, CollectiveKind::AllReduce, n, member), 2 * (n - 1));
            }
        }
    }
}

TEST(CollectiveCatalogue, MembersAgreeOnDistanceAndNumberOfParts)
{
    for (const CollectiveAlgorithm* algorithm : CollectiveCatalogue())
    {
        for (const std::uint32_t n : {2u, 5u, 8u})
        {
            std::set<std::uint32_t> distances;
            for (std::uint32_t step = 0; step < algorithm->Steps(CollectiveKind::AllReduce, n);
                 ++step)
            {
                const auto first = algorithm->stepOf(CollectiveKind::AllReduce, n, 0, step);
                for (std::uint32_t member = 1; member < n; ++member)
                {
                    const auto own = algorithm->stepOf(CollectiveKind::AllReduce, n, member, step);
                    EXPECT_EQ(own.distance, first.distance);
                    EXPECT_EQ(own.parts, first.parts);
                }
                EXPECT_LT(first.distance, n);
                distances.insert(first.distance);
            }
            // A member whose messages come from one other has one distance.
            EXPECT_TRUE(!algorithm->hasOneSender || distances.size() == 1);
        }
    }
}

/// Runs an all-gather on sets of parts, where a step's messages carry all that the sender has of what
/// the receiver lacks, and returns whether its bytes allow that.
bool
GathersAll(const CollectiveAlgorithm& algorithm, GroupShape shape)
{
    const std::uint32_t n = shape.members;
    std::vector<std::set<std::uint32_t>> has(n);
    for (std::uint32_t member = 0; member < n; ++member)
    {
        has[member] = {member};
    }
    for (std::uint32_t step = 0; step < algorithm.Steps(CollectiveKind::AllGather, shape); ++step)
    {
        const auto before = has;
        for (std::uint32_t member = 0; member < n; ++member)
        {
            const auto own = algorithm.stepOf(CollectiveKind::AllGather, shape, member, step);
            auto& receiver = has[(member + own.distance) % n];
            std::uint32_t left = own.parts;
            for (const std::uint32_t part : before[member])
            {
                if (left > 0 && receiver.insert(part).second)
                {
                    --left;
                }
            }
        }
    }
    return has[0].size() == n && has[n - 1].size() == n;
}

TEST(CollectiveCatalogue, AnAllGatherGetsEveryPartEverywhere)
{
    for (const CollectiveAlgorithm* algorithm : CollectiveCatalogue())
    {
        for (std::uint32_t n = 1; n <= most; ++n)
        {
            EXPECT_TRUE(GathersAll(*algorithm, n)) << algorithm->name << " " << n;
        }
    }
}

TEST(RingCollective, TakesNMinusOneStepsAndSendsEveryPartOnce)
{
    for (std::uint32_t n = 2; n <= 7; ++n)
    {
        EXPECT_EQ(ringCollective.Steps(CollectiveKind::AllGather, n), n - 1);
        EXPECT_EQ(ringCollective.Distances(CollectiveKind::AllReduce, n),
                  std::vector<std::uint32_t>{1});
        for (std::uint32_t member = 0; member < n; ++member)
        {
            std::int64_t sent = 0;
            for (std::uint32_t step = 0; step < n; ++step)
            {
                const auto own = ringCollective.stepOf(CollectiveKind::AllReduce, n, member, step);
                sent += own.SizeOf(Bytes::Of(1000003), n).Count();
            }
            EXPECT_EQ(sent, 1000003);
        }
    }
}

TEST(TreeCollective, TakesLogarithmicStepsToPowersOfTwoAway)
{
    for (std::uint32_t n = 2; n <= most; ++n)
    {
        const auto steps = static_cast<std::uint32_t>(std::ceil(std::log2(n)));
        EXPECT_EQ(treeCollective.Steps(CollectiveKind::ReduceScatter, n), steps);
        EXPECT_EQ(treeCollective.Steps(CollectiveKind::AllReduce, n), 2 * steps);
    }
    EXPECT_EQ(treeCollective.Distances(CollectiveKind::ReduceScatter, 6),
              (std::vector<std::uint32_t>{1, 2, 4}));
    EXPECT_EQ(treeCollective.Distances(CollectiveKind::AllReduce, 6),
              (std::vector<std::uint32_t>{1, 2, 4, 5})); // 6 - 4 and 6 - 1 on the way back
}

// Of N nodes with g members each, a node lacks (N - 1)/N of the vector in an all-gather, and that is what
// the members of the others send to it.
TEST(TreeCollective, ANodeReceivesWhatItLacksOnce)
{
    for (const std::uint32_t nodes : {1u, 2u, 3u, 4u, 7u})
    {
        for (const std::uint32_t perNode : {2u, 3u, 8u})
        {
            const GroupShape shape(nodes * perNode, perNode);
            for (const auto kind : {CollectiveKind::ReduceScatter, CollectiveKind::AllGather})
            {
                std::uint32_t toOthers = 0; // parts
                std::uint32_t inside = 0;
                const std::uint32_t steps = treeCollective.Steps(kind, shape);
                EXPECT_EQ(steps, std::ceil(std::log2(nodes)) + std::ceil(std::log2(perNode)));
                for (std::uint32_t step = 0; step < steps; ++step)
                {
                    for (std::uint32_t member = 0; member < perNode; ++member)
                    {
                        const auto own = treeCollective.stepOf(kind, shape, member, step);
                        const std::uint32_t to = (member + own.distance) % shape.members;
                        EXPECT_EQ(own.staysInNode, to < perNode);
                        EXPECT_LE(own.first + own.parts, shape.members);
                        (own.staysInNode ? inside : toOthers) += own.parts;
                    }
                }
                EXPECT_EQ(toOthers, perNode * (nodes - 1));
                EXPECT_EQ(inside, perNode * nodes * (perNode - 1));
            }
            EXPECT_TRUE(GathersAll(treeCollective, shape)) << nodes << " x " << perNode;
        }
    }
}

TEST(TreeCollective, GoesRoundARingWhereNodesHaveUnequalNumbers)
{
    const GroupShape shape(5, 0);
    EXPECT_EQ(treeCollective.Steps(CollectiveKind::AllReduce, shape), 8u);
    EXPECT_EQ(treeCollective.Distances(CollectiveKind::AllReduce, shape),
              std::vector<std::uint32_t>{1});
}

TEST(TreeWarmUps, ATreesPairsAreThoseOfItsDistances)
{
    ExecutionPlan plan;
    plan.groups = {{0, 1, 2, 3}};
    plan.chooseCollective = [](const CollectiveRequest& request) -> const CollectiveAlgorithm&
    { return request.size > Bytes::Of(100) ? ringCollective : treeCollective; };
    for (NodeIndex node = 0; node < 4; ++node)
    {
        Instruction reduce;
        reduce.kind = InstructionKind::AllReduce;
        reduce.size = Bytes::Of(100);
        plan.workers.push_back({"worker", node, {reduce}});
    }
    const auto carriesAll = [](const std::vector<NodeIndex>&) { return true; };
    EXPECT_EQ(WarmUpsOf(plan, {}, carriesAll).size(), 4u * 3); // 1, 2 and 3 away
    for (auto& worker : plan.workers)
    {
        worker.stream.front().size = Bytes::Of(101);
    }
    EXPECT_EQ(WarmUpsOf(plan, {}, carriesAll).size(), 4u);
}

} // namespace
} // namespace geotrain
