// SPDX-License-Identifier: GPL-2.0-only
// Tests Varuna's policy by itself: when a later forward runs instead of the next operation.
#include "execution/run-ahead.h"
#include "instants.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Of a middle stage: two forwards, a recomputation and its backward, a third forward.
///   0 receive 0, 1 forward 0, 2 send 0, 3 recompute 0, 4 receive its gradient, 5 backward 0, 6 send its gradient,
///   7 receive 1, 8 forward 1, 9 send 1, 10 receive 2, 11 forward 2, 12 send 2
class RunAheadTest : public ::testing::Test
{
  protected:
    RunAheadTest()
    {
        Forward(0);
        Add(InstructionKind::Recompute, 0).expected = Duration::Nanoseconds(100);
        Add(InstructionKind::Receive, 0).payload = Payload::Gradient;
        Add(InstructionKind::Backward, 0);
        Add(InstructionKind::Send, 0).payload = Payload::Gradient;
        Forward(1);
        Forward(2);
        inbox = Inbox(stream.size());
    }

    Instruction& Add(InstructionKind kind, std::uint32_t microbatch)
    {
        Instruction instruction;
        instruction.kind = kind;
        instruction.microbatch = microbatch;
        stream.push_back(instruction);
        return stream.back();
    }

    void Forward(std::uint32_t microbatch)
    {
        Add(InstructionKind::Receive, microbatch);
        Add(InstructionKind::Forward, microbatch);
        Add(InstructionKind::Send, microbatch);
    }

    void Deliver(OrderPolicy& policy, std::size_t receive)
    {
        if (inbox.Put(receive))
        {
            policy.InputArrived(receive);
        }
    }

    /// Returns a policy that has run its first forward from 0 on and is to recompute next.
    RunAhead WithFirstForwardDone(std::uint32_t cap)
    {
        RunAhead policy(stream, cap, inbox);
        Deliver(policy, 0);
        policy.ComputeBegan(1, AtNs(0));
        EXPECT_EQ(policy.ComputeEnded(1), std::nullopt); // it is in turn, and so is its send
        return policy;
    }

    InstructionStream stream;
    Inbox inbox{0};
};

TEST_F(RunAheadTest, StaysInOrderUntilTheGradientIsLate)
{
    RunAhead policy = WithFirstForwardDone(2);
    Deliver(policy, 7);
    EXPECT_EQ(policy.Instead(3, AtNs(100)), std::nullopt);
    EXPECT_EQ(policy.Instead(3, AtNs(101)), std::optional<std::size_t>(8));
}

TEST_F(RunAheadTest, StaysInOrderWhereTheGradientIsHere)
{
    RunAhead policy = WithFirstForwardDone(2);
    Deliver(policy, 7);
    Deliver(policy, 4);
    EXPECT_EQ(policy.Instead(3, AtNs(1000)), std::nullopt);
}

TEST_F(RunAheadTest, RunsNoForwardBetweenARecomputationAndItsBackward)
{
    RunAhead policy = WithFirstForwardDone(2);
    Deliver(policy, 7);
    EXPECT_EQ(policy.Instead(4, AtNs(1000)), std::nullopt);
    stream[3].kind = InstructionKind::Bubble; // nothing recomputed stands in memory
    EXPECT_EQ(policy.Instead(4, AtNs(1000)), std::optional<std::size_t>(8));
}

TEST_F(RunAheadTest, RunsTheFirstForwardWhoseInputIsHere)
{
    RunAhead policy = WithFirstForwardDone(2);
    EXPECT_EQ(policy.Instead(3, AtNs(1000)), std::nullopt);
    Deliver(policy, 10);
    EXPECT_EQ(policy.Instead(3, AtNs(1000)), std::optional<std::size_t>(11));
}

TEST_F(RunAheadTest, HoldsNoMoreActivationsThanItMay)
{
    RunAhead policy = WithFirstForwardDone(1);
    Deliver(policy, 7);
    EXPECT_EQ(policy.Instead(3, AtNs(1000)), std::nullopt);
    policy.ComputeBegan(5, AtNs(1000)); // the backward frees one
    policy.ComputeEnded(5);
    EXPECT_EQ(policy.Instead(7, AtNs(1100)), std::nullopt); // its input is here: not late
    EXPECT_EQ(policy.Instead(10, AtNs(1100)), std::nullopt);
}

TEST_F(RunAheadTest, WhatRanAheadIsPassedAndHasSentAtOnce)
{
    RunAhead policy = WithFirstForwardDone(2);
    Deliver(policy, 7);
    const auto ahead = policy.Instead(3, AtNs(1000));
    ASSERT_EQ(ahead, std::optional<std::size_t>(8));
    policy.ComputeBegan(*ahead, AtNs(1000));
    EXPECT_EQ(policy.ComputeEnded(*ahead), std::optional<std::size_t>(9));
    for (const std::size_t position : {7, 8, 9})
    {
        EXPECT_TRUE(policy.IsDone(position)) << position;
    }
    for (const std::size_t position : {3, 4, 10, 11})
    {
        EXPECT_FALSE(policy.IsDone(position)) << position;
    }
}

TEST_F(RunAheadTest, APassThatBeginsHasNothingDone)
{
    RunAhead policy = WithFirstForwardDone(2);
    Deliver(policy, 7);
    policy.ComputeBegan(*policy.Instead(3, AtNs(1000)), AtNs(1000));
    inbox.BeginNextPass();
    policy.BeginPass();
    EXPECT_FALSE(policy.IsDone(8));
    Deliver(policy, 0);
    policy.ComputeBegan(1, AtNs(2000));
    EXPECT_EQ(policy.Instead(3, AtNs(2101)), std::nullopt); // the input of 8 has to come again
    Deliver(policy, 7);
    EXPECT_EQ(policy.Instead(3, AtNs(2101)), std::optional<std::size_t>(8));
}

TEST(Inbox, KeepsWhatComesForALaterPass)
{
    Inbox inbox(2);
    EXPECT_TRUE(inbox.Put(1));
    EXPECT_FALSE(inbox.Put(1));
    EXPECT_TRUE(inbox.IsHere(1));
    inbox.BeginNextPass();
    EXPECT_TRUE(inbox.IsHere(1));
    inbox.BeginNextPass();
    EXPECT_FALSE(inbox.IsHere(1));
}

} // namespace
} // namespace geotrain
