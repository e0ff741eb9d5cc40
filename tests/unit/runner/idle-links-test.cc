// SPDX-License-Identifier: GPL-2.0-only
#include "runner/idle-links.h"

#include <gtest/gtest.h>

#include <string>

namespace geotrain
{
namespace
{

void
AddLink(WanTopology& topology, std::uint32_t from, std::uint32_t to, Duration delay)
{
    WanTopology::Link link;
    link.from = from;
    link.to = to;
    link.delay = delay;
    topology.links.push_back(link);
}

/// Three sites of one node: a and c have a link, and a shorter way over b.
WanTopology
Triangle(WanRouting routing)
{
    WanTopology topology;
    topology.routing = routing;
    for (const char* name : {"a", "b", "c"})
    {
        WanTopology::Site site;
        site.name = name;
        site.nodes = 1;
        topology.sites.push_back(site);
    }
    AddLink(topology, 0, 2, Duration::Milliseconds(160));
    AddLink(topology, 0, 1, Duration::Milliseconds(10));
    AddLink(topology, 1, 2, Duration::Milliseconds(120));
    return topology;
}

std::vector<std::string>
Warnings(const WanTopology& topology,
         const std::vector<NodePair>& pairs,
         std::uint32_t connections = 1)
{
    return WarningsOfIdleLinks(topology, WanPaths(topology), pairs, connections);
}

TEST(IdleLinks, ADetourIsNamedWhereItsEndsHaveALinkOfTheirOwn)
{
    const auto warnings = Warnings(Triangle(WanRouting::LeastDelay), {{0, 2}, {2, 0}});
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings.front(),
              "wan_link[0] (a - c) idles though its ends talk: their traffic goes over "
              "wan_link[1] (a - b), wan_link[2] (b - c)");
}

TEST(IdleLinks, ALinkWhoseEndsDoNotTalkMayIdle)
{
    EXPECT_TRUE(Warnings(Triangle(WanRouting::Direct), {{0, 2}}).empty());
    EXPECT_TRUE(Warnings(Triangle(WanRouting::Direct), {}).empty());
}

TEST(IdleLinks, AParallelLinkIsNamed)
{
    WanTopology topology = Triangle(WanRouting::Direct);
    topology.parallel = ParallelLinks::First;
    AddLink(topology, 2, 0, Duration::Milliseconds(160));
    const auto warnings = Warnings(topology, {{2, 0}});
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings.front(),
              "wan_link[3] (c - a) idles though its ends talk: their traffic goes over wan_link[0] "
              "(a - c)");
}

} // namespace
} // namespace geotrain
