// SPDX-License-Identifier: GPL-2.0-only
// Tests a warm connection with an open window: sending is paced, a lost tail is found by a probe
// before the timeout, and a loss says nothing about a window that was not in use.
#include "express-path-helper.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using geotrain::nsPerMs;

/// A Gate loses or holds back what a test wants, and records when data passed.
class Gate : public PacketElement
{
  public:
    explicit Gate(PacketElement& next)
        : m_next(next)
    {
    }

    void Receive(const PacketRecord& record) override
    {
        if (record.kind == PacketRecord::Kind::Data)
        {
            sentNs.push_back(NowNs());
            if (loses && loses(record))
            {
                return;
            }
        }
        PacketElement& next = m_next;
        Simulator::Schedule(NanoSeconds(heldNs), [&next, record] { next.Receive(record); });
    }

    std::function<bool(const PacketRecord&)> loses;
    std::int64_t heldNs = 0;
    std::vector<std::int64_t> sentNs;

  private:
    PacketElement& m_next;
};

class WarmWindow : public ::testing::Test
{
  protected:
    ~WarmWindow() override
    {
        Simulator::Destroy();
    }

    WarmWindow()
    {
        options.slowStartAfterIdle = false;
        options.window = Bytes::Of(1000000); // under 1 Gbit/s x 20 ms: no queue
    }

    void Build(std::int64_t bitsPerSecond, std::int64_t roundTripMs)
    {
        LinkModel::Settings link;
        link.rate = BitRate::BitsPerSecond(bitsPerSecond);
        link.delay = Duration::Microseconds(500 * roundTripMs);
        path.AddLink(link);
        path.PutBeforeForward(
            [this](PacketElement& next)
            {
                auto made = std::make_unique<Gate>(next);
                gate = made.get();
                return made;
            });
        path.Build();
        path.AddFlow(options);
    }

    /// Sends a message and runs until no event is left.
    void Carry(std::uint64_t size)
    {
        path.Sender(0).Send(++m_messages, size);
        Simulator::Run();
        ASSERT_EQ(path.Log().delivered.size(), m_messages);
    }

    BulkSender::Counters Counters()
    {
        return path.Sender(0).GetCounters();
    }

    std::uint32_t Window()
    {
        return path.Sender(0).State()->m_cWnd;
    }

    ExpressPathHelper path;
    BulkTcpOptions options;
    Gate* gate = nullptr;

  private:
    std::uint64_t m_messages = 0;
};

constexpr std::uint64_t segmentBytes = 1448; // of 1,500 bytes

TEST_F(WarmWindow, ProbeThatWasNotNeededReducesNothing)
{
    Build(1000000000, 20);
    Carry(20000 * segmentBytes);
    const std::uint32_t before = Window();
    gate->heldNs = 60 * nsPerMs; // over 2 SRTT of 20 ms, under the timeout
    Carry(8 * segmentBytes);
    EXPECT_GE(Counters().tailLossProbes, 1U);
    EXPECT_EQ(Counters().timeouts, 0U);
    gate->heldNs = 0;
    Carry(8 * segmentBytes);
    EXPECT_EQ(Counters().recoveries, 0U);
    EXPECT_EQ(Window(), before);
}

TEST_F(WarmWindow, ProbeThatRepairedALossReducesTheWindow)
{
    Build(1000000000, 20);
    Carry(20000 * segmentBytes);
    const std::uint32_t before = Window();
    const std::uint64_t tail = path.Sender(0).HighTx() + 7 * segmentBytes;
    bool lost = false;
    gate->loses = [&](const PacketRecord& data)
    { return data.offset == tail && !std::exchange(lost, true); };
    Carry(8 * segmentBytes);
    Carry(8 * segmentBytes); // RFC 8985, 7.4.2: acknowledged beyond the probe, and no DSACK
    EXPECT_EQ(Counters().tailLossProbes, 1U);
    EXPECT_EQ(Counters().recoveries, 1U);
    EXPECT_LT(Window(), before);
}

TEST_F(WarmWindow, AcknowledgementsPutTheProbeOff)
{
    options.initialWindow = 100;
    options.pacing = false;
    Build(10000000, 10); // the flight takes 100 x 1.2 ms, the round trip of the SYN said 10 ms
    Carry(100 * segmentBytes);
    EXPECT_EQ(Counters().tailLossProbes, 0U);
    EXPECT_EQ(Counters().retransmittedPackets, 0U);
}

TEST_F(WarmWindow, ProbeComesBeforeTheTimeout)
{
    // 2 SRTT = 300 ms is later than the timeout, SRTT + 4 RTTVAR: about 200 ms.
    Build(1000000000, 150);
    Carry(20000 * segmentBytes);
    const std::uint64_t tail = path.Sender(0).HighTx() + 7 * segmentBytes;
    bool lost = false;
    gate->loses = [&](const PacketRecord& data)
    { return data.offset == tail && !std::exchange(lost, true); };
    Carry(8 * segmentBytes);
    EXPECT_EQ(Counters().tailLossProbes, 1U);
    EXPECT_EQ(Counters().timeouts, 0U);
}

