// SPDX-License-Identifier: GPL-2.0-only
#include "wan/wan-ways.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace geotrain
{

namespace
{

bool
IsOut(const std::vector<bool>& isOut, std::uint32_t link)
{
    return !isOut.empty() && isOut[link];
}

/// Returns the link of least delay, of those the fastest, of those the first; one that is out only
/// where all are.
WanHop
LinkBetween(const WanTopology& topology,
            const std::vector<bool>& isOut,
            std::uint32_t from,
            std::uint32_t to)
{
    std::optional<WanHop> best;
    const auto rank = [&](const WanHop& hop)
    {
        const WanTopology::Link& link = topology.links[hop.link];
        return std::tuple(IsOut(isOut, hop.link),
                          link.DelayOf(hop.forward).ToNanoseconds(),
                          -link.RateOf(hop.forward).ToBitsPerSecond());
    };
    for (std::uint32_t link = 0; link < topology.links.size(); ++link)
    {
        const WanTopology::Link& ends = topology.links[link];
        const WanHop hop{link, ends.from == from};
        const bool joins = std::minmax(ends.from, ends.to) == std::minmax(from, to);
        if (joins && (!best || rank(hop) < rank(*best)))
        {
            best = hop;
        }
    }
    return best.value();
}

/// Returns the way over these sites.
WanWay
WayOver(const WanTopology& topology,
        const std::vector<bool>& isOut,
        const std::vector<std::uint32_t>& sites,
        double weight)
{
    WanWay way;
    way.weight = weight;
    for (std::size_t i = 0; i + 1 < sites.size(); ++i)
    {
        way.hops.push_back(LinkBetween(topology, isOut, sites[i], sites[i + 1]));
        way.isOut = way.isOut || IsOut(isOut, way.hops.back().link);
    }
    return way;
}

/// Returns the sites of a route, from its source to its destination.
std::vector<std::uint32_t>
SitesOf(const WanTopology::Route& route)
{
    std::vector<std::uint32_t> sites{route.from};
    sites.insert(sites.end(), route.via.begin(), route.via.end());
    sites.push_back(route.to);
    return sites;
}

} // namespace

std::optional<std::size_t>
ChooseWay(const std::vector<WanWay>& ways, double draw)
{
    // The draw's low digits, since parallel links on the way take the high ones.
    constexpr double scale = 1 << 20;
    double left = 0;
    for (const WanWay& way : ways)
    {
        left += way.isOut ? 0 : (draw * scale - std::floor(draw * scale)) * way.weight;
    }
    std::optional<std::size_t> taken;
    for (std::size_t i = 0; i < ways.size() && (!taken || left >= 0); ++i)
    {
        if (!ways[i].isOut)
        {
            taken = i;
            left -= ways[i].weight;
        }
    }
    return taken;
}

WanWays::WanWays(const WanTopology& topology, const std::vector<bool>& isOut)
{
    for (const WanTopology::Route& route : topology.routes)
    {
        m_ways[{route.from, route.to}].push_back(
            WayOver(topology, isOut, SitesOf(route), route.weight));
    }
    const auto written = m_ways;
    for (const WanTopology::Route& route : topology.routes)
    {
        if (written.count({route.to, route.from}) == 0)
        {
            auto sites = SitesOf(route);
            std::reverse(sites.begin(), sites.end());
            m_ways[{route.to, route.from}].push_back(WayOver(topology, isOut, sites, route.weight));
        }
    }
}

const std::vector<WanWay>&
WanWays::Of(std::uint32_t from, std::uint32_t to) const
{
    static const std::vector<WanWay> none;
    const auto ways = m_ways.find({from, to});
    return ways == m_ways.end() ? none : ways->second;
}

} // namespace geotrain
