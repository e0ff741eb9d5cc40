// SPDX-License-Identifier: GPL-2.0-only
// Tests the sharing of links of 8 Gbit/s, which is a byte per nanosecond.
#include "analytic/link-sharing.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

namespace geotrain
{
namespace
{

constexpr double rateTolerance = 1e-9;

LinkSharing
Sharing(std::size_t links, double payloadShare = 1)
{
    return {std::vector<BitRate>(links, BitRate::GigabitsPerSecond(8)), payloadShare};
}

LinkSharing::Member
MemberOf(std::vector<std::size_t> links, std::uint32_t connections = 1)
{
    LinkSharing::Member member;
    member.links = std::move(links);
    member.connections = connections;
    return member;
}

std::map<const LinkSharing::Member*, double>
Shares(LinkSharing& sharing)
{
    std::map<const LinkSharing::Member*, double> rates;
    for (const auto& [member, rate] : sharing.Share())
    {
        rates[member] = rate;
    }
    return rates;
}

TEST(LinkSharing, AMemberAloneHasThePayloadsShareOfItsSlowestLink)
{
    LinkSharing sharing({BitRate::GigabitsPerSecond(8), BitRate::GigabitsPerSecond(4)}, 0.8);
    LinkSharing::Member member = MemberOf({0, 1});
    EXPECT_NEAR(sharing.Join(member).value(), 0.5 * 0.8, rateTolerance);
    EXPECT_TRUE(sharing.Share().empty());
    EXPECT_EQ(sharing.RateAlone({}), std::numeric_limits<double>::infinity());
}

TEST(LinkSharing, ARankSharesWhatThoseAboveItLeave)
{
    // Rank 2 takes all of link 1, whose rate is 0.25. Of link 0, rank 1 gets the other 0.75, and rank 0
    // the millionth that each rank keeps.
    LinkSharing sharing({BitRate::GigabitsPerSecond(8), BitRate::GigabitsPerSecond(2)}, 1);
    std::vector<LinkSharing::Member> members{
        MemberOf({0}), MemberOf({0}, 3), MemberOf({0}, 1), MemberOf({0, 1})};
    members[1].rank = 1;
    members[2].rank = 1;
    members[3].rank = 2;
    for (auto& member : members)
    {
        sharing.Join(member);
    }
    const auto rates = Shares(sharing);
    EXPECT_NEAR(rates.at(&members[3]), 0.25, rateTolerance);
    EXPECT_NEAR(rates.at(&members[1]), 0.75 * 3 / 4, rateTolerance);
    EXPECT_NEAR(rates.at(&members[2]), 0.75 / 4, rateTolerance);
    EXPECT_NEAR(rates.at(&members[0]), 1e-6, rateTolerance);
    sharing.Leave(members[1]);
    sharing.Leave(members[2]);
    EXPECT_NEAR(Shares(sharing).at(&members[0]), 0.75, rateTolerance);
}

TEST(LinkSharing, MembersShareALinkByTheirConnections)
{
    LinkSharing sharing = Sharing(1);
    LinkSharing::Member one = MemberOf({0}, 1);
    LinkSharing::Member three = MemberOf({0}, 3);
    EXPECT_TRUE(sharing.Join(one));
    EXPECT_FALSE(sharing.Join(three));
    const auto rates = Shares(sharing);
    EXPECT_NEAR(rates.at(&one), 0.25, rateTolerance);
    EXPECT_NEAR(rates.at(&three), 0.75, rateTolerance);
}

TEST(LinkSharing, WhoLeavesFreesItsShareForThoseOnItsLinks)
{
    LinkSharing sharing = Sharing(1);
    LinkSharing::Member one = MemberOf({0});
    LinkSharing::Member two = MemberOf({0});
    sharing.Join(one);
    sharing.Join(two);
    sharing.Share();
    sharing.Leave(one);
    EXPECT_FALSE(one.isInLinks);
    const auto rates = Shares(sharing);
    EXPECT_EQ(rates.size(), 1u);
    EXPECT_NEAR(rates.at(&two), 1, rateTolerance);
}

TEST(LinkSharing, RatesOfMembersThatShareNothingStay)
{
    LinkSharing sharing = Sharing(3);
    LinkSharing::Member apart = MemberOf({2});
    LinkSharing::Member one = MemberOf({0});
    LinkSharing::Member between = MemberOf({0, 1});
    LinkSharing::Member far = MemberOf({1});
    sharing.Join(apart);
    sharing.Join(one);
    sharing.Join(far);
    sharing.Join(between); // shares with both, and they share through it
    const auto rates = Shares(sharing);
    EXPECT_EQ(rates.count(&apart), 0u);
    EXPECT_NEAR(rates.at(&one), 0.5, rateTolerance);
    EXPECT_NEAR(rates.at(&between), 0.5, rateTolerance);
    EXPECT_NEAR(rates.at(&far), 0.5, rateTolerance);
}

} // namespace
} // namespace geotrain
