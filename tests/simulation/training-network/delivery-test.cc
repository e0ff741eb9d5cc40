// SPDX-License-Identifier: GPL-2.0-only
// Messages arrive whole, once and in order, and bytes agree at both ends, with and without loss.
#include "network-fixture.h"

namespace ns3
{
namespace
{

using geotrain::Bytes;
using geotrain::TransferEvent;
using Kind = geotrain::TransferEvent::Kind;

class LossTest : public NetworkTest, public testing::WithParamInterface<double>
{
};

TEST_P(LossTest, BytesAreConserved)
{
    TwoSites sites;
    sites.lossRate = GetParam();
    sites.roundTrip = geotrain::Duration::Milliseconds(10);
    counts = {4, 1};
    Install(sites.Build());
    for (std::uint32_t i = 0; i < 100; ++i)
    {
        Send(1000000 + i, i % 4);
    }
    Run();
    ASSERT_EQ(delivered.size(), 100u);
    network->CheckConservation();
    const auto counters = network->Counters();
    // 100 messages of 1,000,000 + i bytes.
    EXPECT_EQ(counters.wanPayload.Count(), 100 * 1000000 + 99 * 100 / 2);
    // 11,200 data packets: about a loss at 1e-4, always some from 1e-3 on, none without.
    if (GetParam() >= 1e-3)
    {
        EXPECT_GT(counters.droppedPackets, 0u);
        EXPECT_GT(counters.retransmittedBytes.Count(), 0);
    }
    if (GetParam() == 0)
    {
        EXPECT_EQ(counters.droppedPackets, 0u);
        EXPECT_EQ(counters.retransmittedBytes.Count(), 0);
    }
}

INSTANTIATE_TEST_SUITE_P(LossRates, LossTest, testing::Values(0, 1e-4, 1e-3, 1e-2));

class DeliveryTest : public NetworkTest
{
  protected:
    static std::string Name(Kind kind)
    {
        switch (kind)
        {
        case Kind::FirstByte:
            return "first";
        case Kind::Sent:
            return "sent";
        case Kind::Delivered:
            return "delivered";
        case Kind::Failed:
            return "failed";
        }
        return "?";
    }

    /// Sends and logs each event as "NUMBER kind NANOSECONDS".
    geotrain::TransferNumber Log(std::int64_t bytes,
                                 geotrain::NodeIndex source = 0,
                                 geotrain::NodeIndex destination = 1,
                                 std::uint32_t connection = 0)
    {
        return network->Transfer({source, destination, connection, Bytes::Of(bytes)},
                                 [this](const TransferEvent& event)
                                 {
                                     log.push_back(std::to_string(event.transfer) + " " +
                                                   Name(event.kind));
                                     times.push_back(event.at.ToNanoseconds());
                                     reasons.push_back(event.reason);
                                 });
    }

    std::vector<std::string> log;
    std::vector<std::int64_t> times;
    std::vector<std::string> reasons;
};

TEST_F(DeliveryTest, SmallMessagesArriveOnceAndInOrderUnderLoss)
{
    TwoSites sites;
    sites.lossRate = 0.02;
    sites.roundTrip = geotrain::Duration::Milliseconds(1);
    Install(sites.Build());
    constexpr std::uint64_t MESSAGES = 5000;
    for (std::uint64_t i = 0; i < MESSAGES; ++i)
    {
        Send(static_cast<std::int64_t>(1 + i * 7919 % 20000));
    }
    Run();
    ASSERT_EQ(delivered.size(), MESSAGES);
    for (std::uint64_t i = 0; i < MESSAGES; ++i)
    {
        ASSERT_EQ(delivered[i].transfer, i + 1);
    }
    EXPECT_GT(network->Counters().droppedPackets, 0u);
    network->CheckConservation();
}

TEST_F(DeliveryTest, CallbacksComeInOrder)
{
    Install(TwoSites{}.Build());
    Log(1);
    Log(50000000);
    EXPECT_TRUE(log.empty()) << "a callback came before Transfer returned";
    Run();
    // A byte is sent before it arrives; the first byte of 50 MB arrives before its last one leaves
    // (1.5 MB window).
    const std::vector<std::string> expected{
        "1 sent", "1 first", "1 delivered", "2 first", "2 sent", "2 delivered"};
    EXPECT_EQ(log, expected);
    for (std::size_t i = 1; i < times.size(); ++i)
    {
        EXPECT_LE(times[i - 1], times[i]);
    }
}

TEST_F(DeliveryTest, CancelledTransferCallsBackNoMore)
{
    Install(TwoSites{}.Build());
    const auto cancelled = Log(20000000);
    Log(1000);
    network->GetClock().Schedule(AtSeconds(0.2),
                                 [this, cancelled]
                                 {
                                     EXPECT_EQ(log, std::vector<std::string>{"1 first"});
                                     network->Cancel(cancelled);
                                 });
    Run();
    const std::vector<std::string> expected{"1 first", "2 sent", "2 first", "2 delivered"};
    EXPECT_EQ(log, expected);
    network->CheckConservation();
    EXPECT_EQ(network->Counters().wanPayload.Count(), 20001000);
}

TEST_F(DeliveryTest, CallbackMayCancelItsOwnTransferAndSendMore)
{
    Install(TwoSites{}.Build());
    network->Transfer({0, 1, 0, Bytes::Of(1000)},
                      [this](const TransferEvent& event)
                      {
                          network->Cancel(event.transfer);
                          Log(10);
                      });
    Run();
    EXPECT_EQ(log, (std::vector<std::string>{"2 sent", "2 first", "2 delivered"}));
}

// delivery = three ways of the handshake and the data's own (SYN, SYN-ACK, data) + serialisation
// below 0.1 ms.
TEST_F(DeliveryTest, UnpreparedConnectionOpensAtItsFirstTransfer)
{
    Install(TwoSites{}.Build());
    Log(1000);
    Run();
    EXPECT_NEAR(static_cast<double>(times.back()), 60e6, 0.1e6);
}

TEST_F(DeliveryTest, EachDirectionHasItsOwnConnection)
{
    Install(TwoSites{}.Build());
    Log(3000000, 0, 1);
    Log(3000000, 1, 0);
    Run();
    ASSERT_EQ(log.size(), 6u);
    // The path is the same both ways and nothing is shared.
    EXPECT_EQ(times[4], times[5]);
    network->CheckConservation();
}

TEST_F(DeliveryTest, DeadConnectionFailsItsTransfersAndLaterOnes)
{
    TwoSites sites;
    sites.lossRate = 0.999999999;
    Install(sites.Build());
    Log(1000);
    Log(2000);
    Run();
    EXPECT_EQ(log, (std::vector<std::string>{"1 failed", "2 failed"}));
    EXPECT_EQ(reasons[0], "the connection could not be opened");
    Log(3000);
    EXPECT_EQ(log.size(), 2u) << "a callback came before Transfer returned";
    Run();
    EXPECT_EQ(log.back(), "3 failed");
    network->CheckConservation();
}

TEST_F(DeliveryTest, TransferInsideANodeEndsTheProgram)
{
    Install(TwoSites{}.Build());
    EXPECT_DEATH(network->Transfer({0, 0, 0, Bytes::Of(1)}, nullptr), "sends to itself");
}

} // namespace
} // namespace ns3
