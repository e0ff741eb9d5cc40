// SPDX-License-Identifier: GPL-2.0-only
// Tests schedules without flush: a steady state without a bubble, when weights are updated, and how
// old they are. It also tests the bucketed all-reduce.

#include "order-runs.h"

#include "schedule/gpipe.h"
#include "schedule/pipedream-2bw.h"
#include "schedule/pipemare.h"

#include <gtest/gtest.h>

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

TEST(Buckets, TheAllReduceOverlapsTheLastBackward)
{
    // One stage, two replicas, 4 MB of gradients at 8 Mbit/ms... a ring of two moves the vector
    // once each way: without buckets the optimiser waits S/r after the backward, with B buckets
    // S/(B r) where S/r <= B.
    AnalyticTopology topology;
    topology.linkRates = {BitRate::GigabitsPerSecond(1), BitRate::GigabitsPerSecond(1)};
    topology.pathOf = [](NodeIndex source, NodeIndex)
    {
        AnalyticPath path;
        path.links = {source};
        return path;
    };
    const Bytes gradients = Bytes::Of(2000000); // 16 ms at 1 Gbit/s
    const auto makespan = [&](std::uint32_t buckets)
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
        const ExecutionPlan plan = BuildStreams(inputs);
        AnalyticNetwork network(topology);
        SpanRecorder recorder;
        RunToTheEnd(plan, network, {&recorder});
        EXPECT_EQ(network.Counters().intraDcPayload.Count(), 2 * gradients.Count());
        return recorder.Makespan().ToSeconds() * 1e3;
    };
    EXPECT_NEAR(makespan(1), 60 + 16, 0.01);
    EXPECT_NEAR(makespan(4), 60 + 4, 0.01);
}

} // namespace
} // namespace geotrain
