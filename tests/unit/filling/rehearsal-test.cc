// SPDX-License-Identifier: GPL-2.0-only
// Tests what a rehearsal says of iterations that it has not run.
#include "fill-runs.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

Rehearsal
RehearsalOf(const FillSetup& setup)
{
    AnalyticNetwork network(DelayOnly(setup.hop));
    return Rehearse(
        PlanOf(setup), std::numeric_limits<std::uint32_t>::max(), network, {}, Instant::Never());
}

TEST(Rehearsal, EndsWhenIterationsRepeatThemselves)
{
    FillSetup setup;
    setup.iterations = 1000;
    const Rehearsal rehearsal = RehearsalOf(setup);
    EXPECT_EQ(rehearsal.period, 1u);
    EXPECT_LE(rehearsal.iterations.size(), 34u); // the first differs, 32 are alike
    setup.iterations = 2;
    EXPECT_EQ(RehearsalOf(setup).period, 0u);
    EXPECT_EQ(RehearsalOf(setup).iterations.size(), 2u);
}

TEST(Rehearsal, TellsEveryIterationOfARunThatNothingDisturbs)
{
    FillSetup setup;
    setup.iterations = 30;
    setup.serves = false;
    const Rehearsal rehearsal = RehearsalOf(setup);
    const auto run = RunFilled(setup);
    std::map<WorkerIndex, Instant> began;
    std::map<WorkerIndex, std::size_t> next;
    for (const auto& span : run.training) // of each worker in order of time
    {
        const auto& pattern = (*rehearsal.Of(span.iteration))[span.worker];
        const BusySpan& rehearsed = pattern.at(next[span.worker]++);
        ASSERT_EQ(rehearsed.kind, span.kind);
        ASSERT_EQ(began[span.worker] + rehearsed.start, span.start);
        ASSERT_EQ(began[span.worker] + rehearsed.end, span.end);
        if (span.kind == InstructionKind::OptimizerStep)
        {
            began[span.worker] = span.end;
            next[span.worker] = 0;
        }
    }
    EXPECT_GT(run.training.size(), 1000u);
}

} // namespace
} // namespace geotrain
