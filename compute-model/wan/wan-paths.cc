// SPDX-License-Identifier: GPL-2.0-only
#include "wan/wan-paths.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include <algorithm>
#include <functional>
#include <limits>

namespace geotrain
{

namespace
{

/// A Cost is what a path costs, compared by delay and then by links.
struct Cost
{
    std::int64_t delayNs;
    std::uint32_t hops;
};

bool
operator<(const Cost& a, const Cost& b)
{
    return a.delayNs != b.delayNs ? a.delayNs < b.delayNs : a.hops < b.hops;
}

bool
operator==(const Cost& a, const Cost& b)
{
    return a.delayNs == b.delayNs && a.hops == b.hops;
}

Cost
operator+(const Cost& a, const Cost& b)
{
    return {a.delayNs + b.delayNs, a.hops + b.hops};
}

const Cost unreachable{std::numeric_limits<std::int64_t>::max(), 0};

using Graph = boost::adjacency_list<boost::vecS,
                                    boost::vecS,
                                    boost::undirectedS,
                                    boost::no_property,
                                    boost::property<boost::edge_weight_t, Cost>>;

Cost
CostOf(const WanTopology::Link& link)
{
    return {link.delay.ToNanoseconds(), 1};
}

Graph
GraphOf(const WanTopology& topology)
{
    Graph graph(topology.sites.size());
    for (const WanTopology::Link& link : topology.links)
    {
        boost::add_edge(link.from, link.to, CostOf(link), graph);
    }
    return graph;
}

std::vector<Cost>
CostsTo(const Graph& graph, std::uint32_t site)
{
    std::vector<Cost> costs(boost::num_vertices(graph), unreachable);
    auto costMap =
        boost::make_iterator_property_map(costs.begin(), boost::get(boost::vertex_index, graph));
    boost::dijkstra_shortest_paths(graph,
                                   site,
                                   boost::distance_map(costMap)
                                       .distance_compare(std::less<Cost>())
                                       .distance_combine(std::plus<Cost>())
                                       .distance_inf(unreachable)
                                       .distance_zero(Cost{0, 0}));
    return costs;
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

WanPaths::WanPaths(const WanTopology& topology)
    : m_topology(topology)
{
    for (std::uint32_t site = 0; site < topology.sites.size(); ++site)
    {
        m_siteOf.insert(m_siteOf.end(), topology.sites[site].nodes, site);
    }
    FindSteps();
}

bool
WanPaths::AreOf(const WanTopology& topology) const
{
    const auto& own = m_topology;
    return std::equal(own.sites.begin(),
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
                      { return a.from == b.from && a.to == b.to && a.delay == b.delay; });
}

void
WanPaths::FindSteps()
{
    const Graph graph = GraphOf(m_topology);
    const std::size_t sites = m_topology.sites.size();
    m_steps.assign(sites * sites, Step{-1, s_noLink});
    for (std::uint32_t to = 0; to < sites; ++to)
    {
        const std::vector<Cost> costs = CostsTo(graph, to);
        Step* steps = &m_steps[to * sites];
        steps[to].delayNs = 0;
        for (std::uint32_t link = 0; link < m_topology.links.size(); ++link)
        {
            const WanTopology::Link& l = m_topology.links[link];
            for (const auto& [site, next] : {std::pair(l.from, l.to), std::pair(l.to, l.from)})
            {
                // Links are visited in their order, so the first on a best path is the lowest.
                if (site != to && steps[site].link == s_noLink && !(costs[next] == unreachable) &&
                    costs[next] + CostOf(l) == costs[site])
                {
                    steps[site] = {costs[site].delayNs, link};
                }
            }
        }
    }
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
WanPaths::SitePath(std::uint32_t from, std::uint32_t to) const
{
    if (!SiteDelay(from, to))
    {
        return std::nullopt;
    }
    std::vector<WanHop> path;
    for (std::uint32_t site = from; site != to; site = OtherEnd(path.back()))
    {
        path.push_back(*NextHop(site, to));
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
WanPaths::NodeDelay(std::uint32_t from, std::uint32_t to) const
{
    const std::uint32_t source = m_siteOf.at(from);
    const std::uint32_t destination = m_siteOf.at(to);
    std::optional<Duration> delay = SiteDelay(source, destination);
    if (delay)
    {
        *delay += DelayToRouter(m_topology.sites[source]);
        *delay += DelayFromRouter(m_topology.sites[destination]);
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
            const Duration roundTrip =
                *SiteDelay(from, to) * 2 + sites[from].intraDelay + sites[to].intraDelay;
            const std::vector<WanHop> path = *SitePath(from, to);
            for (const WanHop& hop : path)
            {
                longest[hop.link] = std::max(longest[hop.link], roundTrip);
            }
        }
    }
    for (std::size_t link = 0; link < longest.size(); ++link)
    {
        if (longest[link] == Duration())
        {
            longest[link] = m_topology.links[link].delay * 2;
        }
    }
    return longest;
}

} // namespace geotrain
