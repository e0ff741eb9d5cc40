// SPDX-License-Identifier: GPL-2.0-only
#include "runner/inside-warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace geotrain
{

namespace
{

constexpr const char* runPackets = "run it with run.inside_data_center PACKETS";

/// Returns the largest share of a node's NIC that its windows and caps let it send over the WAN, of nodes
/// that send inside their data centre, too.
double
ShareOfNic(const TestbedSpec& testbed, const std::vector<NodePair>& pairs)
{
    struct Use
    {
        double wan = 0; // bit/s
        bool isInside = false;
    };
    const TransportSettings& transport = testbed.transport;
    const double flight =
        8.0 * static_cast<double>(transport.window.Count()) * transport.connections;
    const auto& cap = testbed.analytic.connection.mostRate; // of a connection
    const double mostOfPair =
        cap ? static_cast<double>(cap->ToBitsPerSecond()) * transport.connections
            : std::numeric_limits<double>::infinity();
    std::map<NodeIndex, Use> uses;
    const std::set<NodePair> different(pairs.begin(), pairs.end());
    for (const auto& [source, destination] : different)
    {
        const std::uint32_t site = testbed.wan.SiteOf(source);
        Use& use = uses[source];
        if (site == testbed.wan.SiteOf(destination))
        {
            use.isInside = true;
            continue;
        }
        const NodeLimits limits = EgressLimits(testbed.wan, site);
        const auto roundTrip = testbed.paths->RoundTripTime(source, destination);
        const double windows = flight / std::max(1e-6, roundTrip.value_or(Duration()).ToSeconds());
        use.wan +=
            std::min({windows,
                      mostOfPair,
                      static_cast<double>(limits.pair.value_or(limits.nic).ToBitsPerSecond())});
    }
    double largest = 0;
    for (const auto& [node, use] : uses)
    {
        const NodeLimits limits = EgressLimits(testbed.wan, testbed.wan.SiteOf(node));
        const auto most = static_cast<double>(limits.wan.value_or(limits.nic).ToBitsPerSecond());
        const auto nic = static_cast<double>(limits.nic.ToBitsPerSecond());
        largest = std::max(largest, use.isInside ? std::min({use.wan, most, nic}) / nic : 0);
    }
    return largest;
}

void
WarnOfWan(const TestbedSpec& testbed,
          const std::vector<NodePair>& pairs,
          std::vector<std::string>& warnings)
{
    // Below it, drawn trainings were within 0.5 % where nothing was lost.
    constexpr double smallShare = 0.05;
    const double share = ShareOfNic(testbed, pairs);
    if (share >= smallShare)
    {
        warnings.push_back(
            fmt::format("messages inside data centres are by formula, and the WAN may take {:.0f} % "
                        "of a NIC that they share: {}",
                        100 * share,
                        runPackets));
    }
}

/// A NIC keeps packets for some time before it interrupts its host, so that acknowledgements come late, of
/// which a formula knows nothing.
void
WarnOfSmallWindows(const TestbedSpec& testbed,
                   const std::vector<NodePair>& pairs,
                   std::vector<std::string>& warnings)
{
    const TransportSettings& transport = testbed.transport;
    const ns3::BulkTcpOptions tcp = transport.ForBulkTcp(testbed.wan.mtu);
    const Bytes windows = tcp.window * transport.intraDcConnections;
    for (const auto& [source, destination] : pairs)
    {
        const std::uint32_t site = testbed.wan.SiteOf(source);
        if (!tcp.offloads || site != testbed.wan.SiteOf(destination))
        {
            continue;
        }
        const NodeLimits limits = EgressLimits(testbed.wan, site);
        const Duration roundTrip =
            testbed.paths->RoundTripTime(source, destination).value_or(Duration());
        const Bytes full = std::min(limits.intra, limits.nic).In(roundTrip + tcp.interruptCoalescing);
        if (windows < full)
        {
            warnings.push_back(fmt::format(
                "windows of {:.1f} MB inside data_center \"{}\" are less than the {:.1f} MB that a NIC "
                "brings in a round trip and transport.interrupt_coalescing, which messages by formula "
                "leave out: {}",
                static_cast<double>(windows.Count()) / 1e6,
                testbed.wan.sites[site].name,
                static_cast<double>(full.Count()) / 1e6,
                runPackets));
            return;
        }
    }
}

} // namespace

std::vector<std::string>
WarningsInsideBefore(const Experiment& experiment, const std::vector<NodePair>& pairs)
{
    std::vector<std::string> warnings;
    if (experiment.run.formulaInside)
    {
        WarnOfWan(experiment.testbed, pairs, warnings);
        WarnOfSmallWindows(experiment.testbed, pairs, warnings);
    }
    return warnings;
}

std::vector<std::string>
WarningsInsideAfter(const Experiment& experiment, const NetworkCounters& counters)
{
    std::vector<std::string> warnings;
    if (experiment.run.formulaInside && counters.droppedPackets > 0)
    {
        warnings.push_back(
            fmt::format("packets were lost, and which are depends on when messages inside data "
                        "centres leave, which is by formula: compare several seeds, or {}",
                        runPackets));
    }
    if (counters.withoutRoom > Bytes())
    {
        warnings.push_back(fmt::format(
            "windows inside a data centre may hold more than a port has room for, in {:.3f} "
            "GB of messages, which are by formula: packets may be lost there: {}",
            static_cast<double>(counters.withoutRoom.Count()) / 1e9,
            runPackets));
    }
    return warnings;
}

} // namespace geotrain
