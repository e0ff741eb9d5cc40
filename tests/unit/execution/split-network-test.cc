// SPDX-License-Identifier: GPL-2.0-only
#include "execution/message-layer.h"
#include "execution/split-network.h"
#include "manual-network.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Nodes 0 and 1 are in one data centre, 2 and 3 in another.
class SplitNetworkTest : public ::testing::Test
{
  protected:
    SplitNetworkTest()
    {
        auto inside = std::make_unique<ManualNetwork>();
        m_inside = inside.get();
        m_network = std::make_unique<SplitNetwork>(m_between,
                                                   std::move(inside),
                                                   [](NodeIndex source, NodeIndex destination)
                                                   { return source / 2 == destination / 2; });
    }

    ManualNetwork m_between;
    ManualNetwork* m_inside = nullptr;
    std::unique_ptr<SplitNetwork> m_network;
};

TEST_F(SplitNetworkTest, CarriesEachMessageWhereItBelongs)
{
    const auto nothing = [](const TransferEvent&) {};
    m_network->Transfer({0, 1, 0, Bytes::Of(10)}, nothing);
    m_network->Transfer({1, 2, 0, Bytes::Of(20)}, nothing);
    m_network->Transfer({3, 2, 1, Bytes::Of(30)}, nothing);
    ASSERT_EQ(m_inside->Calls().size(), 2u);
    EXPECT_EQ(m_inside->Calls()[1].request.size, Bytes::Of(30));
    ASSERT_EQ(m_between.Calls().size(), 1u);
    EXPECT_EQ(m_between.Calls()[0].request.size, Bytes::Of(20));
}

TEST_F(SplitNetworkTest, NumbersTransfersOfBothNetworksApart)
{
    std::vector<TransferNumber> told;
    const auto listen = [&told](const TransferEvent& event) { told.push_back(event.transfer); };
    const auto first = m_network->Transfer({0, 1, 0, Bytes::Of(10)}, listen);
    const auto second = m_network->Transfer({1, 2, 0, Bytes::Of(20)}, listen);
    const auto third = m_network->Transfer({0, 1, 0, Bytes::Of(30)}, listen);
    EXPECT_NE(first, second);
    m_between.Tell(0, TransferEvent::Kind::Sent);
    m_inside->Tell(1, TransferEvent::Kind::Sent);
    EXPECT_EQ(told, (std::vector<TransferNumber>{second, third}));
    m_network->Cancel(first);
    EXPECT_TRUE(m_inside->IsCancelled(0));
    EXPECT_FALSE(m_between.IsCancelled(0));
    m_network->Cancel(second);
    EXPECT_TRUE(m_between.IsCancelled(0));
}

TEST_F(SplitNetworkTest, PreparesPairsWhereTheyBelong)
{
    m_network->Prepare({{0, 1, Bytes::Of(1)}, {1, 2, Bytes::Of(2)}, {2, 3, Bytes::Of(3)}});
    EXPECT_EQ(m_inside->Prepared().size(), 2u);
    ASSERT_EQ(m_between.Prepared().size(), 1u);
    EXPECT_EQ(m_between.Prepared()[0].size, Bytes::Of(2));
}

} // namespace
} // namespace geotrain
