// SPDX-License-Identifier: GPL-2.0-only
#include "schedule-runs.h"

#include "execution/executor-report.h"
#include "execution/spatial-sharing.h"
#include "execution/stepped-collectives.h"
#include "schedule/gpipe.h"
#include "schedule/one-forward-one-backward.h"

#include <gtest/gtest.h>

#include <string>

namespace geotrain
{
namespace
{

StageTiming
Timing(std::int64_t forward, std::int64_t recompute, std::int64_t backward, std::int64_t optimizer)
{
    StageTiming timing;
    timing.forward = Duration::Nanoseconds(forward);
    timing.recompute = Duration::Nanoseconds(recompute);
    timing.backwardInput = Duration::Nanoseconds(backward);
    timing.optimizerStep = Duration::Nanoseconds(optimizer);
    return timing;
}

TEST(Executor, RecomputationRunsBetweenAGradientsArrivalAndItsBackward)
{
    const auto spans =
        RunSchedule(OnePipeline(GPipe({2, 1, 1}), {Timing(10, 5, 20, 0), Timing(10, 5, 20, 0)}),
                    Duration::Nanoseconds(100))
            .Spans();
    // Forward 0-10, hop, forward 110-120, recompute 120-125, backward 125-145, hop, recompute
    // 245-250, backward -270.
    for (const auto& span : spans)
    {
        if (span.worker == 0 && span.kind == InstructionKind::Recompute)
        {
            EXPECT_EQ(span.start.ToNanoseconds(), 245);
        }
        if (span.worker == 0 && span.kind == InstructionKind::Backward)
        {
            EXPECT_EQ(span.end.ToNanoseconds(), 270);
        }
    }
}

TEST(Executor, AnIterationFollowsTheOneBeforeOnEachWorkerWithoutABarrier)
{
    StreamInputs inputs =
        OnePipeline(OneForwardOneBackward({2, 4, 1}), {Timing(10, 0, 20, 3), Timing(10, 0, 20, 3)});
    inputs.iterations = 3;
    const SpanRecorder recorder = RunSchedule(inputs, {});
    // Stage 0 is the last to end an iteration and the first to begin the next: 3 x ((4 + 1) x 30 +
    // 3).
    EXPECT_EQ(recorder.Makespan().ToNanoseconds(), 3 * (5 * 30 + 3));
}

TEST(Executor, AnOptimizerStepWaitsForTheSlowestReplica)
{
    StreamInputs inputs;
    inputs.order = GPipe({1, 2, 1});
    inputs.placement = OneNodeEach(1, 2);
    inputs.timing = {Timing(10, 0, 20, 5)};
    inputs.gradients = {Bytes::Of(1000)};
    const ExecutionPlan plan = BuildStreams(inputs);
    AnalyticNetwork network(DelayOnly(Duration::Nanoseconds(40)));
    MessageLayer layer(network);
    SteppedCollectives collectives(layer);
    SpatialSharing carrier(layer);
    SpanRecorder recorder;
    ExecutorOptions options;
    options.durationOf = [](WorkerIndex worker, std::uint32_t, std::size_t, Duration planned)
    { return worker == 1 ? planned * 10 : planned; };
    Executor executor(plan, {layer.GetClock(), carrier, collectives}, {&recorder}, options);
    executor.Run(Instant::Never());
    ASSERT_TRUE(executor.IsDone());
    for (const auto& span : recorder.Spans())
    {
        if (span.kind == InstructionKind::OptimizerStep && span.worker == 0)
        {
            // Worker 1's last backward ends at 600. Worker 0's part has long been there, so that it
            // sends both steps of the ring of two at once: one hop of 40 ns.
            EXPECT_EQ(span.start.ToNanoseconds(), 640);
        }
    }
}

TEST(Executor, ATimedCollectiveStartsWhenItsLastMemberHasJoined)
{
    StreamInputs inputs;
    inputs.order = GPipe({1, 2, 1});
    inputs.placement = OneNodeEach(1, 2);
    inputs.timing = {Timing(10, 0, 20, 5)};
    inputs.gradients = {Bytes::Of(1000)};
    const ExecutionPlan plan = BuildStreams(inputs);
    AnalyticNetwork network(DelayOnly({}));
    SpanRecorder recorder;
    PlanRunSettings settings;
    settings.executor.durationOf =
        [](WorkerIndex worker, std::uint32_t, std::size_t, Duration planned)
    { return worker == 1 ? planned * 2 : planned; };
    settings.collectiveTime = [](const CollectiveRequest& request)
    {
        EXPECT_EQ(request.members, (std::vector<NodeIndex>{0, 1}));
        EXPECT_EQ(request.size.Count(), 1000);
        return Duration::Nanoseconds(777);
    };
    PlanRun run(plan, network, settings);
    run.Observe(recorder);
    ASSERT_TRUE(run.Run(Instant::Never()).IsDone());
    EXPECT_EQ(recorder.Makespan().ToNanoseconds(), 120 + 777 + 10);
    EXPECT_EQ(network.Counters().intraDcPayload.Count() + network.Counters().wanPayload.Count(), 0);
}

TEST(Executor, TiedEmbeddingsAreReducedBetweenFirstAndLastStage)
{
    StreamInputs inputs =
        OnePipeline(GPipe({3, 2, 1}), std::vector<StageTiming>(3, Timing(10, 0, 20, 5)));
    inputs.tiedEmbeddingGradients = Bytes::Of(600);
    const ExecutionPlan plan = BuildStreams(inputs);
    AnalyticNetwork network(DelayOnly({}));
    MessageLayer layer(network);
    SteppedCollectives collectives(layer);
    SpatialSharing carrier(layer);
    Executor executor(plan, {layer.GetClock(), carrier, collectives}, {});
    executor.Run(Instant::Never());
    ASSERT_TRUE(executor.IsDone());
    // 2 microbatches x 2 boundaries x 2 directions x 1 byte; a ring of two moves the vector once
    // each way.
    EXPECT_EQ(network.Counters().intraDcPayload.Count(), 8 + 2 * 600);
}

TEST(Executor, ADeadlockSaysWhoWaitsForWhat)
{
    // Both stages want their backward first: stage 1 has it before its forward.
    ScheduleOrder order = GPipe({2, 1, 1});
    std::swap(order.stages[0][0], order.stages[0][1]);
    const ExecutionPlan plan =
        BuildStreams(OnePipeline(order, std::vector<StageTiming>(2, Timing(10, 0, 20, 5))));
    AnalyticNetwork network(DelayOnly({}));
    MessageLayer layer(network);
    SteppedCollectives collectives(layer);
    SpatialSharing carrier(layer);
    Executor executor(plan, {layer.GetClock(), carrier, collectives}, {});
    executor.Run(Instant::Never());
    EXPECT_FALSE(executor.IsDone());
    EXPECT_EQ(executor.WhoWaitsForWhat(),
              "replica 0 stage 0: iteration 0, waits for the gradient of microbatch 0 from replica "
              "0 stage 1\n"
              "replica 0 stage 1: iteration 0, waits for the activation of microbatch 0 from "
              "replica 0 stage 0\n");
}

TEST(Executor, ADeadlineEndsTheRunAndIsReported)
{
    const ExecutionPlan plan =
        BuildStreams(OnePipeline(GPipe({1, 1, 1}), {Timing(1000, 0, 20, 5)}));
    AnalyticNetwork network(DelayOnly({}));
    MessageLayer layer(network);
    SteppedCollectives collectives(layer);
    SpatialSharing carrier(layer);
    Executor executor(plan, {layer.GetClock(), carrier, collectives}, {});
    executor.Run(Instant::FromNanoseconds(500));
    EXPECT_FALSE(executor.IsDone());
    EXPECT_EQ(executor.WhoWaitsForWhat(), "replica 0 stage 0: iteration 0, computes\n");
}

TEST(ExecutorReport, ManyLinesThatDifferInNumbersAreOne)
{
    std::vector<std::string> lines;
    for (int replica = 0; replica < 12; ++replica)
    {
        const auto name = "replica " + std::to_string(replica);
        lines.push_back(name + " stage 0: iteration 0, computes");
        lines.push_back(name + " stage 1: iteration 0, waits for its collectives");
    }
    EXPECT_EQ(LinesTogether({lines[0], lines[2]}), lines[0] + "\n" + lines[2] + "\n");
    EXPECT_EQ(LinesTogether({}), "");
    lines.push_back("replica 12 stage 0: iteration 1, computes");
    EXPECT_EQ(LinesTogether(lines),
              lines[0] + " (and 12 like it)\n" + lines[1] + " (and 11 like it)\n");
}

TEST(Executor, AFailedMessageEndsTheRunWithItsReason)
{
    class Broken : public MessageCarrier
    {
      public:
        explicit Broken(Clock& clock)
            : m_clock(clock)
        {
        }

        Handle Send(const Message&, Callback callback) override
        {
            m_clock.Schedule(m_clock.Now(), [callback] { callback({}, "connection reset"); });
            return 1;
        }

        void Cancel(Handle) override
        {
        }

      private:
        Clock& m_clock;
    };

    const ExecutionPlan plan = BuildStreams(
        OnePipeline(GPipe({2, 1, 1}), std::vector<StageTiming>(2, Timing(10, 0, 20, 5))));
    AnalyticNetwork network(DelayOnly({}));
    MessageLayer layer(network);
    SteppedCollectives collectives(layer);
    Broken carrier(network.GetClock());
    Executor executor(plan, {layer.GetClock(), carrier, collectives}, {});
    executor.Run(Instant::Never());
    EXPECT_FALSE(executor.IsDone());
    EXPECT_EQ(
        executor.WhoWaitsForWhat().find("activation of microbatch 0 from replica 0 stage 0 to "
                                        "replica 0 stage 1 failed: connection reset\n"),
        0u);
}

TEST(Executor, AFailedCollectiveEndsTheRunWithItsReason)
{
    /// FailsLargeTransfers is an analytic network on which transfers of at least `size` fail.
    class FailsLargeTransfers : public AnalyticNetwork
    {
      public:
        FailsLargeTransfers()
            : AnalyticNetwork(DelayOnly({}))
        {
        }

        TransferNumber Transfer(const TransferRequest& request, TransferCallback callback) override
        {
            if (request.size < Bytes::Of(500))
            {
                return AnalyticNetwork::Transfer(request, std::move(callback));
            }
            const Instant now = GetClock().Now();
            GetClock().Schedule(
                now,
                [callback, now] {
                    callback({TransferEvent::Kind::Failed, 99, now, "connection reset"});
                });
            return 99;
        }
    };

    StreamInputs inputs;
    inputs.order = GPipe({1, 2, 1});
    inputs.placement = OneNodeEach(1, 2);
    inputs.timing = {Timing(10, 0, 20, 5)};
    inputs.gradients = {Bytes::Of(1000)};
    const ExecutionPlan plan = BuildStreams(inputs);
    FailsLargeTransfers network;
    MessageLayer layer(network);
    SteppedCollectives collectives(layer);
    SpatialSharing carrier(layer);
    Executor executor(plan, {layer.GetClock(), carrier, collectives}, {});
    executor.Run(Instant::Never());
    EXPECT_FALSE(executor.IsDone());
    EXPECT_TRUE(executor.IsOver());
    EXPECT_EQ(executor.Failure(),
              "all-reduce of replica 0 stage 0 and replica 1 stage 0 failed: connection reset");
    EXPECT_EQ(executor.WhoWaitsForWhat(),
              executor.Failure() + "\n" +
                  "replica 0 stage 0: iteration 0, waits for its collectives\n"
                  "replica 1 stage 0: iteration 0, waits for its collectives\n");
}

} // namespace
} // namespace geotrain
