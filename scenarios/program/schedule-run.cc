#include "program/schedule-run.h"

#include "analytic/analytic-network.h"
#include "execution/executor.h"
#include "execution/spatial-sharing.h"
#include "runner/trace-recorder.h"
#include "schedule/instruction-streams.h"
#include "schedule/schedule-catalogue.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace geotrain
{

namespace
{

class SpanCollector : public ExecutionObserver
{
  public:
    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t /*iteration*/,
                          const Instruction& instruction,
                          Instant start,
                          Instant end) override
    {
        if (IsCompute(instruction.kind) && instruction.kind != InstructionKind::OptimizerStep)
        {
            spans.push_back({worker, instruction.kind, instruction.microbatch, start, end});
        }
    }

    std::vector<ScheduleSpan> spans;
};

// Infinite rates; a message takes the hops between its stages.
AnalyticTopology
DelayOnly(const std::vector<Duration>& hops)
{
    AnalyticTopology topology;
    topology.pathOf = [hops](NodeIndex source, NodeIndex destination)
    {
        AnalyticPath path;
        for (auto i = std::min(source, destination); i < std::max(source, destination); ++i)
        {
            path.delay = path.delay + hops.at(i);
        }
        path.roundTrip = path.delay * 2;
        return path;
    };
    return topology;
}

Placement
NodePerStage(std::uint32_t stages)
{
    PlacementRequest request;
    request.dataCenters.push_back({"stages", stages, 1, std::nullopt});
    request.pipelineStages = stages;
    return Place(request);
}

ExecutionPlan
PlanOf(const ScheduleRunRequest& request, const ScheduleOrder& order)
{
    StreamInputs inputs;
    inputs.order = order;
    inputs.placement = NodePerStage(request.shape.stages);
    inputs.timing.assign(request.shape.stages, request.timing);
    inputs.boundary = Bytes::Of(1);
    inputs.gradients.assign(request.shape.stages, Bytes::Of(1));
    return BuildStreams(inputs);
}

trace::RunHeader
HeaderOf(const ScheduleRunRequest& request)
{
    trace::RunHeader header;
    header.set_scenario(request.name);
    header.set_network("analytic");
    header.set_schedule(request.name);
    header.set_sharing("spatial");
    header.set_measured_iterations(1);
    header.set_stages(request.shape.stages);
    header.set_replicas(1);
    header.set_microbatches(request.shape.microbatches);
    for (std::uint32_t stage = 0; stage < request.shape.stages; ++stage)
    {
        auto& node = *header.add_nodes();
        node.set_name("stages/" + std::to_string(stage));
        node.set_data_centre("stages");
        auto& worker = *header.add_workers();
        worker.set_node(stage);
        worker.set_stage(stage);
        worker.set_gpus(1);
    }
    return header;
}

void
Execute(const ScheduleRunRequest& request,
        const ExecutionPlan& plan,
        SpanCollector& collector,
        const std::filesystem::path& trace)
{
    AnalyticNetwork network(DelayOnly(request.hops));
    SpatialSharing carrier(network);
    std::vector<ExecutionObserver*> observers{&collector};
    std::unique_ptr<TraceWriter> writer;
    std::unique_ptr<TraceRecorder> recorder;
    if (!trace.empty())
    {
        writer = std::make_unique<TraceWriter>(trace.string(), HeaderOf(request));
        recorder = std::make_unique<TraceRecorder>(
            *writer, network, std::vector<std::uint32_t>(request.shape.stages, 0));
        observers.push_back(recorder.get());
    }
    Executor executor(plan, network, carrier, observers);
    executor.Run(Instant::Never());
    if (!executor.IsDone())
    {
        throw std::logic_error("the schedule does not end: " + executor.WhoWaitsForWhat());
    }
    if (writer)
    {
        trace::RunEnd end;
        end.set_simulated_time_ns(network.GetClock().Now().ToNanoseconds());
        end.set_finished(true);
        writer->Finish(end);
    }
}

} // namespace

ScheduleRunResult
RunSchedule(const ScheduleRunRequest& request, const std::filesystem::path& trace)
{
    const auto* schedule = FindSchedule(request.name);
    if (schedule == nullptr || request.hops.size() + 1 != request.shape.stages)
    {
        throw std::invalid_argument("a schedule needs a known name and a hop between its stages");
    }
    ScheduleRunResult result;
    result.order = schedule->make(request.shape);
    SpanCollector collector;
    Execute(request, PlanOf(request, result.order), collector, trace);
    result.spans = collector.spans;
    Duration work;
    for (const auto& span : result.spans)
    {
        result.makespan = std::max(result.makespan, span.end - Instant());
        work += span.end - span.start;
    }
    for (const auto& stage : result.order.stages)
    {
        result.peakActivations.push_back(PeakActivations(stage));
    }
    if (result.makespan > Duration())
    {
        result.bubbleRate =
            1 - work.ToSeconds() / (result.makespan.ToSeconds() * request.shape.stages);
    }
    return result;
}

} // namespace geotrain
