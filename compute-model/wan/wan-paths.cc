// SPDX-License-Identifier: GPL-2.0-only
#include "wan/wan-paths.h"

#include "units/random-stream.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>

#include <algorithm>
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
GraphOf(const WanTopology& topology)
{
    Graph graph(topology.sites.size());
    for (const WanTopology::Link& link : topology.links)
    {
        boost::add_edge(link.to, link.from, CostOf(link, true, topology.routing), graph);
        boost::add_edge(link.from, link.to, CostOf(link, false, topology.routing), graph);
    }
    return graph;
}

/// Returns by site whether it sends to `site` over a link of the two alone.
std::vector<bool>
SendDirectly(const WanTopology& topology, std::uint32_t site)
{
    std::vector<bool> sendDirectly(topology.sites.size(), false);
    for (const WanTopology::Link& link : topology.links)
    {
        if (topology.routing == WanRouting::Direct && (link.from == site || link.to == site))
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

WanPaths::WanPaths(const WanTopology& topology)
    : m_topology(topology)
{
    for (std::uint32_t site = 0; site < topology.sites.size(); ++site)
    {
        m_siteOf.insert(m_siteOf.end(), topology.sites[site].nodes, site);
    }
    FindSteps();
    FindSharing();
}

bool
WanPaths::AreOf(const WanTopology& topology) const
{
    const auto& own = m_topology;
    return own.routing == topology.routing && own.parallel == topology.parallel &&
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
    const Graph graph = GraphOf(m_topology);
    const std::size_t sites = m_topology.sites.size();
    const auto& links = m_topology.links;
    m_steps.assign(sites * sites, Step{-1, s_noLink});
    for (std::uint32_t to = 0; to < sites; ++to)
    {
        const std::vector<bool> sendDirectly = SendDirectly(m_topology, to);
        const std::vector<Cost> costs = CostsTo(graph, sendDirectly, to);
        Step* steps = &m_steps[to * sites];
        steps[to].delayNs = 0;
        for (std::uint32_t link = 0; link < links.size(); ++link)
        {
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

const std::vector<WanHop>&
WanPaths::Sharing(const WanHop& of) const
{
    return m_groups[m_groupOf.at(2 * of.link + (of.forward ? 0 : 1))];
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
    const auto path = SitePath(m_siteOf.at(from), m_siteOf.at(to));
    return path && std::any_of(path->begin(),
                               path->end(),
                               [this](const WanHop& hop) { return Sharing(hop).size() > 1; });
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
    for (std::uint32_t site = from; site != to; site = OtherEnd(path.back()))
    {
        const WanHop hop = *NextHop(site, to);
        path.push_back(draw ? Carrier(hop, *draw) : hop);
    }
    return path;
}

std::optional<Duration>
WanPaths::SiteDelay(std::uint32_t from, std::uint32_t to) const
{
    const std::int64_t delayNs = StepOf(from, to).delayNs;
    return delayNs < 0 ? std::nullopt : std::optional(Duration::Nanoseconds(delayNs));
}

std::optional<Duration>
WanPaths::NodeDelay(std::uint32_t from, std::uint32_t to, std::optional<double> draw) const
{
    const std::uint32_t source = m_siteOf.at(from);
    const std::uint32_t destination = m_siteOf.at(to);
    std::optional<Duration> delay = SiteDelay(source, destination);
    if (delay)
    {
        *delay += DelayToRouter(m_topology.sites[source]);
        *delay += DelayFromRouter(m_topology.sites[destination]);
    }
    for (const WanHop& hop : delay&& draw ? *SitePath(source, destination) : std::vector<WanHop>())
    {
        const WanHop carrier = Carrier(hop, *draw);
        *delay += m_topology.links[carrier.link].DelayOf(carrier.forward) -
                  m_topology.links[hop.link].DelayOf(hop.forward);
    }
    return delay;
}

std::optional<Duration>
WanPaths::RoundTripTime(std::uint32_t a, std::uint32_t b) const
{
    const std::optional<Duration> there = NodeDelay(a, b);
    const std::optional<Duration> back = NodeDelay(b, a);
    return there && back ? std::optional(*there + *back) : std::nullopt;
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
            const Duration roundTrip = *SiteDelay(from, to) + *SiteDelay(to, from) +
                                       sites[from].intraDelay + sites[to].intraDelay;
            const std::vector<WanHop> path = *SitePath(from, to);
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
