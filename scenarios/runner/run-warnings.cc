// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-warnings.h"

#include "loader/field-conditions.h"
#include "runner/analytic-warnings.h"
#include "runner/idle-links.h"
#include "runner/loss-warnings.h"

#include <fmt/format.h>

#include <algorithm>

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
    const bool isLive = testbed.transport.bearer == "live";
    const auto idle = WarningsOfIdleLinks(
        testbed.wan, *testbed.paths, pairs, isLive ? 1 : ConnectionsOf(experiment));
    warnings.insert(warnings.end(), idle.begin(), idle.end());
    if (isLive && std::any_of(pairs.begin(),
                              pairs.end(),
                              [&testbed](const NodePair& pair)
                              { return testbed.paths->AreShared(pair.first, pair.second); }))
    {
        warnings.emplace_back(
            "a live run deals node pairs, not connections, out to parallel WAN links");
    }
    return warnings;
}

std::vector<std::string>
FindWarningsAfter(const Workloads& workloads, const Network& network)
{
    std::vector<std::string> warnings;
    for (const auto& losses : WarningsOfLosses(network))
    {
        warnings.push_back(losses + ": run it over packets");
    }
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
