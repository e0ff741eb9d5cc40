// SPDX-License-Identifier: GPL-2.0-only
// Tests the Bubble instructions in the streams: their places and contents, and that training
// doesn't notice them.
#include "filled-run.h"
#include "schedule/gpipe.h"
#include "schedule/one-forward-one-backward.h"
#include "schedule/schedule-catalogue.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

StageTiming
Times(int forward, int backward, int recompute = 0)
{
    StageTiming timing;
    timing.forward = Duration::Milliseconds(forward);
    timing.backwardInput = Duration::Milliseconds(backward);
    timing.recompute = Duration::Milliseconds(recompute);
    return timing;
}

WorkerMemory
KilobyteMemory()
{
    return {Bytes::Of(1000), Bytes::Of(400), Bytes::Of(50), 4};
}

std::string
KindsOf(const InstructionStream& stream)
{
    std::string kinds;
    for (const Instruction& in : stream)
    {
        kinds += "FrBWSRAxxxxxxO."[static_cast<std::size_t>(in.kind)];
    }
    return kinds;
}

StreamInputs
TwoStages(std::uint32_t iterations)
{
    ScheduleRequest request;
    request.stages = 2;
    request.microbatches = 2;
    StreamInputs inputs =
        OnePipeline(GPipe(request), std::vector<StageTiming>(2, Times(10, 20, 10)));
    inputs.iterations = iterations;
    return inputs;
}

// F forward, r recompute, B backward, S send, R receive, O optimiser step, . bubble.
TEST(BubbleInstructions, StandBeforeTheReceivesOfAComputation)
{
    ExecutionPlan plan = BuildStreams(TwoStages(1));
    const BubbleInstructions bubbles(plan);
    EXPECT_EQ(KindsOf(plan.workers[0].stream), "FSFS.RrB.RrBO");
    EXPECT_EQ(KindsOf(plan.workers[1].stream), ".RF.RFrBSrBSO");
}

TEST(BubbleInstructions, StandBeforeTheStepThatWaitsForCollectives)
{
    StreamInputs inputs = TwoStages(1);
    inputs.placement = OneNodeEach(2, 2);
    ExecutionPlan plan = BuildStreams(inputs);
    const BubbleInstructions bubbles(plan);
    EXPECT_EQ(KindsOf(plan.workers[0].stream), "FSFS.RrB.RrBA.O");
}

// GPipe on 2 stages, 2 microbatches, F = 10, r = 10, B = 20 ms, no hop: stage 1 idles F until its
// first forward, and nothing else; stage 0 idles from 2F = 20 ms until the first gradient comes, at
// 3F + r + B = 60 ms.
TEST(BubbleInstructions, SayStartLengthAndFreeMemory)
{
    FilledRunInputs inputs;
    inputs.streams = TwoStages(1);
    ExecutionPlan plan = BuildStreams(inputs.streams);
    BubbleForecast forecast(
        {KilobyteMemory(), KilobyteMemory()}, RehearseOn(plan, Duration()), Duration());
    AnalyticNetwork network(DelayOnly(Duration()));
    FillHost host(network.GetClock(), forecast, {});
    host.MarkBubbles(plan);
    host.Begin();
    const auto first = host.MarkedBubbles(0);
    ASSERT_EQ(first.size(), 1U);
    const Instruction& bubble = plan.workers[0].stream[4];
    EXPECT_EQ(bubble.expected, Duration::Milliseconds(20));
    EXPECT_EQ(bubble.duration, Duration::Milliseconds(40));
    EXPECT_EQ(bubble.size, Bytes::Of(1000 - 400 - 2 * 50)); // two activations are live
    EXPECT_EQ(first[0].start, Instant() + bubble.expected);
    EXPECT_EQ(first[0].end, Instant() + Duration::Milliseconds(60));
    EXPECT_EQ(first[0].freeMemory, bubble.size);
    EXPECT_EQ(first[0].endsWith, 2U); // the recomputation
    const auto second = host.MarkedBubbles(1);
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ(second[0].end, Instant() + Duration::Milliseconds(10));
    EXPECT_EQ(second[0].freeMemory, Bytes::Of(600));
}

/// Compares, in every iteration of a worker, the stream with the forecast, and then with what came.
class StreamChecker : public ExecutionObserver
{
  public:
    StreamChecker(const FillHost& host, const BubbleForecast& forecast)
        : m_host(host),
          m_forecast(forecast),
          m_idleSince(forecast.Workers()),
          m_expected(forecast.Workers())
    {
    }

    void CompareWithForecast(WorkerIndex worker)
    {
        m_expected[worker] = m_host.MarkedBubbles(worker);
        std::vector<Bubble> forecast;
        for (const Bubble& bubble : m_forecast.Next(worker))
        {
            if (bubble.iterationsAhead == 0)
            {
                forecast.push_back(bubble);
            }
        }
        ASSERT_EQ(m_expected[worker].size(), forecast.size());
        for (std::size_t i = 0; i < forecast.size(); ++i)
        {
            EXPECT_EQ(m_expected[worker][i].start, forecast[i].start);
            EXPECT_EQ(m_expected[worker][i].end, forecast[i].end);
            EXPECT_EQ(m_expected[worker][i].freeMemory, forecast[i].freeMemory);
            EXPECT_EQ(m_expected[worker][i].endsWith, forecast[i].endsWith);
        }
    }

