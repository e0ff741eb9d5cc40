// SPDX-License-Identifier: GPL-2.0-only
// Checks when a receiver holds back acknowledgements of segments behind a gap, by the numbers of
// Linux's __tcp_ack_snd_check and tcp_sack_new_ofo_skb.
#include "bulk-tcp/model/bulk-receiver.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <utility>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::nsPerMs;

constexpr std::uint32_t heldSegment = 1448; ///< bytes of payload

/// The receiving end of a connection, by itself: segments come at times that a test sets.
class CompressingReceiver : public testing::Test,
                            protected PacketElement,
                            protected BulkReceiverEvents
{
  protected:
    CompressingReceiver()
    {
        options.sackCompression = true;
        options.quickAcks = 0;
    }

    ~CompressingReceiver() override
    {
        Simulator::Destroy();
    }

    /// Lets a handshake of `roundTripNs` end at time 0 of the segments, which are pairs of a time in
    /// nanoseconds and a number, and runs until all acknowledgements are sent.
    void Run(std::int64_t roundTripNs,
             const std::vector<std::pair<std::int64_t, std::uint64_t>>& segments)
    {
        BulkReceiver receiver({0, 1, *this}, options, *this);
        PacketRecord syn{};
        syn.kind = PacketRecord::Kind::Syn;
        PacketRecord last{};
        last.kind = PacketRecord::Kind::Ack;
        receiver.Receive(syn);
        Simulator::Schedule(NanoSeconds(roundTripNs),
                            [&receiver, last] { receiver.Receive(last); });
        for (const auto& [atNs, number] : segments)
        {
            PacketRecord data{};
            data.kind = PacketRecord::Kind::Data;
            data.offset = number * heldSegment;
            data.length = heldSegment;
            data.message = {1, 0, 1000000000};
            Simulator::Schedule(NanoSeconds(roundTripNs + atNs),
                                [&receiver, data] { receiver.Receive(data); });
        }
        m_beginNs = roundTripNs;
        Simulator::Run();
    }

    /// Runs with segments `spacingNs` apart: the first in order, the second missing, `behind` others.
    void RunBehindAGap(std::int64_t roundTripNs, std::int64_t spacingNs, std::uint64_t behind)
    {
        std::vector<std::pair<std::int64_t, std::uint64_t>> segments = {{0, 0}};
        for (std::uint64_t i = 1; i <= behind; ++i)
        {
            segments.emplace_back(static_cast<std::int64_t>(i) * spacingNs, i + 1);
        }
        Run(roundTripNs, segments);
    }

    void Receive(const PacketRecord& record) override
    {
        if (record.kind == PacketRecord::Kind::Ack)
        {
            timesNs.push_back(Simulator::Now().GetNanoSeconds() - m_beginNs);
            acks.push_back(record);
        }
    }

    BulkTcpOptions options;
    std::vector<std::int64_t> timesNs;
    std::vector<PacketRecord> acks;

  private:
    std::int64_t m_beginNs = 0;
};

TEST_F(CompressingReceiver, WithoutTheOptionEachIsAcknowledgedAtOnce)
{
    options.sackCompression = false;
    RunBehindAGap(40 * nsPerMs, 240000, 10);
    EXPECT_EQ(acks.size(), 10U);
}

// At 50 Mbit/s a segment of 1,500 bytes lasts 0.24 ms. The first held one comes at 0.96 ms, and its
// acknowledgement goes 1.1 ms later (a millisecond and the timer's slack). The next one to be held
// comes at 2.16 ms: five segments, 1.2 ms.
TEST_F(CompressingReceiver, AfterThreeAtOnceThereIsOneInAMillisecond)
{
    RunBehindAGap(40 * nsPerMs, 240000, 15);
    EXPECT_EQ(timesNs,
              (std::vector<std::int64_t>{240000, 480000, 720000, 2060000, 3260000, 4460000}));
    EXPECT_EQ(acks[3].sack[0].end, 10 * heldSegment - heldSegment); // segments 2 to 9, from 1 on
}

TEST_F(CompressingReceiver, OverAShortRoundTripTheWaitIsATwentiethOfIt)
{
    RunBehindAGap(10 * nsPerMs, 240000, 4);
    EXPECT_EQ(timesNs, (std::vector<std::int64_t>{240000, 480000, 720000, 960000 + 600000}));
}

// Of 3 + 45 segments the last finds 44 held ones and is not held.
TEST_F(CompressingReceiver, AtMostFortyFourAreHeld)
{
    RunBehindAGap(40 * nsPerMs, 10000, 48);
    EXPECT_EQ(timesNs, (std::vector<std::int64_t>{10000, 20000, 30000, 480000}));
}

// Every second segment is lost: each one that comes begins a SACK block. What is held goes out
// before the block of a further one, which is acknowledged with the next: two blocks each.
TEST_F(CompressingReceiver, NoBlockIsLostWhereManyBegin)
{
    std::vector<std::pair<std::int64_t, std::uint64_t>> segments = {{0, 0}};
    for (std::uint64_t i = 1; i <= 13; ++i)
    {
        segments.emplace_back(static_cast<std::int64_t>(i) * 10000, 2 * i);
    }
    Run(40 * nsPerMs, segments);
    // The fourth is held, and so is every second one after it.
    EXPECT_EQ(
        timesNs,
        (std::vector<std::int64_t>{10000, 20000, 30000, 50000, 70000, 90000, 110000, 130000}));
    std::uint64_t told = 0;
    for (std::size_t i = 3; i < acks.size(); ++i)
    {
        told += 2;
        EXPECT_EQ(acks[i].sack[0].begin / heldSegment, 2 * (told + 2) - 1) << i;
    }
}

TEST_F(CompressingReceiver, TheFillingOfTheGapIsAcknowledgedAtOnce)
{
    Run(40 * nsPerMs,
        {{0, 0}, {10000, 2}, {20000, 3}, {30000, 4}, {40000, 5}, {50000, 6}, {60000, 1}});
    ASSERT_EQ(timesNs, (std::vector<std::int64_t>{10000, 20000, 30000, 60000}));
    EXPECT_EQ(acks.back().offset, 7 * heldSegment);
}

TEST_F(CompressingReceiver, NothingIsHeldWhileAcknowledgementsAreQuick)
{
    options.quickAcks = 16; // one for the first segment, nine for those behind the gap
    RunBehindAGap(40 * nsPerMs, 10000, 9);
    EXPECT_EQ(acks.size(), 1U + 9U);
}

} // namespace
