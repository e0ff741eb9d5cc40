// Runs a schedule on the analytic network, for tests: one pipeline, a delay at every hop, no bandwidth limit.
#pragma once

#include "analytic/analytic-network.h"
#include "execution/executor.h"
#include "execution/spatial-sharing.h"
#include "schedule/instruction-streams.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace geotrain
{

/// Keeps the start and end of every compute instruction.
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

/// One node a stage, in a line; `hop` from node to node.
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

inline SpanRecorder
RunSchedule(const StreamInputs& inputs, Duration hop, ExecutorOptions options = {})
{
    const ExecutionPlan plan = BuildStreams(inputs);
    AnalyticNetwork network(DelayOnly(hop));
    MessageLayer layer(network);
    SpatialSharing carrier(layer);
    SpanRecorder recorder;
    Executor executor(plan, layer, carrier, {&recorder}, std::move(options));
    executor.Run(Instant::Never());
    if (!executor.IsDone())
    {
        throw std::runtime_error(executor.WhoWaitsForWhat());
    }
    return recorder;
}

} // namespace geotrain
