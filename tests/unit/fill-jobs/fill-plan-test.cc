// SPDX-License-Identifier: GPL-2.0-only
// Checks the execution plan against its rules, one by one, and against a packing by brute force.

#include "fill-jobs/fill-plan.h"

#include "draws.h"
#include "fill-operators.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace geotrain
{

namespace
{

/// Returns a GPU on which nothing costs anything.
FillGpu
Gpu(std::vector<FillBubble> cycle)
{
    FillGpu gpu;
    gpu.costs.contextSwitch = Duration();
    gpu.costs.fillFraction = 1;
    gpu.cycle = std::move(cycle);
    gpu.period = Duration::Milliseconds(1000);
    gpu.alwaysFree = Bytes::Of(1000 * mega);
    return gpu;
}

FillBubble
BubbleOf(int milliseconds, int megabytes)
{
    return {Duration::Milliseconds(milliseconds), Bytes::Of(megabytes * mega)};
}

std::optional<FillPiece>
Pack(const FillProgram& program, std::size_t segment, FillBubble bubble, const FillGpu& gpu)
{
    return PackBubble(program, {segment, Duration()}, 1000000, RoomOf(bubble, gpu.costs), gpu);
}

TEST(FillPlan, PacksAsManyOperatorsAsFitTheTime)
{
    const FillProgram program("p", 1, {Operator(10, 1), Operator(20, 1), Operator(30, 1)});
    const FillGpu gpu = Gpu({BubbleOf(40, 10)});
    const auto piece = Pack(program, 0, gpu.cycle[0], gpu);
    ASSERT_TRUE(piece);
    EXPECT_EQ(piece->segments, 2U); // 10 + 20, and not 30
    EXPECT_EQ(piece->compute, Duration::Milliseconds(30));
    EXPECT_EQ(piece->work.Count(), 30e9);
}

TEST(FillPlan, ComputesForTheFillFractionOfABubble)
{
    const FillProgram program("p", 1, {Operator(1, 1)});
    FillGpu gpu = Gpu({BubbleOf(100, 10)});
    gpu.costs.fillFraction = 0.68;
    EXPECT_EQ(Pack(program, 0, gpu.cycle[0], gpu)->segments, 68U);
}

TEST(FillPlan, SwitchesFitIntoTheBubbleToo)
{
    const FillProgram program("p", 1, {Operator(1, 1)});
    FillGpu gpu = Gpu({BubbleOf(100, 10)});
    gpu.costs.contextSwitch = Duration::Milliseconds(30);
    const auto piece = Pack(program, 0, gpu.cycle[0], gpu);
    EXPECT_EQ(piece->segments, 40U); // 100 - 2 x 30
    EXPECT_EQ(piece->Total(), Duration::Milliseconds(100));
}

// 100 MB at 100 Gbit/s take 8 ms each way.
TEST(FillPlan, MovesWhatDoesNotAlwaysFitBesideTraining)
{
    const FillProgram program("p", 1, {Operator(1, 100)});
    FillGpu gpu = Gpu({BubbleOf(100, 200)});
    gpu.alwaysFree = Bytes::Of(99 * mega);
    const auto piece = Pack(program, 0, gpu.cycle[0], gpu);
    EXPECT_EQ(piece->before, Duration::Milliseconds(8));
    EXPECT_EQ(piece->after, Duration::Milliseconds(8));
    EXPECT_EQ(piece->segments, 84U);
}

TEST(FillPlan, AnOperatorThatNeedsTooMuchMemoryWaitsForARoomierBubble)
{
    const FillProgram program("p", 1, {Operator(10, 1), Operator(10, 50)});
    const FillGpu gpu = Gpu({BubbleOf(100, 10), BubbleOf(100, 60)});
    EXPECT_EQ(Pack(program, 0, gpu.cycle[0], gpu)->segments, 1U);
    EXPECT_FALSE(Pack(program, 1, gpu.cycle[0], gpu));
    EXPECT_EQ(Pack(program, 1, gpu.cycle[1], gpu)->segments, 10U);
}

TEST(FillPlan, OperatorsWithoutCheckpointStayTogether)
{
    const FillProgram program("p", 1, {Operator(30, 1, false), Operator(30, 1), Operator(50, 1)});
    const FillGpu gpu = Gpu({BubbleOf(50, 10)});
    EXPECT_FALSE(Pack(program, 0, gpu.cycle[0], gpu));
    EXPECT_TRUE(Pack(program, 1, gpu.cycle[0], gpu));
}

// 1,000 MB of optimiser state take 80 ms to the CPU and 80 ms back.
TEST(FillPlan, OffloadsOptimizerStateWhereThatLetsMoreRun)
{
    const FillProgram program("p", 1, {Operator(10, 500)});
    FillGpu gpu = Gpu({BubbleOf(200, 100)});
    gpu.offloadable = Bytes::Of(1000 * mega);
    EXPECT_FALSE(Pack(program, 0, gpu.cycle[0], gpu));
    gpu.costs.offloadsOptimizerState = true;
    const auto piece = Pack(program, 0, gpu.cycle[0], gpu);
    ASSERT_TRUE(piece);
    EXPECT_EQ(piece->segments, 4U); // 200 - 2 x 80
    EXPECT_EQ(piece->offloaded, gpu.offloadable);
    EXPECT_EQ(Pack(program, 0, BubbleOf(200, 500), gpu)->offloaded, Bytes());
}

TEST(FillPlan, ARefusalNamesTheOperatorAndWhatWouldFit)
{
    const FillProgram program("bert", 1, {Operator(10, 1), Operator(60, 5)});
    const FillGpu gpu = Gpu({BubbleOf(50, 2), BubbleOf(20, 10)});
    const auto misfit = FindMisfit(program, gpu);
    ASSERT_TRUE(misfit);
    EXPECT_EQ(misfit->reason,
              "operator \"op60\" of bert needs 60 ms and 0.005 GB, and switching 0 ms; what fits "
              "is at most 50 ms in "
              "the longest of 2 bubbles, and 0.01 GB in the roomiest");
    EXPECT_NEAR(misfit->shortage, 1.2, 1e-12); // 60 / 50
    EXPECT_FALSE(PlanFill(program, gpu));
}

TEST(FillPlan, ARefusalTellsLongTimesInSeconds)
{
    const FillGpu gpu = Gpu({BubbleOf(50, 2)});
    const auto reason = [&](int milliseconds)
    { return FindMisfit(FillProgram("p", 1, {Operator(milliseconds, 1)}), gpu)->reason; };
    EXPECT_NE(reason(999).find(" 999 ms and"), std::string::npos) << reason(999);
    EXPECT_NE(reason(30000).find(" 30 s and"), std::string::npos) << reason(30000);
    EXPECT_NE(reason(7200000).find(" 7200 s and"), std::string::npos) << reason(7200000);
}

TEST(FillPlan, NoBubbleFitsNothing)
{
    EXPECT_TRUE(FindMisfit(FillProgram("p", 1, {Operator(1, 1)}), Gpu({})));
}

// Bubbles of 25 and 15 ms take 2 + 1 of three operators of 10 ms, so one pass per iteration.
TEST(FillPlan, PlansAWholeCycle)
{
    const FillProgram program("p", 4, {Operator(10, 1), Operator(10, 1), Operator(10, 1)});
    const FillPlan plan = PlanFill(program, Gpu({BubbleOf(25, 10), BubbleOf(15, 10)})).value();
    EXPECT_EQ(plan.iterations, 1U);
    EXPECT_EQ(plan.segments, 3U);
    ASSERT_EQ(plan.pieces.size(), 2U);
    EXPECT_EQ(plan.pieces[0].segments, 2U);
    EXPECT_EQ(plan.TimeOf(7, program), Duration::Milliseconds(7000));
}

// Operators of 10 and 30 ms in a bubble of 30 ms: 10 one time, 30 the next.
TEST(FillPlan, CyclesMaySpanIterations)
{
    const FillProgram program("p", 1, {Operator(10, 1), Operator(30, 1)});
    const FillPlan plan = PlanFill(program, Gpu({BubbleOf(30, 10)})).value();
    EXPECT_EQ(plan.iterations, 2U);
    EXPECT_EQ(plan.segments, 2U);
    EXPECT_EQ(plan.TimeOf(1, program), Duration::Milliseconds(2000));
}

// An iteration packs 9,999 of 10,000 operators, so that only 10,000 iterations, 10^8 operators, are a cycle.
TEST(FillPlan, LongCyclesArePlannedByTheirFirstMillionsOfSteps)
{
    constexpr int operators = 10000;
    const FillProgram program(
        "p", 1, std::vector<FillOperator>(std::size_t{operators}, Operator(1, 1)));
    const FillPlan plan = PlanFill(program, Gpu({BubbleOf(operators - 1, 10)})).value();
    EXPECT_LT(plan.iterations, 1000U);
    const double rounds = double{operators} / (operators - 1); // a round takes a second
    EXPECT_NEAR(plan.TimeOf(1, program).ToSeconds(), rounds, 1e-8);
}

TEST(FillPlan, AStoppedPieceGoesOnWhereItsMemoryStays)
{
    const FillProgram program("p", 1, {Operator(10, 1), Operator(20, 1)});
    FillGpu gpu = Gpu({BubbleOf(100, 10)});
    const FillPosition begin{1, Duration()};
    const auto piece = Pack(program, 1, gpu.cycle[0], gpu);
    ASSERT_EQ(piece->segments, 6U); // 20 10 20 10 20 10
    const Duration at = Duration::Milliseconds(59);
    const FillPiece done = DoneOf(program, begin, *piece, at, gpu);
    EXPECT_EQ(done.segments, 3U); // 20 10 20, and 9 of the next 10
    EXPECT_EQ(done.compute, at);
    EXPECT_EQ(done.into, Duration::Milliseconds(9));
    // What is left of the operator comes first next time: 1 + 20 + 10 fit into 31 ms, 30 don't hold 3.
    const FillPosition next{0, done.into};
    const FillRoom room{Duration::Milliseconds(31), Duration::Milliseconds(31), Bytes::Of(mega)};
    const auto rest = PackBubble(program, next, 1000000, room, gpu);
    EXPECT_EQ(rest->segments, 3U);
    EXPECT_EQ(rest->compute, Duration::Milliseconds(31));
    EXPECT_EQ(DoneOf(program, next, *rest, Duration::Milliseconds(5), gpu).into,
              Duration::Milliseconds(4));
    EXPECT_EQ(DoneOf(program, next, *rest, Duration(), gpu).into, done.into);

    gpu.costs.preemption = Preemption::Restart;
    const FillPiece again = DoneOf(program, begin, *piece, at, gpu);
    EXPECT_EQ(again.segments, 3U);
    EXPECT_EQ(again.compute, Duration::Milliseconds(50));
    EXPECT_EQ(again.into, Duration());
    gpu.alwaysFree = Bytes();
    EXPECT_EQ(DoneOf(program, begin, *piece, at, gpu).segments, 0U);
}

// An operator whose working memory doesn't stay beside training begins again; the one before it, whose
// memory does, is not lost.
TEST(FillPlan, AStoppedOperatorThatNeedsTheBubblesMemoryBeginsAgain)
{
    const FillProgram program("p", 1, {Operator(10, 1), Operator(20, 50)});
    FillGpu gpu = Gpu({BubbleOf(100, 100)});
    gpu.alwaysFree = Bytes::Of(10 * mega);
    const auto piece = Pack(program, 0, gpu.cycle[0], gpu);
    const FillPiece done =
        DoneOf(program, {0, Duration()}, *piece, Duration::Milliseconds(25), gpu);
    EXPECT_EQ(done.segments, 1U);
    EXPECT_EQ(done.compute, Duration::Milliseconds(10));
    EXPECT_EQ(done.into, Duration());
}

TEST(FillPlan, TheKernelInProgressEndsFirst)
{
    FillOperator third = Operator(30, 1);
    third.kernels = 3; // of 10 ms
    const FillProgram program("p", 1, {Operator(10, 1), third});
    const FillPosition begin{1, Duration()};
    const auto rest = [&](int milliseconds)
    { return RestOfKernel(program, begin, Duration::Milliseconds(milliseconds)); };
    EXPECT_EQ(rest(0), Duration());
    EXPECT_EQ(rest(9), Duration::Milliseconds(1));
    EXPECT_EQ(rest(10), Duration());
    EXPECT_EQ(rest(12), Duration::Milliseconds(8));
    EXPECT_EQ(rest(31), Duration::Milliseconds(9)); // of the first operator, of one kernel
    EXPECT_EQ(RestOfKernel(program, {1, Duration::Milliseconds(7)}, Duration::Milliseconds(1)),
              Duration::Milliseconds(2));
}

struct RandomCase
{
    FillProgram program;
    FillGpu gpu;
};

RandomCase
MakeRandomCase(std::uint64_t seed)
{
    RandomStream stream(seed, "fill-plan-test", "case");
    std::vector<FillOperator> operators;
    for (int left = Draw(stream, 1, 12); left > 0; --left)
    {
        const int milliseconds = Draw(stream, 1, 30);
        const int megabytes = Draw(stream, 1, 100);
        operators.push_back(Operator(milliseconds, megabytes, stream.Uniform() < 0.7));
    }
    FillGpu gpu;
    for (int left = Draw(stream, 1, 4); left > 0; --left)
    {
        const int milliseconds = Draw(stream, 1, 400);
        gpu.cycle.push_back(BubbleOf(milliseconds, Draw(stream, 20, 150)));
    }
    gpu.period = Duration::Milliseconds(2000);
    gpu.alwaysFree = Bytes::Of(Draw(stream, 0, 100) * mega);
    gpu.offloadable = Bytes::Of(Draw(stream, 0, 100) * mega);
    FillCosts& costs = gpu.costs;
    costs.fillFraction = 0.3 + 0.7 * stream.Uniform();
    costs.contextSwitch = Duration::Milliseconds(Draw(stream, 0, 3));
    costs.offloadsOptimizerState = stream.Uniform() < 0.5;
    return {FillProgram("random", 1, operators), gpu};
}

// Packs one segment at a time, with or without offload, and keeps the longest prefix that fits.
std::uint64_t
MostSegments(const RandomCase& one, std::size_t start, const FillBubble& bubble)
{
    const auto& segments = one.program.Segments();
    const auto transfer = [&](Bytes size) { return 8 * static_cast<double>(size.Count()) / 100e9; };
    const auto switching = [&](Bytes held)
    {
        return one.gpu.costs.contextSwitch.ToSeconds() +
               (held > one.gpu.alwaysFree ? transfer(held) : 0);
    };
    std::uint64_t most = 0;
    for (const bool offload : {false, true})
    {
        if (offload && !one.gpu.costs.offloadsOptimizerState)
        {
            continue;
        }
        const Bytes extra = offload ? one.gpu.offloadable : Bytes();
        double compute = 0;
        for (std::uint64_t count = 1;; ++count)
        {
            const FillSegment& next = segments[(start + count - 1) % segments.size()];
            compute += next.duration.ToSeconds();
            if (next.memory > bubble.freeMemory + extra ||
                compute > bubble.length.ToSeconds() * one.gpu.costs.fillFraction + 1e-9)
            {
                break;
            }
            const Bytes held = segments[(start + segments.size() - 1) % segments.size()].held;
            const double total =
                switching(held) + compute + switching(next.held) + 2 * transfer(extra);
            most = total <= bubble.length.ToSeconds() + 1e-8 ? std::max(most, count) : most;
        }
    }
    return most;
}

TEST(FillPlan, PacksWhatBruteForcePacks)
{
    for (std::uint64_t seed = 1; seed <= 300; ++seed)
    {
        const RandomCase one = MakeRandomCase(seed);
        for (const FillBubble& bubble : one.gpu.cycle)
        {
            const auto piece = Pack(one.program, 0, bubble, one.gpu);
            EXPECT_EQ(piece ? piece->segments : 0, MostSegments(one, 0, bubble)) << "seed " << seed;
        }
    }
}

TEST(FillPlan, NeverTakesMoreThanABubbleHas)
{
    int planned = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed)
    {
        const RandomCase one = MakeRandomCase(seed);
        const auto plan = PlanFill(one.program, one.gpu);
        if (!plan)
        {
            continue;
        }
        ++planned;
        EXPECT_GT(plan->segments, 0U);
        for (std::size_t i = 0; i < plan->pieces.size(); ++i)
        {
            const FillBubble& bubble = one.gpu.cycle[i % one.gpu.cycle.size()];
            const FillPiece& piece = plan->pieces[i];
            EXPECT_LE(piece.Total(), bubble.length);
            EXPECT_LE(piece.compute.ToSeconds(),
                      bubble.length.ToSeconds() * one.gpu.costs.fillFraction);
            EXPECT_LE(piece.memory.Count(), (bubble.freeMemory + piece.offloaded).Count());
        }
    }
    EXPECT_GT(planned, 50);
}

} // namespace

} // namespace geotrain
