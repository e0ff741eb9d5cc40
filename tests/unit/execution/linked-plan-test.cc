// SPDX-License-Identifier: GPL-2.0-only
// Tests what LinkedPlan says of legal plans, and which plans it refuses.
#include "execution/linked-plan.h"

#include "schedule-runs.h"

#include "schedule/gpipe.h"
#include "schedule/pipedream-2bw.h"
#include "schedule/pipemare.h"

#include <gtest/gtest.h>

#include <string>

namespace geotrain
{
namespace
{

/// Makes two replicas of two stages, two microbatches, GPipe, and one group for each stage's
/// gradients.
ExecutionPlan
TwoByTwo()
{
    StreamInputs inputs;
    inputs.order = GPipe({2, 2, 1});
    inputs.placement = OneNodeEach(2, 2);
    inputs.timing.resize(2);
    inputs.boundary = Bytes::Of(10);
    inputs.gradients = {Bytes::Of(600), Bytes::Of(700)};
    return BuildStreams(inputs);
}

TEST(LinkedPlan, EverySendKnowsItsReceive)
{
    const ExecutionPlan plan = TwoByTwo();
    const LinkedPlan linked(plan);
    std::size_t sends = 0;
    for (WorkerIndex worker = 0; worker < plan.workers.size(); ++worker)
    {
        const auto& stream = linked.StreamOf(worker);
        for (std::size_t position = 0; position < stream.size(); ++position)
        {
            if (stream[position].kind == InstructionKind::Send)
            {
                ++sends;
                const Instruction& receive =
                    linked.StreamOf(stream[position].peer)[linked.ReceiveOf(worker, position)];
                EXPECT_EQ(receive.kind, InstructionKind::Receive);
                EXPECT_EQ(receive.peer, worker);
                EXPECT_EQ(receive.payload, stream[position].payload);
                EXPECT_EQ(receive.microbatch, stream[position].microbatch);
            }
        }
    }
    EXPECT_EQ(sends, 2u * 2 * 2); // replicas, microbatches, directions
}

TEST(LinkedPlan, CollectivesOfAllMembersAndPassesHaveOneNumberEach)
{
    const ExecutionPlan plan = TwoByTwo();
    const LinkedPlan linked(plan);
    std::map<std::uint64_t, std::vector<std::uint32_t>> membersOf;
    for (std::uint32_t pass = 0; pass < 3; ++pass)
    {
        for (WorkerIndex worker = 0; worker < plan.workers.size(); ++worker)
        {
            for (std::size_t position = 0; position < linked.StreamOf(worker).size(); ++position)
            {
                if (IsCollective(linked.StreamOf(worker)[position].kind))
                {
                    const auto request = linked.CollectiveAt(worker, position, pass);
                    EXPECT_EQ(request.kind, CollectiveKind::AllReduce);
                    EXPECT_EQ(request.size.Count(), worker % 2 == 0 ? 600 : 700);
                    EXPECT_EQ(request.members[linked.MemberAt(worker, position)],
                              plan.workers[worker].node);
                    membersOf[request.number].push_back(linked.MemberAt(worker, position));
                }
            }
        }
    }
    EXPECT_EQ(membersOf.size(), 2u * 3); // stages, passes
    for (const auto& [number, members] : membersOf)
    {
        EXPECT_EQ(members, (std::vector<std::uint32_t>{0, 1})) << number;
    }
}

TEST(LinkedPlan, AStreamWithFlushIsOneIterationFromItsStart)
{
    ExecutionPlan plan = TwoByTwo();
    plan.iterations = 3;
    const LinkedPlan linked(plan);
    EXPECT_EQ(linked.IterationsPerPass(), 1u);
    EXPECT_EQ(linked.Iterations(), 3u);
    EXPECT_EQ(linked.IterationOf(2, plan.workers[0].stream[0]), 2u);
}

TEST(LinkedPlan, AStreamWithoutFlushHoldsAllIterations)
{
    const std::uint32_t p = 3;
    const std::uint32_t m = 6;
    for (const auto make : {PipeDream2Bw, PipeMare})
    {
        StreamInputs inputs = OnePipeline(make({p, m, 1}), std::vector<StageTiming>(p));
        inputs.iterations = 4;
        inputs.microbatches = m;
        const ExecutionPlan plan = BuildStreams(inputs);
        const LinkedPlan linked(plan);
        EXPECT_EQ(linked.IterationsPerPass(), 4u);
        EXPECT_EQ(linked.Iterations(), 4u);
    }
}

TEST(LinkedPlan, BubblesDoNotCountInPlannedPositions)
{
    ExecutionPlan plan = TwoByTwo();
    auto& stream = plan.workers[0].stream;
    Instruction bubble;
    bubble.kind = InstructionKind::Bubble;
    stream.insert(stream.begin() + 2, bubble);
    stream.insert(stream.begin(), bubble);
    const LinkedPlan linked(plan);
    EXPECT_EQ(linked.PlannedPosition(0, 1), 0u);
    EXPECT_EQ(linked.PlannedPosition(0, 2), 1u);
    EXPECT_EQ(linked.PlannedPosition(0, 4), 2u);
    EXPECT_EQ(linked.PlannedPosition(1, 4), 4u);
}

class IllegalPlans : public ::testing::Test
{
  protected:
    ExecutionPlan plan = TwoByTwo();

