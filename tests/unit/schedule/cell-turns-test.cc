// SPDX-License-Identifier: GPL-2.0-only
// Tests what the searches know of a DP-cell: the timeline of pipelines that take turns, against a
// formula; the searches, against all orders of small pipelines; and that more memory and a static
// schedule never win.
#include "schedule/cap-ladder.h"
#include "schedule/order-search.h"
#include "schedule/schedule-catalogue.h"
#include "schedule/static-rival.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geotrain
{
namespace
{

ScheduleRequest
CellRequest(std::uint32_t stages, std::uint32_t microbatches, std::uint32_t cellSize, Hop hop)
{
    ScheduleRequest request;
    request.stages = stages;
    request.microbatches = microbatches;
    request.cellSize = cellSize;
    hop.takesTurns = true;
    request.times.hops = {hop};
    return request;
}

Duration
MakespanOf(const char* name, const ScheduleRequest& request)
{
    return SimulateOrder(MakeSchedule(*FindSchedule(name), request), request).Makespan();
}

/// Returns the makespan, with turns, of an order that is made without knowledge of them.
Duration
StaticMakespanOf(const char* name, const ScheduleRequest& request)
{
    ScheduleRequest alone = request;
    alone.cellSize = 1;
    return SimulateOrder(MakeSchedule(*FindSchedule(name), alone), request).Makespan();
}

TEST(CellTurns, GPipeOverAFullWayTakesTheTurnsOfAllPipelines)
{
    // F = 1 ms, B = 2 ms with W, turns of o = 5 ms. The k-th activations of all C pipelines are
    // ready together, so that pipeline 0's last one leaves as number (m-1)C + 1. Its gradients
    // follow at once, and keep the way back full until all C m have left it.
    const std::int64_t m = 4;
    const std::int64_t cells = 3;
    const Duration o = Duration::Milliseconds(5);
    const Duration delay = Duration::Milliseconds(20);
    auto request = CellRequest(2, m, cells, {delay, o});
    const Duration forward = Duration::Milliseconds(1);
    const Duration backward = Duration::Milliseconds(2);
    ScheduleRequest alone = request;
    alone.cellSize = 1;
    const ScheduleOrder order = MakeSchedule(*FindSchedule("gpipe"), alone);
    const Duration first = forward + o * ((m - 1) * cells + 1) + delay + forward;
    EXPECT_EQ(SimulateOrder(order, request).Makespan(),
              first + backward + o * (cells * m) + delay + backward);
    // A pipeline alone: its last activation leaves as number m.
    EXPECT_EQ(SimulateOrder(order, alone).Makespan(),
              forward + o * m + delay + forward + backward + o * m + delay + backward);
}

TEST(CellTurns, TheBestStaticOrderOfPActivationsWithoutHopsIs1F1BByItsFormula)
{
    for (const std::uint32_t p : {2u, 3u, 5u})
    {
        ScheduleRequest request;
        request.stages = p;
        request.microbatches = 3 * p;
        const StaticBest best = BestStaticOrder(request, p, Rivals::WholeBackwards);
        // (m + p - 1)(F + B + W), 1 ms each
        EXPECT_EQ(best.rival.makespan, Duration::Milliseconds(3 * (3 * p + p - 1)));
        EXPECT_EQ(best.rival.name, "1f1b, warmup_factor 1");
    }
}

/// Returns all orders of one worker in which microbatches come in turn and each has its forward
/// before its backward before its weight gradient, with at most `cap` held.
std::vector<StageOrder>
AllOrders(std::uint32_t microbatches, std::uint32_t cap)
{
    using Kind = Operation::Kind;
    std::vector<StageOrder> done;
    std::vector<StageOrder> open{{}};
    while (!open.empty())
    {
        const StageOrder order = open.back();
        open.pop_back();
        std::uint32_t count[3] = {0, 0, 0};
        for (const Operation& operation : order)
        {
            ++count[static_cast<std::size_t>(operation.kind)];
        }
        if (order.size() == 3 * microbatches)
        {
            done.push_back(order);
            continue;
        }
        const auto extend = [&](Kind kind)
        {
            open.push_back(order);
            open.back().push_back({kind, count[static_cast<std::size_t>(kind)]});
        };
        if (count[0] < microbatches && count[0] - count[2] < cap)
        {
            extend(Kind::Forward);
        }
        if (count[1] < count[0])
        {
            extend(Kind::Backward);
        }
        if (count[2] < count[1])
        {
            extend(Kind::WeightGradient);
        }
    }
    return done;
}

Duration
BestOfAllOrders(const ScheduleRequest& request, std::uint32_t cap)
{
    const auto orders = AllOrders(request.microbatches, cap);
    Duration best = Duration::Seconds(1e6);
    for (const StageOrder& first : orders)
    {
        for (const StageOrder& second : orders)
        {
            ScheduleOrder order;
            order.stages = {first, second};
            order.activationCap = {cap, cap};
            try
            {
                best = std::min(best, SimulateOrder(order, request).Makespan());
            }
            catch (const std::invalid_argument&)
            {
                continue; // the workers wait for each other
            }
        }
    }
    return best;
}

TEST(CellTurns, CrossDcFindsTheBestOfAllOrdersOfTwoStages)
{
    for (const std::uint32_t m : {2u, 3u})
    {
        for (const std::int64_t turn : {0, 1, 3})
        {
            auto request =
                CellRequest(2, m, 2, {Duration::Milliseconds(2), Duration::Milliseconds(turn)});
            request.memoryCap = 2;
            EXPECT_EQ(MakespanOf("cross-dc", request), BestOfAllOrders(request, 2))
                << m << " microbatches, turns of " << turn << " ms";
        }
    }
}

TEST(CellTurns, NoSearchLosesToA1F1BOfTheSameMemory)
{
    for (const char* name : {"cross-dc", "zb-1p", "zb-2p", "atlas"})
    {
        for (const std::int64_t turn : {1, 4, 8})
        {
            auto request =
                CellRequest(4, 16, 4, {Duration::Milliseconds(15), Duration::Milliseconds(turn)});
            const std::uint32_t cap = std::string(name) == "zb-1p" ? 4 : 8;
            request.memoryCap = cap;
            const StaticBest rival = BestStaticOrder(request, cap, Rivals::WholeBackwards);
            EXPECT_LE(MakespanOf(name, request), rival.rival.makespan) << name << " " << turn;
        }
    }
}

TEST(CellTurns, ZbVLosesToNoStaticOrderOfItsLayoutAndMemory)
{
    for (const std::int64_t turn : {0, 4})
    {
        for (const std::uint32_t cap : {8u, 9u, 16u})
        {
            auto request =
                CellRequest(4, 16, 4, {Duration::Milliseconds(15), Duration::Milliseconds(turn)});
            request.virtualStages = 2;
            request.memoryCap = cap;
            const StaticBest rival = BestStaticOrder(request, cap, Rivals::Waves);
            const Duration makespan = MakespanOf("zb-v", request);
            EXPECT_LE(makespan, rival.rival.makespan) << turn << " ms, " << cap;
            if (cap > 8) // DualPipeV holds 2p + 1
            {
                EXPECT_LE(makespan, StaticMakespanOf("dualpipe-v", request))
                    << turn << " ms, " << cap;
            }
        }
    }
}

TEST(CellTurns, OneForwardOneBackwardInWavesIsLegalWithinItsCap)
{
    for (const std::uint32_t stages : {1u, 2u, 3u, 5u})
    {
        for (const std::uint32_t cap : {2u, 2 * stages, 3 * stages, 24u})
        {
            ScheduleRequest request;
            request.stages = stages;
            request.virtualStages = 2;
            request.microbatches = 2 * stages - 1; // too few for DualPipeV
            const StaticBest best = BestStaticOrder(request, cap, Rivals::Waves);
            for (const StageOrder& order : best.order.stages)
            {
                EXPECT_LE(PeakActivations(order), cap);
            }
            // Throws where an operation is missing or comes too early.
            EXPECT_EQ(SimulateOrder(best.order, request).Makespan(), best.rival.makespan);
        }
    }
}

TEST(CellTurns, ZbVTellsOfItsRival)
{
    auto request = CellRequest(4, 16, 4, {Duration::Milliseconds(15), Duration::Milliseconds(8)});
    const ScheduleOrder order = MakeSchedule(*FindSchedule("zb-v"), request);
    ASSERT_TRUE(order.rival);
    EXPECT_EQ(order.rival->isUsed, order.rival->makespan < order.rival->ownMakespan);
    EXPECT_EQ(order.rival->name, "1f1b in waves, 8 activations");
}

TEST(CellTurns, VirtualStagesOfAZeroBubbleSearchLoseToNoInterleavedOrderOfTheSameMemory)
{
    for (const std::int64_t turn : {1, 8})
    {
        auto request =
            CellRequest(4, 16, 4, {Duration::Milliseconds(15), Duration::Milliseconds(turn)});
        request.virtualStages = 2;
        request.memoryCap = 16;
        EXPECT_LE(MakespanOf("zb-2p", request), StaticMakespanOf("interleaved", request)) << turn;
    }
}

TEST(CellTurns, MoreMemoryNeverMakesASearchSlower)
{
    for (const char* name : {"cross-dc", "zb-2p", "atlas", "zb-v"})
    {
        const std::uint32_t chunks = FindSchedule(name)->plannedVirtualStages;
        auto request =
            CellRequest(3, 64 / chunks, 4, {Duration::Milliseconds(20), Duration::Milliseconds(1)});
        Duration before = Duration::Seconds(1e6);
        for (const std::uint32_t cap : {3u, 4u, 5u, 8u, 12u, 24u})
        {
            request.memoryCap = cap * chunks;
            const Duration makespan = MakespanOf(name, request);
            EXPECT_LE(makespan.ToSeconds(), 1.01 * before.ToSeconds()) << name << " " << cap;
            before = std::min(before, makespan);
        }
    }
}

TEST(CellTurns, ASearchThatFallsBackSaysSo)
{
    // Without hops ZB-H1 has the shortest makespan that there is.
    ScheduleRequest request;
    request.stages = 4;
    request.microbatches = 8;
    const ScheduleOrder order = MakeSchedule(*FindSchedule("cross-dc"), request);
    ASSERT_TRUE(order.rival);
    EXPECT_TRUE(order.rival->isUsed);
    EXPECT_EQ(order.rival->name, "zb-h1");
}

TEST(CellTurns, TheLadderOfCapsHasTheLargestFirstAndIsDenseForFewStages)
{
    EXPECT_EQ(CapLadder(9, 3), (std::vector<std::uint32_t>{9, 8, 7, 6, 5, 4, 3}));
    EXPECT_EQ(CapLadder(2, 3), (std::vector<std::uint32_t>{2}));
    EXPECT_EQ(CapLadder(100, 64), (std::vector<std::uint32_t>{100, 80, 64}));
    EXPECT_EQ(CapLadder(100, 64, 8), (std::vector<std::uint32_t>{100, 91, 81, 72, 64}));
}

} // namespace
} // namespace geotrain
