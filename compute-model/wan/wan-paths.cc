// SPDX-License-Identifier: GPL-2.0-only
#include "wan/wan-paths.h"

#include "units/random-stream.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace geotrain
{

namespace
{

/// A Cost is what a path costs: the rate of its slowest link where the widest path is sought, its delay,
/// and its links.
struct Cost
{
    std::int64_t width;
    std::int64_t delayNs;
    std::uint32_t hops;
};

constexpr std::int64_t widest = std::numeric_limits<std::int64_t>::max();
constexpr Cost unreachable{0, std::numeric_limits<std::int64_t>::max(), 0};

bool
operator<(const Cost& a, const Cost& b)
{
    return std::tie(b.width, a.delayNs, a.hops) < std::tie(a.width, b.delayNs, b.hops);
}

bool
operator==(const Cost& a, const Cost& b)
{
    return std::tie(a.width, a.delayNs, a.hops) == std::tie(b.width, b.delayNs, b.hops);
}

Cost
operator+(const Cost& a, const Cost& b)
{
    return {std::min(a.width, b.width), a.delayNs + b.delayNs, a.hops + b.hops};
}

using Graph = boost::adjacency_list<boost::vecS,
                                    boost::vecS,
                                    boost::directedS,
                                    boost::no_property,
                                    boost::property<boost::edge_weight_t, Cost>>;

Cost
CostOf(const WanTopology::Link& link, bool forward, WanRouting routing)
{
    return {routing == WanRouting::Widest ? link.RateOf(forward).ToBitsPerSecond() : widest,
            link.DelayOf(forward).ToNanoseconds(),
            1};
}

/// Returns the graph whose edges lead against the traffic, each at the cost of the traffic.
Graph
GraphOf(const WanTopology& topology, const std::vector<bool>& isOut)
{
    Graph graph(topology.sites.size());
    for (std::size_t i = 0; i < topology.links.size(); ++i)
    {
        const WanTopology::Link& link = topology.links[i];
        if (isOut.empty() || !isOut[i])
        {
            boost::add_edge(link.to, link.from, CostOf(link, true, topology.routing), graph);
            boost::add_edge(link.from, link.to, CostOf(link, false, topology.routing), graph);
        }
    }
    return graph;
}

/// Returns by site whether it sends to `site` over a link of the two alone.
std::vector<bool>
SendDirectly(const WanTopology& topology, const std::vector<bool>& isOut, std::uint32_t site)
{
    std::vector<bool> sendDirectly(topology.sites.size(), false);
    for (std::size_t i = 0; i < topology.links.size(); ++i)
    {
        const WanTopology::Link& link = topology.links[i];
        if (topology.routing == WanRouting::Direct && (isOut.empty() || !isOut[i]) &&
            (link.from == site || link.to == site))
        {
            sendDirectly[link.from == site ? link.to : link.from] = true;
        }
    }
    return sendDirectly;
}

/// Returns the cost from each site to `site`. Edges lead to those that send directly by their own link
/// alone.
std::vector<Cost>
CostsTo(const Graph& graph, const std::vector<bool>& sendDirectly, std::uint32_t site)
{
    using Edge = boost::graph_traits<Graph>::edge_descriptor;
    const std::function<bool(Edge)> isTaken = [&](const Edge& edge)
    { return boost::source(edge, graph) == site || !sendDirectly[boost::target(edge, graph)]; };
    const boost::filtered_graph edges(graph, isTaken);
    std::vector<Cost> costs(boost::num_vertices(graph), unreachable);
    auto costMap =
        boost::make_iterator_property_map(costs.begin(), boost::get(boost::vertex_index, graph));
    boost::dijkstra_shortest_paths(edges,
                                   site,
                                   boost::distance_map(costMap)
                                       .distance_compare(std::less<Cost>())
                                       .distance_combine(std::plus<Cost>())
                                       .distance_inf(unreachable)
                                       .distance_zero(Cost{widest, 0, 0}));
    return costs;
}

BitRate
RateFrom(std::uint32_t site, const WanTopology::Link& link)
{
    return link.RateOf(link.from == site);
}

} // namespace

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

WanPaths::WanPaths(const WanTopology& topology, std::vector<bool> isOut)
    : m_topology(topology),
      m_isOut(std::move(isOut))
{
    for (std::uint32_t site = 0; site < topology.sites.size(); ++site)
    {
        m_siteOf.insert(m_siteOf.end(), topology.sites[site].nodes, site);
    }
    FindSteps();
    FindSharing();
    FindWays();
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

void
WanPaths::FindSteps()
{
    const Graph graph = GraphOf(m_topology, m_isOut);
    const std::size_t sites = m_topology.sites.size();
    const auto& links = m_topology.links;
    m_steps.assign(sites * sites, Step{-1, s_noLink});
    for (std::uint32_t to = 0; to < sites; ++to)
    {
        const std::vector<bool> sendDirectly = SendDirectly(m_topology, m_isOut, to);
        const std::vector<Cost> costs = CostsTo(graph, sendDirectly, to);
        Step* steps = &m_steps[to * sites];
        steps[to].delayNs = 0;
        for (std::uint32_t link = 0; link < links.size(); ++link)
        {
            if (IsOut(link))
            {
                continue;
            }
            const WanTopology::Link& l = links[link];
            for (const bool forward : {true, false})
            {
                const std::uint32_t site = forward ? l.from : l.to;
                const std::uint32_t next = forward ? l.to : l.from;
                Step& step = steps[site];
                const bool isBest =
                    !(costs[next] == unreachable) &&
                    costs[next] + CostOf(l, forward, m_topology.routing) == costs[site];
                // Links are visited in their order, so that the first of equal ones is the lowest.
                if (site != to && isBest && (next == to || !sendDirectly[site]) &&
                    (step.link == s_noLink || RateFrom(site, links[step.link]) < l.RateOf(forward)))
                {
                    step = {costs[site].delayNs, link};
                }
            }
        }
    }
}

void
WanPaths::FindSharing()
{
    const auto& links = m_topology.links;
    const bool shares = m_topology.parallel == ParallelLinks::Share;
    // Groups by their sites and cost, or by their one link.
    std::map<std::tuple<std::uint32_t, std::uint32_t, Cost, std::uint32_t>, std::size_t> groups;
    for (std::uint32_t link = 0; link < links.size(); ++link)
    {
        for (const bool forward : {true, false})
        {
            const std::uint32_t from = forward ? links[link].from : links[link].to;
            const std::uint32_t to = forward ? links[link].to : links[link].from;
            const Cost cost = m_topology.routing == WanRouting::Direct
                                  ? Cost{}
                                  : CostOf(links[link], forward, m_topology.routing);
            const auto group =
                groups.try_emplace({from, to, cost, shares ? 0 : link}, m_groups.size());
            m_groups.resize(std::max(m_groups.size(), group.first->second + 1));
            m_groups[group.first->second].push_back({link, forward});
            m_groupOf.push_back(group.first->second);
        }
    }
}

bool
WanPaths::IsOut(std::uint32_t link) const
{
    return !m_isOut.empty() && m_isOut[link];
}

void
WanPaths::FindWays()
{
    for (const WanTopology::Route& route : m_topology.routes)
    {
        AddWay(route, true);
    }
    const auto written = m_ways;
    for (const WanTopology::Route& route : m_topology.routes)
    {
        if (written.count({route.to, route.from}) == 0)
        {
            AddWay(route, false);
        }
    }
}

void
WanPaths::AddWay(const WanTopology::Route& route, bool forward)
{
    std::vector<std::uint32_t> sites{route.from};
    sites.insert(sites.end(), route.via.begin(), route.via.end());
    sites.push_back(route.to);
    if (!forward)
    {
        std::reverse(sites.begin(), sites.end());
    }
    WanWay way;
    way.weight = route.weight;
    for (std::size_t i = 0; i + 1 < sites.size(); ++i)
    {
        const std::optional<WanHop> hop = LinkBetween(sites[i], sites[i + 1]);
        way.isOut = way.isOut || IsOut(hop.value().link);
        way.hops.push_back(*hop);
    }
    m_ways[{sites.front(), sites.back()}].push_back(std::move(way));
}

/// Returns the link of least delay, of those the fastest, of those the first; one that is out only
/// where all are.
std::optional<WanHop>
WanPaths::LinkBetween(std::uint32_t from, std::uint32_t to) const
{
    std::optional<WanHop> best;
    const auto rank = [this](const WanHop& hop)
    {
        const WanTopology::Link& link = m_topology.links[hop.link];
        return std::tuple(IsOut(hop.link),
                          link.DelayOf(hop.forward).ToNanoseconds(),
                          -link.RateOf(hop.forward).ToBitsPerSecond());
    };
    for (std::uint32_t link = 0; link < m_topology.links.size(); ++link)
    {
        const WanTopology::Link& ends = m_topology.links[link];
        const WanHop hop{link, ends.from == from};
        const bool joins = std::minmax(ends.from, ends.to) == std::minmax(from, to);
        if (joins && (!best || rank(hop) < rank(*best)))
        {
            best = hop;
        }
    }
    return best;
}

const std::vector<WanWay>&
WanPaths::WaysOf(std::uint32_t from, std::uint32_t to) const
{
    static const std::vector<WanWay> none;
    const auto ways = m_ways.find({from, to});
    return ways == m_ways.end() ? none : ways->second;
}

std::optional<std::size_t>
WanPaths::WayOf(std::uint32_t from, std::uint32_t to, double draw) const
{
    // The draw's low digits, since parallel links on the way take the high ones.
    constexpr double scale = 1 << 20;
    const std::vector<WanWay>& ways = WaysOf(from, to);
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
    return m_groups[m_groupOf.at(2 * of.link + (of.forward ? 0 : 1))];
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
    const std::vector<WanHop>& sharing = Sharing(of);
    const auto rateOf = [&](const WanHop& hop) {
        return static_cast<double>(
            m_topology.links[hop.link].RateOf(hop.forward).ToBitsPerSecond());
    };
    double left = 0;
    for (const WanHop& hop : sharing)
    {
        left += draw * rateOf(hop);
    }
    for (const WanHop& hop : sharing)
    {
        left -= rateOf(hop);
        if (left < 0)
        {
            return hop;
        }
    }
    return sharing.back();
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

const WanPaths::Step&
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
    if (link == s_noLink)
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
