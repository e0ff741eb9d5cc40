// SPDX-License-Identifier: GPL-2.0-only
// Tests schedules without flush: a steady state without a bubble, when weights are updated, and how
// old they are. It also tests the bucketed all-reduce.

#include "order-runs.h"

#include "schedule/gpipe.h"
#include "schedule/pipedream-2bw.h"
#include "schedule/pipemare.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geotrain
{
namespace
{

const Duration step = Duration::Milliseconds(10);

/// Returns the ends of a worker's optimiser steps, by iteration.
std::vector<Instant>
Updates(const SpanRecorder& recorder, WorkerIndex worker)
{
    std::vector<Instant> ends;
    for (const auto& span : recorder.Spans())
    {
        if (span.worker == worker && span.kind == InstructionKind::OptimizerStep)
        {
            EXPECT_EQ(span.iteration, ends.size());
            ends.push_back(span.end);
        }
    }
    return ends;
}

TEST(WithoutFlush, AnIterationTakesItsWorkAloneInTheSteadyState)
{
    // m (F + B) with F + B = 3 units, where a flush would add (p-1)(F + B).
    const auto times = UniformTimes(step, step * 2, {}, {});
    for (const auto make : {PipeDream2Bw, PipeMare})
    {
        StreamInputs inputs = InputsOf(make({4, 8}), times);
        inputs.iterations = 6;
        const SpanRecorder run = RunSchedule(inputs, {});
        for (WorkerIndex worker = 0; worker < 4; ++worker)
        {
            const auto updates = Updates(run, worker);
            ASSERT_EQ(updates.size(), 6u);
            EXPECT_EQ(updates[4] - updates[3], step * 3 * 8) << worker;
        }
    }
}

TEST(WithoutFlush, EachForwardOf2BwUsesTheUpdateBeforeTheLast)
{
    // W(t+1) = W(t) - lr grad(W(t-1)): a forward of iteration t (from 0) starts after update t-2 and, since the
    // weights of one update later are not for it, may start before update t-1.
    StreamInputs inputs = InputsOf(PipeDream2Bw({3, 6}), UniformTimes(step, step * 2, {}, {}));
    inputs.iterations = 5;
    const SpanRecorder run = RunSchedule(inputs, Duration::Milliseconds(3));
    for (const auto& span : run.Spans())
    {
        if (span.kind == InstructionKind::Forward && span.iteration >= 2)
        {
            EXPECT_GE(span.start, Updates(run, span.worker)[span.iteration - 2]);
        }
    }
}

TEST(WithoutFlush, PipeMaresForwardsAreAsOldAsReported)
{
    // (2(p-s)+1)/m updates for stage s from 1: in steady state so many microbatches are under way
    // in the stage, the one that is about to have its backward included.
    const std::uint32_t p = 4;
    const std::uint32_t m = 8;
    const ScheduleOrder order = PipeMare({p, m});
    StreamInputs inputs = InputsOf(order, UniformTimes(step, step * 2, {}, {}));
    inputs.iterations = 4;
    const SpanRecorder run = RunSchedule(inputs, {});
    for (WorkerIndex worker = 0; worker < p; ++worker)
    {
        std::uint32_t underWay = 0;
        std::uint32_t most = 0;
        for (const auto& span : run.Spans())
        {
            if (span.worker == worker && span.kind == InstructionKind::Forward)
            {
                most = std::max(most, ++underWay);
            }
            underWay -= span.worker == worker && span.kind == InstructionKind::Backward ? 1 : 0;
        }
        EXPECT_EQ(most, 2 * (p - 1 - worker) + 1);
        EXPECT_DOUBLE_EQ(order.noFlush->forwardStaleness[worker], double(most) / m);
    }
    EXPECT_EQ(order.noFlush->extraWeightCopies, 0u);
    EXPECT_EQ(PipeDream2Bw({p, m}).noFlush->extraWeightCopies, 1u);
}

/// Returns the streams of one stage with two microbatches, F = 10 and B = 20 ms, on two replicas.
ExecutionPlan
PlanWithBuckets(Bytes gradients, std::uint32_t buckets)
{
    StreamInputs inputs;
    inputs.order = GPipe({1, 2});
    inputs.placement = OneNodeEach(1, 2);
    StageTiming timing;
    timing.forward = step;
    timing.backwardInput = step * 2;
    inputs.timing = {timing};
    inputs.gradients = {gradients};
    inputs.allReduceBuckets = buckets;
    return BuildStreams(inputs);
}

/// Makes two nodes that send at 1 Gbit/s.
AnalyticTopology
TwoNodes()
{
    AnalyticTopology topology;
    topology.linkRates = {BitRate::GigabitsPerSecond(1), BitRate::GigabitsPerSecond(1)};
    topology.pathOf = [](NodeIndex source, NodeIndex)
    {
        AnalyticPath path;
        path.links = {source};
        return path;
    };
    return topology;
}

TEST(Buckets, WhatTheLastBackwardCantHideOfTheAllReduceIsExposed)
{
    // A ring of two moves the vector once each way at 1 Gbit/s: R. With B buckets the first is
    // ready at T/B of the last backward, T = 20 ms, and the others follow one by one, each no
    // sooner than its share of the backward has run. Behind the backward, max(R/B, R - T (B-1)/B)
    // is left, which goes to max(0, R - T) as B grows. The first microbatch's backward hides
    // nothing.
    const AnalyticTopology topology = TwoNodes();
    for (const double ringMs : {16.0, 20.0, 64.0})
    {
        for (const std::uint32_t buckets : {1U, 4U, 100U})
        {
            const Bytes gradients = Bytes::Of(static_cast<std::int64_t>(ringMs * 125000));
            AnalyticNetwork network(topology);
            SpanRecorder recorder;
            RunToTheEnd(PlanWithBuckets(gradients, buckets), network, {&recorder});
            EXPECT_EQ(network.Counters().intraDcPayload.Count(), 2 * gradients.Count());
            const double exposedMs = recorder.Makespan().ToSeconds() * 1e3 - 60;
            EXPECT_NEAR(exposedMs,
                        std::max(ringMs / buckets, ringMs - 20.0 * (buckets - 1) / buckets),
                        0.01) // whole bytes and ns
                << ringMs << " ms, " << buckets << " buckets";
        }
    }
}

TEST(Gathering, TakesHalfOfAnAllReduceBeforeTheIterationEnds)
{
    // 2 (F + B) = 60 ms, a ring of two that moves 2 MB each way at 1 Gbit/s, and half of 4 MB.
    StreamInputs inputs = InputsOf(GPipe({1, 2}), UniformTimes(step, step * 2, {}, {}));
    inputs.placement = OneNodeEach(1, 2);
    inputs.gradients = {Bytes::Of(2000000)};
    inputs.gathered = {Bytes::Of(4000000)};
    AnalyticNetwork network(TwoNodes());
    SpanRecorder recorder;
    RunToTheEnd(BuildStreams(inputs), network, {&recorder});
    EXPECT_NEAR(recorder.Makespan().ToSeconds() * 1e3, 60 + 16 + 16, 1e-3);
    EXPECT_EQ(network.Counters().intraDcPayload.Count(), 2 * (2000000 + 2000000));
}

TEST(IterationOverhead, ComesBeforeTheFirstForwardOfEachIteration)
{
    StreamInputs inputs = InputsOf(GPipe({3, 4}), UniformTimes(step, step * 2, {}, {}));
    inputs.iterations = 5;
    const Duration without = RunSchedule(inputs, step).Makespan();
    inputs.iterationOverhead = Duration::Milliseconds(7);
    const SpanRecorder with = RunSchedule(inputs, step);
    EXPECT_EQ(with.Makespan(), without + Duration::Milliseconds(5 * 7));
    EXPECT_EQ(with.Spans().front().start, Instant() + Duration::Milliseconds(7));
}

} // namespace
} // namespace geotrain
