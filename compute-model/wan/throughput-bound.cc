// SPDX-License-Identifier: GPL-2.0-only
// Every pair counts with what it would get alone, and every node with what its NIC and its caps let
// through.
#include "wan/throughput-bound.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace geotrain
{

namespace
{

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Adds up what pairs can carry together.
class Bound
{
  public:
    void Add(const Resources& resources, const NodePair& pair)
    {
        double alone = unlimited;
        double source = unlimited;
        double destination = unlimited;
        for (const auto index : resources.Of(pair.first, pair.second))
        {
            const auto rate = static_cast<double>(resources.Rates()[index].ToBitsPerSecond());
            const auto kind = resources.KindOf(index);
            double& limit = kind == Resources::Kind::Source        ? source
                            : kind == Resources::Kind::Destination ? destination
                                                                   : alone;
            limit = std::min(limit, rate);
        }
        alone = std::min({alone, source, destination});
        Add(m_sources[pair.first], source, alone);
        Add(m_destinations[pair.second], destination, alone);
    }

    /// Returns what the pairs can carry; infinity without pairs.
    double BitsPerSecond() const
    {
        return m_sources.empty() ? unlimited : std::min(SumOf(m_sources), SumOf(m_destinations));
    }

  private:
    /// A Node is one end of pairs: its own limit, and what they would take.
    struct Node
    {
        double limit = unlimited;
        double asked = 0;
    };

    using Nodes = std::map<std::uint32_t, Node>;

    static void Add(Node& node, double limit, double asked)
    {
        node.limit = limit;
        node.asked += asked;
    }

    static double SumOf(const Nodes& nodes)
    {
        double sum = 0;
        for (const auto& [number, node] : nodes)
        {
            sum += std::min(node.limit, node.asked);
        }
        return sum;
    }

    Nodes m_sources;
    Nodes m_destinations;
};

/// Returns the pairs between data centres, each once; `bothWays` adds their reverses.
std::vector<NodePair>
OverTheWan(const WanTopology& topology, const std::vector<NodePair>& pairs, bool bothWays)
{
    std::vector<std::uint32_t> siteOf;
    for (std::uint32_t site = 0; site < topology.sites.size(); ++site)
    {
        siteOf.insert(siteOf.end(), topology.sites[site].nodes, site);
    }
    std::vector<NodePair> over;
    for (const auto& [source, destination] : pairs)
    {
        if (siteOf.at(source) != siteOf.at(destination))
        {
            over.emplace_back(source, destination);
            if (bothWays)
            {
                over.emplace_back(destination, source);
            }
        }
    }
    std::sort(over.begin(), over.end());
    over.erase(std::unique(over.begin(), over.end()), over.end());
    return over;
}

BitRate
HighestRate(const WanTopology::Link& link, bool forward)
{
    BitRate highest = link.RateOf(forward);
    for (const RateStep& step : link.RatesOf(forward).steps)
    {
        highest = std::max(highest, step.rate);
    }
    return highest;
}

WanTopology
WithHighestRates(WanTopology topology)
{
    for (auto& link : topology.links)
    {
        link.rateBack = HighestRate(link, false);
        link.rate = HighestRate(link, true);
    }
    return topology;
}

} // namespace

std::vector<ThroughputBound>
BoundsOfLinks(const WanTopology& given,
              const std::vector<NodePair>& pairs,
              std::shared_ptr<const WanPaths> paths)
{
    const WanTopology topology = WithHighestRates(given);
    const auto over = OverTheWan(topology, pairs, true);
    const Resources resources(topology, over, std::move(paths));
    std::vector<Bound> bounds(2 * topology.links.size()); // link i forward at 2i, backward at 2i+1
    for (const NodePair& pair : over)
    {
        const WanPaths& of = resources.Paths();
        for (const WanHop& hop :
             of.AllHops(topology.SiteOf(pair.first), topology.SiteOf(pair.second)))
        {
            bounds[2 * hop.link + (hop.forward ? 0 : 1)].Add(resources, pair);
        }
    }
    const auto names = topology.NamesOfLinks();
    std::vector<ThroughputBound> named;
    for (std::size_t link = 0; link < topology.links.size(); ++link)
    {
        for (const bool forward : {true, false})
        {
            const BitRate rate = topology.links[link].RateOf(forward);
            named.push_back({forward ? names[link].first : names[link].second,
                             std::min(static_cast<double>(rate.ToBitsPerSecond()),
                                      bounds[2 * link + (forward ? 0 : 1)].BitsPerSecond())});
        }
    }
    return named;
}

std::vector<ThroughputBound>
BoundsOfDataCentres(const WanTopology& topology, const std::vector<NodePair>& pairs)
{
    const auto over = OverTheWan(topology, pairs, false);
    const Resources resources(topology, over);
    std::map<std::pair<std::uint32_t, std::uint32_t>, Bound> bounds;
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> slowestLinks;
    for (const NodePair& pair : over)
    {
        const std::pair sites(topology.SiteOf(pair.first), topology.SiteOf(pair.second));
        bounds[sites].Add(resources, pair);
        double& slowest = slowestLinks.try_emplace(sites, unlimited).first->second;
        for (const auto index : resources.Of(pair.first, pair.second))
        {
            const auto rate = static_cast<double>(resources.Rates()[index].ToBitsPerSecond());
            const bool isLink = resources.KindOf(index) == Resources::Kind::WanLink;
            slowest = isLink ? std::min(slowest, rate) : slowest;
        }
    }
    std::vector<ThroughputBound> named;
    for (const auto& [sites, bound] : bounds)
    {
        named.push_back(
            {topology.sites[sites.first].name + " -> " + topology.sites[sites.second].name,
             std::min(slowestLinks.at(sites), bound.BitsPerSecond())});
    }
    return named;
}

} // namespace geotrain
