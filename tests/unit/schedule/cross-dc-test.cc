// SPDX-License-Identifier: GPL-2.0-only
// Compares the cross-data-centre scheduler with the best static schedule of the same memory.

#include "order-runs.h"

#include "schedule/cross-dc.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

struct Tally
{
    std::size_t wins = 0;
    std::size_t cells = 0;
};

/// The grid has hop / F of 0.5, 1, 2 and 4; p of 4, 6 and 8; m of 16, 32 and 64; and a cap of 2p,
/// which is the default. Both orders are run by the Executor.
Tally
RunGrid(Duration forward, Duration backward, Duration weight)
{
    Tally tally;
    for (const std::int64_t halves : {1, 2, 4, 8})
    {
        for (const std::uint32_t p : {4u, 6u, 8u})
        {
            for (const std::uint32_t m : {16u, 32u, 64u})
            {
                ScheduleRequest request;
                request.stages = p;
                request.microbatches = m;
                const Duration hop = Duration::Nanoseconds(forward.ToNanoseconds() * halves / 2);
                request.times = UniformTimes(forward, backward, weight, hop);
                const CrossDcPlan plan = PlanCrossDc(request);
                const Duration own = RunOrder(plan.own, request.times).Makespan();
                const Duration fallback = RunOrder(plan.fallback, request.times).Makespan();
                EXPECT_EQ(own, plan.rival.ownMakespan);
                EXPECT_EQ(fallback, plan.rival.makespan);
                for (std::uint32_t worker = 0; worker < p; ++worker)
                {
                    EXPECT_LE(PeakActivations(plan.own.stages[worker]), 2 * p);
                    EXPECT_LE(PeakActivations(plan.fallback.stages[worker]), 2 * p);
                }
                EXPECT_LE(own, fallback);
                tally.wins += own < fallback ? 1 : 0;
                ++tally.cells;
            }
        }
    }
    return tally;
}

TEST(CrossDc, WinsStrictlyOverTheBestStaticScheduleInAtLeastHalfOfTheGrid)
{
    // The profiled times of the zero-bubble paper's 1.5B model (table 4).
    const Tally tally = RunGrid(
        Duration::Microseconds(18522), Duration::Microseconds(18086), Duration::Microseconds(9337));
    EXPECT_EQ(tally.cells, 36u);
    EXPECT_GE(2 * tally.wins, tally.cells) << tally.wins;
}

TEST(CrossDc, WinsInHalfOfTheGridEvenWhereTheThreeTimesAreEqual)
{
    // With hops of at most F, ZB-H2's last worker then starts as early as it can and never idles,
    // which nothing beats.
    const Duration unit = Duration::Milliseconds(10);
    const Tally tally = RunGrid(unit, unit, unit);
    EXPECT_GE(2 * tally.wins, tally.cells) << tally.wins;
}

} // namespace
} // namespace geotrain
