// SPDX-License-Identifier: GPL-2.0-only
// Checks how large a burst is and when a sender waits for a larger one, by the numbers of Linux's
// tcp_tso_autosize and tcp_tso_should_defer, and when the next may follow a paced one.
#include "bulk-tcp/model/bulk-sender.h"
#include "bulk-tcp/model/geotrain-cubic.h"
#include "bulk-tcp/model/offload-burst.h"
#include "bulk-tcp/model/pacer.h"
#include "express-path-helper.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>
#include <ns3/tcp-bbr.h>
#include <ns3/tcp-linux-reno.h>

#include <memory>
#include <tuple>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::nsPerMs;

constexpr std::uint32_t burstSegment = 1448; ///< bytes of payload

/// Room for two packets of a window of 100, 0.1 ms after the last packet left and when an
/// acknowledgement is due.
OffloadBurst::View
TwoOfAHundred()
{
    OffloadBurst::View view{};
    view.nowNs = 100 * nsPerMs;
    view.lastSentNs = view.nowNs - nsPerMs / 10;
    view.firstSentNs = 60 * nsPerMs;
    view.roundTripNs = 40 * nsPerMs;
    view.room = 2 * burstSegment;
    view.window = 100 * burstSegment;
    view.segmentSize = burstSegment;
    return view;
}

/// Returns a burst of 4 packets: 60 Mbit/s are 7,324 bytes in 1/1024 s, and 7,324/1,448 = 5.06; 50
/// Mbit/s are 6,103, and 4.2.
OffloadBurst
BurstOfFour()
{
    OffloadBurst burst;
    burst.SetRate(50000000);
    return burst;
}

TEST(OffloadBurst, WaitsUntilAWholeBurstFits)
{
    auto burst = BurstOfFour();
    auto view = TwoOfAHundred();
    EXPECT_TRUE(burst.Waits(view));
    view.room = 4 * burstSegment;
    EXPECT_FALSE(burst.Waits(view));
}

TEST(OffloadBurst, GoesOnWithABurst)
{
    auto burst = BurstOfFour();
    auto view = TwoOfAHundred();
    view.room = 6 * burstSegment;
    for (int i = 0; i < 4; ++i)
    {
        EXPECT_FALSE(burst.Waits(view)) << i;
        burst.OnSent();
        view.room -= burstSegment;
        view.lastSentNs = view.nowNs;
    }
    EXPECT_TRUE(burst.Waits(view)); // two are left
}

TEST(OffloadBurst, DoesNotWaitAfterAPauseOfAMillisecond)
{
    auto view = TwoOfAHundred();
    view.lastSentNs = view.nowNs - nsPerMs;
    EXPECT_TRUE(BurstOfFour().Waits(view));
    view.lastSentNs -= 1;
    EXPECT_FALSE(BurstOfFour().Waits(view));
}

TEST(OffloadBurst, DoesNotWaitForAnAcknowledgementThatIsFarOff)
{
    auto view = TwoOfAHundred();
    view.firstSentNs = 61 * nsPerMs; // due in 1 ms
    EXPECT_TRUE(BurstOfFour().Waits(view));
    view.firstSentNs += 1;
    EXPECT_FALSE(BurstOfFour().Waits(view));
    view.roundTripNs = nsPerMs; // half of it is the bound
    view.firstSentNs = view.nowNs - nsPerMs / 2 + 1;
    EXPECT_FALSE(BurstOfFour().Waits(view));
}

TEST(OffloadBurst, DoesNotWaitWithAThirdOfTheWindow)
{
    auto view = TwoOfAHundred();
    view.window = 6 * burstSegment;
    EXPECT_FALSE(BurstOfFour().Waits(view));
    view.window += 3;
    EXPECT_TRUE(BurstOfFour().Waits(view));
}

TEST(OffloadBurst, HasTwoPacketsAtLeastAndLessThan64KibibytesAtMost)
{
    OffloadBurst slow;
    slow.SetRate(1000000);
    auto view = TwoOfAHundred();
    EXPECT_FALSE(slow.Waits(view));
    OffloadBurst fast;
    fast.SetRate(100000000000);
    view.window = 1000 * burstSegment;
    view.room = 44 * burstSegment;
    EXPECT_TRUE(fast.Waits(view));
    view.room = 45 * burstSegment; // 65,215/1,448 = 45.04
    EXPECT_FALSE(fast.Waits(view));
}

