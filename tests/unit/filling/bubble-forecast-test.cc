// SPDX-License-Identifier: GPL-2.0-only
#include "filling/bubble-forecast.h"
#include "instants.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

Duration
Ms(std::int64_t milliseconds)
{
    return Duration::Milliseconds(milliseconds);
}

Instruction
Of(InstructionKind kind)
{
    Instruction instruction;
    instruction.kind = kind;
    return instruction;
}

/// Forward 10-20, backward 50-70, optimiser step 80-90 of each iteration, the last of which is
/// `shift` late.
void
RunIteration(BubbleForecast& forecast, std::int64_t began, std::int64_t shift = 0)
{
    forecast.Ended(0, Of(InstructionKind::Forward), AtMs(began + 10), AtMs(began + 20));
    forecast.Ended(
        0, Of(InstructionKind::Backward), AtMs(began + 50 + shift), AtMs(began + 70 + shift));
    forecast.Ended(
        0, Of(InstructionKind::OptimizerStep), AtMs(began + 80 + shift), AtMs(began + 90 + shift));
}

WorkerMemory
Memory()
{
    return {Bytes::Of(100), Bytes::Of(30), Bytes::Of(20), 2};
}

TEST(BubbleForecast, NextIterationIsExpectedToGoAsTheLast)
{
    BubbleForecast forecast({Memory()}, {}, Duration());
    EXPECT_TRUE(forecast.Next(0).empty());
    RunIteration(forecast, 0);
    const auto bubbles = forecast.Next(0);
    ASSERT_EQ(bubbles.size(), 6u); // three in the next iteration, three in the one after
    EXPECT_EQ(bubbles[0].start, AtMs(90));
    EXPECT_EQ(bubbles[0].end, AtMs(100));
    EXPECT_EQ(bubbles[1].start, AtMs(110));
    EXPECT_EQ(bubbles[1].end, AtMs(140));
    EXPECT_EQ(bubbles[3].iterationsAhead, 1u);
    EXPECT_EQ(bubbles[3].start, AtMs(180));
}

TEST(BubbleForecast, FreeMemoryLeavesOutStateAndLiveActivations)
{
    BubbleForecast forecast({Memory()}, {}, Duration());
    RunIteration(forecast, 0);
    const auto bubbles = forecast.Next(0);
    EXPECT_EQ(bubbles[0].freeMemory, Bytes::Of(100 - 30));
    EXPECT_EQ(bubbles[1].freeMemory, Bytes::Of(100 - 30 - 20)); // one microbatch between its passes
    EXPECT_EQ(bubbles[2].freeMemory, Bytes::Of(100 - 30));
    EXPECT_EQ(AlwaysFree(Memory()), Bytes::Of(100 - 30 - 2 * 20));
}

TEST(BubbleForecast, EqualIterationsHaveNoMisses)
{
    BubbleForecast forecast({Memory()}, {}, Duration());
    for (std::int64_t k = 0; k < 4; ++k)
    {
        RunIteration(forecast, 90 * k);
        const auto score = forecast.TakeScore();
        EXPECT_EQ(score.misses, k == 0 ? 3u : 0u); // nothing was forecast for the first one
        EXPECT_EQ(score.bubbles, 3u);
    }
}

TEST(BubbleForecast, ErrorIsTheDistanceOfTheEnds)
{
    BubbleForecast forecast({Memory()}, {}, Duration());
    RunIteration(forecast, 0);
    forecast.TakeScore();
    RunIteration(forecast, 90, -7);
    const auto score = forecast.TakeScore();
    // The bubble between forward and backward ends 7 ms early; the one before the step is moved by
    // as much.
    EXPECT_EQ(score.misses, 2u);
    EXPECT_EQ(score.early, 2u);
    EXPECT_EQ(score.absoluteError, Ms(14));
    EXPECT_EQ(score.largestError, Ms(7));
}

TEST(BubbleForecast, BoundIsHowEarlyTheEndRecentlyWas)
{
    BubbleForecast forecast({Memory()}, {}, Duration());
    RunIteration(forecast, 0);
    RunIteration(forecast, 90, -8);
    auto bubble = forecast.Next(0)[1];
    EXPECT_EQ(bubble.end - bubble.earliestEnd, Ms(8)); // the 90th percentile of one
    RunIteration(forecast, 172, -8);
    bubble = forecast.Next(0)[1];
    EXPECT_EQ(bubble.end - bubble.earliestEnd, Ms(8)); // and of 8 and 0
}

TEST(RecentErrors, BoundIsTheNinetiethPercentileOfTheLastSixteen)
{
    RecentErrors errors;
    EXPECT_EQ(errors.Bound(), Duration());
    errors.Add(Ms(-3));
    EXPECT_EQ(errors.Bound(), Duration()); // it never was early
    for (std::int64_t error = 1; error <= 20; ++error)
    {
        errors.Add(Ms(error));
    }
    EXPECT_EQ(errors.Bound(), Ms(19)); // of 5 to 20 the 15th, as 0.9 x 16 = 14.4
}

