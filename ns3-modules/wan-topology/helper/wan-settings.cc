// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/helper/wan-settings.h"

#include "wan/queue-bytes.h"
#include "wan/resources.h"

#include <ns3/rng-seed-manager.h>

#include <algorithm>
#include <utility>

namespace ns3
{

using geotrain::Bytes;

namespace
{

/// Returns what a class can get of its own cap and the node's, of which at least one is set.
geotrain::BitRate
SmallerOf(const std::optional<geotrain::BitRate>& a, const std::optional<geotrain::BitRate>& b)
{
    return a && b ? std::min(*a, *b) : (a ? *a : *b);
}

/// Makes the direction what was learned of it.
LinkModel::Settings
Learned(LinkModel::Settings settings, const geotrain::PathParameters& path)
{
    settings.rate = path.rate;
    settings.delay = path.propagation;
    settings.queue = QueueLimit::OfBytes(path.buffer);
    settings.learned = std::make_shared<const geotrain::PathParameters>(path);
    return settings;
}

/// Turns thresholds into bytes: RED's are at least a packet apart. DualPI2 lets a packet of the MTU wait
/// unmarked (RFC 9332, appendix A.1).
void
ResolveThresholds(LinkModel::Settings& link, geotrain::Duration roundTrip, Bytes mtu)
{
    const auto bytesOf = [&](const geotrain::WanQueueSize& size)
    { return geotrain::QueueBytes(size, link.rate, roundTrip, mtu); };
    if (link.red)
    {
        const Bytes least = bytesOf(link.red->minThreshold);
        const Bytes most = bytesOf(link.red->maxThreshold);
        link.red->minThreshold = geotrain::WanQueueSize::OfBytes(least);
        link.red->maxThreshold = geotrain::WanQueueSize::OfBytes(std::max(most, least + mtu));
    }
    if (link.step && link.step->size)
    {
        link.step->size = geotrain::WanQueueSize::OfBytes(bytesOf(*link.step->size));
    }
    if (link.dualPi2)
    {
        link.dualPi2->threshold =
            std::max(link.dualPi2->threshold, link.rate.TransmissionTime(mtu));
    }
}

} // namespace

std::uint64_t
WanSeed()
{
    return (static_cast<std::uint64_t>(RngSeedManager::GetSeed()) << 32) ^ RngSeedManager::GetRun();
}

WanSettings::WanSettings(const geotrain::WanTopology& topology,
                         std::shared_ptr<const geotrain::WanPaths> paths,
                         std::shared_ptr<const WanAddressPlan> plan,
                         std::shared_ptr<const geotrain::Instant> scheduleBegin)
    : m_topology(topology),
      m_paths(std::move(paths)),
      m_plan(std::move(plan)),
      m_scheduleBegin(std::move(scheduleBegin)),
      m_seed(WanSeed())
{
}

std::vector<LinkModel::Settings>
WanSettings::WanDirections() const
{
    const std::vector<geotrain::Duration> roundTrips = m_paths->LongestRoundTrips();
    const auto names = m_topology.NamesOfLinks();
    std::vector<LinkModel::Settings> directions;
    for (std::size_t i = 0; i < m_topology.links.size(); ++i)
    {
        const geotrain::WanTopology::Link& link = m_topology.links[i];
        for (const bool forward : {true, false})
        {
            LinkModel::Settings settings;
            static_cast<geotrain::LinkImpairments&>(settings) = link;
            settings.rates = link.RatesOf(forward);
            settings.rate = link.RateOf(forward);
            settings.delay = link.DelayOf(forward);
            settings.queue = ResolveQueue(link.queue, settings.rate, roundTrips[i], m_topology.mtu);
            settings.mtu = m_topology.mtu;
            settings.scheduleBegin = m_scheduleBegin;
            ResolveThresholds(settings, roundTrips[i], m_topology.mtu);
            settings.seed = m_seed;
            settings.name = forward ? names[i].first : names[i].second;
            if (link.learned)
            {
                settings =
                    Learned(settings, forward ? link.learned->forward : link.learned->backward);
            }
            directions.push_back(settings);
        }
    }
    return directions;
}

LinkModel::Settings
WanSettings::OfNic(std::uint32_t site) const
{
    LinkModel::Settings settings;
    settings.rate = geotrain::EgressLimits(m_topology, site).nic;
    settings.queue = QueueLimit::OfBytes(m_topology.portQueue);
    settings.seed = m_seed;
    return settings;
}

LinkModel::Settings
WanSettings::FromNode(std::uint32_t node) const
{
    const std::uint32_t site = m_plan->SiteOf(node);
    LinkModel::Settings settings = OfNic(site);
    settings.name = "node " + std::to_string(node) + " -> " + m_topology.sites[site].name;
    settings.delay = geotrain::DelayToRouter(m_topology.sites[site]);
    // A host waits for its own NIC, as Linux's queue discs make it, and drops nothing.
    settings.queue = QueueLimit();
    return settings;
}

LinkModel::Settings
WanSettings::ToNode(std::uint32_t node) const
{
    const std::uint32_t site = m_plan->SiteOf(node);
    LinkModel::Settings settings = OfNic(site);
    settings.name = m_topology.sites[site].name + " -> node " + std::to_string(node);
    settings.delay = geotrain::DelayFromRouter(m_topology.sites[site]);
    return settings;
}

std::optional<NodeShapingSettings>
WanSettings::Shaping(std::uint32_t node, ShapingRemote remote) const
{
    NodeShapingSettings settings;
    settings.remote = remote;
    settings.site = m_plan->SiteOf(node);
    const geotrain::NodeLimits limits = remote == ShapingRemote::Destination
                                            ? geotrain::EgressLimits(m_topology, settings.site)
                                            : geotrain::IngressLimits(m_topology, settings.site);
    settings.classRate = limits.pair;
    settings.wanRate = limits.wan;
    if (limits.intra < limits.nic)
    {
        settings.intraRate = limits.intra;
    }
    if (!settings.classRate && !settings.wanRate && !settings.intraRate)
    {
        return std::nullopt;
    }
    AddCaps(node, settings);
    return settings;
}

std::optional<NodeShapingSettings>
WanSettings::ConnectionShaping(std::uint32_t node) const
{
    if (!m_topology.caps.connection)
    {
        return std::nullopt;
    }
    NodeShapingSettings settings;
    settings.site = m_plan->SiteOf(node);
    settings.classes = ShapingClasses::Connections;
    settings.classRate = m_topology.caps.connection;
    AddCaps(node, settings);
    return settings;
}

/// Adds what all caps of a node have, and the queues for their rates.
void
WanSettings::AddCaps(std::uint32_t node, NodeShapingSettings& settings) const
{
    settings.plan = m_plan;
    settings.police = m_topology.caps.police;
    settings.policerBurst = m_topology.caps.policerBurst;
    settings.mtu = m_topology.mtu;
    settings.intraQueue = QueueLimit::OfBytes(m_topology.portQueue);
    if (settings.classRate || settings.wanRate)
    {
        const geotrain::BitRate rate = SmallerOf(settings.classRate, settings.wanRate);
        settings.wanQueue =
            [node, rate, size = m_topology.caps.queue, mtu = m_topology.mtu, paths = m_paths](
                std::uint32_t remoteNode)
        { return ResolveQueue(size, rate, *paths->RoundTripTime(node, remoteNode), mtu); };
    }
}

} // namespace ns3
