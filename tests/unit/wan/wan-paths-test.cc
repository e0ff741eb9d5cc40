// SPDX-License-Identifier: GPL-2.0-only
// Checks shortest paths by delay on small graphs by hand, and on random ones against Floyd and
// Warshall's recurrence.
#include "wan/wan-paths.h"

#include <gtest/gtest.h>

#include <random>

namespace
{

using geotrain::Duration;
using geotrain::WanHop;
using geotrain::WanPaths;
using geotrain::WanRouting;
using geotrain::WanTopology;

WanTopology
Sites(std::uint32_t count)
{
    WanTopology topology;
    for (std::uint32_t i = 0; i < count; ++i)
    {
        WanTopology::Site site;
        site.nodes = 2;
        site.intraDelay = Duration::Microseconds(10);
        topology.sites.push_back(site);
    }
    return topology;
}

void
AddLink(WanTopology& topology, std::uint32_t from, std::uint32_t to, std::int64_t milliseconds)
{
    WanTopology::Link link;
    link.from = from;
    link.to = to;
    link.delay = Duration::Milliseconds(milliseconds);
    topology.links.push_back(link);
}

TEST(WanPaths, TakesTheLeastDelayAndNotTheFewestLinks)
{
    WanTopology topology = Sites(3);
    topology.routing = WanRouting::LeastDelay;
    AddLink(topology, 0, 2, 50);
    AddLink(topology, 0, 1, 20);
    AddLink(topology, 2, 1, 20);
    const WanPaths paths(topology);
    EXPECT_EQ(*paths.SitePath(0, 2), (std::vector<WanHop>{{1, true}, {2, false}}));
    EXPECT_EQ(*paths.SiteDelay(0, 2), Duration::Milliseconds(40));
}

/// Three sites of which the link 0 - 2 is slow, 0 - 1 fast and 1 - 2 of the rate `last`, and a fourth
/// one behind site 0.
WanTopology
Detour(std::int64_t last)
{
    WanTopology topology = Sites(4);
    AddLink(topology, 0, 2, 50);
    AddLink(topology, 0, 1, 20);
    AddLink(topology, 1, 2, 20);
    AddLink(topology, 3, 0, 5);
    for (const auto& [link, gigabits] : {std::pair(0, 2l), {1, 10l}, {2, last}, {3, 10l}})
    {
        topology.links[static_cast<std::size_t>(link)].rate =
            geotrain::BitRate::GigabitsPerSecond(gigabits);
    }
    return topology;
}

TEST(WanPaths, APairsOwnLinkCarriesItsTraffic)
{
    const WanPaths paths(Detour(10));
    EXPECT_EQ(*paths.SitePath(0, 2), (std::vector<WanHop>{{0, true}}));
    EXPECT_EQ(*paths.SitePath(2, 0), (std::vector<WanHop>{{0, false}}));
    EXPECT_EQ(*paths.SiteDelay(0, 2), Duration::Milliseconds(50));
    // What comes from elsewhere goes with it, whose router is the same.
    EXPECT_EQ(*paths.SitePath(3, 2), (std::vector<WanHop>{{3, true}, {0, true}}));
    EXPECT_EQ(*paths.SiteDelay(3, 2), Duration::Milliseconds(55));
    // Back, site 2 has no link to site 3: 40 ms to site 0 are less than 50.
    EXPECT_EQ(*paths.SitePath(2, 3), (std::vector<WanHop>{{2, false}, {1, false}, {3, false}}));
    EXPECT_EQ(*paths.RoundTripTime(0, 4), Duration::Microseconds(2 * 50010));
    EXPECT_EQ(paths.LongestRoundTrips()[3], Duration::Microseconds(55000 + 45000 + 2 * 10));
}

TEST(WanPaths, TheWidestPathIsThatOfTheFastestSlowestLink)
{
    WanTopology topology = Detour(4);
    topology.routing = WanRouting::Widest;
    EXPECT_EQ(*WanPaths(topology).SitePath(0, 2), (std::vector<WanHop>{{1, true}, {2, true}}));
    topology = Detour(1);
    topology.routing = WanRouting::Widest;
    const WanPaths paths(topology);
    EXPECT_EQ(*paths.SitePath(0, 2), (std::vector<WanHop>{{0, true}}));
    EXPECT_EQ(*paths.SiteDelay(0, 2), Duration::Milliseconds(50));
    EXPECT_EQ(*paths.SitePath(1, 2), (std::vector<WanHop>{{1, false}, {0, true}}));
}

TEST(WanPaths, EachDirectionGoesByItsOwnDelaysAndRates)
{
    // There, 0 - 2 takes 50 ms and the way over 1 takes 20 + 20; back, 15 against 20 + 20.
    WanTopology topology = Detour(10);
    topology.routing = WanRouting::LeastDelay;
    topology.links[0].delayBack = Duration::Milliseconds(15);
    const WanPaths paths(topology);
    EXPECT_EQ(*paths.SitePath(0, 2), (std::vector<WanHop>{{1, true}, {2, true}}));
    EXPECT_EQ(*paths.SitePath(2, 0), (std::vector<WanHop>{{0, false}}));
    EXPECT_EQ(*paths.SiteDelay(2, 0), Duration::Milliseconds(15));
    EXPECT_EQ(*paths.RoundTripTime(0, 4), Duration::Microseconds(40000 + 15000 + 2 * 10));
    // A fast way back is the widest back, and not there.
    topology.routing = WanRouting::Widest;
    topology.links[0].rateBack = geotrain::BitRate::GigabitsPerSecond(20);
    EXPECT_EQ(*WanPaths(topology).SitePath(0, 2), (std::vector<WanHop>{{1, true}, {2, true}}));
    EXPECT_EQ(*WanPaths(topology).SitePath(2, 0), (std::vector<WanHop>{{0, false}}));
    EXPECT_FALSE(paths.AreOf(topology));
}

TEST(WanPaths, ParallelLinksShareConnectionsByTheirRates)
{
    WanTopology topology = Sites(3);
    AddLink(topology, 0, 1, 10);
    AddLink(topology, 1, 0, 12);
    AddLink(topology, 1, 2, 1);
    for (const auto& [link, gigabits] : {std::pair(0, 1l), {1, 3l}, {2, 10l}})
    {
        topology.links[static_cast<std::size_t>(link)].rate =
            geotrain::BitRate::GigabitsPerSecond(gigabits);
    }
    const WanPaths paths(topology);
    const WanHop hop = paths.SitePath(0, 2)->front();
    EXPECT_EQ(paths.Sharing(hop), (std::vector<WanHop>{{0, true}, {1, false}}));
    EXPECT_EQ(paths.Sharing({2, true}), (std::vector<WanHop>{{2, true}}));
    // Of 4,000 connections of 40 pairs three quarters fall on the link of three quarters of the rates,
    // within three deviations of a binomial, 82.
    int onSecond = 0;
    for (std::uint32_t pair = 0; pair < 40; ++pair)
    {
        for (std::uint32_t connection = 0; connection < 100; ++connection)
        {
            const double draw = geotrain::DrawOf(pair, 50, connection);
            onSecond += paths.Carrier(hop, draw).link == 1 ? 1 : 0;
        }
    }
    EXPECT_NEAR(onSecond, 3000, 82);
    // By delay, one of them is the path; with FIRST too.
    topology.routing = WanRouting::LeastDelay;
    EXPECT_EQ(WanPaths(topology).Sharing({0, true}).size(), 1u);
    topology.routing = WanRouting::Direct;
    topology.parallel = geotrain::ParallelLinks::First;
    EXPECT_EQ(WanPaths(topology).Sharing({0, true}).size(), 1u);
    EXPECT_FALSE(paths.AreOf(topology));
}

/// Sites 0 and 3 with a link of their own, of 5 ms, and two ways around it: over 1 (10 + 10 ms) and over
/// 2 (20 + 20 ms), with twice the weight.
WanTopology
TwoWays()
{
    WanTopology topology = Sites(4);
    AddLink(topology, 0, 3, 5);
    AddLink(topology, 0, 1, 10);
    AddLink(topology, 3, 1, 10);
    AddLink(topology, 0, 2, 20);
    AddLink(topology, 2, 3, 20);
    for (WanTopology::Link& link : topology.links)
    {
        link.rate = geotrain::BitRate::GigabitsPerSecond(10);
    }
    topology.routes = {{0, 3, {1}, 1}, {0, 3, {2}, 2}};
    return topology;
}

TEST(WanPaths, RoutesShareAPairsConnectionsByWeight)
{
    const WanPaths paths(TwoWays());
    const std::vector<WanHop> overOne{{1, true}, {2, false}};
    const std::vector<WanHop> overTwo{{3, true}, {4, true}};
    EXPECT_EQ(*paths.SitePath(0, 3), overOne);
    EXPECT_EQ(*paths.SitePath(0, 1), (std::vector<WanHop>{{1, true}}));
    EXPECT_EQ(paths.WaysOf(0, 1).size(), 0U);
    EXPECT_TRUE(paths.AreShared(0, 6)); // nodes of sites 0 and 3
    int overSecond = 0;
    for (std::uint32_t connection = 0; connection < 3000; ++connection)
    {
        const double draw = geotrain::DrawOf(0, 6, connection);
        const auto path = *paths.SitePath(0, 3, draw);
        ASSERT_TRUE(path == overOne || path == overTwo);
        overSecond += path == overTwo ? 1 : 0;
        // 5 us on either side of the routers.
        EXPECT_EQ(*paths.NodeDelay(0, 6, draw),
                  Duration::Milliseconds(path == overTwo ? 40 : 20) + Duration::Microseconds(10));
    }
    EXPECT_NEAR(overSecond, 2000, 3 * 26); // three deviations of a binomial
    // Of a way over parallel links both are taken: the two choices are independent.
    WanTopology parallel = TwoWays();
    AddLink(parallel, 0, 1, 10);
    parallel.links[5].rate = parallel.links[1].rate;
    const WanPaths choices(parallel);
    int first = 0;
    for (std::uint32_t connection = 0; connection < 3000; ++connection)
    {
        first +=
            choices.SitePath(0, 3, geotrain::DrawOf(0, 6, connection))->front().link == 1 ? 1 : 0;
    }
    EXPECT_NEAR(first, 500, 3 * 20.4); // a third times a half
}

TEST(WanPaths, ARouteHoldsInReverseUnlessAnotherLeadsBack)
{
    WanTopology topology = TwoWays();
    EXPECT_EQ(*WanPaths(topology).SitePath(3, 0), (std::vector<WanHop>{{2, true}, {1, false}}));
    EXPECT_EQ(*WanPaths(topology).SiteDelay(3, 0), Duration::Milliseconds(20));
    EXPECT_EQ(WanPaths(topology).WaysOf(3, 0).size(), 2U);
    topology.routes.push_back({3, 0, {}, 1});
    const WanPaths paths(topology);
    EXPECT_EQ(*paths.SitePath(3, 0), (std::vector<WanHop>{{0, false}}));
    EXPECT_EQ(paths.WaysOf(3, 0).size(), 1U);
    EXPECT_EQ(*paths.RoundTripTime(0, 6), Duration::Milliseconds(25) + Duration::Microseconds(20));
    EXPECT_FALSE(paths.AreOf(TwoWays()));
    // The queue of a link on a way is for the round trip of that way, 40 + 5 ms, over which sites 2 and 3
    // have 20 + 20 ms of their own.
    EXPECT_EQ(paths.LongestRoundTrips()[4],
              Duration::Milliseconds(45) + Duration::Microseconds(20));
}

TEST(WanPaths, LinksThatAreOutAreLeftOut)
{
    const WanTopology topology = TwoWays();
    const WanPaths paths(topology, {true, true, false, false, false});
    EXPECT_EQ(*paths.SitePath(0, 1), (std::vector<WanHop>{{3, true}, {4, true}, {2, true}}));
    for (std::uint32_t connection = 0; connection < 100; ++connection)
    {
        EXPECT_EQ(*paths.WayOf(0, 3, geotrain::DrawOf(0, 6, connection)), 1U);
    }
    EXPECT_FALSE(WanPaths(topology, {false, true, false, true, false}).WayOf(0, 3, 0.5));
}

TEST(WanPaths, OfParallelLinksOfOneDelayTheFastestGoes)
{
    WanTopology topology = Sites(2);
    AddLink(topology, 0, 1, 10);
    AddLink(topology, 0, 1, 10);
    AddLink(topology, 1, 0, 10);
    topology.links[1].rate = geotrain::BitRate::GigabitsPerSecond(10);
    topology.links[2].rate = geotrain::BitRate::GigabitsPerSecond(10);
    EXPECT_EQ(*WanPaths(topology).SitePath(0, 1), (std::vector<WanHop>{{1, true}}));
    EXPECT_EQ(*WanPaths(topology).SitePath(1, 0), (std::vector<WanHop>{{1, false}}));
}

TEST(WanPaths, EqualDelayTakesFewerLinksThenTheLowestLink)
{
    WanTopology topology = Sites(3);
    AddLink(topology, 0, 1, 20);
    AddLink(topology, 1, 2, 20);
    AddLink(topology, 2, 0, 40);
    AddLink(topology, 0, 2, 40);
    const WanPaths paths(topology);
    EXPECT_EQ(*paths.SitePath(0, 2), (std::vector<WanHop>{{2, false}}));
}

TEST(WanPaths, NodesAddHalfTheInnerDelayAtEachEnd)
{
    WanTopology topology = Sites(2);
    topology.sites[1].intraDelay = Duration::Microseconds(30);
    AddLink(topology, 0, 1, 20);
    const WanPaths paths(topology);
    EXPECT_EQ(*paths.NodeDelay(0, 2), Duration::Microseconds(5 + 20000 + 15));
    EXPECT_EQ(*paths.RoundTripTime(0, 2), Duration::Microseconds(2 * (5 + 20000 + 15)));
    EXPECT_EQ(*paths.NodeDelay(2, 3), Duration::Microseconds(30));
}

TEST(WanPaths, AnOddInnerDelayLosesNoNanosecond)
{
    WanTopology topology = Sites(1);
    topology.sites[0].intraDelay = Duration::Nanoseconds(9999);
    EXPECT_EQ(*WanPaths(topology).NodeDelay(0, 1), Duration::Nanoseconds(9999));
}

TEST(WanPaths, UnreachableSitesHaveNoPath)
{
    const WanPaths paths(Sites(2));
    EXPECT_FALSE(paths.SitePath(0, 1));
    EXPECT_FALSE(paths.SiteDelay(0, 1));
    EXPECT_FALSE(paths.NodeDelay(0, 2));
    EXPECT_FALSE(paths.RoundTripTime(0, 2));
    EXPECT_TRUE(paths.SitePath(1, 1)->empty());
}

TEST(WanPaths, LongestRoundTripOfALinkIsThatOfItsFarthestDataCentres)
{
    WanTopology topology = Sites(4);
    topology.sites[3].nodes = 0;
    AddLink(topology, 0, 1, 20);
    AddLink(topology, 1, 2, 30);
    AddLink(topology, 2, 3, 7);
    const std::vector<Duration> longest = WanPaths(topology).LongestRoundTrips();
    EXPECT_EQ(longest[0], Duration::Microseconds(2 * 50000 + 2 * 10));
    EXPECT_EQ(longest[1], Duration::Microseconds(2 * 50000 + 2 * 10));
    EXPECT_EQ(longest[2], Duration::Milliseconds(14)); // to a site without nodes
}

TEST(WanPaths, RandomGraphsAgreeWithFloydAndWarshall)
{
    std::mt19937 random(5);
    for (int round = 0; round < 50; ++round)
    {
        const auto sites = static_cast<std::uint32_t>(2 + random() % 9);
        WanTopology topology = Sites(sites);
        topology.routing = WanRouting::LeastDelay;
        for (std::uint32_t i = 0; i < random() % 20; ++i)
        {
            const auto from = static_cast<std::uint32_t>(random() % sites);
            const auto to = static_cast<std::uint32_t>((from + 1 + random() % (sites - 1)) % sites);
            AddLink(topology, from, to, static_cast<std::int64_t>(random() % 4));
        }
        const std::int64_t none = 1000000;
        std::vector<std::vector<std::int64_t>> best(sites, std::vector<std::int64_t>(sites, none));
        for (std::uint32_t i = 0; i < sites; ++i)
        {
            best[i][i] = 0;
        }
        for (const WanTopology::Link& link : topology.links)
        {
            const std::int64_t ms = link.delay.ToNanoseconds() / 1000000;
            best[link.from][link.to] = std::min(best[link.from][link.to], ms);
            best[link.to][link.from] = std::min(best[link.to][link.from], ms);
        }
        for (std::uint32_t k = 0; k < sites; ++k)
        {
            for (std::uint32_t i = 0; i < sites; ++i)
            {
                for (std::uint32_t j = 0; j < sites; ++j)
                {
                    best[i][j] = std::min(best[i][j], best[i][k] + best[k][j]);
                }
            }
        }
        const WanPaths paths(topology);
        topology.routing = WanRouting::Direct;
        const WanPaths direct(topology);
        for (const WanTopology::Link& link : topology.links)
        {
            ASSERT_EQ(direct.SitePath(link.from, link.to)->size(), 1u);
            EXPECT_LE(*direct.SiteDelay(link.from, link.to), link.delay);
        }
        for (std::uint32_t i = 0; i < sites; ++i)
        {
            for (std::uint32_t j = 0; j < sites; ++j)
            {
                EXPECT_EQ(direct.SitePath(i, j).has_value(), best[i][j] < none);
                const auto path = paths.SitePath(i, j);
                ASSERT_EQ(path.has_value(), best[i][j] < none);
                Duration sum;
                for (const WanHop& hop : path.value_or(std::vector<WanHop>()))
                {
                    sum += topology.links[hop.link].delay;
                }
                if (path)
                {
                    EXPECT_EQ(sum, Duration::Milliseconds(best[i][j]));
                    EXPECT_EQ(sum, *paths.SiteDelay(i, j));
                }
            }
        }
    }
}

} // namespace
