// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-warnings.h"

#include "loader/field-conditions.h"
#include "runner/analytic-warnings.h"
#include "runner/idle-links.h"
#include "runner/inside-warnings.h"
#include "runner/live-warnings.h"
#include "runner/loss-warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace geotrain
{

namespace
{

constexpr double leastShare = 0.01; // of the measured time; jobs that are alike end so close

std::string
NameOf(const Workload& workload)
{
    const std::string name = workload.Name();
    return name == "transfer" ? "the transfer" : "job " + name;
}

Duration
LengthOf(Instant from, Instant until)
{
    return std::max(Duration(), until - from);
}

/// Adds a line where `other` had begun late or ended early for the measured time of `job`.
void
WarnOfAbsence(const Workload& job, const Workload& other, std::vector<std::string>& warnings)
{
    const auto own = job.Times();
    const auto others = other.Times();
    if (!own || !others || own->measuredFrom == own->measuredUntil)
    {
        return;
    }
    const Duration late = LengthOf(own->measuredFrom, std::min(others->begin, own->measuredUntil));
    const Duration early = LengthOf(std::max(others->end, own->measuredFrom), own->measuredUntil);
    const double share =
        (late + early).ToSeconds() / (own->measuredUntil - own->measuredFrom).ToSeconds();
    if (share < leastShare)
    {
        return;
    }
    const std::string when =
        early > late
            ? fmt::format("ended at {:.3f} s, before", (others->end - Instant()).ToSeconds())
            : fmt::format("began at {:.3f} s, after", (others->begin - Instant()).ToSeconds());
    warnings.push_back(fmt::format("{} {} the measured iterations of {} did: {}'s slowdown is "
                                   "measured without it for {:.0f} % of the time",
                                   NameOf(other),
                                   when,
                                   NameOf(job),
                                   job.Name(),
                                   100 * share));
}

/// Returns the connections of a pair of nodes, or of several flows between such a pair.
std::uint32_t
ConnectionsOf(const Experiment& experiment)
{
    std::uint32_t ofFlows = 0;
    for (const auto& flow :
         experiment.transfer ? experiment.transfer->flows : std::vector<TransferFlow>())
    {
        ofFlows += flow.connections;
    }
    return std::max(ofFlows, experiment.testbed.transport.connections);
}

/// Says where run.all_reduce_fidelity leaves something out.
std::vector<std::string>
WarningsOfFormula(const Experiment& experiment)
{
    std::set<NodeIndex> taken;
    bool isShared = false;
    for (const TrainingSpec& job : experiment.jobs)
    {
        for (const NodeIndex node : std::set<NodeIndex>(job.nodes.begin(), job.nodes.end()))
        {
            isShared = !taken.insert(node).second || isShared;
        }
    }
    if (experiment.run.collectivesOverNetwork || !isShared)
    {
        return {};
    }
    return {
        "all-reduces by a formula know nothing of what other jobs send over the NICs of the same "
        "nodes: run it with run.all_reduce_fidelity PACKETS"};
}

/// Returns the least that a connection over the WAN sends at a time: its window, or its part of a message
/// between two stages.
Bytes
LeastFlight(const Experiment& experiment)
{
    const TransportSettings& transport = experiment.testbed.transport;
    Bytes least = transport.window;
    for (const TrainingSpec& job : experiment.jobs)
    {
        if (job.plan.pipelineStages > 1)
        {
            least =
                std::min(least, Bytes::Of(job.prepared.boundary.Count() / transport.connections));
        }
    }
    return least;
}

/// The analytic network has no segmentation offload. Its bursts, and acknowledgements of what has been
/// merged, count where few of them make a flight: drawn trainings were up to 43 % off below four, and
/// within 3 % without offloads.
std::vector<std::string>
WarningsOfBursts(const Experiment& experiment, const std::vector<NodePair>& pairs)
{
    constexpr std::int64_t fewBursts = 4;
    constexpr std::int64_t burst = 65536; // bytes, the most of segmentation offload and GRO
    const TestbedSpec& testbed = experiment.testbed;
    const bool crossesWan =
        std::any_of(pairs.begin(),
                    pairs.end(),
                    [&](const NodePair& pair)
                    { return testbed.wan.SiteOf(pair.first) != testbed.wan.SiteOf(pair.second); });
    const Bytes flight = LeastFlight(experiment);
    if (experiment.run.network->hasPackets || !crossesWan ||
        !testbed.transport.ForBulkTcp(testbed.wan.mtu).offloads || flight.Count() == 0 ||
        flight.Count() >= fewBursts * burst)
    {
        return {};
    }
    return {
        fmt::format("connections over the WAN send {:.0f} kB at a time, few bursts of segmentation "
                    "offload, which the analytic network does not have: run it over packets",
                    static_cast<double>(flight.Count()) / 1e3)};
}

} // namespace

std::vector<std::string>
FindWarningsBefore(const Experiment& experiment, const std::vector<NodePair>& pairs)
{
    std::vector<std::string> warnings = experiment.warnings;
    const NetworkKind& kind = *experiment.run.network;
    for (const auto& ignored : WarningsOfIgnored(*experiment.provenance.resolved, kind))
    {
        warnings.push_back(ignored + (kind.hasPackets ? "" : ": run it over packets"));
    }
    for (const TrainingSpec& job : experiment.jobs)
    {
        for (const auto& known :
             kind.hasPackets ? std::vector<std::string>() : WarningsOfAnalyticModel(job))
        {
            warnings.push_back(known + ": run it over packets");
        }
    }
    const TestbedSpec& testbed = experiment.testbed;
    const auto idle = WarningsOfIdleLinks(
        testbed.wan, *testbed.paths, pairs, IsLive(experiment) ? 1 : ConnectionsOf(experiment));
    warnings.insert(warnings.end(), idle.begin(), idle.end());
    const auto ofLive = WarningsOfLive(experiment, pairs);
    warnings.insert(warnings.end(), ofLive.begin(), ofLive.end());
    const auto ofFormula = WarningsOfFormula(experiment);
    warnings.insert(warnings.end(), ofFormula.begin(), ofFormula.end());
    const auto bursts = WarningsOfBursts(experiment, pairs);
    warnings.insert(warnings.end(), bursts.begin(), bursts.end());
    const auto inside = WarningsInsideBefore(experiment, pairs);
    warnings.insert(warnings.end(), inside.begin(), inside.end());
    return warnings;
}

std::vector<std::string>
FindWarningsAfter(const Experiment& experiment, const Workloads& workloads, const Network& network)
{
    std::vector<std::string> warnings;
    for (const auto& losses : WarningsOfLosses(network))
    {
        warnings.push_back(losses + ": run it over packets");
    }
    const auto inside = WarningsInsideAfter(experiment, network.Counters());
    warnings.insert(warnings.end(), inside.begin(), inside.end());
    for (const auto& job : workloads)
    {
        for (const auto& other : workloads)
        {
            if (job != other)
            {
                WarnOfAbsence(*job, *other, warnings);
            }
        }
    }
    return warnings;
}

} // namespace geotrain
