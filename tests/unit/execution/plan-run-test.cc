// SPDX-License-Identifier: GPL-2.0-only
// Tests that a PlanRun does the same as its parts put together by hand, how it reports its end, and
// the times of its iterations.
#include "execution/plan-run.h"

#include "schedule-runs.h"
#include "two-data-centres.h"

#include "execution/spatial-sharing.h"
#include "execution/stepped-collectives.h"
#include "execution/warm-ups.h"
#include "schedule/gpipe.h"
#include "schedule/one-forward-one-backward.h"
#include "schedule/pipedream-2bw.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

StageTiming
ForwardAndBackward(std::int64_t forward, std::int64_t backward, std::int64_t optimizer)
{
    StageTiming timing;
    timing.forward = Duration::Nanoseconds(forward);
    timing.backwardInput = Duration::Nanoseconds(backward);
    timing.optimizerStep = Duration::Nanoseconds(optimizer);
    return timing;
}

/// The plan is two pipelines of two stages, one cell over two data centres of two nodes. A message
/// takes its node pair 16 ms.
class PlanRunTest : public ::testing::Test
{
  protected:
    PlanRunTest()
    {
        where.nodes = 2;
        PlacementRequest request;
        request.pipelineStages = 2;
        request.dataParallel = 2;
        request.dataCenters = {{"east", 2, 1, 1}, {"west", 2, 1, 1}};
        StreamInputs inputs;
        inputs.order = GPipe({2, 4, 1});
        inputs.placement = Place(request);
        inputs.timing.assign(2, ForwardAndBackward(1000, 2000, 10));
        inputs.boundary = Bytes::Of(10000000);
        inputs.gradients = {Bytes::Of(1000), Bytes::Of(1000)};
        plan = BuildStreams(inputs);
        cells = {2, 2, inputs.placement.nodeOfWorker, {0, 0, 1, 1}};
    }

    /// Returns the end of a run whose parts are put together by hand.
    Instant ByHand(bool temporal)
    {
        AnalyticNetwork network(where.Topology());
        network.Prepare(Pairs(temporal));
        MessageLayerSettings settings;
        settings.chunkSize = chunk;
        MessageLayer layer(network, settings);
        SteppedCollectives collectives(layer);
        std::unique_ptr<MessageCarrier> carrier;
        if (temporal)
        {
            carrier = std::make_unique<TemporalSharing>(layer, cells, passLatency);
        }
        else
        {
            carrier = std::make_unique<SpatialSharing>(layer);
        }
        Executor executor(plan, {layer.GetClock(), *carrier, collectives}, {});
        executor.Run(Instant::Never());
        return network.GetClock().Now();
    }

    PlanOutcome ByPlanRun(bool temporal)
    {
        AnalyticNetwork network(where.Topology());
        PlanRunSettings settings;
        settings.turns = temporal ? std::optional(cells) : std::nullopt;
        settings.passLatency = passLatency;
        settings.layer.chunkSize = chunk;
        settings.warmUps = Pairs(temporal);
        PlanRun run(plan, network, settings);
        run.Prepare();
        EXPECT_EQ(network.GetClock().Now(), Instant());
        return run.Run(Instant::Never());
    }

    std::vector<Network::WarmUp> Pairs(bool temporal)
    {
        return WarmUpsOf(
            plan, temporal ? std::optional(cells) : std::nullopt, [](const auto&) { return true; });
    }

    TwoDataCentres where;
    ExecutionPlan plan;
    CellLayout cells;
    Duration passLatency = Duration::Microseconds(7);
    Bytes chunk = Bytes::Of(100000);
};

TEST_F(PlanRunTest, EndsWhenThePartsWiredByHandDo)
{
    const Instant spatial = ByHand(false);
    const Instant temporal = ByHand(true);
    EXPECT_NE(spatial, temporal);
    EXPECT_EQ(ByPlanRun(false).end, spatial);
    EXPECT_EQ(ByPlanRun(true).end, temporal);
    EXPECT_TRUE(ByPlanRun(true).IsDone());
    EXPECT_EQ(ByPlanRun(true).report, "");
}