/// tcp_tso_autosize: rate / 8 / 1024 bytes, and 65,215 halved for each 512 us of the least round trip, at
/// most 65,215 together, in whole segments, two at least.
TEST(OffloadBurst, IsAsLargeAsLinuxHasIt)
{
    constexpr std::int64_t nsPerUs = 1000;
    const std::tuple<std::uint64_t, std::int64_t, std::uint64_t> cases[] = {
        {1000000, 40000 * nsPerUs, 2},   // 122
        {100000000, 40000 * nsPerUs, 8}, // 12,207 / 1,448 = 8.4
        {100000000, 5000 * nsPerUs, 8},  // 127 more, by 9 halvings
        {100000000, 1600 * nsPerUs, 14}, // 8,151 more, by 3
        {100000000, 1500 * nsPerUs, 19}, // 16,303 more, by 2
        {100000000, 400 * nsPerUs, 45},  // 65,215 more
        {100000000000, 40000 * nsPerUs, 45}};
    for (const auto& [rate, roundTripNs, segments] : cases)
    {
        OffloadBurst burst;
        burst.SetRate(rate, roundTripNs);
        EXPECT_EQ(burst.Segments(burstSegment), segments) << rate << " " << roundTripNs;
    }
}

/// 8 Gbit/s are a byte a nanosecond.
TEST(OffloadBurst, FollowsAPacedOneAfterItsTimeLessWhatThatWasLate)
{
    Pacer pacer;
    pacer.SetRate(8000000000);
    pacer.OnSentBurst(0, 1000);
    EXPECT_EQ(pacer.NextNs(), 1000);
    pacer.OnSentBurst(1300, 1000); // 300 late
    EXPECT_EQ(pacer.NextNs(), 2000);
    pacer.OnSentBurst(5000, 1000); // 3,000 late: half of its time counts
    EXPECT_EQ(pacer.NextNs(), 5500);
}

/// An UnpacedSender plays the other end of a sender with a window of 90 packets over 40 ms.
class UnpacedSender : public testing::Test, public PacketElement, public BulkSenderEvents
{
  protected:
    ~UnpacedSender() override
    {
        m_sender = nullptr;
        Simulator::Destroy();
    }

    void Open(bool paces,
              bool offloads = false,
              Ptr<TcpCongestionOps> control = CreateObject<TcpLinuxReno>())
    {
        BulkTcpOptions options;
        options.offloads = offloads;
        options.initialWindow = 90;
        options.pacing = paces;
        options.hyStartPlusPlus = false;
        m_sender =
            std::make_unique<BulkSender>(ns3::FlowExit{0, 1, *this}, options, control, *this);
        m_sender->Send(1, 10000 * burstSegment);
        RunTo(40 * nsPerMs);
        PacketRecord answer{};
        answer.kind = PacketRecord::Kind::SynAck;
        answer.window = m_window;
        m_sender->Receive(answer);
    }

    /// Acknowledges `packets` more packets at `ns`. Returns how many leave by then, since the last.
    std::size_t SentAtNextAck(std::int64_t ns, std::uint64_t packets = 1)
    {
        RunTo(ns);
        PacketRecord ack{};
        ack.kind = PacketRecord::Kind::Ack;
        m_acknowledged += packets;
        ack.offset = m_acknowledged * burstSegment;
        ack.window = m_window;
        const std::size_t before = m_data;
        m_sender->Receive(ack);
        return m_data - before;
    }

    static void RunTo(std::int64_t ns)
    {
        Simulator::Stop(NanoSeconds(ns) - Simulator::Now());
        Simulator::Run();
    }

    void Receive(const PacketRecord& record) override
    {
        if (record.kind == PacketRecord::Kind::Data)
        {
            ++m_data;
            m_lastLength = record.length;
            m_lastNs = Simulator::Now().GetNanoSeconds();
        }
    }

    std::unique_ptr<BulkSender> m_sender;
    std::uint64_t m_acknowledged = 0;
    std::uint32_t m_window = 1000 * burstSegment; ///< bytes that the receiver has room for
    std::size_t m_data = 0;
    std::uint32_t m_lastLength = 0;
    std::int64_t m_lastNs = 0;
};

