// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-estimate.h"

#include "execution/warm-ups.h"
#include "runner/fair-shares.h"
#include "runner/fill-run.h"
#include "runner/training-streams.h"
#include "wan/wan-paths.h"

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr std::uint64_t mostOperations = 2000000; // forwards; more take seconds and gigabytes

/// LinkMarks marks the links that pairs of nodes, or of sites, use.
class LinkMarks
{
  public:
    explicit LinkMarks(const WanTopology& topology)
        : m_paths(topology),
          m_used(topology.links.size(), false)
    {
        for (std::uint32_t site = 0; site < topology.sites.size(); ++site)
        {
            m_siteOf.insert(m_siteOf.end(), topology.sites[site].nodes, site);
        }
    }

    void UseNodes(NodeIndex from, NodeIndex to)
    {
        UseSites(m_siteOf.at(from), m_siteOf.at(to));
    }

    void UseSites(std::uint32_t from, std::uint32_t to)
    {
        for (const auto& hop : m_paths.SitePath(from, to).value_or(std::vector<WanHop>()))
        {
            m_used[hop.link] = true;
        }
    }

    const std::vector<bool>& Used() const
    {
        return m_used;
    }

  private:
    WanPaths m_paths;
    std::vector<std::uint32_t> m_siteOf;
    std::vector<bool> m_used;
};

/// Adds the part of one worker in a collective: 2 (n - 1) / n of the size for a ring's all-reduce
/// over n members, half of it for a reduce-scatter or an all-gather.
void
AddCollective(const Instruction& instruction, const PlanStreams& plan, RunEstimate& traffic)
{
    const auto& group = plan.execution.groups[instruction.group];
    std::vector<NodeIndex> nodes;
    for (const auto member : group)
    {
        nodes.push_back(plan.execution.workers[member].node);
    }
    if (nodes.size() < 2 || !plan.CarriesRing(nodes))
    {
        return;
    }
    const auto members = static_cast<double>(nodes.size());
    const double phases = instruction.kind == InstructionKind::AllReduce ? 2 : 1;
    traffic.bytes +=
        phases * (members - 1) / members * static_cast<double>(instruction.size.Count());
    traffic.messages += static_cast<std::uint64_t>(phases * (members - 1));
}

RunEstimate
TrafficOfStreams(const PlanStreams& plan)
{
    RunEstimate traffic;
    for (const auto& worker : plan.execution.workers)
    {
        for (const auto& instruction : worker.stream)
        {
            ++traffic.instructions;
            if (instruction.kind == InstructionKind::Send &&
                plan.execution.workers[instruction.peer].node != worker.node)
            {
                traffic.bytes += static_cast<double>(instruction.size.Count());
                ++traffic.messages;
            }
            else if (LaneOf(instruction.kind) != Lane::Collective)
            {
                traffic.bytes += static_cast<double>(instruction.size.Count());
                ++traffic.messages;
            }
            else if (IsCollective(instruction.kind))
            {
                AddCollective(instruction, plan, traffic);
            }
        }
    }
    traffic.bytes *= plan.execution.iterations;
    traffic.messages *= plan.execution.iterations;
    traffic.instructions *= plan.execution.iterations;
    return traffic;
}

RunEstimate
EstimateTraining(const Experiment& scenario, const TrainingSpec& job, LinkMarks& marks)
{
    const auto plan = MakeTrainingStreams(job, scenario.run, scenario.provenance.file);
    auto pairs = plan.pairs;
    const auto ofFillers = PairsOfFillers(job, plan);
    pairs.insert(pairs.end(), ofFillers.begin(), ofFillers.end());
    auto traffic = TrafficOfStreams(plan);
    for (const auto& [source, destination] : NodePairsOf(pairs))
    {
        marks.UseNodes(job.nodes[source], job.nodes[destination]);
        traffic.connections += scenario.testbed.transport.connections;
    }
    return traffic;
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

/// Returns what flows send: steady ones their fair shares, also in the warm-up, and messages as they
/// arrive, or one per round trip and gap.
RunEstimate
EstimateFlows(const Experiment& scenario, LinkMarks& marks)
{
    const auto& transfer = *scenario.transfer;
    const WanPaths paths(scenario.testbed.wan);
    const auto shares = FairSharesOf(scenario.testbed.wan, transfer, scenario.run.seed);
    RunEstimate traffic;
    for (std::size_t i = 0; i < transfer.flows.size(); ++i)
    {
        const auto& flow = transfer.flows[i];
        marks.UseNodes(flow.source, flow.destination);
        traffic.connections += flow.connections;
        const double seconds = (flow.stop - flow.start.value_or(Duration())).ToSeconds();
        const double before = flow.start ? 0 : transfer.warmUpTime.ToSeconds();
        const double size = static_cast<double>(flow.size.Count());
        if (flow.IsSteady())
        {
            const double rate = MeanRateOf(shares[i], flow.stop) / 8;
            const double warmUp = static_cast<double>(transfer.warmUpBytes.Count());
            traffic.bytes += rate * seconds + (flow.start ? 0 : std::max(warmUp, rate * before));
            continue;
        }
        const auto roundTrip = paths.RoundTripTime(flow.source, flow.destination);
        const double period =
            flow.gap.ToSeconds() + std::max(1e-6, roundTrip.value_or(Duration()).ToSeconds());
        const double messages =
            (seconds + before) * (flow.arrivalsPerSecond > 0 ? flow.arrivalsPerSecond : 1 / period);
        traffic.messages += static_cast<std::uint64_t>(messages);
        traffic.bytes += messages * size;
    }
    return traffic;
}

RunEstimate
EstimateTransfer(const Experiment& scenario, LinkMarks& marks)
{
    const auto& transfer = *scenario.transfer;
    if (transfer.IsOfFlows())
    {
        return EstimateFlows(scenario, marks);
    }
    marks.UseNodes(transfer.source, transfer.destination);
    RunEstimate traffic;
    traffic.messages = transfer.messages;
    traffic.connections = scenario.testbed.transport.connections;
    traffic.bytes = static_cast<double>(transfer.size.Count()) * transfer.messages +
                    static_cast<double>(transfer.warmUpBytes.Count());
    return traffic;
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
    LinkMarks marks(scenario.testbed.wan);
    auto estimate = scenario.transfer ? EstimateTransfer(scenario, marks) : RunEstimate();
    for (const TrainingSpec& job : scenario.jobs)
    {
        const TrainingPlan& plan = job.plan;
        if (std::uint64_t{plan.pipelineStages} * plan.virtualStages * plan.dataParallel *
                plan.microbatches >
            mostOperations)
        {
            return std::nullopt;
        }
        const auto more = EstimateTraining(scenario, job, marks);
        estimate.bytes += more.bytes;
        estimate.messages += more.messages;
        estimate.instructions += more.instructions;
        estimate.connections += more.connections;
    }
    for (const auto& pair : scenario.crossTraffic)
    {
        marks.UseSites(pair.from, pair.to);
    }
    estimate.usesLink = marks.Used();
    AddCosts(scenario, estimate);
    return estimate;
}

} // namespace geotrain
