// SPDX-License-Identifier: GPL-2.0-only
// Tests collectives of messages by rings: their times and bytes, and what fails and is cancelled.
#include "execution/stepped-collectives.h"

#include "manual-network.h"
#include "two-data-centres.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

class Rings : public ::testing::Test
{
  protected:
    std::vector<double> Run(CollectiveKind kind,
                            std::vector<NodeIndex> members,
                            Bytes size,
                            const std::vector<double>& joinSeconds)
    {
        TwoDataCentres two;
        two.nodes = 8;
        m_collectives.reset();
        m_layer.reset();
        m_network = std::make_unique<AnalyticNetwork>(two.Topology());
        m_layer = std::make_unique<MessageLayer>(*m_network);
        m_collectives = std::make_unique<SteppedCollectives>(*m_layer);
        const CollectiveRequest request{1, kind, members, size};
        std::vector<double> ended(members.size(), -1);
        for (std::uint32_t member = 0; member < members.size(); ++member)
        {
            m_network->GetClock().Schedule(Instant() + Duration::Seconds(joinSeconds[member]),
                                           [this, request, member, &ended]
                                           {
                                               m_collectives->Join(
                                                   request,
                                                   member,
                                                   [&ended, member](Instant at, const std::string&)
                                                   { ended[member] = at.ToSeconds(); });
                                           });
        }
        m_network->GetClock().Run(Instant::Never());
        return ended;
    }

    std::unique_ptr<AnalyticNetwork> m_network;
    std::unique_ptr<MessageLayer> m_layer;
    std::unique_ptr<SteppedCollectives> m_collectives;
};

TEST_F(Rings, AllReduceTakesTwiceNMinusOneSteps)
{
    // 2 (n - 1) (latency + S / (n r)): Patarasuk and Yuan 2009. Tolerance: chunks are rounded up to
    // 1 ns each.
    for (std::uint32_t n = 2; n <= 8; ++n)
    {
        std::vector<NodeIndex> members;
        for (NodeIndex node = 0; node < n; ++node)
        {
            members.push_back(node);
        }
        const auto ended =
            Run(CollectiveKind::AllReduce, members, Bytes::Of(8400000), std::vector<double>(n, 0));
        const double expected = 2 * (n - 1) * (10e-6 + 8 * 8.4e6 / n / 100e9);
        for (const double end : ended)
        {
            EXPECT_NEAR(end, expected, 1e-6) << "n " << n;
        }
        // Every member sends 2 (n - 1) / n of the vector.
        EXPECT_EQ(m_network->Counters().intraDcPayload.Count(), 8400000 * 2 * (n - 1));
    }
}

// A ring enters and leaves each node once: over two nodes of four it takes the time of one over eight
// nodes, and nobody ends before the others of its node. A node sends on what its own members had while
// messages are on their way, so that it may save all latency.
TEST_F(Rings, MembersOfANodeEndTogetherAfterOneCrossingPerStep)
{
    const auto ended = Run(CollectiveKind::AllReduce,
                           {0, 0, 0, 0, 1, 1, 1, 1},
                           Bytes::Of(8000000),
                           std::vector<double>(8, 0));
    for (const double end : ended)
    {
        EXPECT_GE(end, 14 * 8 * 1e6 / 100e9);
        EXPECT_LE(end, 14 * (10e-6 + 8 * 1e6 / 100e9));
    }
    EXPECT_EQ(ended[0], ended[3]);
    EXPECT_EQ(ended[4], ended[7]);
}

TEST_F(Rings, ReduceScatterAndAllGatherTakeHalfOfIt)
{
    for (const auto kind : {CollectiveKind::ReduceScatter, CollectiveKind::AllGather})
    {
        const auto ended = Run(kind, {0, 1, 2, 3}, Bytes::Of(8000000), {0, 0, 0, 0});
        for (const double end : ended)
        {
            EXPECT_NEAR(end, 3 * (10e-6 + 8 * 2e6 / 100e9), 1e-6);
        }
    }
}

TEST_F(Rings, NobodyEndsBeforeTheLastHasJoined)
{
    for (const auto kind :
         {CollectiveKind::AllReduce, CollectiveKind::ReduceScatter, CollectiveKind::AllGather})
    {
        for (std::uint32_t late = 0; late < 4; ++late)
        {
            std::vector<double> joins(4, 0);
            joins[late] = 0.5;
            for (const double end : Run(kind, {0, 1, 2, 3}, Bytes::Of(4000000), joins))
            {
                // The late member's own result may wait for nobody, but it cannot be there before
                // it joined.
                EXPECT_GE(end, kind == CollectiveKind::AllReduce ? 0.5 : 0.0);
            }
        }
    }
}

