// SPDX-License-Identifier: GPL-2.0-only
// Runs a schedule on the analytic network, for tests: one pipeline with a delay at every hop and no
// bandwidth limit.
#pragma once

#include "analytic/analytic-network.h"
#include "execution/plan-run.h"
#include "schedule/instruction-streams.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace geotrain
{

/// A SpanRecorder keeps the start and end of every compute instruction.
class SpanRecorder : public ExecutionObserver
{
  public:
    struct Span
    {
        WorkerIndex worker = 0;
        std::uint32_t iteration = 0;
        InstructionKind kind = InstructionKind::Forward;
        std::uint32_t microbatch = 0;
        Instant start;
        Instant end;
    };

    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t iteration,
                          const Instruction& instruction,
                          Instant start,
                          Instant end) override
    {
        m_spans.push_back(
            {worker, iteration, instruction.kind, instruction.microbatch, start, end});
    }

    const std::vector<Span>& Spans() const
    {
        return m_spans;
    }

    Duration Makespan() const
    {
        Instant last;
        for (const Span& span : m_spans)
        {
            last = std::max(last, span.end);
        }
        return last - Instant();
    }

  private:
    std::vector<Span> m_spans;
};

/// Makes one node per stage, in a line, with a delay of `hop` from node to node.
inline AnalyticTopology
DelayOnly(Duration hop)
{
    AnalyticTopology topology;
    topology.pathOf = [hop](NodeIndex, NodeIndex)
    {
        AnalyticPath path;
        path.delay = hop;
        return path;
    };
    return topology;
}

inline Placement
OneNodeEach(std::uint32_t stages, std::uint32_t replicas = 1)
{
    PlacementRequest request;
    request.pipelineStages = stages;
    request.dataParallel = replicas;
    for (std::uint32_t stage = 0; stage < stages; ++stage)
    {
        request.dataCenters.push_back({"dc" + std::to_string(stage), replicas, 1, 1});
    }
    return Place(request);
}

inline StreamInputs
OnePipeline(const ScheduleOrder& order, const std::vector<StageTiming>& timing)
{
    StreamInputs inputs;
    inputs.order = order;
    inputs.placement = OneNodeEach(static_cast<std::uint32_t>(timing.size()));
    inputs.timing = timing;
    inputs.boundary = Bytes::Of(1);
    inputs.gradients.resize(timing.size(), Bytes::Of(1));
    return inputs;
}

/// Runs under spatial sharing, with connections that are not warmed.
inline void
RunToTheEnd(const ExecutionPlan& plan,
            Network& network,
            const std::vector<ExecutionObserver*>& observers,
            ExecutorOptions options = {})
{
    PlanRunSettings settings;
    settings.executor = std::move(options);
    PlanRun run(plan, network, settings);
    for (ExecutionObserver* observer : observers)
    {
        run.Observe(*observer);
    }
    const PlanOutcome outcome = run.Run(Instant::Never());
    if (!outcome.IsDone())
    {
        throw std::runtime_error(outcome.report);
    }
}

inline SpanRecorder
RunSchedule(const StreamInputs& inputs, Duration hop, ExecutorOptions options = {})
{
    const ExecutionPlan plan = BuildStreams(inputs);
    AnalyticNetwork network(DelayOnly(hop));
    SpanRecorder recorder;
    RunToTheEnd(plan, network, {&recorder}, std::move(options));
    return recorder;
}

} // namespace geotrain
