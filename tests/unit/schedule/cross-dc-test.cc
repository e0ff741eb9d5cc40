// The cross-data-centre scheduler against the best static schedule of the same memory.

#include "order-runs.h"

#include "schedule/cross-dc.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(CrossDc, WinsStrictlyOverTheBestStaticScheduleInAtLeastHalfOfTheGrid)
{
    // The grid: hop / F of 0.5, 1, 2 and 4; p of 4, 6 and 8; m of 16, 32 and 64; F = B = W = 10 ms; a cap of p, which
    // is the default. Both are run by the Executor.
    const Duration unit = Duration::Milliseconds(10);
    std::size_t wins = 0;
    std::size_t cells = 0;
    for (const std::int64_t halves : {1, 2, 4, 8})
    {
        for (const std::uint32_t p : {4u, 6u, 8u})
        {
            for (const std::uint32_t m : {16u, 32u, 64u})
            {
                ScheduleRequest request;
                request.stages = p;
                request.microbatches = m;
                request.times = UniformTimes(unit, unit, unit, Duration::Milliseconds(5) * halves);
                const CrossDcPlan plan = PlanCrossDc(request);
                const Duration own = RunOrder(plan.own, request.times).Makespan();
                const Duration fallback = RunOrder(plan.fallback, request.times).Makespan();
                EXPECT_EQ(own, plan.ownMakespan);
                EXPECT_EQ(fallback, plan.fallbackMakespan);
                for (const StageOrder& stage : plan.own.stages)
                {
                    EXPECT_LE(PeakActivations(stage), p);
                }
                EXPECT_LE(own, fallback);
                wins += own < fallback ? 1 : 0;
                ++cells;
            }
        }
    }
    EXPECT_GE(2 * wins, cells) << wins << " of " << cells;
}

} // namespace
} // namespace geotrain
