// SPDX-License-Identifier: GPL-2.0-only
// Checks AccECN (RFC 9768): the count of marks in three bits, when acknowledgements carry it, and that
// a sender hears of every mark.
#include "bulk-tcp/model/accurate-ecn.h"

#include "bulk-tcp/model/tcp-prague.h"
#include "express-path-helper.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <memory>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

PacketRecord
DataPacket(bool isMarked)
{
    PacketRecord data{};
    data.flags = isMarked ? PacketRecord::CongestionExperienced : 0;
    return data;
}

TEST(AceReader, CountsFromFiveAndWraps)
{
    AceReader reader;
    EXPECT_EQ(reader.OnAck(5, 2), 0U); // the first value (3.2.1)
    EXPECT_EQ(reader.OnAck(7, 2), 2U);
    EXPECT_EQ(reader.OnAck(1, 2), 2U); // 7 + 2 = 9, modulo 8
    EXPECT_EQ(reader.OnAck(0, 7), 7U);
    EXPECT_EQ(reader.OnAck(0, 7), 0U);
}

TEST(AceReader, AssumesTheMostWhereTheCountMayHaveCycled)
{
    // A.2.1: dSafer.cep = newlyAckedPkt - ((newlyAckedPkt - d.cep) mod 8).
    struct Case
    {
        std::uint8_t ace;
        std::uint32_t packets;
        std::uint32_t marked;
    };
    for (const Case& one : {Case{7, 9, 2},
                            Case{7, 10, 10},
                            Case{7, 17, 10},
                            Case{5, 8, 8},
                            Case{5, 7, 0},
                            Case{4, 100, 95}})
    {
        AceReader reader;
        EXPECT_EQ(reader.OnAck(one.ace, one.packets), one.marked)
            << int{one.ace} << " and " << one.packets << " packets";
    }
}

TEST(AceReader, IgnoresWhatDeliversNothing)
{
    AceReader reader;
    EXPECT_EQ(reader.OnAck(3, 0), 0U); // an old acknowledgement, or a copy
    EXPECT_EQ(reader.OnAck(6, 1), 1U);
}

TEST(AceCount, AcknowledgesTheFirstMarkAndEachSecondOne)
{
    AceCount count;
    count.Begin(true);
    std::vector<bool> wants;
    for (const bool isMarked : {false, true, true, true, false, true})
    {
        count.OnData(DataPacket(isMarked));
        wants.push_back(count.WantsAcknowledgement());
        if (wants.back())
        {
            count.Tell();
        }
    }
    EXPECT_EQ(wants, (std::vector<bool>{false, true, false, true, false, true}));
    EXPECT_EQ(count.Tell(), (5 + 4) % 8);
}

TEST(AceCount, SaysNothingWhereNobodyAsked)
{
    AceCount count;
    count.Begin(false);
    count.OnData(DataPacket(true));
    EXPECT_FALSE(count.WantsAcknowledgement());
    EXPECT_EQ(count.Tell(), 0);
}

/// A ListeningPrague adds up what it hears.
class ListeningPrague : public geotrain::TcpPrague
{
  public:
    void OnFeedback(const AccurateEcnFeedback& feedback) override
    {
        marked += feedback.markedPackets;
        TcpPrague::OnFeedback(feedback);
    }

    std::uint64_t marked = 0;
};

/// A Tamperer marks data, and looks at its ECN bits.
class Tamperer : public PacketElement
{
  public:
    Tamperer(double markRate, PacketElement& next)
        : m_markRate(markRate),
          m_next(next)
    {
    }

    void Receive(const PacketRecord& record) override
    {
        PacketRecord changed = record;
        if (record.kind == PacketRecord::Kind::Data)
        {
            all += 1;
            ect1 += (record.flags & PacketRecord::Ect1) != 0 ? 1 : 0;
            if (m_random.Uniform() < m_markRate)
            {
                marked += 1;
                changed.flags |= PacketRecord::CongestionExperienced;
            }
        }
        m_next.Receive(changed);
    }

    std::uint64_t all = 0;
    std::uint64_t ect1 = 0;
    std::uint64_t marked = 0;

