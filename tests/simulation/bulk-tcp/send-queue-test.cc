// SPDX-License-Identifier: GPL-2.0-only
// Tests messages as ranges of a stream, and the receiver's echo of marks.
#include "bulk-tcp/model/ecn-echo.h"
#include "bulk-tcp/model/send-queue.h"

#include <gtest/gtest.h>

namespace
{

using ns3::EcnEcho;
using ns3::PacketRecord;
using ns3::SendQueue;

PacketRecord
DataWith(std::uint8_t flags)
{
    PacketRecord data{};
    data.kind = PacketRecord::Kind::Data;
    data.flags = flags;
    return data;
}

TEST(SendQueue, MessagesFollowEachOther)
{
    SendQueue queue;
    queue.Add(7, 100);
    queue.Add(8, 50);
    EXPECT_EQ(queue.End(), 150U);
    EXPECT_EQ(queue.Current().number, 7U);
    EXPECT_EQ(queue.OnSent(60), std::nullopt);
    EXPECT_EQ(queue.OnSent(100), 7U);
    EXPECT_EQ(queue.Current().number, 8U);
    EXPECT_EQ(queue.Current().begin, 100U);
    EXPECT_EQ(queue.Current().end, 150U);
}

TEST(SendQueue, AByteBelongsToItsMessage)
{
    SendQueue queue;
    queue.Add(7, 100);
    queue.Add(8, 50);
    queue.OnSent(100);
    queue.OnSent(150);
    EXPECT_EQ(queue.At(99).number, 7U);
    EXPECT_EQ(queue.At(100).number, 8U);
    EXPECT_FALSE(queue.OnAcked(120));
    EXPECT_EQ(queue.At(120).begin, 100U); // the first is forgotten, its end is not
    EXPECT_TRUE(queue.OnAcked(150));
    EXPECT_FALSE(queue.OnAcked(150));
}

TEST(SendQueue, OnlyAMessageInWorkGrows)
{
    SendQueue queue;
    EXPECT_FALSE(queue.Extend(10));
    queue.Add(0, 10);
    EXPECT_TRUE(queue.Extend(5));
    EXPECT_EQ(queue.Current().end, 15U);
    queue.OnSent(15);
    EXPECT_FALSE(queue.Extend(5));
}

TEST(SendQueue, TakingAllLeavesNothing)
{
    SendQueue queue;
    queue.Add(1, 10);
    queue.Add(2, 10);
    queue.OnSent(10);
    EXPECT_EQ(queue.TakeAll(), (std::vector<std::uint64_t>{1, 2}));
    EXPECT_TRUE(queue.TakeAll().empty());
    EXPECT_FALSE(queue.Extend(10));
}

TEST(EcnEcho, LastsUntilTheWindowIsReduced)
{
    EcnEcho echo;
    echo.Settle(DataWith(PacketRecord::CongestionExperienced), 0);
    EXPECT_TRUE(echo.IsOn());
    echo.Settle(DataWith(0), 0);
    EXPECT_TRUE(echo.IsOn()); // RFC 3168, 6.1.3
    echo.Settle(DataWith(PacketRecord::WindowReduced), 0);
    EXPECT_FALSE(echo.IsOn());
}

TEST(EcnEcho, OfDctcpFollowsEachMark)
{
    EcnEcho echo;
    echo.Begin(true);
    const PacketRecord marked = DataWith(PacketRecord::CongestionExperienced);
    EXPECT_EQ(echo.OnData(marked, 1000, true),
              1000U); // RFC 8257, 3.2: the state before is acknowledged
    EXPECT_EQ(echo.OnData(marked, 1000, false), std::nullopt);
    echo.Settle(marked, 1000);
    EXPECT_TRUE(echo.IsOn());
    echo.Settle(DataWith(0), 2000);
    EXPECT_FALSE(echo.IsOn());
}

TEST(EcnEcho, AsStockLeavesTheWaitingSegmentOut)
{
    EcnEcho echo(true);
    echo.Begin(true);
    echo.Settle(DataWith(0), 1000);
    EXPECT_EQ(echo.OnData(DataWith(PacketRecord::CongestionExperienced), 2000, true), 1000U);
}

} // namespace
