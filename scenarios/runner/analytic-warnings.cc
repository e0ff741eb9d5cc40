// SPDX-License-Identifier: GPL-2.0-only
#include "runner/analytic-warnings.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

using Acknowledgement = ns3::AggregationSettings::Acknowledgement;

/// Returns the parameters of the smallest or of the largest layer.
Bytes
Layer(const TrainingSpec& spec, bool isLargest)
{
    const auto smaller = [](const LayerWork& a, const LayerWork& b)
    { return a.parameters < b.parameters; };
    const auto [least, most] =
        std::minmax_element(spec.prepared.layeredWorks.front().layers.begin(),
                            spec.prepared.layeredWorks.front().layers.end(),
                            smaller);
    return isLargest ? most->parameters : least->parameters;
}

/// Streams that wait for each other's heartbeats take whole intervals, of which one more or less shows
/// in layers of few.
std::vector<std::string>
OfHeartbeats(const TrainingSpec& spec)
{
    constexpr double leastOfServers = 10; // intervals a layer
    constexpr double leastOfOthers = 4;
    const ns3::InNetworkClusterSettings& servers = *spec.inNetwork;
    const bool isEach = servers.aggregation.acknowledgement == Acknowledgement::EachPacket;
    const bool isResult = servers.aggregation.acknowledgement == Acknowledgement::Result;
    if (isResult || (servers.servers == 1 && !isEach && !servers.addsAtServer))
    {
        return {};
    }
    const double least = servers.servers > 1 ? leastOfServers : leastOfOthers;
    const Bytes layer = Layer(spec, false);
    const Duration interval = servers.aggregation.heartbeatInterval;
    const double intervals =
        servers.nicRate.TransmissionTime(layer).ToSeconds() / interval.ToSeconds();
    if (intervals >= least)
    {
        return {};
    }
    const std::string field = servers.servers > 1    ? "in_network.servers"
                              : servers.addsAtServer ? "in_network.adds_at_server"
                                                     : "in_network.acknowledgement: EACH_PACKET";
    return {fmt::format("the analytic network is within 3 % of packets with {} where a layer takes "
                        "{} times in_network.heartbeat_interval or more, and one takes {:.1f}",
                        field,
                        least,
                        intervals)};
}

/// Gradients that fill a queue, or windows that are short of a loop, make heartbeats miss ticks.
std::vector<std::string>
OfLoops(const TrainingSpec& spec)
{
    const ns3::InNetworkClusterSettings& servers = *spec.inNetwork;
    if (servers.aggregation.acknowledgement != Acknowledgement::Heartbeat)
    {
        return {};
    }
    std::vector<std::string> warnings;
    const BitRate worker = std::min(servers.nicRate, servers.hostCap.value_or(servers.nicRate));
    const bool hasTrunks = servers.switches.size() > 1;
    if (servers.serverRate < worker || (hasTrunks && servers.trunkRate < worker))
    {
        warnings.push_back(fmt::format("the analytic network is within 6 % of packets where {} is "
                                       "below the workers' rate",
                                       servers.serverRate < worker ? "in_network.server_rate"
                                                                   : "in_network.trunk_rate"));
    }
    const double levels = static_cast<double>(servers.switches.size());
    const double loop = 2 * (levels + 1) * servers.linkDelay.ToSeconds() +
                        (levels + 1) * servers.aggregation.heartbeatInterval.ToSeconds();
    const double worth = static_cast<double>(worker.ToBitsPerSecond()) / 8 * loop; // bytes
    const double packet = static_cast<double>(servers.aggregation.payload.Count());
    if (static_cast<double>(servers.aggregation.window.Count()) < worth - packet)
    {
        warnings.push_back(fmt::format("the analytic network is within 4 % of packets where "
                                       "in_network.credit is below its default, {:.1f} kB",
                                       worth / 1e3));
    }
    return warnings;
}

/// Acknowledgements of ZeRO-3's messages wait in a node's NIC behind its own data.
std::vector<std::string>
OfWindows(const TrainingSpec& spec)
{
    constexpr double leastDelays = 1; // below it, windows wait for round trips anyhow
    constexpr double mostDelays = 16; // from it on, pacing keeps the line full
    const Bytes window = spec.cluster.transport.connection.window;
    const Bytes layer = Layer(spec, true);
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
OfTrees(const TrainingSpec& spec)
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

} // namespace

std::vector<std::string>
WarningsOfAnalyticModel(const TrainingSpec& spec)
{
    if (spec.inNetwork)
    {
        std::vector<std::string> warnings = OfHeartbeats(spec);
        const std::vector<std::string> ofLoops = OfLoops(spec);
        warnings.insert(warnings.end(), ofLoops.begin(), ofLoops.end());
        return warnings;
    }
    if (spec.plan.dataParallelism != DataParallelism::Zero3)
    {
        return {};
    }
    std::vector<std::string> warnings = OfWindows(spec);
    const std::vector<std::string> ofTrees = OfTrees(spec);
    warnings.insert(warnings.end(), ofTrees.begin(), ofTrees.end());
    return warnings;
}

} // namespace geotrain
