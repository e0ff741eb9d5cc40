// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-cost.h"

#include "runner/run-plan.h"

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
    double connectionBytes;  ///< per open connection, both ends
    double segmentBytes;     ///< per segment in flight
    double packetsPerSecond; ///< of wall time, of data packets
};

// Peak resident memory of runs that differ in one number, and their processor time.
const std::map<std::string, BearerCost>&
BearerCosts()
{
    static const std::map<std::string, BearerCost> costs{{"express", {8000, 120, 1.0e6}},
                                                         {"device", {27000, 560, 60000}},
                                                         {"stock", {21000, 670, 20000}}};
    return costs;
}

constexpr double headerBytes = 52;          // IPv4, TCP and timestamps, per segment
constexpr double tallyBytes = 180;          // per microbatch of a stage and iteration, in figures
constexpr double partBytes = 280;           // per part of a message under temporal sharing
constexpr double fillJobBytes = 860;        // per fill job
constexpr double requestBytes = 230;        // per request
constexpr double transferMessageBytes = 30; // per message of a transfer
constexpr double analyticMessagesPerSecond = 400000;
/// Steps per second of the search for a segment to send in ns-3's sockets, which goes over the
/// segments in flight for each packet.
constexpr double stockStepsPerSecond = 1e8;

double
Count(Bytes size)
{
    return static_cast<double>(size.Count());
}

/// Traffic is what the connections of a run carry.
struct Traffic
{
    std::string bearer = "express";
    double connections = 0;
    double bytes = 0;        ///< payload over the whole run, with warm-ups
    double inFlight = 0;     ///< payload in flight at once, at most
    double segmentBytes = 0; ///< payload per segment
    double window = 0;       ///< segments in flight per connection, at most
    std::string field;       ///< path of the field that sets the number of connections
    std::string fieldValue;
    std::string windowField = "transport.window";
};

void
AddTraffic(RunCost& cost, const Traffic& traffic)
{
    const BearerCost& bearer = BearerCosts().at(traffic.bearer);
    const double segments = traffic.inFlight / traffic.segmentBytes;
    cost.memory.Add({traffic.connections * bearer.connectionBytes,
                     fmt::format("{:.0f} connections", traffic.connections),
                     traffic.field,
                     traffic.fieldValue});
    cost.memory.Add({segments * bearer.segmentBytes,
                     fmt::format("{:.0f} segments in flight", segments),
                     traffic.windowField,
                     ""});
    cost.packets = traffic.bytes / traffic.segmentBytes;
    cost.wallSeconds = cost.packets / bearer.packetsPerSecond;
    if (traffic.bearer == "stock")
    {
        cost.wallSeconds += cost.packets * traffic.window / stockStepsPerSecond;
    }
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
        bytes += 2 * site.nodes * (product + Count(topology.portQueue));
    }
    return bytes;
}

/// Returns the payload that an iteration sends between nodes, and its messages.
std::pair<double, double>
PayloadOf(const PlanStreams& plan)
{
    double bytes = 0;
    double messages = 0;
    for (const auto& worker : plan.execution.workers)
    {
        for (const auto& instruction : worker.stream)
        {
            const double size = Count(instruction.size);
            if (instruction.kind == InstructionKind::Send)
            {
                const bool leaves = plan.execution.workers[instruction.peer].node != worker.node;
                bytes += leaves ? size : 0;
                ++messages;
            }
            else if (IsCollective(instruction.kind))
            {
                // Each member of a ring of n sends (n - 1) / n of the size, an all-reduce twice.
                const auto n = static_cast<double>(plan.execution.groups[instruction.group].size());
                const double rounds = instruction.kind == InstructionKind::AllReduce ? 2 : 1;
                bytes += rounds * size * (n - 1) / n;
                messages += rounds * (n - 1);
            }
        }
    }
    return {bytes, messages};
}

Traffic
TrafficOf(const LoadedScenario& scenario, const PlanStreams& plan, double payload)
{
    const TransportSettings& transport = scenario.transport;
    const WanTopology& wan = scenario.cluster.wan;
    Traffic traffic;
    traffic.bearer = transport.bearer;
    traffic.segmentBytes = Count(wan.mtu) - headerBytes;
    traffic.bytes = payload;
    traffic.window = Count(transport.window) / traffic.segmentBytes;
    double asked = 0;
    for (const auto& pair : plan.pairs)
    {
        const double connections = wan.SiteOf(pair.source) != wan.SiteOf(pair.destination)
                                       ? transport.connections
                                       : transport.intraDcConnections;
        traffic.connections += connections;
        traffic.bytes += Count(pair.size);
        asked += std::min(connections * Count(transport.window),
                          Count(pair.size) * scenario.plan.microbatches);
    }
    traffic.inFlight = std::min(asked, Capacity(wan));
    const bool ofPair = transport.connections > 1;
    traffic.field = ofPair ? "transport.connections" : "parallelism.data_parallel";
    traffic.fieldValue =
        fmt::format("{}", ofPair ? transport.connections : scenario.plan.dataParallel);
    return traffic;
}

/// Returns the parts of the messages that wait for their turn.
double
PartsOf(const LoadedScenario& scenario, const PlanStreams& plan)
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
                         ? Count(instruction.size) / Count(scenario.transport.chunk)
                         : 0;
        }
    }
    return parts;
}