TEST_F(UnpacedSender, SendsWhatSeveralAcknowledgementsAllowTogether)
{
    Open(false);
    EXPECT_EQ(m_data, 90U);
    // In slow start an acknowledged packet lets two leave. 2 x 90 packets in 40 ms are 4.4 in 1/1024 s.
    EXPECT_EQ(SentAtNextAck(80 * nsPerMs), 2U); // nothing left for 40 ms
    EXPECT_EQ(SentAtNextAck(80 * nsPerMs + 100000), 0U);
    EXPECT_EQ(SentAtNextAck(80 * nsPerMs + 200000), 4U);
    EXPECT_EQ(SentAtNextAck(80 * nsPerMs + 300000), 0U);
}

/// Where the receiver's window is the smaller one, a burst waits for the receiver. The congestion window
/// is not in use, and grows to twice of what is out at most (tcp_is_cwnd_limited).
TEST_F(UnpacedSender, DoesNotGrowABurstsWindowThatTheReceiverBounds)
{
    m_window = 90 * burstSegment;
    Open(false, true);
    for (std::int64_t ns = 80 * nsPerMs; ns < 600 * nsPerMs; ns += 500000)
    {
        SentAtNextAck(ns);
    }
    EXPECT_LE(m_sender->State()->m_cWnd.Get(), 2 * m_window + burstSegment);
}

/// Acknowledgements of two and bursts of two leave one of 91 packets unused. Still the window is the limit,
/// and CUBIC's grows by a packet a round trip.
TEST_F(UnpacedSender, GrowsAWindowOfWhichARestWaitsForABurst)
{
    Open(false, false, CreateObject<geotrain::TcpCubic>());
    m_sender->State()->m_cWnd = 91 * burstSegment;
    m_sender->State()->m_ssThresh = 80 * burstSegment; // congestion avoidance
    for (int i = 0; i < 200; ++i)
    {
        SentAtNextAck(80 * nsPerMs + i * 2 * 40 * nsPerMs / 92, 2);
    }
    EXPECT_NEAR(m_sender->State()->m_cWnd.Get() / burstSegment, 91 + 400 / 93, 1);
}

/// 60 acknowledged packets make a window of 150, of which 2 in 40 ms are 10.86 MB/s: 10,605 bytes in
/// 1/1024 s, 7 packets, which take 933 us at that rate. The first burst was free to go long before.
TEST_F(UnpacedSender, PacesBurstsThatAreHandedDownAtOnce)
{
    Open(true, true);
    EXPECT_EQ(m_data, 90U);
    EXPECT_EQ(SentAtNextAck(80 * nsPerMs, 60), 7U);
    std::int64_t nextNs = 80 * nsPerMs + 933000 / 2;
    for (std::size_t sent = 97; sent < 125; sent += 7)
    {
        RunTo(nextNs - 20000);
        EXPECT_EQ(m_data, sent);
        RunTo(nextNs + 20000);
        EXPECT_EQ(m_data, sent + 7);
        nextNs += 933000;
    }
}

/// In startup BBR's window grows by what is acknowledged, and no faster for the bursts that may be on
/// their way beside it once it is at its goal (bbr_set_cwnd). 90 packets in 40 ms make bursts of 18.
TEST_F(UnpacedSender, BeginsBbrWithItsWindowAlone)
{
    Open(true, true, CreateObject<TcpBbr>());
    SentAtNextAck(80 * nsPerMs);
    RunTo(119 * nsPerMs);
    EXPECT_EQ(m_data, 92U); // the first window, and two for one acknowledged
}

/// Bursts of BBR follow each other at 99 % of its rate (bbr_pacing_margin_percent).
TEST_F(UnpacedSender, PacesBbrAHundredthBelowItsRate)
{
    Open(true, true, CreateObject<TcpBbr>());
    SentAtNextAck(80 * nsPerMs, 80);
    std::vector<std::int64_t> leftNs; // of the latest burst, and of those after it
    std::vector<std::size_t> packets; // that had left by then
    for (std::int64_t ns = 81 * nsPerMs; leftNs.size() < 3; ns += 10000)
    {
        RunTo(ns);
        if (leftNs.empty() || leftNs.back() != m_lastNs)
        {
            leftNs.push_back(m_lastNs);
            packets.push_back(m_data);
        }
    }
    const auto rate = static_cast<double>(m_sender->State()->m_pacingRate.Get().GetBitRate());
    const double bits = 8.0 * burstSegment * static_cast<double>(packets[1] - packets[0]);
    EXPECT_NEAR(static_cast<double>(leftNs[2] - leftNs[1]), bits / (0.99 * rate) * 1e9, 2);
}

