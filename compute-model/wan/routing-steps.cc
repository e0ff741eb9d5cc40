// SPDX-License-Identifier: GPL-2.0-only
#include "wan/routing-steps.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>

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

std::vector<RoutingStep>
FindRoutingSteps(const WanTopology& topology, const std::vector<bool>& isOut)
{
    const Graph graph = GraphOf(topology, isOut);
    const std::size_t sites = topology.sites.size();
    const auto& links = topology.links;
    std::vector<RoutingStep> all(sites * sites);
    for (std::uint32_t to = 0; to < sites; ++to)
    {
        const std::vector<bool> sendDirectly = SendDirectly(topology, isOut, to);
        const std::vector<Cost> costs = CostsTo(graph, sendDirectly, to);
        RoutingStep* steps = &all[to * sites];
        steps[to].delayNs = 0;
        for (std::uint32_t link = 0; link < links.size(); ++link)
        {
            if (!isOut.empty() && isOut[link])
            {
                continue;
            }
            const WanTopology::Link& l = links[link];
            for (const bool forward : {true, false})
            {
                const std::uint32_t site = forward ? l.from : l.to;
                const std::uint32_t next = forward ? l.to : l.from;
                RoutingStep& step = steps[site];
                const bool isBest =
                    !(costs[next] == unreachable) &&
                    costs[next] + CostOf(l, forward, topology.routing) == costs[site];
                // Links are visited in their order, so that the first of equal ones is the lowest.
                if (site != to && isBest && (next == to || !sendDirectly[site]) &&
                    (step.link == RoutingStep::noLink ||
                     RateFrom(site, links[step.link]) < l.RateOf(forward)))
                {
                    step = {costs[site].delayNs, link};
                }
            }
        }
    }
    return all;
}

} // namespace geotrain