  private:
    double m_markRate;
    geotrain::RandomStream m_random{1, "tamperer", ""};
    PacketElement& m_next;
};

struct MarkOutcome
{
    std::uint64_t sent;
    std::uint64_t ect1;
    std::uint64_t marked;
    std::uint64_t heard;
    std::uint64_t retransmitted;
};

/// Sends 20 MB over 100 Mbit/s and 20 ms.
MarkOutcome
TransferWithMarks(const BulkTcpOptions& options,
                  double markRate,
                  double lossRate,
                  double lossOfAcks)
{
    ExpressPathHelper path;
    Tamperer* tamperer = nullptr;
    path.PutBeforeForward(
        [&](PacketElement& next)
        {
            auto made = std::make_unique<Tamperer>(markRate, next);
            tamperer = made.get();
            return made;
        });
    LinkModel::Settings forward;
    forward.rate = BitRate::BitsPerSecond(100000000);
    forward.delay = Duration::Milliseconds(10);
    forward.name = "forward";
    forward.lossRate = lossRate;
    LinkModel::Settings backward = forward;
    backward.name = "backward";
    backward.lossRate = lossOfAcks;
    path.AddLink(forward, backward);
    path.Build();
    const Ptr<ListeningPrague> control = CreateObject<ListeningPrague>();
    const FlowNumber flow = path.AddFlow(options, control);
    path.Sender(flow).Send(1, 20000000);
    Simulator::Run();
    path.CheckConservation();
    EXPECT_EQ(path.Log().delivered.size(), 1U);
    const MarkOutcome outcome{tamperer->all,
                              tamperer->ect1,
                              tamperer->marked,
                              control->marked,
                              path.Sender(flow).GetCounters().retransmittedPackets};
    Simulator::Destroy();
    return outcome;
}

TEST(AccurateEcn, EachMarkIsHeardWithSlowAcknowledgements)
{
    // Acknowledgements of more than seven packets are taken for all that they may mean (AceReader).
    for (const std::uint32_t delayed : {1U, 2U, 7U})
    {
        for (const double rate : {0.01, 0.3, 1.0})
        {
            BulkTcpOptions options;
            options.delayedAckCount = delayed;
            const MarkOutcome outcome = TransferWithMarks(options, rate, 0, 0);
            EXPECT_GT(outcome.marked, 0U);
            EXPECT_EQ(outcome.heard, outcome.marked) << delayed << " " << rate;
        }
    }
}

TEST(AccurateEcn, MarksOfLostAcknowledgementsComeWithTheNext)
{
    // Of two lost in a row up to six packets are unacknowledged, which three bits count. More in a row are
    // rare at a loss of 5 %: what is assumed of them is 2 % at most.
    const MarkOutcome outcome = TransferWithMarks({}, 0.1, 0, 0.05);
    EXPECT_NEAR(static_cast<double>(outcome.heard),
                static_cast<double>(outcome.marked),
                0.02 * static_cast<double>(outcome.marked));
    // Of marked packets that are lost nobody hears.
    const MarkOutcome lossy = TransferWithMarks({}, 0.1, 0.01, 0);
    EXPECT_GT(lossy.retransmitted, 0U);
    EXPECT_NEAR(static_cast<double>(lossy.heard),
                0.99 * static_cast<double>(lossy.marked),
                0.02 * static_cast<double>(lossy.marked));
}

/// A host of today compresses SACKs, of more packets than three bits count: where they count, it does not.
TEST(AccurateEcn, LossesAreNotTakenForMarks)
{
    const MarkOutcome outcome = TransferWithMarks(BulkTcpOptions::AsLinux(true), 0, 5e-4, 0);
    EXPECT_GT(outcome.retransmitted, 0U);
    EXPECT_EQ(outcome.heard, 0U);
}

TEST(AccurateEcn, DataAndRetransmissionsAreOfEct1)
{
    const MarkOutcome outcome = TransferWithMarks({}, 0, 0.01, 0);
    EXPECT_GT(outcome.retransmitted, 0U);
    EXPECT_EQ(outcome.ect1, outcome.sent);
}

} // namespace
