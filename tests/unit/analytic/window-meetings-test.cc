// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/window-meetings.h"

#include "analytic/analytic-transport.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Two data centres of two nodes each, 10 Gbit/s and 10 ms apart: the link holds 10e9 / 8 * 0.02 =
/// 25 MB there and back.
WanTopology
TwoPairs()
{
    WanTopology wan;
    const BitRate nic = BitRate::GigabitsPerSecond(10);
    for (const char* name : {"a", "b"})
    {
        WanTopology::Site site;
        site.name = name;
        site.nodes = 2;
        site.nicRate = nic;
        site.intraRate = nic;
        site.intraDelay = Duration::Microseconds(10);
        wan.sites.push_back(site);
    }
    WanTopology::Link link;
    link.from = 0;
    link.to = 1;
    link.rate = nic;
    link.delay = Duration::Milliseconds(10);
    wan.links.push_back(link);
    return wan;
}

std::vector<WindowMeeting>
MeetingsOf(const std::vector<NodePair>& pairs, std::int64_t window)
{
    AnalyticTransport transport;
    transport.connection.window = Bytes::Of(window);
    std::vector<Network::WarmUp> warmUps;
    for (const auto& [source, destination] : pairs)
    {
        warmUps.push_back({source, destination, Bytes::Of(1)});
    }
    return FindWindowMeetings(MakeAnalyticTopology(TwoPairs(), transport, warmUps), pairs);
}

// Two pipelines, a node each: their windows add up at the link.
TEST(WindowMeetings, AreWhereWindowsTogetherHoldMoreThanTheWay)
{
    const std::vector<NodePair> pairs = {{0, 2}, {1, 3}};
    EXPECT_TRUE(MeetingsOf(pairs, 12000000).empty()); // 24 of 25 MB
    const auto meetings = MeetingsOf(pairs, 25000000);
    ASSERT_EQ(meetings.size(), 1u);
    EXPECT_EQ(meetings[0].pairs, pairs);
    // 2 x 25 MB; the round trip also has both sites' 10 us, 0.1 % of the WAN's.
    EXPECT_NEAR(meetings[0].windows, 2, 0.003);
}

TEST(WindowMeetings, APairAloneMeetsNobody)
{
    EXPECT_TRUE(MeetingsOf({{0, 2}}, 100000000).empty());
    EXPECT_TRUE(MeetingsOf({{0, 2}, {2, 0}}, 100000000).empty()); // each has a direction
}

} // namespace
} // namespace geotrain