    void InstructionStarted(WorkerIndex worker,
                            std::uint32_t,
                            const Instruction&,
                            Instant start) override
    {
        if (start > m_idleSince[worker])
        {
            ASSERT_FALSE(m_expected[worker].empty());
            EXPECT_EQ(m_expected[worker].front().start, m_idleSince[worker]);
            EXPECT_EQ(m_expected[worker].front().end, start);
            m_expected[worker].erase(m_expected[worker].begin());
            ++found;
        }
    }

    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t,
                          const Instruction& instruction,
                          Instant,
                          Instant end) override
    {
        m_idleSince[worker] = end;
        if (instruction.kind == InstructionKind::OptimizerStep)
        {
            EXPECT_TRUE(m_expected[worker].empty()); // all came
            CompareWithForecast(worker);
        }
    }

    void BubbleReached(WorkerIndex, std::uint32_t, const Instruction& bubble, Instant) override
    {
        EXPECT_EQ(bubble.kind, InstructionKind::Bubble);
        ++reached;
    }

    std::size_t found = 0;
    std::size_t reached = 0;

  private:
    const FillHost& m_host;
    const BubbleForecast& m_forecast;
    std::vector<Instant> m_idleSince;
    std::vector<std::vector<Bubble>> m_expected;
};

StreamInputs
RandomStreams(const ScheduleEntry& entry, RandomStream& stream)
{
    const auto draw = [&stream](int least, int most)
    { return least + static_cast<int>(stream.Uniform() * (most - least + 1)); };
    ScheduleRequest request;
    request.stages = static_cast<std::uint32_t>(draw(2, 4));
    request.microbatches = request.stages * static_cast<std::uint32_t>(draw(2, 3));
    StageTiming timing = Times(draw(5, 20), draw(5, 20), draw(0, 10));
    timing.backwardWeight = Duration::Milliseconds(draw(5, 20));
    request.times.stages = {timing};
    const ScheduleOrder order = MakeSchedule(entry, request);
    StreamInputs inputs;
    inputs.order = order;
    inputs.placement = OneNodeEach(request.stages);
    inputs.timing.assign(order.StageCount(), timing);
    inputs.gradients.assign(order.StageCount(), Bytes::Of(1));
    inputs.boundary = Bytes::Of(1);
    inputs.iterations = 4;
    inputs.microbatches = request.microbatches;
    return inputs;
}

TEST(BubbleInstructions, EqualTheForecastAndWhatComesOnTheAnalyticNetwork)
{
    for (const ScheduleEntry& entry : ScheduleCatalogue())
    {
        SCOPED_TRACE(entry.name);
        RandomStream stream(1, "bubble-instructions-test", entry.name);
        const StreamInputs inputs = RandomStreams(entry, stream);
        if (inputs.order.noFlush)
        {
            // Iterations differ until the pipeline is full, and are not rehearsed to the end.
            continue;
        }
        const Duration hop =
            Duration::Milliseconds(static_cast<std::int64_t>(20 * stream.Uniform()));
        ExecutionPlan plan = BuildStreams(inputs);
        const Rehearsal rehearsal = RehearseOn(plan, hop);
        BubbleForecast forecast(std::vector<WorkerMemory>(plan.workers.size(), KilobyteMemory()),
                                rehearsal,
                                Duration());
        AnalyticNetwork network(DelayOnly(hop));
        FillHost host(network.GetClock(), forecast, {});
        host.MarkBubbles(plan);
        StreamChecker checker(host, forecast);
        host.Begin();
        for (WorkerIndex worker = 0; worker < plan.workers.size(); ++worker)
        {
            checker.CompareWithForecast(worker);
        }
        RunToTheEnd(plan, network, {&host, &checker});
        EXPECT_GT(checker.found, plan.workers.size());
        EXPECT_EQ(checker.reached, checker.found);
    }
}

TEST(BubbleInstructions, DoNotMoveTraining)
{
    for (const ScheduleEntry& entry : ScheduleCatalogue())
    {
        SCOPED_TRACE(entry.name);
        RandomStream stream(2, "bubble-instructions-test", entry.name);
        FilledRunInputs inputs;
        inputs.streams = RandomStreams(entry, stream);
        inputs.jitter = 0.3;
        const Duration hop = Duration::Milliseconds(7);
        const auto alone = RunSchedule(inputs.streams, hop, JitteredOptions(inputs)).Spans();
        ExecutionPlan plan = BuildStreams(inputs.streams);
        BubbleInstructions bubbles(plan);
        AnalyticNetwork network(DelayOnly(hop));
        SpanRecorder training;
        RunToTheEnd(plan, network, {&training}, JitteredOptions(inputs));
        ASSERT_EQ(training.Spans().size(), alone.size());
        for (std::size_t i = 0; i < alone.size(); ++i)
        {
            EXPECT_EQ(training.Spans()[i].worker, alone[i].worker);
            EXPECT_EQ(training.Spans()[i].kind, alone[i].kind);
            EXPECT_EQ(training.Spans()[i].start, alone[i].start);
            EXPECT_EQ(training.Spans()[i].end, alone[i].end);
        }
    }
}

} // namespace

} // namespace geotrain
