// SPDX-License-Identifier: GPL-2.0-only
// An iteration that is aborted at any instant and started again ends as long after its start as an
// undisturbed one, and every message is delivered once.
#include "schedule-runs.h"

#include "draws.h"
#include "execution/executor.h"
#include "execution/message-layer.h"
#include "execution/spatial-sharing.h"
#include "execution/stepped-collectives.h"
#include "schedule/schedule-catalogue.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <tuple>

namespace geotrain
{
namespace
{

Duration
Share(Duration whole, std::uint32_t thousandths)
{
    return Duration::Nanoseconds(whole.ToNanoseconds() * thousandths / 1000);
}

/// Makes the streams of two replicas, so that gradients are reduced.
StreamInputs
RandomStreams(const ScheduleEntry& entry, RandomStream& random)
{
    ScheduleRequest request;
    request.stages = Draw(random, 2, 4);
    request.microbatches = request.stages * Draw(random, 2, 3);
    StageTiming timing;
    timing.forward = Duration::Nanoseconds(Draw(random, 100, 1000));
    timing.recompute = Duration::Nanoseconds(Draw(random, 0, 1) * 50);
    timing.backwardInput = Duration::Nanoseconds(Draw(random, 100, 1000));
    timing.backwardWeight = Duration::Nanoseconds(Draw(random, 100, 1000));
    timing.optimizerStep = Duration::Nanoseconds(Draw(random, 0, 300));
    request.times.stages = {timing};
    StreamInputs inputs;
    inputs.order = MakeSchedule(entry, request);
    inputs.placement = OneNodeEach(request.stages, 2);
    inputs.timing.assign(inputs.order.StageCount(), timing);
    inputs.gradients.assign(inputs.order.StageCount(), Bytes::Of(1000));
    inputs.boundary = Bytes::Of(10);
    inputs.iterations = 3;
    inputs.microbatches = request.microbatches;
    return inputs;
}

/// A Witness records what happened since the last start, and when iterations ended.
class Witness : public ExecutionObserver
{
  public:
    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t iteration,
                          const Instruction& in,
                          Instant start,
                          Instant end) override
    {
        m_spans.emplace_back(
            worker, iteration, in.kind, in.stage, in.microbatch, start - m_begin, end - m_begin);
    }

    void MessageDelivered(const Message& message, const MessageTimes&) override
    {
        m_bytes += message.size.Count();
        ++m_delivered[{message.sender,
                       message.receiver,
                       message.iteration,
                       message.payload,
                       message.stage,
                       message.microbatch}];
    }

    void IterationEnded(std::uint32_t iteration, Instant end) override
    {
        EXPECT_EQ(iteration, m_ended++);
        m_lastEnd = end;
    }

    void IterationAborted(std::uint32_t iteration, Instant) override
    {
        EXPECT_EQ(iteration, m_ended);
        ++m_aborted;
    }

    void BeginAgain(Instant now)
    {
        m_begin = now;
        m_spans.clear();
        m_delivered.clear();
    }

    using Span = std::tuple<WorkerIndex,
                            std::uint32_t,
                            InstructionKind,
                            std::uint32_t,
                            std::uint32_t,
                            Duration,
                            Duration>;
    using MessageKey =
        std::tuple<WorkerIndex, WorkerIndex, std::uint32_t, Payload, std::uint32_t, std::uint32_t>;

    Instant m_begin;
    std::vector<Span> m_spans; ///< spans since m_begin
    std::map<MessageKey, int> m_delivered;
    std::int64_t m_bytes = 0; ///< bytes since the run's start
    std::uint32_t m_ended = 0;
    std::uint32_t m_aborted = 0;
    Instant m_lastEnd;
};

/// A plan on an ideal network: a delay for each hop, no limit of rate.
struct AbortedJob
{
    AbortedJob(const ExecutionPlan& plan, Duration hop)
        : network(DelayOnly(hop)),
          layer(network),
          collectives(layer),
          carrier(layer),
          executor(plan, {network.GetClock(), carrier, collectives}, {&witness})
    {
    }

    /// Aborts at `at` and starts again `pause` later.
    void Disturb(Instant at, Duration pause)
    {
        network.GetClock().Schedule(at, [this] { executor.AbortIteration(); });
        network.GetClock().Schedule(at + pause,
                                    [this]
                                    {
                                        witness.BeginAgain(network.GetClock().Now());
                                        executor.RestartIteration();
                                    });
    }