TEST(BubbleForecast, RehearsalTellsTheFirstIterationAndHowTheNextDiffers)
{
    const IterationPattern first{{InstructionKind::Forward, Ms(0), Ms(10)},
                                 {InstructionKind::OptimizerStep, Ms(50), Ms(60)}};
    const IterationPattern second{{InstructionKind::Forward, Ms(5), Ms(15)},
                                  {InstructionKind::OptimizerStep, Ms(50), Ms(60)}};
    BubbleForecast forecast({Memory()}, {{{first}, {second}}}, Duration());
    ASSERT_EQ(forecast.Next(0).size(), 3u);
    EXPECT_EQ(forecast.Next(0)[0].start, AtMs(10));
    EXPECT_EQ(forecast.Next(0)[0].end, AtMs(50));
    // Measured: the step begins 3 ms later than rehearsed. The next one begins its forward 5 ms later than this.
    forecast.Ended(0, Of(InstructionKind::Forward), AtMs(0), AtMs(10));
    forecast.Ended(0, Of(InstructionKind::OptimizerStep), AtMs(53), AtMs(63));
    const auto bubbles = forecast.Next(0);
    EXPECT_EQ(bubbles[0].end, AtMs(63 + 5));
    EXPECT_EQ(bubbles[1].end, AtMs(63 + 53));
}

TEST(BubbleForecast, WhatIsRehearsedGoesOnWithItsPeriod)
{
    const auto startsAt = [](std::int64_t milliseconds)
    {
        return IterationPattern{
            {InstructionKind::OptimizerStep, Ms(milliseconds), Ms(milliseconds + 1)}};
    };
    const Rehearsal rehearsal{{{startsAt(9)}, {startsAt(5)}, {startsAt(7)}}, 2};
    const std::int64_t starts[] = {9, 5, 7, 5, 7, 5};
    for (std::size_t iteration = 0; iteration < std::size(starts); ++iteration)
    {
        ASSERT_NE(rehearsal.Of(iteration), nullptr);
        EXPECT_EQ(rehearsal.Of(iteration)->front().front().start, Ms(starts[iteration]));
    }
    EXPECT_EQ(Rehearsal({{{startsAt(9)}}, 0}).Of(1), nullptr);
}

TEST(BubbleForecast, WhatIsToComeMovesWithTheWaitThatEndedLate)
{
    BubbleForecast forecast({Memory()}, {}, Duration());
    RunIteration(forecast, 0);
    EXPECT_FALSE(forecast.Started(0, AtMs(90 + 10))); // as expected
    forecast.Ended(0, Of(InstructionKind::Forward), AtMs(90 + 10), AtMs(90 + 20));
    EXPECT_TRUE(forecast.Started(0, AtMs(90 + 50 + 7)));
    const auto bubbles = forecast.Next(0);
    ASSERT_EQ(bubbles.size(), 4U); // the one before the step, and three of the next iteration
    EXPECT_EQ(bubbles[0].start, AtMs(90 + 70 + 7));
    EXPECT_EQ(bubbles[0].end, AtMs(90 + 80 + 7));
    EXPECT_EQ(bubbles[1].start, AtMs(180 + 7));
}

TEST(BubbleForecast, AComputationThatTookLongerMovesNothing)
{
    BubbleForecast forecast({Memory()}, {}, Duration());
    const auto run = [&](std::int64_t began, std::int64_t later)
    {
        bool moved = forecast.Started(0, AtMs(began));
        forecast.Ended(0, Of(InstructionKind::Forward), AtMs(began), AtMs(began + 10 + later));
        moved = forecast.Started(0, AtMs(began + 10 + later)) || moved;
        forecast.Ended(
            0, Of(InstructionKind::Backward), AtMs(began + 10 + later), AtMs(began + 30 + later));
        moved = forecast.Started(0, AtMs(began + 50)) || moved;
        forecast.Ended(0, Of(InstructionKind::OptimizerStep), AtMs(began + 50), AtMs(began + 60));
        return moved;
    };
    run(0, 0);
    EXPECT_FALSE(run(60, 4)); // the wait for the collective ends as before
}

TEST(BubbleForecast, TheErrorIsOfTheForecastWhenTheIterationBegan)
{
    BubbleForecast forecast({Memory()}, {}, Duration());
    RunIteration(forecast, 0);
    forecast.TakeScore();
    forecast.Started(0, AtMs(100));
    forecast.Ended(0, Of(InstructionKind::Forward), AtMs(100), AtMs(110));
    forecast.Started(0, AtMs(132)); // 8 ms early
    forecast.Ended(0, Of(InstructionKind::Backward), AtMs(132), AtMs(152));
    forecast.Started(0, AtMs(162));
    forecast.Ended(0, Of(InstructionKind::OptimizerStep), AtMs(162), AtMs(172));
    const auto score = forecast.TakeScore();
    EXPECT_EQ(score.absoluteError, Ms(16));
    EXPECT_EQ(score.misses, 2U);
    EXPECT_EQ(score.early, 1U); // the second was told in time
}

} // namespace
} // namespace geotrain