void
AddFillers(RunCost& cost, const LoadedScenario& scenario)
{
    if (!scenario.fill.jobs.empty())
    {
        const auto jobs = static_cast<double>(scenario.fill.jobs.size());
        cost.memory.Add({jobs * fillJobBytes,
                         fmt::format("{:.0f} fill jobs", jobs),
                         "fill_jobs.jobs",
                         fmt::format("{:.0f}", jobs)});
    }
    if (scenario.inference)
    {
        const auto requests = static_cast<double>(std::max<std::uint64_t>(
            scenario.inference->rows.size(), scenario.inference->generator.most));
        cost.memory.Add({requests * requestBytes,
                         fmt::format("{:.0f} requests", requests),
                         "inference.generator.requests",
                         fmt::format("{:.0f}", requests)});
    }
}

RunCost
CostOfTransferScenario(const LoadedScenario& scenario)
{
    const TransferSection& transfer = *scenario.transfer;
    TransferSettings settings;
    settings.bearer = scenario.transport.bearer;
    settings.mtu = scenario.cluster.wan.mtu;
    settings.window = scenario.transport.window;
    settings.size = transfer.size;
    settings.messages = transfer.messages;
    settings.connections = scenario.transport.connections;
    Traffic traffic;
    traffic.bearer = settings.bearer;
    traffic.segmentBytes = Count(settings.mtu) - headerBytes;
    traffic.window = Count(settings.window) / traffic.segmentBytes;
    const double sharing = transfer.rival.empty() ? 1 : 2;
    // A cold message opens no more connections than it has chunks.
    const double chunks = std::ceil(Count(settings.size) / Count(scenario.transport.chunk));
    traffic.connections = transfer.cold
                              ? std::min<double>(settings.connections, chunks) * settings.messages +
                                    (sharing - 1) * settings.connections
                              : sharing * settings.connections;
    traffic.bytes =
        sharing * Count(settings.size) * (settings.messages + (transfer.cold ? 0.0 : 1.0));
    traffic.inFlight = std::min({sharing * settings.connections * Count(settings.window),
                                 sharing * Count(settings.size),
                                 Capacity(scenario.cluster.wan)});
    traffic.field = transfer.cold ? "transfer.messages" : "transport.connections";
    traffic.fieldValue =
        fmt::format("{}", transfer.cold ? settings.messages : settings.connections);
    RunCost cost;
    AddTraffic(cost, traffic);
    cost.messages = settings.messages;
    cost.memory.Add({settings.messages * transferMessageBytes,
                     fmt::format("{} messages", settings.messages),
                     "transfer.messages",
                     fmt::format("{}", settings.messages)});
    return cost;
}

} // namespace

RunCost
CostOfTraining(const LoadedScenario& scenario, const PlanStreams& plan)
{
    RunCost cost;
    const double iterations = plan.execution.iterations;
    const double stages = static_cast<double>(scenario.training.workerOfStage.size());
    const auto [payload, messages] = PayloadOf(plan);
    cost.memory.Add(MemoryOfMicrobatches(*scenario.resolved, stages));
    cost.messages = messages * iterations;
    cost.memory.Add({tallyBytes * stages * scenario.plan.dataParallel * scenario.plan.microbatches *
                         (scenario.run.warmUpIterations + scenario.run.iterations),
                     fmt::format("{} iterations", scenario.run.iterations),
                     "run.iterations",
                     fmt::format("{}", scenario.run.iterations)});
    if (scenario.run.network->hasPackets)
    {
        AddTraffic(cost, TrafficOf(scenario, plan, payload * iterations));
        const double parts = PartsOf(scenario, plan);
        cost.memory.Add({parts * partBytes,
                         fmt::format("{:.0f} parts of messages", parts),
                         "transport.chunk",
                         ""});
    }
    else
    {
        cost.wallSeconds = cost.messages / analyticMessagesPerSecond;
    }
    AddFillers(cost, scenario);
    return cost;
}

RunCost
CostOf(const LoadedScenario& scenario)
{
    return scenario.transfer ? CostOfTransferScenario(scenario)
                             : CostOfTraining(scenario, MakeRunPlan(scenario));
}

RunCost
CostOf(const TransferSettings& settings)
{
    Traffic traffic;
    traffic.bearer = settings.bearer;
    traffic.segmentBytes = Count(settings.mtu) - headerBytes;
    traffic.window = Count(settings.window) / traffic.segmentBytes;
    traffic.connections = settings.connections;
    traffic.bytes = Count(settings.size) * settings.messages;
    traffic.inFlight =
        std::min(settings.connections * Count(settings.window), Count(settings.size));
    traffic.field = "--connections";
    traffic.fieldValue = fmt::format("{}", settings.connections);
    traffic.windowField = "--window";
    RunCost cost;
    AddTraffic(cost, traffic);
    cost.messages = settings.messages;
    return cost;
}

void
RefuseTooLarge(const LoadedScenario& scenario, const RunCost& cost)
{
    cost.memory.RefuseAbove(scenario.run.memoryLimit, scenario.file);
}

} // namespace geotrain
