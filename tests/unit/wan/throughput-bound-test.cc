// SPDX-License-Identifier: GPL-2.0-only
// Bounds of the WAN's throughput, as figures draw them.
#include "wan/throughput-bound.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Makes a line of three sites, a - b - c, of 4 nodes each with NICs of 100 Gbit/s, and links of
/// 100 Gbit/s.
WanTopology
LineOfThree()
{
    WanTopology topology;
    for (const char* name : {"a", "b", "c"})
    {
        WanTopology::Site site;
        site.name = name;
        site.nodes = 4;
        site.nicRate = BitRate::GigabitsPerSecond(100);
        site.intraRate = site.nicRate;
        topology.sites.push_back(site);
    }
    for (std::uint32_t from = 0; from < 2; ++from)
    {
        WanTopology::Link link;
        link.from = from;
        link.to = from + 1;
        link.rate = BitRate::GigabitsPerSecond(100);
        topology.links.push_back(link);
    }
    return topology;
}

/// Returns the pairs of nodes of the same number in neighbouring sites, there and back.
std::vector<NodePair>
Neighbours()
{
    std::vector<NodePair> pairs;
    for (std::uint32_t node = 0; node < 8; ++node)
    {
        pairs.emplace_back(node, node + 4);
        pairs.emplace_back(node + 4, node);
    }
    return pairs;
}

double
BoundOf(const std::vector<ThroughputBound>& bounds, const std::string& name)
{
    for (const auto& bound : bounds)
    {
        if (bound.name == name)
        {
            return bound.bitsPerSecond / 1e9;
        }
    }
    return -1;
}

// Four pairs of 5 Gbit/s share a link of 100 Gbit/s.
TEST(ThroughputBound, IsWhatTheCapsLetThrough)
{
    WanTopology topology = LineOfThree();
    topology.caps.nodePair = BitRate::GigabitsPerSecond(5);
    EXPECT_DOUBLE_EQ(BoundOf(BoundsOfLinks(topology, Neighbours()), "a -> b"), 20);
    EXPECT_DOUBLE_EQ(BoundOf(BoundsOfDataCentres(topology, Neighbours()), "c -> b"), 20);
}

// Each of four nodes sends to two others with 5 Gbit/s each, but may send 6 Gbit/s in all.
TEST(ThroughputBound, CountsANodesCapOnce)
{
    WanTopology topology = LineOfThree();
    topology.caps.nodePair = BitRate::GigabitsPerSecond(5);
    topology.caps.nodeEgress = BitRate::GigabitsPerSecond(6);
    std::vector<NodePair> pairs;
    for (std::uint32_t node = 0; node < 4; ++node)
    {
        pairs.emplace_back(node, node + 4);
        pairs.emplace_back(node, 4 + (node + 1) % 4);
    }
    EXPECT_DOUBLE_EQ(BoundOf(BoundsOfDataCentres(topology, pairs), "a -> b"), 24);
}

TEST(ThroughputBound, IsTheLinkWhereItIsLess)
{
    const auto bounds = BoundsOfLinks(LineOfThree(), Neighbours());
    EXPECT_DOUBLE_EQ(BoundOf(bounds, "a -> b"), 100); // 4 NICs of 100 Gbit/s
    EXPECT_EQ(bounds.size(), 4u);
}

TEST(ThroughputBound, OfAnUnusedLinkIsItsHighestRate)
{
    WanTopology topology = LineOfThree();
    topology.caps.nodePair = BitRate::GigabitsPerSecond(5);
    topology.links[1].rates.steps = {{Duration::Seconds(1), BitRate::GigabitsPerSecond(150)},
                                     {Duration::Seconds(2), BitRate::GigabitsPerSecond(10)}};
    const auto bounds = BoundsOfLinks(topology, {{0, 4}});
    EXPECT_DOUBLE_EQ(BoundOf(bounds, "a -> b"), 5);
    EXPECT_DOUBLE_EQ(BoundOf(bounds, "b -> a"), 5); // acknowledgements
    EXPECT_DOUBLE_EQ(BoundOf(bounds, "b -> c"), 150);
}

// The pair a - c crosses both links, whose slower one binds.
TEST(ThroughputBound, OfDistantDataCentresIsTheSlowestLink)
{
    WanTopology topology = LineOfThree();
    topology.links[1].rate = BitRate::GigabitsPerSecond(40);
    const std::vector<NodePair> pairs = {{0, 8}, {1, 9}};
    EXPECT_DOUBLE_EQ(BoundOf(BoundsOfDataCentres(topology, pairs), "a -> c"), 40);
    EXPECT_DOUBLE_EQ(BoundOf(BoundsOfLinks(topology, pairs), "a -> b"), 80); // 2 x 40 alone
}

TEST(WanTopology, ParallelLinksHaveNamesOfTheirOwn)
{
    WanTopology topology = LineOfThree();
    topology.links.push_back(topology.links[0]);
    EXPECT_EQ(topology.NamesOfLink(0).first, "a -> b");
    EXPECT_EQ(topology.NamesOfLink(1).second, "c -> b");
    EXPECT_EQ(topology.NamesOfLink(2).first, "a -> b #2");
}

TEST(WanTopology, NamesOfAllLinksAreThoseOfEach)
{
    WanTopology topology = LineOfThree();
    for (const std::size_t parallel : {0, 1, 0})
    {
        topology.links.push_back(topology.links[parallel]);
        std::swap(topology.links.back().from, topology.links.back().to); // parallel all the same
    }
    const auto names = topology.NamesOfLinks();
    ASSERT_EQ(names.size(), 5U);
    for (std::size_t link = 0; link < names.size(); ++link)
    {
        EXPECT_EQ(names[link], topology.NamesOfLink(link));
    }
    EXPECT_EQ(names[2].first, "b -> a #2");
    EXPECT_EQ(names[4].second, "a -> b #3");
}

} // namespace
} // namespace geotrain