TEST_F(WarmWindow, GrowsAfterATimeoutWithoutNewData)
{
    Build(1000000000, 20);
    Carry(20000 * segmentBytes);
    const std::int64_t begin = NowNs();
    const std::int64_t outage = begin + 300 * nsPerMs; // outlasts probe and first timeout
    gate->loses = [&](const PacketRecord&) { return NowNs() < outage; };
    Carry(200 * segmentBytes);
    EXPECT_GE(Counters().timeouts, 1U);
    // Slow start from one segment takes 8 round trips for 200 segments, and 40 ms for the delayed
    // acknowledgement of the first. The second timeout is at most 2 (SRTT + 200 ms) behind the
    // outage. One segment per round trip would take 4 s.
    EXPECT_LT(path.Log().deliveredNs.back(), outage + (2 * 220 + 10 * 20 + 40) * nsPerMs);
}

TEST_F(WarmWindow, GrowsAfterATimeoutThoughItIsPacedSlowerThanItIsAcknowledged)
{
    Build(1000000000, 20);
    gate->heldNs = 300 * nsPerMs; // a long queue, which the round trip remembers
    Carry(20000 * segmentBytes);
    gate->heldNs = 0;
    const std::uint64_t first = path.Sender(0).HighTx();
    const std::int64_t outage = NowNs() + 1000 * nsPerMs;
    gate->loses = [&](const PacketRecord& data)
    { return data.offset == first && NowNs() < outage; };
    Carry(8 *
          segmentBytes); // the timeout repairs the only loss, and leaves a window of one segment
    EXPECT_GE(Counters().timeouts, 1U);
    EXPECT_EQ(Window(), segmentBytes);
    const std::int64_t begin = NowNs();
    Carry(2000 * segmentBytes);
    // 2,000 segments are 11 doublings of one, each in at most the 320 ms by which it is paced at first; one segment each
    // time that the pace allows it would take minutes.
    EXPECT_LT(path.Log().deliveredNs.back() - begin, 11 * 320 * nsPerMs);
}

// Linux's tcp_is_cwnd_limited: slow start grows the window to twice the most that was out in a window
// of data, also while the last of it is acknowledged.
TEST_F(WarmWindow, SlowStartGrowsToTwiceTheMostThatWasOut)
{
    Build(1000000000, 20);
    for (int message = 0; message < 8; ++message)
    {
        Carry(100 * segmentBytes);
    }
    EXPECT_EQ(Window(), 2 * 100 * segmentBytes);
}

TEST_F(WarmWindow, AShorterMessageLeavesTheWindowAsItIs)
{
    Build(1000000000, 20);
    Carry(300 * segmentBytes);
    const std::uint32_t before = Window();
    Carry(before / segmentBytes / 2 * segmentBytes); // not under half of the window
    Carry(20 * segmentBytes);
    EXPECT_EQ(Window(), before);
}

TEST_F(WarmWindow, LossForgetsHalfOfAWindowThatWasNotInUse)
{
    Build(1000000000, 20);
    Carry(20000 * segmentBytes);
    ASSERT_GT(Window(), 200 * segmentBytes);
    const std::uint32_t before = Window();
    const std::uint64_t fifth = path.Sender(0).HighTx() + 4 * segmentBytes;
    bool lost = false;
    gate->loses = [&](const PacketRecord& data)
    { return data.offset == fifth && !std::exchange(lost, true); };
    Carry(20 * segmentBytes);
    EXPECT_EQ(Counters().recoveries, 1U);
    // RFC 2861, 3.2: 0.7 of the middle of window and flight, which is 16 to 20 segments when the
    // loss is found.
    const std::uint32_t threshold = path.Sender(0).State()->m_ssThresh;
    EXPECT_NEAR(threshold, 0.7 * (before + 18.0 * segmentBytes) / 2, 2.0 * segmentBytes);
}

