// SPDX-License-Identifier: GPL-2.0-only
// Checks that a scoreboard whose listener takes runs of segments reports what one that tells of each
// segment reports, over random bursts, acknowledgements, SACK blocks and losses.
#include "bulk-tcp/model/scoreboard.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace
{

using namespace ns3;

constexpr std::uint32_t boardSegment = 1448; ///< bytes

/// Told is what a listener keeps of the segments that are delivered.
struct Told : Scoreboard::Listener
{
    void OnDelivered(std::int64_t nowNs,
                     std::uint64_t /*number*/,
                     const Scoreboard::Segment& segment) override
    {
        rate.OnDelivered(nowNs, segment.snapshot, segment.sentNs, segment.length);
        highest = std::max(highest, segment.offset + segment.length);
        newestNs = std::max(newestNs, segment.sentNs);
        ++calls;
    }

    DeliveryRate rate;
    std::uint64_t highest = 0;
    std::int64_t newestNs = 0;
    int calls = 0;
};

/// Both is a pair of scoreboards that see the same.
struct Both
{
    Told eachTold;
    Told runsTold;
    Scoreboard each{eachTold};
    Scoreboard runs{runsTold, true};

    void Send(std::int64_t nowNs, std::uint64_t segments)
    {
        for (; segments > 0; --segments)
        {
            each.Append(nowNs, boardSegment, eachTold.rate.OnSent(nowNs, each.Outstanding() == 0));
            runs.Append(nowNs, boardSegment, runsTold.rate.OnSent(nowNs, runs.Outstanding() == 0));
        }
    }

    void LoseFirst(std::int64_t nowNs)
    {
        for (auto [board, told] : {std::pair(&each, &eachTold), std::pair(&runs, &runsTold)})
        {
            board->MarkLost(board->First());
            Scoreboard::Segment& lost = *board->NextLost();
            board->OnRetransmitted(lost, nowNs, told->rate.OnSent(nowNs, false), false);
        }
    }

    void Acknowledge(std::int64_t nowNs, const PacketRecord& ack)
    {
        const auto one = each.OnAck(nowNs, ack);
        const auto other = runs.OnAck(nowNs, ack);
        EXPECT_EQ(one.ackedBytes, other.ackedBytes);
        EXPECT_EQ(one.sackedBytes, other.sackedBytes);
        EXPECT_EQ(one.rttNs, other.rttNs);
        EXPECT_EQ(one.firstSentNs, other.firstSentNs);
        EXPECT_EQ(one.retransmissionAcked, other.retransmissionAcked);
        EXPECT_EQ(one.originalEnd, other.originalEnd);
        EXPECT_EQ(each.Outstanding(), runs.Outstanding());
        EXPECT_EQ(each.First(), runs.First());
        EXPECT_EQ(eachTold.highest, runsTold.highest);
        EXPECT_EQ(eachTold.newestNs, runsTold.newestNs);
        EXPECT_EQ(eachTold.rate.Delivered(), runsTold.rate.Delivered());
        const auto sample = eachTold.rate.Sample(one.ackedBytes, 0, 0, INT64_MAX);
        const auto ofRuns = runsTold.rate.Sample(other.ackedBytes, 0, 0, INT64_MAX);
        EXPECT_EQ(sample.m_priorDelivered, ofRuns.m_priorDelivered);
        EXPECT_EQ(sample.m_deliveryRate.GetBitRate(), ofRuns.m_deliveryRate.GetBitRate());
    }
};

TEST(ScoreboardRuns, ReportWhatSegmentsReport)
{
    geotrain::RandomStream random(1, "scoreboard", "runs");
    const auto draw = [&random](double most)
    { return static_cast<std::uint64_t>(random.Uniform() * most); };
    Both boards;
    for (std::int64_t nowNs = 1; nowNs < 4000; ++nowNs)
    {
        boards.Send(nowNs, draw(20));
        const std::uint64_t out = boards.each.End() - boards.each.First();
        if (out > 2 && draw(10) == 0)
        {
            boards.LoseFirst(nowNs);
        }
        PacketRecord ack{};
        ack.kind = PacketRecord::Kind::Ack;
        ack.offset = boards.each.Una() + draw(static_cast<double>(out) * 0.8) * boardSegment;
        if (draw(4) == 0)
        {
            const auto hole = static_cast<std::uint32_t>(1 + draw(3)) * boardSegment;
            ack.sackBlocks = 1;
            ack.sack[0] = {hole, hole + static_cast<std::uint32_t>(draw(5)) * boardSegment};
        }
        boards.Acknowledge(nowNs, ack);
    }
    EXPECT_LT(boards.runsTold.calls, boards.eachTold.calls * 0.8); // it has taken runs
}

} // namespace
