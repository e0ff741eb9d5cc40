// SPDX-License-Identifier: GPL-2.0-only
// The framed sender behaves alike over both kinds of sockets: what it tells its observer, and what
// it gives TCP.
#include "training-network/model/device-sockets.h"
#include "training-network/model/stock-sockets.h"
#include "training-network/model/stream-transport.h"

#include "network-fixture.h"
#include "wan-topology/helper/wan-builder.h"

namespace ns3
{
namespace
{

class CountingObserver : public TransportObserver
{
  public:
    void OnFirstByte(MessageNumber /*message*/) override
    {
    }

    void OnSent(MessageNumber message) override
    {
        sent.push_back(message);
    }

    void OnDelivered(MessageNumber message) override
    {
        delivered.push_back(message);
    }

    void OnDrained(ConnectionNumber /*connection*/) override
    {
        ++drained;
    }

    void OnFailed(ConnectionNumber /*connection*/,
                  MessageNumber message,
                  const std::string& reason) override
    {
        failed.push_back(message);
        lastReason = reason;
    }

    std::vector<MessageNumber> sent;
    std::vector<MessageNumber> delivered;
    std::vector<MessageNumber> failed;
    std::string lastReason;
    int drained = 0;
};

enum class Sockets
{
    Device,
    Stock
};

class StreamSenderTest : public NetworkTest, public testing::WithParamInterface<Sockets>
{
  protected:
    void Open(const geotrain::WanTopology& topology)
    {
        wan = std::make_unique<BuiltWan>(WanBuilder(topology).Build());
        std::vector<TransportNode> nodes;
        for (std::uint32_t node = 0; node < topology.NodeCount(); ++node)
        {
            nodes.push_back({wan->NodeAt(node), wan->AddressOf(node)});
        }
        transport = std::make_unique<StreamTransport>(nodes, MakeSockets());
        transport->SetObserver(observer);
        connection = transport->Open(0, 1, 0);
    }

    static std::unique_ptr<StreamSockets> MakeSockets()
    {
        if (GetParam() == Sockets::Device)
        {
            return std::make_unique<DeviceSockets>(BulkTcpOptions());
        }
        return std::make_unique<StockSockets>(StockTransportOptions());
    }

    void TearDown() override
    {
        transport.reset();
        NetworkTest::TearDown();
    }

    std::unique_ptr<BuiltWan> wan;
    CountingObserver observer;
    std::unique_ptr<StreamTransport> transport;
    ConnectionNumber connection = 0;
};

// A message with its frame fills a segment to the byte, or ends one byte before or behind its end.
TEST_P(StreamSenderTest, MessagesOfEverySizeArriveInOrder)
{
    Open(TwoSites().Build());
    const std::vector<std::int64_t> sizes{
        1, SEGMENT - FRAME - 1, SEGMENT - FRAME, SEGMENT - FRAME + 1, SEGMENT, 10 * SEGMENT, 2};
    std::vector<MessageNumber> numbers;
    for (const std::int64_t size : sizes)
    {
        numbers.push_back(100 + numbers.size());
        transport->Send(connection, numbers.back(), geotrain::Bytes::Of(size));
    }
    EXPECT_TRUE(transport->State(connection).outstanding);
    Simulator::Run();
    EXPECT_EQ(observer.sent, numbers);
    EXPECT_EQ(observer.delivered, numbers);
    EXPECT_EQ(observer.drained, 1);
    EXPECT_FALSE(transport->State(connection).outstanding);
    transport->CheckConservation();
}

// A window of 1.5 MB takes many buffers of it: the sender waits for room, and reports each message
// once.
TEST_P(StreamSenderTest, AMessageLargerThanTheSendBufferIsSentOnce)
{
    Open(TwoSites().Build());
    transport->Send(connection, 7, geotrain::Bytes::Of(20000000));
    Simulator::Run();
    EXPECT_EQ(observer.sent, (std::vector<MessageNumber>{7}));
    EXPECT_EQ(observer.delivered, (std::vector<MessageNumber>{7}));
    EXPECT_EQ(transport->State(connection).retransmittedBytes.Count(), 0);
    transport->CheckConservation();
}

TEST_P(StreamSenderTest, WhatALossyPathNeedsAgainIsNotSentTwice)
{
    TwoSites sites;
    sites.lossRate = 0.01;
    Open(sites.Build());
    for (MessageNumber message = 1; message <= 50; ++message)
    {
        transport->Send(connection, message, geotrain::Bytes::Of(40000));
    }
    Simulator::Run();
    EXPECT_EQ(observer.sent.size(), 50u);
    EXPECT_EQ(observer.delivered.size(), 50u);
    EXPECT_GT(transport->State(connection).retransmittedBytes.Count(), 0);
    transport->CheckConservation();
}

TEST_P(StreamSenderTest, AConnectionThatCantBeOpenedFailsAllMessagesWithOneReason)
{
    TwoSites sites;
    sites.lossRate = 0.999999;
    Open(sites.Build());
    transport->Send(connection, 1, geotrain::Bytes::Of(5));
    transport->Send(connection, 2, geotrain::Bytes::Of(5));
    Simulator::Run();
    EXPECT_EQ(observer.failed, (std::vector<MessageNumber>{1, 2}));
    EXPECT_TRUE(transport->State(connection).failed);
    transport->Send(connection, 3, geotrain::Bytes::Of(5));
    EXPECT_EQ(observer.failed.size(), 2u) << "never called before Send returns";
    Simulator::Run();
    EXPECT_EQ(observer.failed, (std::vector<MessageNumber>{1, 2, 3}));
    EXPECT_FALSE(observer.lastReason.empty());
}

INSTANTIATE_TEST_SUITE_P(Framing,
                         StreamSenderTest,
                         testing::Values(Sockets::Device, Sockets::Stock),
                         [](const auto& sockets)
                         { return sockets.param == Sockets::Device ? "Device" : "Stock"; });

} // namespace
} // namespace ns3
