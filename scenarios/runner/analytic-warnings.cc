// SPDX-License-Identifier: GPL-2.0-only
#include "runner/analytic-warnings.h"

#include "analytic/window-meetings.h"
#include "execution/warm-ups.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns the parameters of the largest layer.
Bytes
LargestLayer(const TrainingSpec& spec)
{
    Bytes largest;
    for (const LayerWork& layer : spec.prepared.layeredWorks.front().layers)
    {
        largest = std::max(largest, layer.parameters);
    }
    return largest;
}

/// Acknowledgements of ZeRO-3's messages wait in a node's NIC behind its own data.
std::vector<std::string>
WarnOfWindows(const TrainingSpec& spec)
{
    constexpr double leastDelays = 1; // below it, windows wait for round trips anyhow
    constexpr double mostDelays = 16; // from it on, pacing keeps the line full
    const Bytes window = spec.cluster.transport.connection.window;
    const Bytes layer = LargestLayer(spec);
    const std::int64_t parts = spec.plan.collective == "tree" ? 2 : spec.plan.dataParallel;
    std::vector<std::string> warnings;
    for (const TrainingPlan::Host& host : spec.plan.hosts)
    {
        const WanTopology::Site& site = spec.cluster.wan.sites[host.dataCenter];
        const double delays = site.intraRate.TransmissionTime(window).ToSeconds() /
                              std::max(1e-9, site.intraDelay.ToSeconds());
        if (window.Count() > 0 && window * parts < layer && delays > leastDelays &&
            delays < mostDelays)
        {
            warnings.push_back(fmt::format(
                "the analytic network is up to 25 % too fast where ZeRO-3's messages, here of "
                "{:.1f} MB, are larger than transport.window and this is 1 to {} times what a NIC "
                "of data_center \"{}\" sends in its intra_delay, here {:.1f} times",
                static_cast<double>(layer.Count()) / static_cast<double>(parts) / 1e6,
                mostDelays,
                site.name,
                delays));
        }
    }
    return warnings;
}

/// Over packets, connections whose windows start anew after a pause and others whose do not put the
/// nodes of a tree out of step, and their messages meet from then on.
std::vector<std::string>
WarnOfTrees(const TrainingSpec& spec)
{
    constexpr std::uint32_t leastWorkers = 16; // up to 8 stayed in step
    if (spec.plan.collective != "tree" || spec.plan.dataParallel < leastWorkers)
    {
        return {};
    }
    return {fmt::format("the analytic network keeps the nodes of parallelism.collectives TREE in "
                        "step; over packets, {} workers and more may fall out of it for good and "
                        "be up to 2.4 times slower",
                        leastWorkers)};
}

/// Returns the place of a meeting: a WAN link by its ends, or a node's NIC or port.
std::string
PlaceOf(const WindowMeeting& meeting, const AnalyticTopology& topology, const WanTopology& wan)
{
    const std::string& link = topology.queues[meeting.link].name;
    if (!link.empty())
    {
        return "the link " + link;
    }
    const bool isNic = meeting.pairs[0].first == meeting.pairs[1].first;
    const NodeIndex node = isNic ? meeting.pairs[0].first : meeting.pairs[0].second;
    return fmt::format("the {} of a node of data_center \"{}\"",
                       isNic ? "NIC" : "port",
                       wan.sites[wan.SiteOf(node)].name);
}

} // namespace

std::string
WarningOfMeetingReplicas(const TrainingSpec& spec, const std::vector<Network::WarmUp>& pairs)
{
    if (spec.plan.dataParallel == 1)
    {
        return "";
    }
    const WanTopology& wan = spec.cluster.wan;
    const AnalyticTopology topology = MakeAnalyticTopology(wan, spec.cluster.transport, pairs);
    const auto meetings = FindWindowMeetings(topology, NodePairsOf(pairs));
    return meetings.empty()
               ? ""
               : fmt::format(
                     "{} {} with windows of {:.1f} times what their way holds: which of them "
                     "comes first is chance, and the analytic network up to 25 % off: run it "
                     "over packets",
                     meetingReplicas,
                     PlaceOf(meetings.front(), topology, wan),
                     meetings.front().windows);
}

std::vector<std::string>
WarningsOfAnalyticModel(const TrainingSpec& spec)
{
    if (spec.plan.dataParallelism != DataParallelism::Zero3)
    {
        return {};
    }
    std::vector<std::string> warnings = WarnOfWindows(spec);
    const std::vector<std::string> ofTrees = WarnOfTrees(spec);
    warnings.insert(warnings.end(), ofTrees.begin(), ofTrees.end());
    return warnings;
}

} // namespace geotrain
