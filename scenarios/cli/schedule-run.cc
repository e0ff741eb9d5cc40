// SPDX-License-Identifier: GPL-2.0-only
#include "cli/schedule-run.h"

#include "analytic/analytic-network.h"
#include "execution/plan-run.h"
#include "runner/trace-recorder.h"
#include "schedule/instruction-streams.h"
#include "schedule/order-simulation.h"
#include "schedule/schedule-catalogue.h"
#include "trace/trace-writer.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace geotrain
{

namespace
{

// Bytes per message of a pipeline where messages occupy a hop. They are enough that rates in whole
// bit/s are exact to 1e-6.
constexpr std::int64_t occupyingBytes = 1000000;

/// SpanCollector keeps the computations of a run, without optimiser steps.
class SpanCollector : public ExecutionObserver
{
  public:
    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t iteration,
                          const Instruction& instruction,
                          Instant start,
                          Instant end) override
    {
        if (instruction.kind != InstructionKind::OptimizerStep)
        {
            spans.push_back({worker,
                             instruction.kind,
                             iteration,
                             instruction.stage,
                             instruction.microbatch,
                             start,
                             end});
        }
    }

    std::vector<ScheduleSpan> spans;
};

Duration
HopBetween(const ScheduleRunRequest& request, std::uint32_t a, std::uint32_t b)
{
    if (a == b || request.hops.size() == 1)
    {
        return a == b ? Duration() : request.hops.front();
    }
    Duration sum;
    for (auto worker = std::min(a, b); worker < std::max(a, b); ++worker)
    {
        sum = sum + request.hops.at(worker);
    }
    return sum;
}

/// Returns a line of data centres, one per worker of the pipeline, with a node per pipeline of the
/// cell. A node has a link to each neighbour, and one up and one down the line to all other data
/// centres. One message at a time occupies a link.
AnalyticTopology
Line(const ScheduleRunRequest& request)
{
    const std::uint32_t cells = request.shape.cellSize;
    AnalyticTopology topology;
    if (request.turn > Duration())
    {
        const double bits = 8.0 * static_cast<double>(occupyingBytes);
        const auto rate = static_cast<std::int64_t>(bits / request.turn.ToSeconds() + 0.5);
        topology.linkRates.assign(std::size_t{4} * request.shape.stages * cells,
                                  BitRate::BitsPerSecond(std::max<std::int64_t>(1, rate)));
    }
    topology.pathOf = [request, cells](NodeIndex source, NodeIndex destination)
    {
        const std::uint32_t from = source / cells;
        const std::uint32_t to = destination / cells;
        AnalyticPath path;
        path.delay = HopBetween(request, from, to);
        path.roundTrip = path.delay * 2;
        if (request.turn > Duration() && from != to)
        {
            const bool isNeighbour = from + 1 == to || to + 1 == from;
            path.links = {std::size_t{4} * source + (isNeighbour ? 0 : 2) + (to > from ? 0 : 1)};
        }
        return path;
    };
    return topology;
}

Placement
NodePerWorker(const ScheduleRunRequest& request)
{
    PlacementRequest placement;
    placement.pipelineStages = request.shape.stages;
    placement.dataParallel = request.shape.cellSize;
    for (std::uint32_t worker = 0; worker < request.shape.stages; ++worker)
    {
        placement.dataCenters.push_back(
            {"stage " + std::to_string(worker), request.shape.cellSize, 1, 1});
    }
    return Place(placement);
}

/// Returns the iterations of a schedule without flush: as many follow the measured ones as come
/// before them, so that the pipeline does not drain during the measured ones.
MeasuredIterations
IterationsOf(const ScheduleRunRequest& request, const ScheduleOrder& order)
{
    if (!order.noFlush)
    {
        return {};
    }
    auto iterations = SteadyIterations(request.shape.stages, request.shape.microbatches);
    iterations.draining = iterations.settling;
    return iterations;
}

StreamInputs
InputsOf(const ScheduleRunRequest& request, const ScheduleOrder& order)
{
    StreamInputs inputs;
    inputs.order = order;
    inputs.placement = NodePerWorker(request);
    inputs.timing.assign(order.StageCount(), request.timing);
    inputs.boundary = Bytes::Of(
        request.turn > Duration() ? occupyingBytes * std::int64_t{request.shape.cellSize} : 1);
    inputs.gradients.assign(order.StageCount(), Bytes());
    inputs.iterations = IterationsOf(request, order).Count();
    inputs.microbatches = request.shape.microbatches;
    inputs.overlappedBlock = request.overlappedBlock;
    return inputs;
}

trace::RunHeader
HeaderOf(const ScheduleRunRequest& request,
         const Placement& placement,
         const ScheduleOrder& order,
         const NetworkKind& network)
{
    trace::RunHeader header;
    header.set_scenario(request.name);
    header.set_network(network.name);
    header.set_without_packets(!network.hasPackets);
    header.set_schedule(request.name);
    header.set_sharing(request.shape.cellSize > 1 ? "temporal" : "spatial");
    header.set_measured_iterations(1);
    header.set_stages(request.shape.stages);
    header.set_replicas(request.shape.cellSize);
    header.set_microbatches(request.shape.microbatches);
    header.set_without_flush(order.noFlush.has_value());
    for (std::uint32_t node = 0; node < placement.nodeOfWorker.size(); ++node)
    {
        auto& named = *header.add_nodes();
        named.set_name(request.name + "/" + std::to_string(node));
        named.set_data_centre(request.name); // heads the rows of the picture
    }
    for (std::uint32_t index = 0; index < placement.nodeOfWorker.size(); ++index)
    {
        auto& worker = *header.add_workers();
        worker.set_node(placement.nodeOfWorker[index]);
        worker.set_replica(index / request.shape.stages);
        worker.set_stage(index % request.shape.stages);
        worker.set_gpus(1);
    }
    return header;
}

PlanRunSettings
SettingsOf(const ScheduleRunRequest& request, const Placement& placement)
{
    PlanRunSettings settings; // one pipeline has no gradients to all-reduce
    settings.collectiveTime = [](const CollectiveRequest&) { return Duration(); };
    if (request.shape.cellSize == 1)
    {
        return settings;
    }
    CellLayout cells{request.shape.stages, request.shape.cellSize, placement.nodeOfWorker, {}};
    for (std::uint32_t node = 0; node < placement.nodeOfWorker.size(); ++node)
    {
        cells.dataCenterOfNode.push_back(node / request.shape.cellSize);
    }
    settings.turns = std::move(cells);
    settings.layer.chunkSize = Bytes::Of(request.turn > Duration() ? occupyingBytes : 1);
    return settings;
}

void
Execute(const ScheduleRunRequest& request,
        const std::filesystem::path& trace,
        ScheduleRunResult& result)
{
    const ScheduleOrder& order = result.order;
    SpanCollector collector;
    const StreamInputs inputs = InputsOf(request, order);
    const ExecutionPlan plan = BuildStreams(inputs);
    AnalyticNetwork network(Line(request));
    PlanRun run(plan, network, SettingsOf(request, inputs.placement));
    run.Observe(collector);
    std::unique_ptr<TraceWriter> writer;
    std::unique_ptr<TraceRecorder> recorder;
    if (!trace.empty())
    {
        writer = std::make_unique<TraceWriter>(
            trace.string(), HeaderOf(request, inputs.placement, order, network.Kind()));
        RecordedNodes nodes; // a worker is on a node of its own
        nodes.inTestbed.resize(inputs.placement.nodeOfWorker.size());
        std::iota(nodes.inTestbed.begin(), nodes.inTestbed.end(), 0);
        nodes.dataCenter.resize(nodes.inTestbed.size(), 0);
        recorder = std::make_unique<TraceRecorder>(*writer, network, nodes);
        run.Observe(*recorder);
    }
    const PlanOutcome outcome = run.Run(Instant::Never());
    if (!outcome.IsDone())
    {
        throw std::logic_error("the schedule does not end: " + outcome.report);
    }
    if (order.noFlush)
    {
        result.steadyIteration = run.Times().TimeOf(IterationsOf(request, order));
    }
    if (writer)
    {
        trace::RunEnd end;
        end.set_simulated_time_ns(outcome.end.ToNanoseconds());
        end.set_finished(true);
        writer->Finish(end);
    }
    result.spans = std::move(collector.spans);
}

/// Returns the times by virtual stage with which the schedule plans.
ScheduleTimes
TimesOf(const ScheduleRunRequest& request, const ScheduleEntry& entry)
{
    const auto workers = WorkersOfStages(entry, request.shape);
    ScheduleTimes times;
    times.stages = {request.timing};
    for (std::size_t stage = 0; stage + 1 < workers.size(); ++stage)
    {
        times.hops.push_back({HopBetween(request, workers[stage], workers[stage + 1]),
                              request.turn,
                              request.shape.cellSize > 1});
    }
    return times;
}

void
Plan(const ScheduleRunRequest& request, ScheduleRunResult& result)
{
    if (request.ownOrder)
    {
        result.order = *request.ownOrder;
        return;
    }
    const auto* entry = FindSchedule(request.name);
    if (entry == nullptr)
    {
        throw std::invalid_argument("there is no schedule " + request.name);
    }
    result.order = MakeSchedule(*entry, {request.shape, TimesOf(request, *entry)});
}

/// Returns the most activations that a worker holds. `spans` are the worker's, in the order of
/// their execution.
std::uint32_t
PeakOf(const std::vector<ScheduleSpan>& spans, HeldForWeights held)
{
    StageOrder ran;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> numberOf;
    for (const auto& span : spans)
    {
        if (span.kind == InstructionKind::Recompute)
        {
            continue;
        }
        const auto key = std::make_tuple(span.iteration, span.stage, span.microbatch);
        const auto number =
            numberOf.try_emplace(key, static_cast<std::uint32_t>(numberOf.size())).first->second;
        ran.push_back({span.kind == InstructionKind::Forward    ? Operation::Kind::Forward
                       : span.kind == InstructionKind::Backward ? Operation::Kind::Backward
                                                                : Operation::Kind::WeightGradient,
                       number});
    }
    return PeakActivations(ran, held);
}

/// Returns the bubble rate of one iteration, on the worker with the longest span.
double
BubbleRateOf(const ScheduleRunResult& result)
{
    struct Span
    {
        Instant first = Instant::Never();
        Instant last;
        Duration work;
    };
    std::map<std::uint32_t, Span> spans;
    for (const auto& span : result.spans)
    {
        if (span.iteration == 0)
        {
            auto& worker = spans[span.worker];
            worker.first = std::min(worker.first, span.start);
            worker.last = std::max(worker.last, span.end);
            worker.work = worker.work + (span.end - span.start);
        }
    }
    Duration cost;
    Duration work;
    for (const auto& [worker, span] : spans)
    {
        const Duration length =
            result.order.noFlush ? result.steadyIteration : span.last - span.first;
        if (length > cost || (length == cost && span.work > work))
        {
            cost = length;
            work = span.work;
        }
    }
    return cost > Duration() ? BubbleRate(cost, work) : 0;
}

} // namespace

ScheduleRunResult
RunSchedule(const ScheduleRunRequest& request, const std::filesystem::path& trace)
{
    if (request.hops.size() + 1 != request.shape.stages && request.hops.size() != 1)
    {
        throw std::invalid_argument("a schedule needs a hop between its stages");
    }
    ScheduleRunResult result;
    Plan(request, result);
    Execute(request, trace, result);
    for (const auto& span : result.spans)
    {
        const bool isOfFirst = span.iteration == 0;
        result.makespan =
            isOfFirst ? std::max(result.makespan, span.end - Instant()) : result.makespan;
    }
    std::vector<std::vector<ScheduleSpan>> spansOfWorker(request.shape.stages *
                                                         request.shape.cellSize);
    for (const auto& span : result.spans)
    {
        spansOfWorker[span.worker].push_back(span);
    }
    for (const auto& spans : spansOfWorker)
    {
        result.peakActivations.push_back(PeakOf(spans, result.order.held));
    }
    result.bubbleRate = BubbleRateOf(result);
    return result;
}

} // namespace geotrain
