// SPDX-License-Identifier: GPL-2.0-only
// Runs a small training job on some nodes of a network that it may share with other jobs, for
// tests.
#pragma once

#include "schedule-runs.h"

#include "execution/message-layer.h"
#include "execution/node-view.h"
#include "execution/spatial-sharing.h"
#include "execution/stepped-collectives.h"
#include "execution/warm-ups.h"
#include "schedule/gpipe.h"

#include <optional>
#include <utility>
#include <vector>

namespace geotrain
{

/// Makes two stages of two replicas each, GPipe with three microbatches: a forward takes 10 ms, a
/// backward 20 ms, an optimiser step 1 ms. `boundary` bytes go between the stages per microbatch,
/// and 1 MB of gradients is reduced per stage. Replica r of stage s is on node 2 s + r.
inline ExecutionPlan
SmallJobPlan(Bytes boundary, std::uint32_t iterations)
{
    StageTiming timing;
    timing.forward = Duration::Milliseconds(10);
    timing.backwardInput = Duration::Milliseconds(20);
    timing.optimizerStep = Duration::Milliseconds(1);
    StreamInputs inputs;
    inputs.order = GPipe({2, 3, 1});
    inputs.placement = OneNodeEach(2, 2);
    inputs.timing = {timing, timing};
    inputs.boundary = boundary;
    inputs.gradients = {Bytes::Of(1000000), Bytes::Of(1000000)};
    inputs.iterations = iterations;
    return BuildStreams(inputs);
}

/// JobOnNodes is a job with a view, a message layer and an executor of its own. It begins at once.
struct JobOnNodes
{
    JobOnNodes(Network& shared,
               std::vector<NodeIndex> nodes,
               ExecutionPlan what,
               const std::vector<ExecutionObserver*>& observers = {})
        : plan(std::move(what)),
          view(shared, std::move(nodes), {0, 0, 1, 1}),
          layer(view),
          collectives(layer),
          carrier(layer)
    {
        view.Prepare(WarmUpsOf(plan, std::nullopt, [](const auto&) { return true; }));
        std::vector<ExecutionObserver*> all = observers;
        all.push_back(&recorder);
        executor.emplace(plan, JobCarriers{view.GetClock(), carrier, collectives}, all);
        executor->Begin();
    }

    /// Returns when each compute instruction ended, in ns.
    std::vector<std::int64_t> Ends() const
    {
        std::vector<std::int64_t> ends;
        for (const auto& span : recorder.Spans())
        {
            ends.push_back(span.end.ToNanoseconds());
        }
        return ends;
    }

    ExecutionPlan plan;
    NodeView view;
    MessageLayer layer;
    SteppedCollectives collectives;
    SpatialSharing carrier;
    SpanRecorder recorder;
    std::optional<Executor> executor;
};

} // namespace geotrain
