// SPDX-License-Identifier: GPL-2.0-only
// Checks which segments are acknowledged one by one, and what slow start gains by it: the window
// doubles each round trip from the first on, as Linux's does.
#include "bulk-tcp/model/quick-acks.h"
#include "express-path-helper.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <vector>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using geotrain::nsPerMs;

constexpr std::uint32_t quickSegment = 1448; ///< bytes of payload
constexpr std::int64_t roundTripMs = 100;

/// Returns how many acknowledgements in a row are sent one by one.
int
CountRow(QuickAcks& acks)
{
    int count = 0;
    for (; acks.IsOn(); ++count)
    {
        acks.OnAcknowledged();
    }
    return count;
}

TEST(QuickAcks, ARowIsHalfOfTheWindowAndAtMostSixteen)
{
    for (const auto& [bytes, expected] :
         {std::pair{65535, 16}, {20 * 1448, 10}, {3 * 1448, 2}, {1448, 2}})
    {
        QuickAcks acks(16);
        acks.OnData(0, static_cast<std::uint64_t>(bytes), quickSegment);
        EXPECT_EQ(CountRow(acks), expected) << bytes;
    }
}

TEST(QuickAcks, APauseLongerThanTheTimeoutBeginsARow)
{
    QuickAcks acks(16);
    acks.SetRetransmissionTimeout(300 * nsPerMs);
    acks.OnData(0, 65535, quickSegment);
    CountRow(acks);
    acks.OnData(300 * nsPerMs, 65535, quickSegment);
    EXPECT_FALSE(acks.IsOn());
    acks.OnData(601 * nsPerMs, 65535, quickSegment);
    EXPECT_EQ(CountRow(acks), 16);
}

TEST(QuickAcks, ACopyBeginsARowThatIsNoLongerForBeingTheSecond)
{
    QuickAcks acks(16);
    acks.OnData(0, 65535, quickSegment);
    acks.OnAcknowledged();
    acks.Begin(65535, quickSegment);
    EXPECT_EQ(CountRow(acks), 16);
}

TEST(QuickAcks, NoneInARowIsNone)
{
    QuickAcks acks(0);
    acks.OnData(0, 65535, quickSegment);
    EXPECT_FALSE(acks.IsOn());
}

/// A connection over an idle path of 1 Gbit/s and 100 ms.
class QuickPath : public testing::Test
{
  protected:
    QuickPath()
    {
        LinkModel::Settings link;
        link.rate = BitRate::BitsPerSecond(1000000000);
        link.delay = Duration::Milliseconds(roundTripMs / 2);
        link.name = "quick";
        path.AddLink(link);
        path.Build();
    }

    ~QuickPath() override
    {
        Simulator::Destroy();
    }

    void RunFor(double roundTrips)
    {
        Simulator::Stop(MilliSeconds(static_cast<std::uint64_t>(roundTrips * roundTripMs)));
        Simulator::Run();
    }

    ExpressPathHelper path;
    BulkTcpOptions options;
};

TEST_F(QuickPath, TheWindowDoublesEachRoundTripFromTheFirstOn)
{
    const BulkSender& sender = path.Sender(path.AddFlow(options));
    path.Sender(0).Send(1, 20000000);
    RunFor(1.9); // handshake, and the first flight
    std::uint64_t before = 0;
    for (const std::uint64_t flight : {10, 20, 40, 80, 160})
    {
        const std::uint64_t sent = sender.GetCounters().sentBytes / quickSegment;
        EXPECT_EQ(sent - before, flight);
        before = sent;
        RunFor(1);
    }
}

TEST_F(QuickPath, TheEndOfAMessageIsAcknowledgedAtOnce)
{
    options.delayedAckTimeout = Duration::Milliseconds(200);
    path.Sender(path.AddFlow(options))
        .Send(1, 101 * quickSegment); // an odd number, beyond the first row
    Simulator::Run();
    EXPECT_NEAR(static_cast<double>(path.Log().drainedNs - path.Log().deliveredNs.at(0)),
                roundTripMs / 2 * nsPerMs,
                nsPerMs); // the acknowledgement's way back, and its time on the link
}

TEST_F(QuickPath, StockReceiversAcknowledgeTheFirstSegmentAloneAtOnce)
{
    options = BulkTcpOptions::StockCompatible();
    path.Sender(path.AddFlow(options)).Send(1, 10 * quickSegment);
    Simulator::Run();
    // The first, four pairs, and the tenth after the timer.
    EXPECT_EQ(path.Receiver(0).GetCounters().acks, 1U + 4U + 1U);
}

} // namespace