/// Linux fills the window of the other end where Nagle's algorithm is off (tcp_mss_split_point).
TEST_F(UnpacedSender, FillsTheReceiversWindowWithLessThanASegment)
{
    m_window = 61 * burstSegment + 100; // fifteen bursts of four and a packet
    Open(false, true);
    EXPECT_EQ(m_data, 62U);
    EXPECT_EQ(m_lastLength, 100U);
}

TEST_F(UnpacedSender, LeavesTheRestOfTheCongestionWindowUnused)
{
    Open(false, true);
    m_sender->State()->m_cWnd = 91 * burstSegment + 100;
    EXPECT_EQ(SentAtNextAck(80 * nsPerMs), 3U); // acknowledged, added, and grown in slow start
    EXPECT_EQ(m_lastLength, burstSegment);
}

void
BuildOneLink(ExpressPathHelper& path, geotrain::BitRate rate, geotrain::Duration delay)
{
    LinkModel::Settings link;
    link.rate = rate;
    link.delay = delay;
    link.name = "path";
    path.AddLink(link);
    path.Build();
}

/// 69.06 segments leave each 20 ms, and the last of an odd number doesn't wait for an acknowledgement with
/// the next round trip: what is less than a segment is acknowledged at once (tcp_measure_rcv_mss).
TEST(OffloadBurstPath, UsesAWindowThatEndsWithinASegment)
{
    constexpr double window = 100000; // bytes; the path holds 250,000
    ExpressPathHelper path;
    BuildOneLink(
        path, geotrain::BitRate::BitsPerSecond(100000000), geotrain::Duration::Milliseconds(10));
    BulkTcpOptions options = BulkTcpOptions::AsLinux(false);
    options.window = geotrain::Bytes::Of(static_cast<std::uint64_t>(window));
    const BulkSender& sender = path.Sender(path.AddFlow(options));
    path.Sender(0).Send(1, 20000000);
    const auto bytesSentBy = [&sender](std::int64_t ms)
    {
        Simulator::Stop(MilliSeconds(ms) - Simulator::Now());
        Simulator::Run();
        return static_cast<double>(sender.GetCounters().sentBytes);
    };
    const double before = bytesSentBy(500); // after slow start
    const double windows = (bytesSentBy(2500) - before) / window;
    Simulator::Destroy();
    // An acknowledgement comes up to 1.2 ms after its first packet has left: 8 segments of 0.12 ms and
    // the interrupt. (Linux 6.18 over a live WAN: 21.2 ms a round trip.)
    EXPECT_LE(windows, 2000 / 20.12 + 1);
    EXPECT_GE(windows, 2000 / 21.4 - 1);
}

/// Inside a data centre a round trip is shorter than the interrupt's 50 us, so that twice the
/// bandwidth-delay product is less than what must be on its way. BBR's budget of three bursts of 64 KB
/// and what it sees acknowledged at once make up for it. Headers take 3 to 6 %; drains and ProbeRTT, each
/// some ms of 80, a tenth at most. (With three segments in the place of bursts it is 14 Gbit/s.)
TEST(OffloadBurstPath, BbrFillsAPathThatIsShorterThanAnInterrupt)
{
    constexpr std::uint64_t size = 1000000000; // 80 ms at 100 Gbit/s
    ExpressPathHelper path;
    BuildOneLink(
        path, geotrain::BitRate::GigabitsPerSecond(100), geotrain::Duration::Microseconds(10));
    BulkTcpOptions options = BulkTcpOptions::AsLinux(true);
    options.window = geotrain::Bytes::Of(6000000);
    const FlowNumber flow = path.AddFlow(options, CreateObject<TcpBbr>());
    path.Sender(flow).Send(1, size);
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    Simulator::Destroy();
    ASSERT_EQ(path.Log().deliveredNs.size(), 1U);
    const double gigabits = 8.0 * size / static_cast<double>(path.Log().deliveredNs[0]);
    EXPECT_LT(gigabits, 100);
    EXPECT_GT(gigabits, 80);
}

} // namespace
