// SPDX-License-Identifier: GPL-2.0-only
// Tests the sums over fillers and over messages on the WAN, from hand-made records.
#include "metrics/fill-tally.h"
#include "metrics/wan-messages.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

using Training = std::vector<std::vector<trace::GpuSpan>>;

/// Makes the spans of one worker of two GPUs that trains from 100 to 200 ns and from 300 to 400 ns.
Training
TwoSpans()
{
    Training training(1);
    for (const std::int64_t start : {100, 300})
    {
        trace::GpuSpan span;
        span.set_start_ns(start);
        span.set_end_ns(start + 100);
        training[0].push_back(span);
    }
    return training;
}

/// Returns when the first filler finds its GPUs busy, in ns; nothing if all lie in gaps.
std::optional<std::int64_t>
ClashOf(const std::vector<FillTime>& fills)
{
    FillTally tally;
    tally.spans = {fills};
    const auto clash = tally.SortAndFindClash(TwoSpans());
    return clash ? std::optional<std::int64_t>(clash->atNs) : std::nullopt;
}

FillTime
FillJobTime(std::int64_t startNs, std::int64_t endNs, std::uint32_t gpu)
{
    return {startNs, endNs, 0, 0, trace::FILL_KIND_FILL_JOB, gpu, 0.5};
}

FillTime
PrefillTime(std::int64_t startNs, std::int64_t endNs)
{
    return {startNs, endNs, 0, 0, trace::FILL_KIND_PREFILL, 0, 1};
}

TEST(FillTally, FillersInTheGapsOfTrainingDoNotClash)
{
    EXPECT_FALSE(ClashOf({PrefillTime(0, 100),
                          PrefillTime(200, 250),
                          PrefillTime(250, 300),
                          PrefillTime(400, 900)}));
}

TEST(FillTally, AFillerThatMeetsTrainingClashes)
{
    EXPECT_EQ(ClashOf({PrefillTime(150, 160)}), 150);
    EXPECT_EQ(ClashOf({PrefillTime(50, 101)}), 50);
}

TEST(FillTally, FillJobsOfTwoGpusMayRunAtOnceAndThoseOfOneMayNot)
{
    EXPECT_FALSE(ClashOf({FillJobTime(200, 250, 0), FillJobTime(210, 260, 1)}));
    EXPECT_EQ(ClashOf({FillJobTime(210, 260, 0), FillJobTime(200, 250, 0)}), 210); // sorted before
}

TEST(FillTally, APrefillIsOnAllGpusOfItsWorker)
{
    EXPECT_EQ(ClashOf({FillJobTime(200, 250, 1), PrefillTime(240, 260)}), 240);
}

TEST(FillTally, ASpanOfOneGpuIsItsShareOfTheWorker)
{
    trace::RunHeader header;
    header.add_workers()->set_gpus(4);
    FillTally tally;
    tally.spans.resize(1);
    trace::Record record;
    record.mutable_fill_span()->set_kind(trace::FILL_KIND_FILL_JOB);
    record.mutable_fill_span()->set_end_ns(70);
    EXPECT_EQ(tally.Take(record, header), 70);
    record.mutable_fill_span()->set_kind(trace::FILL_KIND_PREFILL);
    tally.Take(record, header);
    EXPECT_EQ(tally.spans[0][0].share, 0.25);
    EXPECT_EQ(tally.spans[0][1].share, 1);
}

TEST(FillTally, HoldsAreSummedAndTheLongestIsKept)
{
    FillTally tally;
    for (const std::int64_t held : {30, 50, 20})
    {
        trace::Record record;
        record.mutable_training_hold()->set_held_ns(held);
        tally.Take(record, {});
    }
    EXPECT_EQ(tally.heldNs, 100);
    EXPECT_EQ(tally.longestHoldNs, 50);
    EXPECT_EQ(tally.holds, 3u);
}

/// Makes a message of 1 GB from node 0 that was queued at 0.
trace::MessageSpan
Message(std::uint32_t iteration, std::uint32_t destination, std::int64_t deliveredNs)
{
    trace::MessageSpan message;
    message.set_iteration(iteration);
    message.set_destination(destination);
    message.set_receiver(destination);
    message.set_bytes(1000000000);
    message.set_delivered_ns(deliveredNs);
    return message;
}

TEST(WanMessages, ChangeIsAgainstTheSameMessageInTheIterationBefore)
{
    const auto tally = TallyWanMessages({Message(1, 7, 1000000000),
                                         Message(1, 8, 5000000000),
                                         Message(2, 7, 3000000000),
                                         Message(4, 7, 9000000000)},
                                        1,
                                        10);
    EXPECT_EQ(tally.completionSeconds, (std::vector<double>{1, 5, 3, 9}));
    EXPECT_EQ(tally.changeSeconds, (std::vector<double>{2})); // 3 s after 1 s; iteration 3 has none
}

TEST(WanMessages, GoodputOfANodePairIsTheMeanOverItsMessages)
{
    const auto tally = TallyWanMessages(
        {Message(0, 7, 1000000000), Message(0, 7, 3000000000), Message(0, 8, 8000000000)}, 0, 1);
    // 16 Gbit in 1 + 3 s, 8 Gbit in 8 s.
    EXPECT_EQ(tally.pairGoodputBps, (std::vector<double>{4e9, 1e9}));
}

TEST(WanMessages, OnlyMeasuredIterationsCount)
{
    const auto tally = TallyWanMessages(
        {Message(0, 7, 1000000000), Message(1, 7, 2000000000), Message(2, 7, 4000000000)}, 1, 1);
    EXPECT_EQ(tally.completionSeconds, (std::vector<double>{2}));
    EXPECT_TRUE(tally.changeSeconds.empty());
}

} // namespace
} // namespace geotrain
