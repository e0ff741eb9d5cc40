// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-memory.h"

#include "runner/training-streams.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace geotrain
{

namespace
{

/// BearerCost is what the parts of a bearer take.
struct BearerCost
{
    double connectionBytes; ///< per open connection, both ends
    double segmentBytes;    ///< per segment in flight
};

// From the peak resident memory of runs that differ in one number.
const std::map<std::string, BearerCost>&
BearerCosts()
{
    static const std::map<std::string, BearerCost> costs{
        {"express", {8000, 120}}, {"device", {27000, 560}}, {"stock", {21000, 670}}};
    return costs;
}

constexpr double headerBytes = 52;          // IPv4, TCP and timestamps, per segment
constexpr double tallyBytes = 180;          // per microbatch of a stage and iteration, in figures
constexpr double partBytes = 280;           // per part of a message under temporal sharing
constexpr double fillJobBytes = 860;        // per fill job
constexpr double requestBytes = 230;        // per request
constexpr double flowSampleBytes = 40;      // per sample of a connection or link, in figures
constexpr double transferMessageBytes = 30; // per message of a transfer

double
AsDouble(Bytes size)
{
    return static_cast<double>(size.Count());
}

/// Carried is what the connections of a run carry.
struct Carried
{
    std::string bearer = "express";
    double connections = 0;
    double inFlight = 0;     ///< payload in flight at once, at most
    double segmentBytes = 0; ///< payload per segment
    std::string field;       ///< path of the field that sets the number of connections
    std::string fieldValue;
    std::string windowField = "transport.window";
    Bytes window; ///< value of that field
};

void
AddCarried(MemoryEstimate& memory, const Carried& carried)
{
    const BearerCost& bearer = BearerCosts().at(carried.bearer);
    const double segments = carried.inFlight / carried.segmentBytes;
    memory.Add({carried.connections * bearer.connectionBytes,
                fmt::format("{:.0f} connections", carried.connections),
                carried.field,
                carried.fieldValue});
    memory.Add({segments * bearer.segmentBytes,
                fmt::format("{:.0f} segments in flight", segments),
                carried.windowField,
                Format(carried.window)});
}

/// Returns the size of a queue in bytes.
double
QueueBytes(const WanQueueSize& queue, double productBytes, double mtu)
{
    return queue.unit == WanQueueSize::Unit::Packets ? queue.value * mtu
           : queue.unit == WanQueueSize::Unit::Bytes ? queue.value
                                                     : queue.value * productBytes;
}

/// Returns what links, NICs and their queues hold at most.
double
Capacity(const WanTopology& topology)
{
    const auto mtu = static_cast<double>(topology.mtu.Count());
    double bytes = 0;
    for (const auto& link : topology.links)
    {
        const double product =
            static_cast<double>(link.rate.ToBitsPerSecond()) / 8 * 2 * link.delay.ToSeconds();
        bytes += 2 * (product + QueueBytes(link.queue, product, mtu));
    }
    for (const auto& site : topology.sites)
    {
        const double product = static_cast<double>(site.intraRate.ToBitsPerSecond()) / 8 * 2 *
                               site.intraDelay.ToSeconds();
        bytes += 2 * site.nodes * (product + AsDouble(topology.portQueue));
    }
    return bytes;
}

Carried
CarriedBy(const Experiment& scenario, const PlanStreams& plan)
{
    const TransportSettings& transport = scenario.testbed.transport;
    const WanTopology& wan = scenario.testbed.wan;
    Carried carried;
    carried.bearer = transport.bearer;
    carried.window = transport.window;
    carried.segmentBytes = AsDouble(wan.mtu) - headerBytes;
    double asked = 0;
    for (const auto& pair : plan.pairs)
    {
        const double connections = wan.SiteOf(pair.source) != wan.SiteOf(pair.destination)
                                       ? transport.connections
                                       : transport.intraDcConnections;
        carried.connections += connections;
        asked += std::min(connections * AsDouble(transport.window),
                          AsDouble(pair.size) * scenario.jobs[0].plan.microbatches);
    }
    carried.inFlight = std::min(asked, Capacity(wan));
    const bool ofPair = transport.connections > 1;
    carried.field = ofPair ? "transport.connections" : "parallelism.data_parallel";
    carried.fieldValue =
        fmt::format("{}", ofPair ? transport.connections : scenario.jobs[0].plan.dataParallel);
    return carried;
}

/// Returns the parts of the messages that wait for their turn.
double
PartsOf(const Experiment& scenario, const PlanStreams& plan)
{
    if (!plan.temporal || !scenario.run.network->hasPackets)
    {
        return 0;
    }
    double parts = 0;
    for (const auto& worker : plan.execution.workers)
    {
        for (const auto& instruction : worker.stream)
        {
            parts += instruction.kind == InstructionKind::Send
                         ? AsDouble(instruction.size) / AsDouble(scenario.testbed.transport.chunk)
                         : 0;
        }
    }
    return parts;
}

void
AddFillers(MemoryEstimate& memory, const Experiment& scenario)
{
    if (!scenario.jobs[0].fill.jobs.empty())
    {
        const auto jobs = static_cast<double>(scenario.jobs[0].fill.jobs.size());
        memory.Add({jobs * fillJobBytes,
                    fmt::format("{:.0f} fill jobs", jobs),
                    "fill_jobs.jobs",
                    fmt::format("{:.0f}", jobs)});
    }
    if (scenario.jobs[0].inference)
    {
        const auto requests = static_cast<double>(std::max<std::uint64_t>(
            scenario.jobs[0].inference->rows.size(), scenario.jobs[0].inference->generator.most));
        memory.Add({requests * requestBytes,
                    fmt::format("{:.0f} requests", requests),
                    "inference.generator.requests",
                    fmt::format("{:.0f}", requests)});
    }
}

/// Returns what the connections of flows take, and the samples from which figures are drawn.
MemoryEstimate
MemoryOfFlows(const Experiment& scenario)
{
    const TransferSection& transfer = *scenario.transfer;
    Carried carried;
    carried.bearer = scenario.testbed.transport.bearer;
    carried.segmentBytes = AsDouble(scenario.testbed.wan.mtu) - headerBytes;
    carried.field = "transfer.flow";
    carried.windowField = "transfer.flow[0].window";
    carried.window = transfer.flows.front().window;
    double steady = 0;
    double asked = 0;
    for (const auto& flow : transfer.flows)
    {
        const double seconds = (flow.stop - flow.start.value_or(Duration())).ToSeconds() +
                               (flow.start ? 0 : transfer.warmUpTime.ToSeconds());
        steady += flow.cold ? 0 : flow.connections;
        carried.connections += flow.connections * std::max(1.0, flow.arrivalsPerSecond * seconds);
        asked += flow.connections * AsDouble(flow.window);
    }
    carried.inFlight = std::min(asked, Capacity(scenario.testbed.wan));
    MemoryEstimate memory;
    AddCarried(memory, carried);
    const double times = transfer.duration.ToSeconds() / scenario.run.sampleInterval.ToSeconds();
    const double links = 2 * static_cast<double>(scenario.testbed.wan.links.size());
    const double samples = times * (steady + links);
    memory.Add({samples * flowSampleBytes,
                fmt::format("{:.0f} samples", samples),
                "run.sample_interval",
                Format(scenario.run.sampleInterval)});
    return memory;
}

MemoryEstimate
MemoryOfTransfer(const Experiment& scenario)
{
    const TransferSection& transfer = *scenario.transfer;
    if (transfer.IsOfFlows())
    {
        return MemoryOfFlows(scenario);
    }
    TransferSettings settings;
    settings.bearer = scenario.testbed.transport.bearer;
    settings.mtu = scenario.testbed.wan.mtu;
    settings.window = scenario.testbed.transport.window;
    settings.size = transfer.size;
    settings.messages = transfer.messages;
    settings.connections = scenario.testbed.transport.connections;
    Carried carried;
    carried.bearer = settings.bearer;
    carried.segmentBytes = AsDouble(settings.mtu) - headerBytes;
    carried.window = scenario.testbed.transport.window;
    const double sharing = transfer.rival.empty() ? 1 : 2;
    // A cold message opens no more connections than it has chunks.
    const double chunks =
        std::ceil(AsDouble(settings.size) / AsDouble(scenario.testbed.transport.chunk));
    carried.connections = transfer.cold
                              ? std::min<double>(settings.connections, chunks) * settings.messages +
                                    (sharing - 1) * settings.connections
                              : sharing * settings.connections;
    carried.inFlight = std::min({sharing * settings.connections * AsDouble(settings.window),
                                 sharing * AsDouble(settings.size),
                                 Capacity(scenario.testbed.wan)});
    carried.field = transfer.cold ? "transfer.messages" : "transport.connections";
    carried.fieldValue =
        fmt::format("{}", transfer.cold ? settings.messages : settings.connections);
    MemoryEstimate memory;
    AddCarried(memory, carried);
    memory.Add({settings.messages * transferMessageBytes,
                fmt::format("{} messages", settings.messages),
                "transfer.messages",
                fmt::format("{}", settings.messages)});
    return memory;
}

} // namespace

MemoryEstimate
MemoryOfTraining(const Experiment& scenario, const PlanStreams& plan)
{
    MemoryEstimate memory;
    const double stages = static_cast<double>(scenario.jobs[0].prepared.workerOfStage.size());
    memory.Add(MemoryOfMicrobatches(*scenario.provenance.resolved, stages));
    memory.Add({tallyBytes * stages * scenario.jobs[0].plan.dataParallel *
                    scenario.jobs[0].plan.microbatches *
                    (scenario.run.warmUpIterations + scenario.run.iterations),
                fmt::format("{} iterations", scenario.run.iterations),
                "run.iterations",
                fmt::format("{}", scenario.run.iterations)});
    if (scenario.run.network->hasPackets)
    {
        AddCarried(memory, CarriedBy(scenario, plan));
        const double parts = PartsOf(scenario, plan);
        memory.Add({parts * partBytes,
                    fmt::format("{:.0f} parts of messages", parts),
                    "transport.chunk",
                    Format(scenario.testbed.transport.chunk)});
    }
    AddFillers(memory, scenario);
    return memory;
}

MemoryEstimate
MemoryOf(const Experiment& scenario)
{
    return scenario.transfer
               ? MemoryOfTransfer(scenario)
               : MemoryOfTraining(
                     scenario,
                     MakeTrainingStreams(scenario.jobs[0], scenario.run, scenario.provenance.file));
}

MemoryEstimate
MemoryOf(const TransferSettings& settings)
{
    Carried carried;
    carried.bearer = settings.bearer;
    carried.segmentBytes = AsDouble(settings.mtu) - headerBytes;
    carried.connections = settings.connections;
    carried.inFlight =
        std::min(settings.connections * AsDouble(settings.window), AsDouble(settings.size));
    carried.field = "--connections";
    carried.fieldValue = fmt::format("{}", settings.connections);
    carried.windowField = "--window";
    carried.window = settings.window;
    MemoryEstimate memory;
    AddCarried(memory, carried);
    return memory;
}

void
RefuseTooLarge(const Experiment& scenario)
{
    MemoryOf(scenario).RefuseAbove(scenario.run.memoryLimit, scenario.provenance.file);
}

} // namespace geotrain
