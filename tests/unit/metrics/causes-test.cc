// SPDX-License-Identifier: GPL-2.0-only
// Idle time by its cause and the critical path, on hand-made traces of two or three workers. Times
// are ns; what each gap holds stands beside it.
#include "metrics/critical-path.h"
#include "metrics/gpu-time.h"
#include "metrics/summary.h"
#include "pipeline-trace.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <sstream>

namespace geotrain
{
namespace
{

/// HandMade is a trace of a few workers.
class HandMade
{
  public:
    explicit HandMade(std::size_t workers)
        : m_spans(workers)
    {
    }

    /// Adds work of a worker, whose stage is its number.
    HandMade& Work(std::uint32_t worker,
                   trace::GpuWork kind,
                   std::uint32_t microbatch,
                   std::int64_t startNs,
                   std::int64_t endNs)
    {
        trace::GpuSpan span;
        span.set_worker(worker);
        span.set_stage(worker);
        span.set_kind(kind);
        span.set_microbatch(microbatch);
        span.set_start_ns(startNs);
        span.set_end_ns(endNs);
        m_spans[worker].push_back(span);
        return *this;
    }

    /// Adds a message between neighbours and returns it.
    trace::MessageSpan& Message(std::uint32_t sender,
                                std::uint32_t receiver,
                                std::uint32_t microbatch,
                                std::int64_t queuedNs,
                                std::int64_t deliveredNs)
    {
        trace::MessageSpan message;
        message.set_sender(sender);
        message.set_receiver(receiver);
        message.set_stage(sender);
        message.set_microbatch(microbatch);
        message.set_payload(sender < receiver ? trace::PAYLOAD_ACTIVATION
                                              : trace::PAYLOAD_GRADIENT);
        message.set_queued_ns(queuedNs);
        message.set_send_start_ns(queuedNs);
        message.set_delivered_ns(deliveredNs);
        m_messages.push_back(message);
        return m_messages.back();
    }

    HandMade& AllReduce(std::uint32_t worker, std::int64_t joinedNs, std::int64_t endedNs)
    {
        trace::CollectiveSpan span;
        span.set_worker(worker);
        span.set_kind(trace::COLLECTIVE_KIND_ALL_REDUCE);
        span.set_group(1);
        span.set_joined_ns(joinedNs);
        span.set_ended_ns(endedNs);
        m_collectives.push_back(span);
        return *this;
    }

    GpuTime Split(std::uint32_t worker, MeasuredSpan measured) const
    {
        const CausalHistory history(m_spans, m_messages, m_collectives);
        return GpuTimeSplit(history, measured, false).Of(worker, {});
    }

    /// Returns the causes on the critical path of [0, endNs].
    std::vector<std::string> Path(std::int64_t endNs) const
    {
        const CausalHistory history(m_spans, m_messages, m_collectives);
        std::vector<std::string> causes;
        std::int64_t atNs = 0;
        for (const auto& step : CriticalPath(history, {0, endNs}))
        {
            EXPECT_EQ(step.startNs, atNs); // without a gap
            atNs = step.endNs;
            causes.push_back(NameOfCause(step.kind) + " " + WhatOf(step));
        }
        EXPECT_EQ(atNs, endNs);
        return causes;
    }

