// SPDX-License-Identifier: GPL-2.0-only
#include "execution/repetition-watch.h"

#include <gtest/gtest.h>

#include <vector>

namespace geotrain
{
namespace
{

/// An Iteration is what the watch is told of one: how long it and its messages take, by microbatch, and
/// when each member of its all-reduce has joined.
struct Iteration
{
    std::int64_t ns;
    std::vector<std::int64_t> messages;
    std::vector<std::int64_t> joined = {};
};

void
Deliver(RepetitionWatch& watch, std::uint32_t iteration, std::uint32_t microbatch, std::int64_t ns)
{
    Message message;
    message.iteration = iteration;
    message.receiver = 1;
    message.microbatch = microbatch;
    MessageTimes times;
    times.queued = Instant() + Duration::Nanoseconds(17 * iteration);
    times.delivered = times.queued + Duration::Nanoseconds(ns);
    watch.MessageDelivered(message, times);
}

/// Ends an all-reduce at 500 ns.
void
EndAllReduce(RepetitionWatch& watch, std::uint32_t iteration, std::int64_t joinedNs)
{
    Instruction reduce;
    reduce.kind = InstructionKind::AllReduce;
    watch.CollectiveEnded(0,
                          iteration,
                          reduce,
                          Instant() + Duration::Nanoseconds(joinedNs),
                          Instant() + Duration::Nanoseconds(500));
}

/// Returns the iterations left after each of these, with a tolerance of 1 %, so many of warm-up, and
/// ten that are measured.
std::vector<std::uint32_t>
LeftAfter(const std::vector<Iteration>& iterations, std::uint32_t warmUp = 0)
{
    RepetitionWatch watch(0.01, warmUp, 10);
    std::vector<std::uint32_t> left;
    Instant end;
    for (std::uint32_t number = 0; number < iterations.size(); ++number)
    {
        const Iteration& iteration = iterations[number];
        for (std::uint32_t i = 0; i < iteration.messages.size(); ++i)
        {
            Deliver(watch, number, i, iteration.messages[i]);
        }
        for (const std::int64_t joined : iteration.joined)
        {
            EndAllReduce(watch, number, joined);
        }
        end = end + Duration::Nanoseconds(iteration.ns);
        watch.IterationEnded(number, end);
        left.push_back(watch.IterationsLeft());
    }
    return left;
}

using Left = std::vector<std::uint32_t>;

// Of ten iterations, 0 to 9, eight come after number 1.
TEST(RepetitionWatch, TakesTheSecondOfTwoThatAgree)
{
    EXPECT_EQ(LeftAfter({{1000, {100, 200}}, {1000, {100, 200}}}), (Left{0, 8}));
}

// 101 is 1 % more than 100, and 198 1 % less than 200; 102 is too much, and so is 197.
TEST(RepetitionWatch, ToleratesAShareOfTheTimeBefore)
{
    EXPECT_EQ(LeftAfter({{1000, {100, 200}}, {1010, {101, 198}}}), (Left{0, 8}));
    EXPECT_EQ(LeftAfter({{1000, {100, 200}}, {1000, {102, 200}}}), (Left{0, 0}));
    EXPECT_EQ(LeftAfter({{1000, {100, 200}}, {1000, {100, 197}}}), (Left{0, 0}));
}

TEST(RepetitionWatch, AsksForTheIterationsTimeToo)
{
    EXPECT_EQ(LeftAfter({{1000, {100}}, {1011, {100}}, {1011, {100}}}), (Left{0, 0, 7}));
}

// An all-reduce takes 500 - 400 ns from when its last member has joined, whichever that is, and once
// 500 - 390 ns.
TEST(RepetitionWatch, ComparesCollectivesFromTheirLastMembersJoin)
{
    EXPECT_EQ(LeftAfter({{1000, {}, {200, 390}}, {1000, {}, {200, 400}}, {1000, {}, {400, 300}}}),
              (Left{0, 0, 7}));
}

TEST(RepetitionWatch, ComparesWithTheIterationBeforeAlone)
{
    EXPECT_EQ(LeftAfter({{1000, {100}}, {1000, {103}}, {1000, {100}}, {1000, {103}}}),
              (Left{0, 0, 0, 0}));
}

TEST(RepetitionWatch, TakesNoIterationWithOtherMessages)
{
    EXPECT_EQ(LeftAfter({{1000, {100}}, {1000, {100, 100}}}), (Left{0, 0}));
    EXPECT_EQ(LeftAfter({{1000, {100, 100}}, {1000, {100}}}), (Left{0, 0}));
}

// Number 2, the first that is measured, agrees with the last one of the warm-up; of twelve, nine come
// after it.
TEST(RepetitionWatch, MayCompareTheFirstMeasuredIterationWithTheWarmUp)
{
    const std::vector<Iteration> alike(3, {1000, {100}});
    EXPECT_EQ(LeftAfter(alike, 2), (Left{0, 0, 9}));
}

TEST(RepetitionWatch, HasNothingLeftAfterTheLastIteration)
{
    std::vector<Iteration> iterations;
    for (std::int64_t i = 0; i < 10; ++i)
    {
        iterations.push_back({1000, {i < 8 ? 100 * (1 + i % 2) : 100}});
    }
    EXPECT_EQ(LeftAfter(iterations), Left(10, 0));
}

// A worker that is ahead sends messages of the next iteration, and sharded parameters come when the
// iteration is over.
TEST(RepetitionWatch, TakesWhatComesEarlyOrLate)
{
    RepetitionWatch watch(0.01, 0, 10);
    for (std::uint32_t number = 0; number < 4; ++number)
    {
        Deliver(watch, number, 0, 100);
        Deliver(watch, number + 1, 1, 300);
        EXPECT_EQ(watch.IterationsLeft(), number < 3 ? 0 : 7) << number;
        watch.IterationEnded(number, Instant() + Duration::Nanoseconds(1000 * (number + 1)));
        EndAllReduce(watch, number, 400);
    }
}

} // namespace
} // namespace geotrain
