// SPDX-License-Identifier: GPL-2.0-only
// Resources are numbered node after node, then the links, then the caps of node pairs.
#include "wan/resources.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace geotrain
{

namespace
{

/// Returns where a link's direction is among all.
std::size_t
IndexOf(const WanHop& hop)
{
    return 2 * std::size_t{hop.link} + (hop.forward ? 0 : 1);
}

} // namespace

NodeLimits
EgressLimits(const WanTopology& topology, std::uint32_t site)
{
    const WanTopology::Site& of = topology.sites.at(site);
    return {of.nicRate, of.intraRate, topology.caps.nodeEgress, topology.caps.nodePair};
}

NodeLimits
IngressLimits(const WanTopology& topology, std::uint32_t site)
{
    const WanTopology::Site& of = topology.sites.at(site);
    return {of.nicRate, of.intraRate, topology.caps.nodeIngress, std::nullopt};
}

Resources::Resources(const WanTopology& topology,
                     const std::vector<NodePair>& pairs,
                     std::shared_ptr<const WanPaths> paths)
    : m_topology(topology),
      m_paths(paths ? std::move(paths) : std::make_shared<const WanPaths>(topology))
{
    AddNodes();
    AddLinks();
    AddWays();
    AddPairCaps(pairs);
}

std::size_t
Resources::Add(BitRate rate, Kind kind)
{
    m_rates.push_back(rate);
    m_kinds.push_back(kind);
    return m_rates.size() - 1;
}

Resources::NodeSide
Resources::AddSide(const NodeLimits& limits, Kind kind)
{
    NodeSide side;
    side.nic = Add(limits.nic, kind);
    side.intra = Add(limits.intra, kind);
    if (limits.wan)
    {
        side.cap.push_back(Add(*limits.wan, kind));
    }
    return side;
}

void
Resources::AddNodes()
{
    for (std::uint32_t index = 0; index < m_topology.sites.size(); ++index)
    {
        for (std::uint32_t node = 0; node < m_topology.sites[index].nodes; ++node)
        {
            m_siteOf.push_back(index);
            m_egress.push_back(AddSide(EgressLimits(m_topology, index), Kind::Source));
            m_ingress.push_back(AddSide(IngressLimits(m_topology, index), Kind::Destination));
        }
    }
}

void
Resources::AddLinks()
{
    for (const WanTopology::Link& link : m_topology.links)
    {
        m_links.push_back(Add(link.RateOf(true), Kind::WanLink));
        m_links.push_back(Add(link.RateOf(false), Kind::WanLink));
    }
    m_shared = m_links;
    for (std::uint32_t link = 0; link < m_topology.links.size(); ++link)
    {
        for (const bool forward : {true, false})
        {
            const std::vector<WanHop>& sharing = m_paths->Sharing({link, forward});
            std::size_t& shared = m_shared[IndexOf({link, forward})];
            if (sharing.front().link < link)
            {
                shared = m_shared[IndexOf(sharing.front())];
            }
            if (sharing.size() == 1 || sharing.front().link < link)
            {
                continue;
            }
            std::int64_t bitsPerSecond = 0;
            for (const WanHop& hop : sharing)
            {
                bitsPerSecond += m_topology.links[hop.link].RateOf(hop.forward).ToBitsPerSecond();
            }
            shared = Add(BitRate::BitsPerSecond(bitsPerSecond), Kind::WanLink);
        }
    }
}

void
Resources::AddWays()
{
    for (const WanTopology::Route& route : m_topology.routes)
    {
        for (const auto& sites : {std::pair(route.from, route.to), std::pair(route.to, route.from)})
        {
            const auto& ways = m_paths->WaysOf(sites.first, sites.second);
            if (ways.size() > 1 && m_ways.count(sites) == 0)
            {
                m_ways[sites] = Add(TogetherOver(ways), Kind::WanLink);
            }
        }
    }
}

/// Returns what ways carry together: each takes what those before it have left of its links.
BitRate
Resources::TogetherOver(const std::vector<WanWay>& ways) const
{
    std::vector<BitRate> left = m_rates;
    BitRate together;
    for (const WanWay& way : ways)
    {
        BitRate least = left[m_shared.at(IndexOf(way.hops.front()))];
        for (const WanHop& hop : way.hops)
        {
            least = std::min(least, left[m_shared.at(IndexOf(hop))]);
        }
        for (const WanHop& hop : way.hops)
        {
            BitRate& rate = left[m_shared.at(IndexOf(hop))];
            rate = BitRate::BitsPerSecond(rate.ToBitsPerSecond() - least.ToBitsPerSecond());
        }
        together = BitRate::BitsPerSecond(together.ToBitsPerSecond() + least.ToBitsPerSecond());
    }
    return together;
}

/// Returns the resource of a hop: of the link that carries a draw, or of all that share what it carries.
std::size_t
Resources::ResourceOf(const WanHop& hop, std::optional<double> draw) const
{
    return draw ? OfLink(hop) : m_shared.at(IndexOf(hop));
}

std::size_t
Resources::OfLink(const WanHop& hop) const
{
    return m_links.at(IndexOf(hop));
}

void
Resources::AddPairCaps(const std::vector<NodePair>& pairs)
{
    for (const NodePair& pair : pairs)
    {
        const auto cap = EgressLimits(m_topology, m_siteOf.at(pair.first)).pair;
        if (cap && CrossesWan(pair.first, pair.second))
        {
            m_pairCaps.emplace(pair, Add(*cap, Kind::Pair));
        }
    }
}

const std::vector<BitRate>&
Resources::Rates() const
{
    return m_rates;
}

std::vector<std::size_t>
Resources::Of(std::uint32_t source, std::uint32_t destination, std::optional<double> draw) const
{
    const auto& from = m_egress.at(source);
    const auto& to = m_ingress.at(destination);
    if (!CrossesWan(source, destination))
    {
        return {from.nic, from.intra, to.intra, to.nic};
    }
    std::vector<std::size_t> resources{from.nic};
    resources.insert(resources.end(), from.cap.begin(), from.cap.end());
    const auto pairCap = m_pairCaps.find({source, destination});
    if (pairCap != m_pairCaps.end())
    {
        resources.push_back(pairCap->second);
    }
    const auto path = m_paths->SitePath(m_siteOf[source], m_siteOf[destination], draw);
    if (!path)
    {
        throw std::invalid_argument("there is no path between two data centres");
    }
    const auto ways = m_ways.find({m_siteOf[source], m_siteOf[destination]});
    if (ways != m_ways.end() && !draw)
    {
        resources.push_back(ways->second);
    }
    else
    {
        for (const auto& hop : *path)
        {
            resources.push_back(ResourceOf(hop, draw));
        }
    }
    resources.insert(resources.end(), to.cap.begin(), to.cap.end());
    resources.push_back(to.nic);
    return resources;
}

std::size_t
Resources::PortOf(std::uint32_t node) const
{
    return m_ingress.at(node).nic;
}

Resources::Kind
Resources::KindOf(std::size_t resource) const
{
    return m_kinds.at(resource);
}

std::vector<Resources::Crossing>
Resources::Crossings(std::uint32_t source,
                     std::uint32_t destination,
                     std::optional<double> draw) const
{
    std::vector<Crossing> crossings;
    const auto path = m_paths->SitePath(m_siteOf.at(source), m_siteOf.at(destination), draw);
    if (!CrossesWan(source, destination) || !path)
    {
        return crossings;
    }
    Duration delay = DelayToRouter(m_topology.sites[m_siteOf[source]]);
    for (const auto& hop : *path)
    {
        crossings.push_back({ResourceOf(hop, draw), delay});
        delay = m_topology.links[hop.link].DelayOf(hop.forward);
    }
    return crossings;
}

bool
Resources::CrossesWan(std::uint32_t source, std::uint32_t destination) const
{
    return m_siteOf.at(source) != m_siteOf.at(destination);
}

Duration
Resources::Delay(std::uint32_t source, std::uint32_t destination, std::optional<double> draw) const
{
    const auto delay = m_paths->NodeDelay(source, destination, draw);
    if (!delay)
    {
        throw std::invalid_argument("there is no path between two data centres");
    }
    return *delay;
}

Duration
Resources::RoundTrip(std::uint32_t source, std::uint32_t destination) const
{
    return Delay(source, destination) + Delay(destination, source);
}

} // namespace geotrain