  private:
    std::vector<std::vector<trace::GpuSpan>> m_spans;
    std::vector<trace::MessageSpan> m_messages;
    std::vector<trace::CollectiveSpan> m_collectives;
};

constexpr auto isForward = trace::GPU_WORK_FORWARD;
constexpr auto isBackward = trace::GPU_WORK_BACKWARD;
constexpr auto isRecompute = trace::GPU_WORK_RECOMPUTE;
constexpr auto isUpdate = trace::GPU_WORK_OPTIMIZER_STEP;

/// Worker 0 computes for 10 and sends a message that is queued at 10 and delivered at 110; worker
/// 1 waits for it from 0 on.
HandMade
OneMessage(bool crossesWan)
{
    HandMade trace(2);
    trace.Work(0, isForward, 0, 0, 10).Work(1, isForward, 0, 110, 120);
    auto& message = trace.Message(0, 1, 0, 10, 110);
    message.set_crosses_wan(crossesWan);
    message.set_send_start_ns(30);    // turn: 20
    message.set_serialisation_ns(25); // until 55
    message.set_propagation_ns(40);   // from 70 on, so that 15 are left for queueing
    return trace;
}

TEST(IdleCauses, AMessageOverTheWanIsSplitIntoItsParts)
{
    const GpuTime time = OneMessage(true).Split(1, {0, 120});
    EXPECT_EQ(time.idleFillDrainNs, 10); // worker 0 computes
    EXPECT_EQ(time.idleWanTurnNs, 20);
    EXPECT_EQ(time.idleWanSerialisationNs, 25);
    EXPECT_EQ(time.idleWanCongestionNs, 15);
    EXPECT_EQ(time.idleWanPropagationNs, 40);
    EXPECT_EQ(time.IdleWanNs(), 100);
    EXPECT_EQ(time.workNs + time.idleFillDrainNs + time.IdleWanNs(), 120);
}

TEST(IdleCauses, WhatWindowsAddToTheSerialisationIsTheWindows)
{
    // 120 ns on its way: 10 at the path's rate, 60 more at that of the windows, 40 of propagation, so
    // that 10 are left for queueing.
    HandMade trace(2);
    trace.Work(0, isForward, 0, 0, 10).Work(1, isForward, 0, 130, 140);
    auto& message = trace.Message(0, 1, 0, 10, 130);
    message.set_crosses_wan(true);
    message.set_serialisation_ns(10);
    message.set_window_ns(60);
    message.set_propagation_ns(40);
    const GpuTime time = trace.Split(1, {0, 140});
    EXPECT_EQ(time.idleWanSerialisationNs, 10);
    EXPECT_EQ(time.idleWanWindowNs, 60);
    EXPECT_EQ(time.idleWanCongestionNs, 10);
    EXPECT_EQ(time.idleWanPropagationNs, 40);
    EXPECT_EQ(time.IdleWanNs(), 120);
}

TEST(IdleCauses, AMessageThatWindowsDidNotSlowHasNoTimeOfTheirs)
{
    // It fits the windows, so that it takes 50: the rate of the windows would take 100 more.
    HandMade trace(2);
    trace.Work(0, isForward, 0, 0, 10).Work(1, isForward, 0, 60, 70);
    auto& message = trace.Message(0, 1, 0, 10, 60);
    message.set_crosses_wan(true);
    message.set_serialisation_ns(10);
    message.set_window_ns(100);
    message.set_propagation_ns(40);
    const GpuTime time = trace.Split(1, {0, 70});
    EXPECT_EQ(time.idleWanWindowNs, 0);
    EXPECT_EQ(time.idleWanPropagationNs, 40);
}

TEST(IdleCauses, AMessageInsideADataCentreIsNotTheWans)
{
    const GpuTime time = OneMessage(false).Split(1, {0, 120});
    EXPECT_EQ(time.idleLocalNs, 100);
    EXPECT_EQ(time.IdleWanNs(), 0);
    EXPECT_EQ(time.idleFillDrainNs, 10);
}

TEST(IdleCauses, AMessageThatIsShorterThanItsPropagationAndSerialisationHasNoQueueing)
{
    // 30 ns on its way: a late rise of the rate, say. Propagation 25 comes last, so that 5 are left.
    HandMade trace(2);
    trace.Work(0, isForward, 0, 0, 10).Work(1, isForward, 0, 40, 50);
    auto& message = trace.Message(0, 1, 0, 10, 40);
    message.set_crosses_wan(true);
    message.set_serialisation_ns(100);
    message.set_propagation_ns(25);
    const GpuTime time = trace.Split(1, {0, 50});
    EXPECT_EQ(time.idleWanPropagationNs, 25);
    EXPECT_EQ(time.idleWanSerialisationNs, 5);
    EXPECT_EQ(time.idleWanCongestionNs, 0);
}

TEST(IdleCauses, TheWanOfAnotherBoundaryCountsToo)
{
    // Worker 2 waits for worker 1, which itself waits for the WAN: 10 F, 50 WAN, 10 F, 5 local.
    HandMade trace(3);
    trace.Work(0, isForward, 0, 0, 10).Work(1, isForward, 0, 60, 70).Work(2, isForward, 0, 75, 85);
    auto& far = trace.Message(0, 1, 0, 10, 60);
    far.set_crosses_wan(true);
    far.set_propagation_ns(50);
    trace.Message(1, 2, 0, 70, 75);
    const GpuTime time = trace.Split(2, {0, 85});
    EXPECT_EQ(time.idleFillDrainNs, 10 + 10);
    EXPECT_EQ(time.idleWanPropagationNs, 50);
    EXPECT_EQ(time.idleLocalNs, 5);
}

/// Worker 0 forwards twice, worker 1 once and back, then worker 0 backward, forward, backward.
/// Messages take no time inside the data centre.
HandMade
TwoStages(bool recomputesEarly)
{
    HandMade trace(2);
    trace.Work(0, isForward, 0, 0, 10).Work(0, isForward, 1, 10, 20);
    if (recomputesEarly)
    {
        trace.Work(0, isRecompute, 0, 20, 25);
    }
    trace.Work(0, isBackward, 0, 40, 60)
        .Work(0, isForward, 2, 60, 70)
        .Work(0, isBackward, 1, 90, 110)
        .Work(0, isForward, 3, 115, 120)
        .Work(0, isBackward, 2, 130, 150);
    trace.Work(1, isForward, 0, 10, 20)
        .Work(1, isBackward, 0, 20, 40)
        .Work(1, isForward, 1, 40, 60)
        .Work(1, isBackward, 1, 60, 90)
        .Work(1, isForward, 2, 90, 100)
        .Work(1, isBackward, 2, 100, 130);
    trace.Message(0, 1, 0, 10, 10);
    trace.Message(0, 1, 1, 20, 20);
    trace.Message(0, 1, 2, 70, 70);
    trace.Message(1, 0, 0, 40, 40);
    trace.Message(1, 0, 1, 90, 90);
    trace.Message(1, 0, 2, 130, 130);
    return trace;
}

TEST(IdleCauses, ComputeOfTheNeighbourCountsByThePartOfTheSchedule)
{
    const HandMade trace = TwoStages(false);
    const GpuTime first = trace.Split(0, {0, 150});
    EXPECT_EQ(first.idleForwardBackwardNs, 20); // 20 to 40
    EXPECT_EQ(first.idleImbalanceNs, 20 + 5);   // 70 to 90, 110 to 115 before the last forward
    EXPECT_EQ(first.idleFillDrainNs, 10);       // 120 to 130
    EXPECT_EQ(first.IdleWanNs() + first.idleLocalNs, 0);
    const GpuTime second = trace.Split(1, {0, 150});
    EXPECT_EQ(second.idleFillDrainNs, 10 + 20); // 0 to 10, and 130 to 150 until the span's end
    EXPECT_EQ(second.idleForwardBackwardNs + second.idleImbalanceNs, 0);
}

TEST(IdleCauses, EarlyRecomputationDoesNotMoveTheForwardBackwardGap)
{
    // The recomputation from 20 to 25 leaves 15 of the gap, which stay a forward-backward gap.
    const GpuTime time = TwoStages(true).Split(0, {0, 150});
    EXPECT_EQ(time.idleForwardBackwardNs, 15);
    EXPECT_EQ(time.IdleWanNs(), 0);
    EXPECT_EQ(time.idleImbalanceNs, 25);
}

/// Two replicas of one stage: the first has ended its backward at 20, the second at 35; the
/// all-reduce takes 30 from there.
HandMade
TwoReplicas()
{
    HandMade trace(2);
    trace.Work(0, isBackward, 0, 0, 20).Work(0, isUpdate, 0, 65, 70);
    trace.Work(1, isBackward, 0, 0, 35).Work(1, isUpdate, 0, 65, 72);
    trace.AllReduce(0, 20, 65).AllReduce(1, 35, 65);
    return trace;
}

TEST(IdleCauses, ACollectiveBeginsWithItsLastMember)
{
    const GpuTime first = TwoReplicas().Split(0, {0, 72});
    EXPECT_EQ(first.idleAllReduceNs, 30);
    EXPECT_EQ(first.idleFillDrainNs, 15 + 2); // the other's backward, and its longer update
    EXPECT_EQ(TwoReplicas().Split(1, {0, 72}).idleAllReduceNs, 30);
}

TEST(IdleCauses, ACollectiveBehindAnotherOneBeginsWithThatOnesEnd)
{
    // Two buckets on two workers: joined at 10 and 20, run from 10 to 40 and from 40 to 60.
    HandMade trace(2);
    for (const std::uint32_t worker : {0U, 1U})
    {
        trace.Work(worker, isBackward, 0, 0, 10)
            .Work(worker, isBackward, 0, 10, 20)
            .Work(worker, isUpdate, 0, 60, 61);
    }
    trace.AllReduce(0, 10, 40).AllReduce(1, 10, 40).AllReduce(0, 20, 60).AllReduce(1, 20, 60);
    EXPECT_EQ(trace.Split(0, {0, 61}).idleAllReduceNs, 40);
    EXPECT_EQ(trace.Path(61),
              (std::vector<std::string>{"compute backward 0",
                                        "collective all_reduce",
                                        "collective all_reduce",
                                        "compute optimizer_step"}));
}

TEST(IdleCauses, TimeThatAFillerHoldsTrainingBackStaysWithTheSchedule)
{
    // The input came at 30, the forward began at 37 only.
    HandMade trace(2);
    trace.Work(0, isForward, 0, 0, 10).Work(1, isForward, 0, 37, 40);
    trace.Message(0, 1, 0, 10, 30).set_crosses_wan(true);
    const GpuTime time = trace.Split(1, {0, 40});
    EXPECT_EQ(time.idleFillDrainNs, 10 + 7);
    EXPECT_EQ(time.IdleWanNs(), 20);
}

TEST(CriticalPathOfATrace, GoesBackOverMessagesAndComputations)
{
    HandMade trace = OneMessage(true);
    EXPECT_EQ(trace.Path(120),
              (std::vector<std::string>{"compute forward 0",
                                        "wan_turn activation 0",
                                        "wan_serialisation activation 0",
                                        "wan_congestion activation 0",
                                        "wan_propagation activation 0",
                                        "compute forward 0"}));
    EXPECT_EQ(TwoReplicas().Path(72),
              (std::vector<std::string>{
                  "compute backward 0", "collective all_reduce", "compute optimizer_step"}));
}

TEST(CriticalPathOfATrace, LengthsAddToTheIterationTimeExactly)
{
    for (const bool gpipe : {false, true})
    {
        PipelineSetup setup;
        setup.gpipe = gpipe;
        setup.warmupIterations = 1;
        setup.measuredIterations = 2;
        const TemporaryFolder folder;
        const auto path = (folder / "trace.pb").string();
        WriteTrace(path, PipelineTrace(setup));
        TraceReader reader(path);
        const RunTally tally(reader);
        const auto iteration = tally.LastIteration();
        const auto steps = CriticalPath(tally.History(), iteration);
        ASSERT_FALSE(steps.empty());
        EXPECT_EQ(steps.front().startNs, iteration.startNs);
        EXPECT_EQ(steps.back().endNs, iteration.endNs);
        WriteCriticalPathCsv(steps, tally.header, folder / "critical-path.csv");
        std::ifstream file(folder / "critical-path.csv");
        std::string line;
        std::getline(file, line);
        EXPECT_EQ(line,
                  "cause,what,start_ns,end_ns,length_ns,replica,worker_stage,stage,microbatch,"
                  "from,to");
        std::int64_t sumNs = 0;
        while (std::getline(file, line))
        {
            std::istringstream cells(line);
            std::string cell;
            for (int column = 0; column < 5; ++column)
            {
                std::getline(cells, cell, ',');
            }
            sumNs += std::stoll(cell);
        }
        EXPECT_EQ(sumNs, iteration.endNs - iteration.startNs);
    }
}

TEST(IdleCauses, AnOlderTraceHasTheWholeOfTheWanAndNotItsParts)
{
    const TemporaryFolder folder;
    const auto path = (folder / "trace.pb").string();
    WriteTrace(path, PipelineTrace({}));
    TraceReader reader(path);
    const auto summary = Summarize(reader);
    EXPECT_GT(summary.Find("idle_wan").value(), 0);
    EXPECT_FALSE(summary.Find("idle_wan_propagation"));
}

} // namespace
} // namespace geotrain
