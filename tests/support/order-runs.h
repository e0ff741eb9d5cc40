// SPDX-License-Identifier: GPL-2.0-only
// Runs a schedule's order by the Executor, with virtual stages and splits, and measures it for
// tests.
#pragma once

#include "schedule-runs.h"

#include <map>
#include <utility>
#include <vector>

namespace geotrain
{

inline ScheduleTimes
UniformTimes(Duration forward, Duration backward, Duration weight, Duration hop)
{
    StageTiming timing;
    timing.forward = forward;
    timing.backwardInput = backward;
    timing.backwardWeight = weight;
    ScheduleTimes times;
    times.stages = {timing};
    times.hops = {{hop, {}}};
    return times;
}

/// Puts one pipeline of the order on the nodes 0 to p - 1.
inline StreamInputs
InputsOf(const ScheduleOrder& order, const ScheduleTimes& times)
{
    StreamInputs inputs;
    inputs.order = order;
    inputs.placement = OneNodeEach(static_cast<std::uint32_t>(order.stages.size()));
    for (std::uint32_t stage = 0; stage < order.StageCount(); ++stage)
    {
        inputs.timing.push_back(times.Stage(stage));
    }
    inputs.boundary = Bytes::Of(1);
    inputs.gradients.resize(order.StageCount(), Bytes::Of(1));
    return inputs;
}

inline SpanRecorder
RunOrder(const ScheduleOrder& order, const ScheduleTimes& times)
{
    return RunSchedule(InputsOf(order, times), times.HopAfter(0).Total());
}

struct WorkerSpan
{
    Instant first = Instant::Never();
    Instant last;
    Duration busy;

    Duration Length() const
    {
        return last - first;
    }
};

/// Returns the span of each worker, without the optimiser's step.
inline std::map<WorkerIndex, WorkerSpan>
WorkerSpans(const SpanRecorder& recorder)
{
    std::map<WorkerIndex, WorkerSpan> spans;
    for (const auto& span : recorder.Spans())
    {
        if (span.kind != InstructionKind::OptimizerStep)
        {
            WorkerSpan& worker = spans[span.worker];
            worker.first = std::min(worker.first, span.start);
            worker.last = std::max(worker.last, span.end);
            worker.busy = worker.busy + (span.end - span.start);
        }
    }
    return spans;
}

inline Duration
LongestSpan(const SpanRecorder& recorder)
{
    Duration longest;
    for (const auto& [worker, span] : WorkerSpans(recorder))
    {
        longest = std::max(longest, span.Length());
    }
    return longest;
}

} // namespace geotrain