TEST_F(PlanRunTest, ADeadlineLeavesItUnfinishedAndSaysWhoWaits)
{
    AnalyticNetwork network(where.Topology());
    const auto outcome = PlanRun(plan, network, {}).Run(Instant() + Duration::Milliseconds(1));
    EXPECT_EQ(outcome.kind, PlanOutcome::Kind::Unfinished);
    EXPECT_EQ(outcome.failure, "");
    // The forwards of 4 us are over; nothing crosses 20 ms in one.
    EXPECT_NE(outcome.report.find("replica 1 stage 1: iteration 0, waits for the activation of "
                                  "microbatch 0 from replica 1 stage 0"),
              std::string::npos);
}

TEST_F(PlanRunTest, EndsEarlyWhenItsCallerSaysSo)
{
    class Once : public ExecutionObserver
    {
      public:
        void MessageDelivered(const Message&, const MessageTimes& times) override
        {
            delivered = times.delivered;
        }

        Instant delivered;
    };

    AnalyticNetwork network(where.Topology());
    PlanRun run(plan, network, {});
    Once once;
    run.Observe(once);
    const auto outcome = run.Run(Instant::Never(), [&once] { return once.delivered > Instant(); });
    EXPECT_EQ(outcome.kind, PlanOutcome::Kind::Unfinished);
    EXPECT_EQ(outcome.end, once.delivered);
}

TEST_F(PlanRunTest, HoldsComputeBackAsTold)
{
    // Every worker holds 5 ns before each of its compute instructions: 4 F + 4 B and the
    // optimiser's step, alone.
    plan = BuildStreams(OnePipeline(GPipe({1, 4, 1}), {ForwardAndBackward(10, 20, 30)}));
    AnalyticNetwork network(DelayOnly({}));
    PlanRun run(plan, network, {});
    run.SetHold([](WorkerIndex) { return Duration::Nanoseconds(5); });
    EXPECT_EQ(run.Run(Instant::Never()).end.ToNanoseconds(), 4 * 10 + 4 * 20 + 30 + 9 * 5);
}

TEST(IterationTimes, AreMeansOfWholeIterationsWithFlush)
{
    // 1F1B: (m + p - 1)(F + B) + optimiser, and no barrier, so that each iteration follows at once.
    auto inputs = OnePipeline(OneForwardOneBackward({2, 4, 1}),
                              std::vector<StageTiming>(2, ForwardAndBackward(10, 20, 3)));
    inputs.iterations = 3;
    const auto plan = BuildStreams(inputs);
    AnalyticNetwork network(DelayOnly({}));
    PlanRun run(plan, network, {});
    ASSERT_TRUE(run.Run(Instant::Never()).IsDone());
    EXPECT_EQ(run.Times().Ends().size(), 3u);
    EXPECT_EQ(run.Times().TimeOf({0, 1, 2}).ToNanoseconds(), 5 * 30 + 3);
    EXPECT_EQ(run.Times().TimeOf({0, 3, 0}).ToNanoseconds(), 5 * 30 + 3);
    EXPECT_THROW(run.Times().TimeOf({0, 4, 0}), std::out_of_range);
}

TEST(IterationTimes, WithoutFlushAreThoseOfTheSteadyState)
{
    // m (F + B): the pipeline is full. An update of 2BW is put off until the forward that needs it,
    // two iterations later, so that the last two updates of a run come when it has drained.
    const std::uint32_t p = 4;
    const std::uint32_t m = 8;
    auto inputs = OnePipeline(PipeDream2Bw({p, m, 1}),
                              std::vector<StageTiming>(p, ForwardAndBackward(10, 20, 0)));
    auto measured = SteadyIterations(p, m);
    EXPECT_EQ(measured.settling, 2 * p / m);
    EXPECT_EQ(measured.measured, leastSteadyUpdates);
    measured.draining = 2;
    inputs.iterations = measured.Count();
    inputs.microbatches = m;
    const auto plan = BuildStreams(inputs);
    AnalyticNetwork network(DelayOnly({}));
    PlanRun run(plan, network, {});
    ASSERT_TRUE(run.Run(Instant::Never()).IsDone());
    EXPECT_EQ(run.Times().TimeOf(measured).ToNanoseconds(), m * 30);
    EXPECT_EQ(run.Times().Ends().size(), measured.Count());
}

TEST(IterationTimes, SettlingIsWhatTwoMicrobatchesPerStageFill)
{
    EXPECT_EQ(SettlingIterations(4, 8), 1u);
    EXPECT_EQ(SettlingIterations(4, 7), 2u);
    EXPECT_EQ(SettlingIterations(16, 4), 8u);
    EXPECT_EQ((MeasuredIterations{2, 3, 4}).Count(), 9u);
}

} // namespace
} // namespace geotrain
