// SPDX-License-Identifier: GPL-2.0-only
#include "wan/wan-paths.h"

#include "units/random-stream.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace geotrain
{

Duration
DelayToRouter(const WanTopology::Site& site)
{
    return Duration::Nanoseconds(site.intraDelay.ToNanoseconds() / 2);
}

Duration
DelayFromRouter(const WanTopology::Site& site)
{
    return site.intraDelay - DelayToRouter(site);
}

double
DrawOf(std::uint32_t source, std::uint32_t destination, std::uint32_t connection)
{
    constexpr std::uint64_t anySeed = 1; // of no run
    return RandomStream(anySeed,
                        "parallel-links",
                        std::to_string(source) + "-" + std::to_string(destination) + "/" +
                            std::to_string(connection))
        .Uniform();
}

WanPaths::WanPaths(const WanTopology& topology, const std::vector<bool>& isOut)
    : m_topology(topology),
      m_ways(topology, isOut),
      m_steps(FindRoutingSteps(topology, isOut)),
      m_groups(topology)
{
    for (std::uint32_t site = 0; site < topology.sites.size(); ++site)
    {
        m_siteOf.insert(m_siteOf.end(), topology.sites[site].nodes, site);
    }
}

bool
WanPaths::AreOf(const WanTopology& topology) const
{
    const auto& own = m_topology;
    return own.routing == topology.routing && own.parallel == topology.parallel &&
           std::equal(own.routes.begin(),
                      own.routes.end(),
                      topology.routes.begin(),
                      topology.routes.end(),
                      [](const auto& a, const auto& b) {
                          return std::tie(a.from, a.to, a.via, a.weight) ==
                                 std::tie(b.from, b.to, b.via, b.weight);
                      }) &&
           std::equal(own.sites.begin(),
                      own.sites.end(),
                      topology.sites.begin(),
                      topology.sites.end(),
                      [](const auto& a, const auto& b)
                      { return a.nodes == b.nodes && a.intraDelay == b.intraDelay; }) &&
           std::equal(own.links.begin(),
                      own.links.end(),
                      topology.links.begin(),
                      topology.links.end(),
                      [](const auto& a, const auto& b)
                      {
                          return a.from == b.from && a.to == b.to && a.delay == b.delay &&
                                 a.rate == b.rate && a.DelayOf(false) == b.DelayOf(false) &&
                                 a.RateOf(false) == b.RateOf(false);
                      });
}

const std::vector<WanWay>&
WanPaths::WaysOf(std::uint32_t from, std::uint32_t to) const
{
    return m_ways.Of(from, to);
}

std::optional<std::size_t>
WanPaths::WayOf(std::uint32_t from, std::uint32_t to, double draw) const
{
    return ChooseWay(WaysOf(from, to), draw);
}

/// Returns the ways of a pair, or its one path, or nothing.
std::vector<std::vector<WanHop>>
WanPaths::PathsOf(std::uint32_t from, std::uint32_t to) const
{
    std::vector<std::vector<WanHop>> paths;
    for (const WanWay& way : WaysOf(from, to))
    {
        paths.push_back(way.hops);
    }
    if (const auto path = paths.empty() ? SitePath(from, to) : std::nullopt)
    {
        paths.push_back(*path);
    }
    return paths;
}

Duration
WanPaths::DelayOf(const std::vector<WanHop>& path) const
{
    Duration delay;
    for (const WanHop& hop : path)
    {
        delay += m_topology.links[hop.link].DelayOf(hop.forward);
    }
    return delay;
}

const std::vector<WanHop>&
WanPaths::Sharing(const WanHop& of) const
{
    return m_groups.Of(of);
}

std::vector<WanHop>
WanPaths::AllHops(std::uint32_t from, std::uint32_t to) const
{
    std::vector<WanHop> hops;
    for (const std::vector<WanHop>& path : PathsOf(from, to))
    {
        for (const WanHop& hop : path)
        {
            for (const WanHop& shared : Sharing(hop))
            {
                if (std::find(hops.begin(), hops.end(), shared) == hops.end())
                {
                    hops.push_back(shared);
                }
            }
        }
    }
    return hops;
}

WanHop
WanPaths::Carrier(const WanHop& of, double draw) const
{
    return ChooseCarrier(m_topology, Sharing(of), draw);
}

bool
WanPaths::AreShared(std::uint32_t from, std::uint32_t to) const
{
    const auto paths = PathsOf(m_siteOf.at(from), m_siteOf.at(to));
    const auto isShared = [this](const std::vector<WanHop>& path)
    {
        return std::any_of(path.begin(),
                           path.end(),
                           [this](const WanHop& hop) { return Sharing(hop).size() > 1; });
    };
    return paths.size() > 1 || std::any_of(paths.begin(), paths.end(), isShared);
}

const RoutingStep&
WanPaths::StepOf(std::uint32_t from, std::uint32_t to) const
{
    return m_steps.at(to * m_topology.sites.size() + from);
}

std::uint32_t
WanPaths::OtherEnd(const WanHop& hop) const
{
    const WanTopology::Link& link = m_topology.links[hop.link];
    return hop.forward ? link.to : link.from;
}

std::optional<WanHop>
WanPaths::NextHop(std::uint32_t from, std::uint32_t to) const
{
    const std::uint32_t link = StepOf(from, to).link;
    if (link == RoutingStep::noLink)
    {
        return std::nullopt;
    }
    return WanHop{link, m_topology.links[link].from == from};
}

std::optional<std::vector<WanHop>>
WanPaths::SitePath(std::uint32_t from, std::uint32_t to, std::optional<double> draw) const
{
    if (!SiteDelay(from, to))
    {
        return std::nullopt;
    }
    std::vector<WanHop> path;
    const auto& ways = WaysOf(from, to);
    const auto way = ways.empty() || !draw ? 0 : WayOf(from, to, *draw).value_or(0);
    for (std::uint32_t site = from; site != to; site = OtherEnd(path.back()))
    {
        const WanHop hop = ways.empty() ? *NextHop(site, to) : ways[way].hops[path.size()];
        path.push_back(draw ? Carrier(hop, *draw) : hop);
    }
    return path;
}

std::optional<Duration>
WanPaths::SiteDelay(std::uint32_t from, std::uint32_t to) const
{
    const std::vector<WanWay>& ways = WaysOf(from, to);
    if (!ways.empty())
    {
        return DelayOf(ways.front().hops);
    }
    const std::int64_t delayNs = StepOf(from, to).delayNs;
    return delayNs < 0 ? std::nullopt : std::optional(Duration::Nanoseconds(delayNs));
}

std::optional<Duration>
WanPaths::NodeDelay(std::uint32_t from, std::uint32_t to, std::optional<double> draw) const
{
    const std::uint32_t source = m_siteOf.at(from);
    const std::uint32_t destination = m_siteOf.at(to);
    if (!SiteDelay(source, destination))
    {
        return std::nullopt;
    }
    const Duration between =
        draw ? DelayOf(*SitePath(source, destination, draw)) : *SiteDelay(source, destination);
    return DelayToRouter(m_topology.sites[source]) + between +
           DelayFromRouter(m_topology.sites[destination]);
}

std::optional<Duration>
WanPaths::RoundTripTime(std::uint32_t a, std::uint32_t b) const
{
    const std::optional<Duration> there = NodeDelay(a, b);
    const std::optional<Duration> back = NodeDelay(b, a);
    return there && back ? std::optional(*there + *back) : std::nullopt;
}

/// Raises what is `longest` by link to the round trip over a path, and over links that share its hops.
void
WanPaths::NoteRoundTrip(const std::vector<WanHop>& path,
                        Duration roundTrip,
                        std::vector<Duration>& longest) const
{
    for (const WanHop& hop : path)
    {
        for (const WanHop& shared : Sharing(hop))
        {
            const Duration own = roundTrip + m_topology.links[shared.link].RoundTrip() -
                                 m_topology.links[hop.link].RoundTrip();
            longest[shared.link] = std::max(longest[shared.link], own);
        }
    }
}

std::vector<Duration>
WanPaths::LongestRoundTrips() const
{
    std::vector<Duration> longest(m_topology.links.size());
    const auto& sites = m_topology.sites;
    for (std::uint32_t from = 0; from < sites.size(); ++from)
    {
        for (std::uint32_t to = 0; to < sites.size(); ++to)
        {
            if (from == to || sites[from].nodes == 0 || sites[to].nodes == 0 ||
                !SiteDelay(from, to))
            {
                continue;
            }
            const Duration rest =
                *SiteDelay(to, from) + sites[from].intraDelay + sites[to].intraDelay;
            for (const std::vector<WanHop>& path : PathsOf(from, to))
            {
                NoteRoundTrip(path, DelayOf(path) + rest, longest);
            }
        }
    }
    for (std::size_t link = 0; link < longest.size(); ++link)
    {
        if (longest[link] == Duration())
        {
            longest[link] = m_topology.links[link].RoundTrip();
        }
    }
    return longest;
}

} // namespace geotrain
