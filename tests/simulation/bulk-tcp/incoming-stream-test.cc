// SPDX-License-Identifier: GPL-2.0-only
// The peer's bytes up to its FIN: what lies in the window is kept and acknowledged, what lies outside is answered at
// once, and the end is told once, when all is there.
#include "bulk-tcp/model/incoming-stream.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>
#include <ns3/tcp-header.h>

#include <vector>

namespace
{

using namespace ns3;

constexpr std::uint32_t bufferBytes = 65535; ///< bytes

BulkTcpOptions
Options()
{
    BulkTcpOptions options;
    options.window = geotrain::Bytes::Of(bufferBytes);
    options.autotuneWindow = false;
    options.delayedAckCount = 1;
    return options;
}

class IncomingStreamTest : public testing::Test, private PacketElement
{
  public:
    ~IncomingStreamTest() override
    {
        Simulator::Destroy();
    }

  protected:
    IncomingStreamTest()
    {
        PacketRecord syn{};
        syn.kind = PacketRecord::Kind::Syn;
        stream.Engine().Receive(syn);
        acknowledged.clear();
    }

    bool Receive(std::int64_t begin, std::uint32_t length, std::uint8_t flags = 0)
    {
        TcpWireHeader header;
        header.flags = flags;
        return stream.Receive(begin, Create<Packet>(length), header, false);
    }

    std::vector<std::uint64_t> acknowledged; ///< the next byte that each acknowledgement expects
    std::vector<std::uint32_t> windows;      ///< bytes that each of them offers
    std::uint32_t readsAtOnce = 0;           ///< bytes that the application reads when it can
    int readable = 0;
    IncomingStream stream{Options(),
                          *this,
                          [this]
                          {
                              ++readable;
                              stream.Read(readsAtOnce, true);
                          }};

  private:
    void Receive(const PacketRecord& record) override
    {
        acknowledged.push_back(record.offset);
        windows.push_back(record.window);
    }
};

TEST_F(IncomingStreamTest, WhatIsInOrderIsReadableAndAcknowledged)
{
    EXPECT_FALSE(Receive(0, 1000));
    EXPECT_EQ(stream.Unread(), 1000U);
    EXPECT_EQ(readable, 1);
    EXPECT_EQ(acknowledged, std::vector<std::uint64_t>{1000});
}

TEST_F(IncomingStreamTest, AGapKeepsWhatFollowsItFromTheApplication)
{
    Receive(1000, 1000);
    EXPECT_EQ(readable, 0);
    EXPECT_EQ(acknowledged, std::vector<std::uint64_t>{0});
    Receive(0, 1000);
    EXPECT_EQ(stream.Unread(), 2000U);
    EXPECT_EQ(acknowledged.back(), 2000U);
}

TEST_F(IncomingStreamTest, TheApplicationReadsBeforeTheWindowIsTold)
{
    readsAtOnce = 1000;
    Receive(0, 1000);
    Receive(1000, 1000);
    readsAtOnce = 0;
    Receive(2000, 1000);
    EXPECT_EQ(windows[windows.size() - 2], bufferBytes);
    EXPECT_EQ(windows.back(), bufferBytes - 1000); // unread
}

TEST_F(IncomingStreamTest, WhatLiesOutsideOfTheWindowIsAnsweredAtOnceAndDropped)
{
    for (const std::int64_t begin :
         {std::int64_t{-1000}, std::int64_t{bufferBytes}, std::int64_t{100000}})
    {
        acknowledged.clear();
        EXPECT_FALSE(Receive(begin, 100));
        EXPECT_EQ(acknowledged, std::vector<std::uint64_t>{0}) << begin;
    }
    EXPECT_EQ(stream.Unread(), 0U);
}

TEST_F(IncomingStreamTest, WhatReachesBeyondTheWindowIsCutToIt)
{
    Receive(0, 60000);
    EXPECT_FALSE(Receive(60000, 10000, TcpHeader::FIN)); // its FIN lies beyond, too
    EXPECT_EQ(stream.Unread(), bufferBytes);
    EXPECT_FALSE(stream.HasJustEnded());
}

TEST_F(IncomingStreamTest, TheEndIsToldOnceAllBeforeTheFinIsHere)
{
    EXPECT_TRUE(Receive(1000, 500, TcpHeader::FIN));
    EXPECT_FALSE(stream.HasJustEnded());
    Receive(0, 1000);
    EXPECT_TRUE(stream.HasJustEnded());
    EXPECT_EQ(stream.End(), 1500U);
    EXPECT_FALSE(stream.HasJustEnded()); // once
    EXPECT_FALSE(Receive(1500, 10));     // beyond the FIN
    EXPECT_EQ(stream.Unread(), 1500U);
}

TEST_F(IncomingStreamTest, CongestionMarksAreEchoed)
{
    PacketRecord last{};
    TcpWireHeader header;
    EXPECT_FALSE(stream.Receive(0, Create<Packet>(100), header, true));
    last = stream.Engine().Piggyback();
    EXPECT_NE(last.flags & PacketRecord::EcnEcho, 0);
}

} // namespace