// RFC 6675, 5: what was sent in a recovery is of a window of its own, and its loss reduces again when
// the recovery is over, also where it was sent again meanwhile (Linux's tcp_time_to_recover).
TEST_F(WarmWindow, LossOfWhatWasSentInRecoveryReducesAgain)
{
    options.congestionControl = "ns3::TcpLinuxReno";
    options.window = Bytes::Of(64000000);
    Build(1000000000, 20);
    Carry(1000 * segmentBytes);
    const TcpSocketState& state = *path.Sender(0).State();
    const std::uint64_t fifth = path.Sender(0).HighTx() + 4 * segmentBytes;
    // Its loss is found 600 x 12 us after that of the fifth, so that recovery takes 27 ms.
    const std::uint64_t late = fifth + 600 * segmentBytes;
    std::uint64_t third = 0; // the first new one in recovery, whose loss is found after 20 ms
    std::uint64_t highest = 0;
    std::map<std::uint64_t, int> sent; // how often each segment came
    double once = 0;                   // threshold after the first reduction
    gate->loses = [&](const PacketRecord& data)
    {
        const bool isNew = data.offset > highest;
        highest = std::max(highest, data.offset);
        if (third == 0 && isNew && sent[fifth] == 2)
        {
            third = data.offset;
            once = state.m_ssThresh;
        }
        const bool isChosen = data.offset == fifth || data.offset == late || data.offset == third;
        return ++sent[data.offset] == 1 && isChosen;
    };
    Carry(20000 * segmentBytes);
    EXPECT_EQ(sent[third], 2);
    EXPECT_EQ(Counters().recoveries, 2U);
    EXPECT_NEAR(state.m_ssThresh / once, 0.5, 0.01);
}

TEST_F(WarmWindow, StockCompatibleReducesTheWholeWindow)
{
    options = BulkTcpOptions::StockCompatible();
    options.window = Bytes::Of(1000000);
    Build(1000000000, 20);
    Carry(20000 * segmentBytes);
    const std::uint32_t before = Window();
    const std::uint64_t fifth = path.Sender(0).HighTx() + 4 * segmentBytes;
    bool lost = false;
    gate->loses = [&](const PacketRecord& data)
    { return data.offset == fifth && !std::exchange(lost, true); };
    Carry(20 * segmentBytes);
    EXPECT_GT(path.Sender(0).State()->m_ssThresh.Get(), before / 2);
}

TEST_F(WarmWindow, LeavesAtThePacingRate)
{
    Build(1000000000, 20);
    Carry(20000 * segmentBytes);
    const std::size_t first = gate->sentNs.size();
    const double window = Window();
    const std::uint64_t count = Window() / segmentBytes / 2;
    const double factor = Window() < path.Sender(0).State()->m_ssThresh / 2 ? 2.0 : 1.2;
    Carry(count * segmentBytes);
    // Half a window takes half a round trip over the factor; the first burst, 64 KiB or 46 segments, goes at once.
    const double spread = static_cast<double>(gate->sentNs.back() - gate->sentNs[first]) * 1e-9;
    const double paced = static_cast<double>((count - 46) * segmentBytes);
    const double roundTrip = path.Sender(0).SmoothedRtt().GetSeconds();
    EXPECT_NEAR(spread, paced * roundTrip / (factor * window), 0.1 * roundTrip);
}

TEST_F(WarmWindow, LeavesPacketByPacketByFq)
{
    options.pacesSinglePackets = true;
    Build(1000000000, 20);
    Carry(20000 * segmentBytes);
    const std::size_t first = gate->sentNs.size();
    const double window = Window();
    const std::uint64_t count = Window() / segmentBytes / 2;
    const double factor = Window() < path.Sender(0).State()->m_ssThresh / 2 ? 2.0 : 1.2;
    const double gapNs = 1e9 * path.Sender(0).SmoothedRtt().GetSeconds() * segmentBytes /
                         (factor * window); // length / rate
    Carry(count * segmentBytes);
    // SRTT, and with it the rate, moves by the time of the flight's first packets on the link.
    for (std::size_t i = first + 1; i < first + count; ++i)
    {
        ASSERT_NEAR(static_cast<double>(gate->sentNs[i] - gate->sentNs[i - 1]), gapNs, 0.02 * gapNs);
    }
}

TEST_F(WarmWindow, TheEstimatorTakesDelayedAcknowledgements)
{
    options.window = Bytes::Of(segmentBytes); // each segment waits for 40 ms to be acknowledged
    Build(1000000000, 2);
    Carry(100 * segmentBytes);
    // Linux's tcp_ack_update_rtt takes each sample; SRTT comes within 1 % in 100 steps of an eighth.
    // The end of the message is acknowledged at once, in 2 ms, which is the last step.
    EXPECT_NEAR(path.Sender(0).SmoothedRtt().GetSeconds(), 0.042 - 0.04 / 8, 0.0005);
    EXPECT_EQ(Counters().retransmittedPackets, 0U);
}

TEST_F(WarmWindow, GoesAtOnceWithoutPacing)
{
    options.pacing = false;
    Build(1000000000, 20);
    Carry(20000 * segmentBytes);
    const std::size_t first = gate->sentNs.size();
    Carry(Window() / segmentBytes / 2 * segmentBytes);
    EXPECT_EQ(gate->sentNs.back(), gate->sentNs[first]);
}

} // namespace