    AnalyticNetwork network;
    MessageLayer layer;
    SteppedCollectives collectives;
    SpatialSharing carrier;
    Witness witness;
    Executor executor;
};

class Restart : public ::testing::TestWithParam<std::string>
{
};

TEST_P(Restart, AnIterationTakesAsLongAsOneThatNothingDisturbed)
{
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
    {
        RandomStream random(seed, "restart-test", GetParam());
        auto inputs = RandomStreams(*FindSchedule(GetParam()), random);
        inputs.iterations = 1;
        const ExecutionPlan plan = BuildStreams(inputs);
        const Duration hop = Duration::Nanoseconds(Draw(random, 0, 1) * Draw(random, 1, 500));
        AbortedJob alone(plan, hop);
        alone.executor.Run(Instant::Never());
        ASSERT_TRUE(alone.executor.IsDone());

        AbortedJob disturbed(plan, hop);
        Instant at;
        for (int abort = 0; abort < 5; ++abort)
        {
            at = at + Share(alone.witness.m_lastEnd - Instant(), Draw(random, 0, 999));
            const auto pause = Duration::Nanoseconds(Draw(random, 0, 300));
            disturbed.Disturb(at, pause);
            at = at + pause;
        }
        disturbed.executor.Run(Instant::Never());
        ASSERT_TRUE(disturbed.executor.IsDone()) << disturbed.executor.WhoWaitsForWhat();
        EXPECT_EQ(disturbed.witness.m_aborted, 5u);
        EXPECT_EQ(disturbed.witness.m_lastEnd - at, alone.witness.m_lastEnd - Instant());
        EXPECT_EQ(disturbed.witness.m_spans, alone.witness.m_spans);
        EXPECT_EQ(disturbed.witness.m_delivered, alone.witness.m_delivered);
    }
}

TEST_P(Restart, LaterIterationsGoOnFromTheirBeginning)
{
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
    {
        RandomStream random(seed, "restart-test later", GetParam());
        const ExecutionPlan plan = BuildStreams(RandomStreams(*FindSchedule(GetParam()), random));
        const Duration hop = Duration::Nanoseconds(Draw(random, 1, 500));
        AbortedJob alone(plan, hop);
        alone.executor.Run(Instant::Never());
        AbortedJob disturbed(plan, hop);
        const Duration all = alone.witness.m_lastEnd - Instant();
        const Instant at = Instant() + Share(all, Draw(random, 1, 999));
        disturbed.Disturb(at, Duration::Nanoseconds(1));
        disturbed.executor.Run(Instant::Never());
        ASSERT_TRUE(disturbed.executor.IsDone()) << disturbed.executor.WhoWaitsForWhat();
        EXPECT_EQ(disturbed.witness.m_ended, 3u);
        // It ends not later than if everything had begun again, and not sooner than if nothing had
        // been lost.
        EXPECT_LE(disturbed.witness.m_lastEnd - at, all + Duration::Nanoseconds(1));
        EXPECT_GE(disturbed.witness.m_lastEnd, alone.witness.m_lastEnd);
        for (const auto& [message, times] : disturbed.witness.m_delivered)
        {
            EXPECT_EQ(times, 1);
        }
        // A message has one chunk: what the network delivered is what the executor heard of, and
        // what rings sent.
        EXPECT_GE(
            (disturbed.network.Counters().intraDcPayload + disturbed.network.Counters().wanPayload)
                .Count(),
            disturbed.witness.m_bytes);
    }
}

std::vector<std::string>
AllSchedules()
{
    std::vector<std::string> names;
    for (const ScheduleEntry& entry : ScheduleCatalogue())
    {
        names.push_back(entry.name);
    }
    return names;
}

INSTANTIATE_TEST_SUITE_P(All,
                         Restart,
                         ::testing::ValuesIn(AllSchedules()),
                         [](const auto& test)
                         {
                             std::string name = test.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

/// SmallJob is one pipeline of two stages: GPipe, two microbatches, 10 ns each for forward and
/// backward, a hop of 100 ns.
class SmallJob : public ::testing::Test
{
  protected:
    SmallJob()
    {
        StageTiming timing;
        timing.forward = Duration::Nanoseconds(10);
        timing.backwardInput = Duration::Nanoseconds(10);
        plan = BuildStreams(OnePipeline(FindSchedule("gpipe")->make({2, 2, 1}),
                                        std::vector<StageTiming>(2, timing)));
    }

    ExecutionPlan plan;
    Duration hop = Duration::Nanoseconds(100);
};

TEST_F(SmallJob, IsHaltedBetweenAbortAndRestart)
{
    AbortedJob job(plan, hop);
    auto& clock = job.network.GetClock();
    clock.Schedule(Instant::FromNanoseconds(15), [&job] { job.executor.AbortIteration(); });
    job.executor.Run(Instant::Never());
    EXPECT_FALSE(job.executor.IsDone());
    EXPECT_FALSE(job.executor.IsOver());
    EXPECT_EQ(job.witness.m_spans.size(), 1u); // the first forward, over at 10
    EXPECT_TRUE(job.witness.m_delivered.empty());
    EXPECT_LE(clock.Now().ToNanoseconds(), 115); // nothing of it moves any more
    job.executor.RestartIteration();
    clock.Run(Instant::Never());
    EXPECT_TRUE(job.executor.IsDone());
}

TEST_F(SmallJob, RestartsAfterAFailureAsIfItHadNotBeen)
{
    /// FailingOnce fails the first message that is sent.
    class FailingOnce : public MessageCarrier
    {
      public:
        explicit FailingOnce(MessageLayer& layer)
            : m_layer(layer),
              m_spatial(layer)
        {
        }

        Handle Send(const Message& message, Callback callback) override
        {
            if (message.number > 1)
            {
                return m_spatial.Send(message, std::move(callback));
            }
            auto& clock = m_layer.GetClock();
            clock.Schedule(clock.Now(), [callback] { callback({}, "connection reset"); });
            return 0;
        }

        void Cancel(Handle message) override
        {
            m_spatial.Cancel(message);
        }

      private:
        MessageLayer& m_layer;
        SpatialSharing m_spatial;
    };

    AnalyticNetwork network(DelayOnly(hop));
    MessageLayer layer(network);
    SteppedCollectives collectives(layer);
    FailingOnce carrier(layer);
    Executor executor(plan, {layer.GetClock(), carrier, collectives}, {});
    executor.Run(Instant::Never());
    ASSERT_TRUE(executor.IsOver());
    EXPECT_NE(executor.Failure().find("connection reset"), std::string::npos);
    const Instant failed = network.GetClock().Now();
    executor.RestartIteration();
    EXPECT_EQ(executor.Failure(), "");
    network.GetClock().RunUntil([&executor] { return executor.IsOver(); }, Instant::Never());
    EXPECT_TRUE(executor.IsDone());
    // 2 forwards and a hop, a forward, 2 backwards and a hop, a backward (stage 1 starts with what
    // came first).
    EXPECT_EQ((network.GetClock().Now() - failed).ToNanoseconds(), 10 + 100 + 20 + 20 + 100 + 10);
}

TEST_F(SmallJob, DoesNotDisturbAnotherJobOnItsNetwork)
{
    AbortedJob job(plan, hop);
    MessageLayer layer(job.network);
    SteppedCollectives collectives(layer);
    SpatialSharing carrier(layer);
    Witness witness;
    Executor other(plan, {layer.GetClock(), carrier, collectives}, {&witness});
    job.Disturb(Instant::FromNanoseconds(115), Duration::Nanoseconds(1000));
    job.executor.Begin();
    other.Begin();
    job.network.GetClock().Run(Instant::Never());
    EXPECT_TRUE(job.executor.IsDone());
    EXPECT_TRUE(other.IsDone());
    EXPECT_EQ(witness.m_lastEnd.ToNanoseconds(), 260);
    EXPECT_EQ(job.witness.m_lastEnd.ToNanoseconds(), 115 + 1000 + 260);
}

TEST_F(SmallJob, ThatIsDoneOrCancelledDoesNotStartAgain)
{
    AbortedJob done(plan, hop);
    done.executor.Run(Instant::Never());
    done.executor.RestartIteration();
    done.network.GetClock().Run(Instant::Never());
    EXPECT_EQ(done.witness.m_ended, 1u);
    AbortedJob cancelled(plan, hop);
    cancelled.executor.Begin();
    cancelled.executor.Cancel();
    cancelled.executor.RestartIteration();
    cancelled.network.GetClock().Run(Instant::Never());
    EXPECT_TRUE(cancelled.executor.IsOver());
    EXPECT_EQ(cancelled.witness.m_ended, 0u);
}

} // namespace
} // namespace geotrain
