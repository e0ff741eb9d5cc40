// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-estimate.h"

#include "execution/warm-ups.h"
#include "runner/fair-shares.h"
#include "runner/fill-run.h"
#include "runner/training-streams.h"
#include "wan/resources.h"

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr std::uint64_t mostOperations = 2000000; // forwards; more take seconds and gigabytes

void
MarkSites(const TestbedSpec& testbed, std::uint32_t from, std::uint32_t to, RunEstimate& estimate)
{
    for (const auto& hop : testbed.paths->AllHops(from, to))
    {
        estimate.usesLink[hop.link] = true;
    }
}

/// Adds connections from node to node, and marks the links on their way.
void
AddConnections(const TestbedSpec& testbed,
               const NodePair& pair,
               std::uint32_t connections,
               RunEstimate& estimate)
{
    estimate.connections += connections;
    MarkSites(testbed, testbed.wan.SiteOf(pair.first), testbed.wan.SiteOf(pair.second), estimate);
}

/// Adds the part of one worker in a collective: 2 (n - 1) / n of the size for a ring's all-reduce
/// over n members, half of it for a reduce-scatter, an all-gather or an all-to-all.
void
AddCollective(const Instruction& instruction, const PlanStreams& plan, RunEstimate& estimate)
{
    std::vector<NodeIndex> nodes;
    for (const auto member : plan.execution.groups[instruction.group])
    {
        nodes.push_back(plan.execution.workers[member].node);
    }
    if (nodes.size() < 2 || !plan.CarriesRing(nodes))
    {
        return;
    }
    const auto members = static_cast<double>(nodes.size());
    const double phases = instruction.kind == InstructionKind::AllReduce ? 2 : 1;
    estimate.bytes += plan.execution.iterations * phases * (members - 1) / members *
                      static_cast<double>(instruction.size.Count());
    estimate.messages +=
        plan.execution.iterations * static_cast<std::uint64_t>(phases * (members - 1));
}

void
AddTraining(const Experiment& scenario, const TrainingSpec& job, RunEstimate& estimate)
{
    const auto plan = MakeTrainingStreams(job, scenario.run, scenario.provenance.file);
    const std::uint64_t iterations = plan.execution.iterations;
    for (const auto& worker : plan.execution.workers)
    {
        estimate.instructions += iterations * worker.stream.size();
        for (const auto& instruction : worker.stream)
        {
            const bool crosses = instruction.kind == InstructionKind::Send &&
                                 plan.execution.workers[instruction.peer].node != worker.node;
            const Lane lane = LaneOf(instruction.kind);
            if (crosses || lane == Lane::Pull || lane == Lane::Push)
            {
                estimate.bytes +=
                    static_cast<double>(iterations) * static_cast<double>(instruction.size.Count());
                estimate.messages += iterations;
            }
            else if (IsCollective(instruction.kind))
            {
                AddCollective(instruction, plan, estimate);
            }
        }
    }
    auto pairs = plan.pairs;
    const auto ofFillers = PairsOfFillers(job, plan);
    pairs.insert(pairs.end(), ofFillers.begin(), ofFillers.end());
    for (const auto& [source, destination] : NodePairsOf(pairs))
    {
        AddConnections(scenario.testbed,
                       {job.nodes[source], job.nodes[destination]},
                       scenario.testbed.transport.connections,
                       estimate);
    }
}

/// Returns the mean rate of a steady flow from its start to the run's end, by its fair shares.
double
MeanRateOf(const std::vector<FairStep>& steps, Duration end)
{
    double bits = 0;
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        const Duration until = i + 1 < steps.size() ? steps[i + 1].from : end;
        bits += steps[i].bitsPerSecond * (until - steps[i].from).ToSeconds();
    }
    const double seconds = steps.empty() ? 0 : (end - steps.front().from).ToSeconds();
    return seconds > 0 ? bits / seconds : 0;
}

