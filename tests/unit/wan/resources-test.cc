// SPDX-License-Identifier: GPL-2.0-only
// Tests what node pairs share: each resource with its rate and the pairs that it limits, and the
// delays of pairs.
#include "wan/resources.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace geotrain
{
namespace
{

/// Makes sites of 2, 1 and 1 nodes, with a link from the first to the second one and none to the
/// third.
WanTopology
ThreeSites()
{
    WanTopology topology;
    for (const std::uint32_t nodes : {2u, 1u, 1u})
    {
        WanTopology::Site site;
        site.nodes = nodes;
        site.nicRate = BitRate::GigabitsPerSecond(100);
        site.intraRate = BitRate::GigabitsPerSecond(50);
        site.intraDelay = Duration::Microseconds(10);
        topology.sites.push_back(site);
    }
    WanTopology::Link link;
    link.from = 0;
    link.to = 1;
    link.rate = BitRate::GigabitsPerSecond(10);
    link.delay = Duration::Milliseconds(20);
    topology.links.push_back(link);
    topology.caps.nodePair = BitRate::GigabitsPerSecond(3);
    topology.caps.nodeEgress = BitRate::GigabitsPerSecond(5);
    topology.caps.nodeIngress = BitRate::GigabitsPerSecond(4);
    return topology;
}

/// Returns the lowest rate of a kind, in Gbit/s; 0 if there is none.
double
Lowest(const Resources& resources, const NodePair& pair, Resources::Kind kind)
{
    double lowest = 0;
    for (const std::size_t index : resources.Of(pair.first, pair.second))
    {
        const auto rate = 1e-9 * static_cast<double>(resources.Rates()[index].ToBitsPerSecond());
        const bool isLower = lowest == 0 || rate < lowest;
        lowest = resources.KindOf(index) == kind && isLower ? rate : lowest;
    }
    return lowest;
}

std::vector<std::size_t>
Common(std::vector<std::size_t> a, std::vector<std::size_t> b)
{
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::vector<std::size_t> common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    return common;
}

TEST(Resources, OverTheWanAreNicsCapsAndLinks)
{
    const Resources resources(ThreeSites(), {{0, 2}});
    EXPECT_TRUE(resources.CrossesWan(0, 2));
    EXPECT_EQ(Lowest(resources, {0, 2}, Resources::Kind::Source), 5);
    EXPECT_EQ(Lowest(resources, {0, 2}, Resources::Kind::Destination), 4);
    EXPECT_EQ(Lowest(resources, {0, 2}, Resources::Kind::Pair), 3);
    EXPECT_EQ(Lowest(resources, {0, 2}, Resources::Kind::WanLink), 10);
}

TEST(Resources, InsideADataCentreAreNicsAndPortsAlone)
{
    const Resources resources(ThreeSites(), {{0, 1}});
    EXPECT_FALSE(resources.CrossesWan(0, 1));
    EXPECT_EQ(Lowest(resources, {0, 1}, Resources::Kind::Source), 50);
    EXPECT_EQ(Lowest(resources, {0, 1}, Resources::Kind::Destination), 50);
    EXPECT_EQ(Lowest(resources, {0, 1}, Resources::Kind::Pair), 0);
    EXPECT_EQ(Lowest(resources, {0, 1}, Resources::Kind::WanLink), 0);
}

TEST(Resources, APairThatIsNotNamedHasNoCapOfItsOwn)
{
    const Resources resources(ThreeSites(), {{0, 2}});
    EXPECT_EQ(Lowest(resources, {1, 2}, Resources::Kind::Pair), 0);
}

TEST(Resources, TwoSendersToOneNodeShareTheLinkAndTheReceiver)
{
    const Resources resources(ThreeSites(), {{0, 2}, {1, 2}});
    for (const std::size_t index : Common(resources.Of(0, 2), resources.Of(1, 2)))
    {
        const auto kind = resources.KindOf(index);
        EXPECT_TRUE(kind == Resources::Kind::WanLink || kind == Resources::Kind::Destination);
    }
    EXPECT_EQ(Common(resources.Of(0, 2), resources.Of(1, 2)).size(), 3u); // link, NIC, ingress cap
}

TEST(Resources, DirectionsHaveTheirOwnRatesAndParallelLinksTheirSum)
{
    WanTopology topology = ThreeSites();
    topology.links[0].rateBack = BitRate::GigabitsPerSecond(1);
    topology.links[0].delayBack = Duration::Milliseconds(30);
    const Resources one(topology, {});
    EXPECT_EQ(Lowest(one, {0, 2}, Resources::Kind::WanLink), 10);
    EXPECT_EQ(Lowest(one, {2, 0}, Resources::Kind::WanLink), 1);
    EXPECT_EQ(one.RoundTrip(0, 2), Duration::Microseconds(50020));
    topology.links.push_back(topology.links[0]);
    topology.links.back().rateBack.reset();
    const Resources two(topology, {});
    EXPECT_EQ(Lowest(two, {0, 2}, Resources::Kind::WanLink), 20);
    EXPECT_EQ(Lowest(two, {2, 0}, Resources::Kind::WanLink), 11);
    // A connection has one of the two, and its delay.
    topology.links.back().delay += Duration::Milliseconds(5);
    const Resources apart(topology, {});
    for (std::uint32_t connection = 0; connection < 8; ++connection)
    {
        const double draw = geotrain::DrawOf(0, 2, connection);
        const bool onSecond = draw > 0.5; // both have 10 Gbit/s there
        const auto of = apart.Of(0, 2, draw);
        EXPECT_EQ(std::count(of.begin(), of.end(), apart.OfLink({onSecond ? 1u : 0u, true})), 1);
        EXPECT_EQ(apart.Delay(0, 2, draw) - apart.Delay(0, 2),
                  Duration::Milliseconds(onSecond ? 5 : 0));
    }
    topology.parallel = geotrain::ParallelLinks::First;
    EXPECT_EQ(Lowest(Resources(topology, {}), {0, 2}, Resources::Kind::WanLink), 10);
}

TEST(Resources, TheTwoDirectionsOfAPairShareNothing)
{
    const Resources resources(ThreeSites(), {{0, 2}, {2, 0}});
    EXPECT_TRUE(Common(resources.Of(0, 2), resources.Of(2, 0)).empty());
}

TEST(Resources, DelaysAreBothHalvesInsideTheSitesAndTheWanBetween)
{
    const Resources resources(ThreeSites(), {});
    // 5 us + 20 ms + 5 us; 10 us inside.
    EXPECT_EQ(resources.Delay(0, 2), Duration::Microseconds(20010));
    EXPECT_EQ(resources.RoundTrip(0, 2), Duration::Microseconds(40020));
    EXPECT_EQ(resources.Delay(0, 1), Duration::Microseconds(10));
}

TEST(Resources, RefuseAPairWithoutAPath)
{
    const Resources resources(ThreeSites(), {});
    EXPECT_THROW(resources.Of(0, 3), std::invalid_argument);
    EXPECT_THROW(resources.Delay(0, 3), std::invalid_argument);
}

} // namespace
} // namespace geotrain