TEST_F(Rings, TheLateMemberEndsAfterItJoined)
{
    const auto ended =
        Run(CollectiveKind::ReduceScatter, {0, 1, 2, 3}, Bytes::Of(4000000), {0, 0, 0.5, 0});
    EXPECT_GE(ended[2], 0.5);
    for (const double end : ended)
    {
        EXPECT_GE(end, 0);
    }
}

TEST_F(Rings, AGroupOfOneEndsAtOnce)
{
    EXPECT_EQ(Run(CollectiveKind::AllReduce, {3}, Bytes::Of(1000), {0.25})[0], 0.25);
}

TEST_F(Rings, AVectorSmallerThanTheGroupStillEnds)
{
    for (const double end :
         Run(CollectiveKind::AllReduce, {0, 1, 2, 3}, Bytes::Of(2), {0, 0, 0, 0}))
    {
        EXPECT_GT(end, 0);
    }
}

/// FailingRings has a ring of three over transfers that the test ends. Member i sends to member i +
/// 1.
class FailingRings : public ::testing::Test
{
  protected:
    CollectiveHandle Join(std::uint32_t member)
    {
        return collectives.Join(request,
                                member,
                                [this, member](Instant, const std::string& failure)
                                { told.emplace_back(member, failure); });
    }

    ManualNetwork network;
    MessageLayer layer{network};
    SteppedCollectives collectives{layer};
    CollectiveRequest request{1, CollectiveKind::AllReduce, {0, 1, 2}, Bytes::Of(300)};
    std::vector<std::pair<std::uint32_t, std::string>> told;
};

TEST_F(FailingRings, AFailedTransferFailsItsCollectiveForAllMembersOnce)
{
    for (std::uint32_t member = 0; member < 3; ++member)
    {
        Join(member);
    }
    ASSERT_EQ(network.Calls().size(), 3u);
    network.Tell(1, TransferEvent::Kind::Failed);
    const std::vector<std::pair<std::uint32_t, std::string>> all{
        {0, "reset"}, {1, "reset"}, {2, "reset"}};
    EXPECT_EQ(told, all);
    EXPECT_TRUE(network.IsCancelled(0));
    EXPECT_TRUE(network.IsCancelled(2));
    network.GetClock().Run(Instant::Never());
    EXPECT_EQ(told, all);
}

TEST_F(FailingRings, AMemberThatJoinsAFailedCollectiveIsToldThen)
{
    Join(0);
    network.Tell(0, TransferEvent::Kind::Failed);
    ASSERT_EQ(told.size(), 1u);
    Join(2);
    EXPECT_EQ(told.size(), 1u); // not before Join has returned
    network.GetClock().Run(Instant::Never());
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(told[1], std::make_pair(2u, std::string("reset")));
    EXPECT_EQ(network.Calls().size(), 1u); // nothing more is sent
}

TEST_F(FailingRings, ACancelledCollectiveTellsNobody)
{
    Join(0);
    const CollectiveHandle handle = Join(1);
    collectives.Cancel(handle);
    EXPECT_TRUE(network.IsCancelled(0));
    EXPECT_TRUE(network.IsCancelled(1));
    collectives.Cancel(handle);
    network.GetClock().Run(Instant::Never());
    EXPECT_TRUE(told.empty());
}

TEST_F(FailingRings, ACancelledCollectiveMayBeJoinedAgainFromItsBeginning)
{
    Join(0);
    network.Tell(0, TransferEvent::Kind::Failed);
    collectives.Cancel(CollectiveHandle{request.number});
    for (std::uint32_t member = 0; member < 3; ++member)
    {
        Join(member);
    }
    // 2 (n - 1) = 4 steps of three members.
    for (std::size_t call = 1; call < network.Calls().size(); ++call)
    {
        network.Deliver(call);
    }
    EXPECT_EQ(network.Calls().size(), 1u + 4 * 3);
    ASSERT_EQ(told.size(), 4u); // the first failed
    for (std::size_t end = 1; end < told.size(); ++end)
    {
        EXPECT_EQ(told[end].second, "");
    }
}

TEST_F(FailingRings, CollectivesThatGoAreCancelled)
{
    {
        SteppedCollectives other(layer);
        other.Join(request, 0, [](Instant, const std::string&) { FAIL(); });
        ASSERT_EQ(network.Calls().size(), 1u);
    }
    EXPECT_TRUE(network.IsCancelled(0));
}

} // namespace
} // namespace geotrain