/// Adds what flows send: steady ones their fair shares, also in the warm-up, and messages as they
/// arrive, or one per round trip and gap.
void
AddFlows(const Experiment& scenario, RunEstimate& estimate)
{
    const auto& transfer = *scenario.transfer;
    const TestbedSpec& testbed = scenario.testbed;
    const auto shares = FairSharesOf(testbed.wan, transfer, scenario.run.seed);
    for (std::size_t i = 0; i < transfer.flows.size(); ++i)
    {
        const auto& flow = transfer.flows[i];
        AddConnections(testbed, {flow.source, flow.destination}, flow.connections, estimate);
        const double seconds = (flow.stop - flow.start.value_or(Duration())).ToSeconds();
        const double before = flow.start ? 0 : transfer.warmUpTime.ToSeconds();
        const double size = static_cast<double>(flow.size.Count());
        if (flow.IsSteady())
        {
            const double rate = MeanRateOf(shares[i], flow.stop) / 8;
            const double warmUp = static_cast<double>(transfer.warmUpBytes.Count());
            estimate.bytes += rate * seconds + (flow.start ? 0 : std::max(warmUp, rate * before));
            continue;
        }
        const auto roundTrip = testbed.paths->RoundTripTime(flow.source, flow.destination);
        const double period =
            flow.gap.ToSeconds() +
            std::max(1e-6, (roundTrip.value_or(Duration()) + flow.extraRoundTrip).ToSeconds());
        const double messages =
            (seconds + before) * (flow.arrivalsPerSecond > 0 ? flow.arrivalsPerSecond : 1 / period);
        estimate.messages += static_cast<std::uint64_t>(messages);
        estimate.bytes += messages * size;
    }
}

void
AddMessages(const Experiment& scenario, RunEstimate& estimate)
{
    const auto& transfer = *scenario.transfer;
    AddConnections(scenario.testbed,
                   {transfer.source, transfer.destination},
                   scenario.testbed.transport.connections,
                   estimate);
    estimate.messages += transfer.messages;
    estimate.bytes += static_cast<double>(transfer.size.Count()) * transfer.messages +
                      static_cast<double>(transfer.warmUpBytes.Count());
}

/// Adds memory and wall time, from runs of release builds and benchmarks on one core.
void
AddCosts(const Experiment& scenario, RunEstimate& estimate)
{
    constexpr double programBytes = 3e7;
    constexpr double bytesPerInstruction = 150;
    constexpr double bytesPerConnection = 2e4;
    constexpr double secondsPerInstruction = 1e-6;
    constexpr double secondsPerMessage = 1.5e-5;
    const auto instructions = static_cast<double>(estimate.instructions);
    estimate.memoryBytes = programBytes + bytesPerInstruction * instructions;
    estimate.wallSeconds = secondsPerInstruction * instructions +
                           secondsPerMessage * static_cast<double>(estimate.messages);
    if (!scenario.run.network->hasPackets)
    {
        return;
    }
    estimate.memoryBytes += bytesPerConnection * estimate.connections;
    const std::string& bearer = scenario.testbed.transport.bearer;
    const double packetsPerSecond = bearer == "express" ? 2e6 : bearer == "device" ? 2.5e5 : 3e4;
    const double payload = static_cast<double>(scenario.testbed.wan.mtu.Count()) - 52; // headers
    estimate.wallSeconds += estimate.bytes / payload / packetsPerSecond;
}

} // namespace

std::optional<RunEstimate>
EstimateRun(const Experiment& scenario)
{
    RunEstimate estimate;
    estimate.usesLink.resize(scenario.testbed.wan.links.size());
    if (scenario.transfer)
    {
        const auto add = scenario.transfer->IsOfFlows() ? AddFlows : AddMessages;
        add(scenario, estimate);
    }
    for (const TrainingSpec& job : scenario.jobs)
    {
        const TrainingPlan& plan = job.plan;
        if (std::uint64_t{plan.pipelineStages} * plan.virtualStages * plan.dataParallel *
                plan.microbatches >
            mostOperations)
        {
            return std::nullopt;
        }
        AddTraining(scenario, job, estimate);
    }
    for (const auto& pair : scenario.crossTraffic)
    {
        MarkSites(scenario.testbed, pair.from, pair.to, estimate);
    }
    AddCosts(scenario, estimate);
    return estimate;
}

} // namespace geotrain
