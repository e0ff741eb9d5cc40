// SPDX-License-Identifier: GPL-2.0-only
// Checks the metrics of fill jobs against hand-made records.
#include "metrics/fill-job-tally.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

trace::Record
FillSpanRecord(
    std::int64_t startNs, std::int64_t endNs, std::int64_t usefulNs, bool preempted, double flops)
{
    trace::Record record;
    auto& span = *record.mutable_fill_span();
    span.set_kind(trace::FILL_KIND_FILL_JOB);
    span.set_job(7);
    span.set_start_ns(startNs);
    span.set_end_ns(endNs);
    span.set_useful_ns(usefulNs);
    span.set_preempted(preempted);
    span.set_flops(flops);
    return record;
}

trace::Record
FillJobRecord(std::uint64_t number,
              std::int64_t endNs,
              std::int64_t deadlineNs,
              const char* refused)
{
    trace::Record record;
    auto& job = *record.mutable_fill_job();
    job.set_number(number);
    job.set_arrival_ns(100);
    job.set_end_ns(endNs);
    job.set_deadline_ns(deadlineNs);
    job.set_refused(refused);
    job.set_dedicated_flops_per_second(50e9);
    return record;
}

TEST(FillJobTally, WithoutFillJobsItIsEmpty)
{
    FillJobTally tally;
    EXPECT_TRUE(tally.IsEmpty());
    tally.Take(FillJobRecord(1, 0, 0, ""));
    EXPECT_FALSE(tally.IsEmpty());
}

// 60 of 100 ns useful; then 30 of 50 ns lost to an interruption.
TEST(FillJobTally, AddsUpUsefulAndDiscardedTime)
{
    FillJobTally tally;
    tally.Take(FillJobRecord(7, 0, 0, ""));
    tally.Take(FillSpanRecord(0, 100, 60, false, 1000));
    tally.Take(FillSpanRecord(200, 250, 20, true, 500));
    const auto totals = tally.TotalsIn({0, 1000});
    EXPECT_DOUBLE_EQ(totals.usefulSeconds, 80e-9);
    EXPECT_DOUBLE_EQ(totals.discardedSeconds, 30e-9);
    EXPECT_DOUBLE_EQ(totals.flops, 1500);
    EXPECT_DOUBLE_EQ(totals.dedicatedSeconds, 1500 / 50e9);
}

TEST(FillJobTally, WorkAcrossTheBorderCountsInProportion)
{
    FillJobTally tally;
    tally.Take(FillSpanRecord(0, 100, 60, false, 1000));
    const auto totals = tally.TotalsIn({75, 1000});
    EXPECT_DOUBLE_EQ(totals.usefulSeconds, 15e-9);
    EXPECT_DOUBLE_EQ(totals.flops, 250);
}

TEST(FillJobTally, SlowdownIsOfTheWorkerThatLostMost)
{
    FillJobTally tally;
    for (const std::uint32_t worker : {0U, 1U, 1U})
    {
        trace::Record record;
        record.mutable_training_hold()->set_worker(worker);
        record.mutable_training_hold()->set_ready_ns(10);
        record.mutable_training_hold()->set_held_ns(5);
        tally.Take(record);
    }
    EXPECT_DOUBLE_EQ(tally.TotalsIn({0, 100}).slowdown, 0.1);
}

TEST(FillJobTally, OutcomesAreOfTheWholeRun)
{
    FillJobTally tally;
    tally.Take(FillJobRecord(1, 1000000100, 2000000000, ""));
    tally.Take(FillJobRecord(2, 3000000100, 2000000000, ""));
    tally.Take(FillJobRecord(3, 0, 0, "needs too much"));
    tally.Take(FillJobRecord(4, 0, 500, "")); // not ended: not met
    const auto outcomes = tally.Outcomes();
    EXPECT_EQ(outcomes.completionSeconds, (std::vector<double>{1, 3}));
    EXPECT_EQ(outcomes.refused, 1U);
    EXPECT_EQ(outcomes.deadlines, 3U);
    EXPECT_EQ(outcomes.deadlinesMet, 1U);
}

} // namespace
} // namespace geotrain
