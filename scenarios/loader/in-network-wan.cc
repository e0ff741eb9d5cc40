// SPDX-License-Identifier: GPL-2.0-only
#include "loader/in-network-wan.h"

#include "loader/network-section.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"
#include "wan/throughput-bound.h"
#include "wan/wan-paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace geotrain
{

namespace
{

constexpr std::int64_t leastRelayBuffer = 16000000;
constexpr std::int64_t mostRelayBlock = 4000000; // large beside an event, small beside a layer
constexpr std::int64_t blocksPerBuffer = 16;

/// Returns the last node of a site, which is its relay.
NodeIndex
RelayOf(const WanTopology& wan, std::uint32_t site)
{
    NodeIndex end = 0;
    for (std::uint32_t earlier = 0; earlier <= site; ++earlier)
    {
        end += wan.sites[earlier].nodes;
    }
    return end - 1;
}

/// Refuses a data centre whose last node has a worker.
void
CheckRelayIsFree(const scenario::Scenario& scenario,
                 const TrainingSpec& spec,
                 std::uint32_t site,
                 const ScenarioFile& file)
{
    const WanTopology& wan = spec.cluster.wan;
    const auto& nodes = spec.prepared.placement.nodeOfWorker;
    if (std::find(nodes.begin(), nodes.end(), RelayOf(wan, site)) == nodes.end())
    {
        return;
    }
    const auto& centres = scenario.data_center();
    const auto found = std::find_if(centres.begin(),
                                    centres.end(),
                                    [&wan, site](const auto& centre)
                                    { return centre.name() == wan.sites[site].name; });
    file.Fail(fmt::format("data_center[{}].nodes", found - centres.begin()),
              std::to_string(wan.sites[site].nodes),
              fmt::format("must be more than the nodes with replicas: the last node of {} is the "
                          "relay of in_network over the WAN",
                          wan.sites[site].name));
}

/// Returns the bytes that the path between two relays holds: the larger bound times a round trip.
Bytes
RoundTripBytes(const WanTopology& wan, NodeIndex a, NodeIndex b, Duration delay)
{
    double bitsPerSecond = 0;
    for (const ThroughputBound& bound : BoundsOfDataCentres(wan, {{a, b}, {b, a}}))
    {
        bitsPerSecond = std::max(bitsPerSecond, bound.bitsPerSecond);
    }
    return Bytes::Of(std::llround(bitsPerSecond / 8 * 2 * delay.ToSeconds()));
}

InNetworkWan::Site
ResolveRelayedSite(const InNetworkLayout& layout,
                   std::uint32_t site,
                   NodeIndex home,
                   const TrainingSpec& spec)
{
    const WanTopology& wan = spec.cluster.wan;
    InNetworkWan::Site other;
    other.cluster = *spec.inNetwork;
    other.cluster.name = wan.sites[site].name;
    other.cluster.isRelayed = true;
    other.cluster.relayed.clear();
    other.cluster.workers = layout.WorkersAt(site);
    other.cluster.firstWorker = layout.FirstWorkerAt(site);
    other.cluster.nicRate = wan.sites[site].intraRate;
    other.cluster.serverRate = wan.sites[site].intraRate;
    other.cluster.serversDieAt.reset();
    if (layout.siteOfWorker.front() != site)
    {
        other.cluster.switchDiesAt.reset();
    }
    other.relay = RelayOf(wan, site);
    // A validated WAN is connected.
    other.delay = spec.cluster.Paths()->NodeDelay(other.relay, home).value_or(Duration());
    other.roundTrip = RoundTripBytes(wan, other.relay, home, other.delay);
    return other;
}

void
ResolveRelayBuffer(scenario::InNetwork& written,
                   const Bytes payload,
                   InNetworkWan& relays,
                   const ScenarioFile& file)
{
    Bytes longest = Bytes::Of(leastRelayBuffer / 2);
    for (const auto& site : relays.sites)
    {
        longest = std::max(longest, site.roundTrip);
    }
    relays.relayBuffer =
        written.has_relay_buffer() ? ParseBytes(written.relay_buffer()) : longest * 2;
    if (relays.relayBuffer < payload)
    {
        file.Fail("in_network.relay_buffer",
                  written.relay_buffer(),
                  "must be at least a packet's payload, " + Format(payload));
    }
    written.set_relay_buffer(Format(relays.relayBuffer));
    const std::int64_t block =
        std::min(mostRelayBlock, relays.relayBuffer.Count() / blocksPerBuffer);
    relays.block = payload * std::max<std::int64_t>(block / payload.Count(), 1);
}

/// Numbers the workers in their own data centres.
std::vector<InNetworkWan::Place>
PlacesOf(const InNetworkLayout& layout)
{
    std::vector<InNetworkWan::Place> places;
    for (std::uint32_t worker = 0; worker < layout.siteOfWorker.size(); ++worker)
    {
        const std::uint32_t site = layout.siteOfWorker[worker];
        const auto& others = layout.otherSites;
        const auto other = std::find(others.begin(), others.end(), site);
        places.push_back(
            {other == others.end() ? 0 : static_cast<std::uint32_t>(other - others.begin()) + 1,
             worker - layout.FirstWorkerAt(site)});
    }
    return places;
}

} // namespace

std::uint32_t
InNetworkLayout::WorkersAt(std::uint32_t site) const
{
    return static_cast<std::uint32_t>(std::count(siteOfWorker.begin(), siteOfWorker.end(), site));
}

std::uint32_t
InNetworkLayout::FirstWorkerAt(std::uint32_t site) const
{
    const auto first = std::find(siteOfWorker.begin(), siteOfWorker.end(), site);
    return first == siteOfWorker.end() ? 0
                                       : static_cast<std::uint32_t>(first - siteOfWorker.begin());
}

InNetworkLayout
LayOutInNetwork(scenario::InNetwork& written,
                const Placement& placement,
                const WanTopology& wan,
                const ScenarioFile& file)
{
    InNetworkLayout layout;
    std::set<NodeIndex> nodes;
    for (const NodeIndex node : placement.nodeOfWorker)
    {
        if (!nodes.insert(node).second)
        {
            file.Fail("parallelism.data_parallelism",
                      "IN_NETWORK",
                      "must have a node, and so a NIC, for each replica: take gpus_per_node as "
                      "parallelism.tensor_parallel");
        }
        layout.siteOfWorker.push_back(wan.SiteOf(node));
    }
    if (!written.has_server_data_center())
    {
        written.set_server_data_center(wan.sites[layout.siteOfWorker.front()].name);
    }
    layout.home =
        DataCenterNamed(wan, written.server_data_center(), "in_network.server_data_center", file);
    std::set<std::uint32_t> others(layout.siteOfWorker.begin(), layout.siteOfWorker.end());
    others.erase(layout.home);
    layout.otherSites.assign(others.begin(), others.end());
    return layout;
}

InNetworkWan
ResolveRelays(scenario::Scenario& scenario,
              const InNetworkLayout& layout,
              const TrainingSpec& spec,
              const ScenarioFile& file)
{
    InNetworkWan relays;
    CheckRelayIsFree(scenario, spec, layout.home, file);
    relays.relay = RelayOf(spec.cluster.wan, layout.home);
    for (const std::uint32_t site : layout.otherSites)
    {
        CheckRelayIsFree(scenario, spec, site, file);
        relays.sites.push_back(ResolveRelayedSite(layout, site, relays.relay, spec));
    }
    relays.workers = PlacesOf(layout);
    ResolveRelayBuffer(
        *scenario.mutable_in_network(), spec.inNetwork->aggregation.payload, relays, file);
    return relays;
}

std::vector<std::string>
WarningsOfRelays(const InNetworkWan& wan)
{
    std::vector<std::string> warnings;
    for (const auto& site : wan.sites)
    {
        if (wan.relayBuffer < site.roundTrip)
        {
            warnings.push_back(
                fmt::format("in_network.relay_buffer: {} hold less than a round trip of the WAN to "
                            "{}, which takes {}: the rate is that of a buffer per round trip",
                            Format(wan.relayBuffer),
                            site.cluster.name,
                            Format(site.roundTrip)));
        }
    }
    return warnings;
}

} // namespace geotrain
