// SPDX-License-Identifier: GPL-2.0-only
// Tests the header before each message, and that a receiver refuses what breaks the framing.
#include "training-network/model/frame-header.h"
#include "training-network/model/stream-receiver.h"

#include "network-fixture.h"
#include "wan-topology/helper/wan-builder.h"

#include "ns3/inet-socket-address.h"
#include "ns3/tcp-socket-factory.h"

namespace ns3
{
namespace
{

TEST(FrameHeaderTest, ParsesWhatItSerializes)
{
    const FrameHeader header{0x01020304, 0x1112131415161718, 0x2122232425262728, 0x31};
    const auto bytes = header.Serialize();
    EXPECT_EQ(bytes[4], 0x01) << "big-endian";
    const auto parsed = FrameHeader::Parse(bytes);
    EXPECT_EQ(parsed.connection, header.connection);
    EXPECT_EQ(parsed.message, header.message);
    EXPECT_EQ(parsed.offset, header.offset);
    EXPECT_EQ(parsed.length, header.length);
}

class NotingObserver : public TransportObserver
{
  public:
    void OnFirstByte(MessageNumber message) override
    {
        log += "first " + std::to_string(message) + ";";
    }

    void OnSent(MessageNumber /*message*/) override
    {
    }

    void OnDelivered(MessageNumber message) override
    {
        log += "delivered " + std::to_string(message) + ";";
    }

    void OnDrained(ConnectionNumber /*connection*/) override
    {
    }

    void OnFailed(ConnectionNumber /*connection*/,
                  MessageNumber /*message*/,
                  const std::string& /*reason*/) override
    {
    }

    std::string log;
};

/// In a ReceiverTest a plain socket of node 0 writes `bytes`, in pieces of `piece`, to a
/// StreamReceiver on node 1.
class ReceiverTest : public NetworkTest
{
  protected:
    void Accept(Ptr<Socket> socket, const Address& /*from*/)
    {
        receiver = std::make_unique<StreamReceiver>(socket, observer);
    }

    void Feed(const std::vector<std::uint8_t>& bytes, std::size_t piece)
    {
        TwoSites sites;
        sites.roundTrip = geotrain::Duration::Milliseconds(1);
        wan = std::make_unique<BuiltWan>(WanBuilder(sites.Build()).Build());
        const InetSocketAddress address(wan->AddressOf(1), 4000);
        auto listener = Socket::CreateSocket(wan->NodeAt(1), TcpSocketFactory::GetTypeId());
        listener->Bind(address);
        listener->Listen();
        listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                    MakeCallback(&ReceiverTest::Accept, this));
        auto writer = Socket::CreateSocket(wan->NodeAt(0), TcpSocketFactory::GetTypeId());
        writer->Bind();
        writer->Connect(address);
        for (std::size_t at = 0; at < bytes.size(); at += piece)
        {
            const auto length = std::min(piece, bytes.size() - at);
            Simulator::Schedule(
                MilliSeconds(static_cast<std::uint64_t>(10 * (at + 1))),
                [=]
                { writer->Send(Create<Packet>(&bytes[at], static_cast<std::uint32_t>(length))); });
        }
        Simulator::Run();
    }

    static void
    Append(std::vector<std::uint8_t>& bytes, const FrameHeader& header, std::size_t payload)
    {
        const auto frame = header.Serialize();
        bytes.insert(bytes.end(), frame.begin(), frame.end());
        bytes.resize(bytes.size() + payload);
    }

    std::unique_ptr<BuiltWan> wan;
    NotingObserver observer;
    std::unique_ptr<StreamReceiver> receiver;
};

TEST_F(ReceiverTest, MessagesAreFoundWhereverTheStreamIsCut)
{
    std::vector<std::uint8_t> bytes;
    Append(bytes, {7, 1, 0, 5}, 5);
    Append(bytes, {7, 2, 37, 1}, 1);
    for (const std::size_t piece : {1, 3, 33, 70})
    {
        observer.log.clear();
        Feed(bytes, piece);
        EXPECT_EQ(observer.log, "first 1;delivered 1;first 2;delivered 2;") << piece;
        EXPECT_EQ(receiver->Payload(), 6u);
        EXPECT_EQ(receiver->Stream(), 70u);
        receiver.reset();
        Reset();
    }
}

TEST_F(ReceiverTest, RefusesWhatIsNoHeader)
{
    EXPECT_DEATH(Feed(std::vector<std::uint8_t>(32, 0x55), 32), "a message header was expected");
}

TEST_F(ReceiverTest, RefusesAByteTooMany)
{
    std::vector<std::uint8_t> bytes;
    Append(bytes, {7, 1, 0, 5}, 5);
    Append(bytes, {7, 2, 36, 1}, 1);
    EXPECT_DEATH(Feed(bytes, 100), "the header at byte 36 came at byte 37");
}

TEST_F(ReceiverTest, RefusesAnotherConnectionsMessage)
{
    std::vector<std::uint8_t> bytes;
    Append(bytes, {7, 1, 0, 5}, 5);
    Append(bytes, {8, 2, 37, 1}, 1);
    EXPECT_DEATH(Feed(bytes, 100), "a message of connection 8 came over connection 7");
}

} // namespace
} // namespace ns3