    std::string Refusal() const
    {
        try
        {
            const LinkedPlan linked(plan);
        }
        catch (const std::invalid_argument& error)
        {
            return error.what();
        }
        return "";
    }

    InstructionStream::iterator Find(WorkerIndex worker, InstructionKind kind)
    {
        auto& stream = plan.workers[worker].stream;
        return std::find_if(stream.begin(),
                            stream.end(),
                            [kind](const Instruction& instruction)
                            { return instruction.kind == kind; });
    }

    static Instruction AllReduceOf(std::uint32_t group)
    {
        Instruction reduce;
        reduce.kind = InstructionKind::AllReduce;
        reduce.group = group;
        reduce.size = Bytes::Of(10);
        return reduce;
    }
};

TEST_F(IllegalPlans, AreNotTheOnesThatSchedulesMake)
{
    EXPECT_EQ(Refusal(), "");
}

TEST_F(IllegalPlans, ASendWithoutAReceiverIsRefused)
{
    plan.workers[1].stream.erase(Find(1, InstructionKind::Receive));
    EXPECT_NE(Refusal().find("sends what nobody receives"), std::string::npos);
}

TEST_F(IllegalPlans, AReceiveWithoutASenderIsRefused)
{
    plan.workers[0].stream.erase(Find(0, InstructionKind::Send));
    EXPECT_NE(Refusal().find("receives what nobody sends"), std::string::npos);
}

TEST_F(IllegalPlans, AMessageThatIsReceivedTwiceIsRefused)
{
    plan.workers[1].stream.push_back(*Find(1, InstructionKind::Receive));
    EXPECT_NE(Refusal().find("receives the same message twice"), std::string::npos);
}

TEST_F(IllegalPlans, AStrangerInACollectiveIsRefused)
{
    plan.workers[1].stream.push_back(AllReduceOf(0)); // of stage 0
    EXPECT_NE(Refusal().find("joins a group that it is not in"), std::string::npos);
    EXPECT_EQ(Refusal().find(plan.workers[1].name + ", instruction "), 0u);
}

TEST_F(IllegalPlans, AGroupThatIsNotThereIsRefused)
{
    plan.workers[1].stream.push_back(AllReduceOf(static_cast<std::uint32_t>(plan.groups.size())));
    EXPECT_NE(Refusal().find("joins a group that it is not in"), std::string::npos);
}

TEST_F(IllegalPlans, MembersThatJoinDifferentCollectivesAreRefused)
{
    plan.workers[1].stream.push_back(AllReduceOf(static_cast<std::uint32_t>(plan.groups.size())));
    plan.groups.push_back({0, 1});
    EXPECT_NE(Refusal().find("join different collectives"), std::string::npos);
}

} // namespace
} // namespace geotrain
