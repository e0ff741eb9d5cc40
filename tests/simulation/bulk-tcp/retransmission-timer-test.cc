// SPDX-License-Identifier: GPL-2.0-only
// Tests when a connection sends again although nothing was lost: behind another flow's queue, on
// long paths, inside a data centre, and how it begins after a lost SYN.
#include "bulk-tcp/helper/bulk-tcp-helper.h"
#include "bulk-tcp/model/bulk-tcp-socket.h"
#include "bulk-tcp/model/window-rules.h"
#include "express-path-helper.h"
#include "instants.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <ns3/internet-stack-helper.h>
#include <ns3/simulator.h>
#include <ns3/tcp-bbr.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using geotrain::nsPerMs;

constexpr std::int64_t pathRate = 100000000; ///< bit/s

/// A Filter loses what a test wants.
class Filter : public PacketElement
{
  public:
    using Rule = std::function<bool(const PacketRecord&)>;

    Filter(PacketElement& next, Rule loses)
        : m_next(next),
          m_loses(std::move(loses))
    {
    }

    void Receive(const PacketRecord& record) override
    {
        if (!m_loses || !m_loses(record))
        {
            m_next.Receive(record);
        }
    }

  private:
    PacketElement& m_next;
    Rule m_loses;
};

class RetransmissionTimer : public testing::Test
{
  protected:
    ~RetransmissionTimer() override
    {
        Simulator::Destroy();
    }

    void Build(std::int64_t bitsPerSecond, Duration roundTrip, const Filter::Rule& loses = {})
    {
        LinkModel::Settings link;
        link.rate = BitRate::BitsPerSecond(bitsPerSecond);
        link.delay = Duration::Nanoseconds(roundTrip.ToNanoseconds() / 2);
        link.name = "timer";
        path.AddLink(link);
        path.PutBeforeForward([loses](PacketElement& next)
                              { return std::make_unique<Filter>(next, loses); });
        path.Build();
    }

    /// Sends `count` messages of `size` over `flow`, one each `pauseMs` from `beginMs` on.
    void SendEach(
        FlowNumber flow, int count, std::uint64_t size, std::int64_t beginMs, std::int64_t pauseMs)
    {
        for (int i = 0; i < count; ++i)
        {
            Simulator::Schedule(MilliSeconds(static_cast<std::uint64_t>(beginMs + i * pauseMs)),
                                [this, flow, i, size] {
                                    path.Sender(flow).Send(static_cast<std::uint64_t>(1 + i), size);
                                });
        }
    }

    ExpressPathHelper path;
    BulkTcpOptions options;
};

/// The queue of another flow in bandwidth-delay products, behind which the messages wait.
class BehindAQueue : public RetransmissionTimer, public testing::WithParamInterface<int>
{
};

TEST_P(BehindAQueue, SmallMessagesAreSentOnce)
{
    constexpr std::int64_t roundTripMs = 40;
    const std::int64_t pathBytes = pathRate / 8 * roundTripMs / 1000;
    Build(pathRate, Duration::Milliseconds(roundTripMs));
    const FlowNumber small = path.AddFlow(options);
    BulkTcpOptions other = options; // its window fills the queue, and nothing is dropped
    other.window = Bytes::Of((1 + GetParam()) * pathBytes);
    other.hyStartPlusPlus = false;
    const FlowNumber large = path.AddFlow(other);
    SendEach(small, 101, 1000, 1, 500);
    Simulator::Schedule(Seconds(1), [this, large] { path.Sender(large).Send(1000, 2000000000); });
    Simulator::Stop(Seconds(52));
    Simulator::Run();
    const BulkSender& sender = path.Sender(small);
    // The queue grows from nothing within a second. The timeout, 40 + 200 ms at first, learns of it
    // by the messages that are on their way meanwhile, at most one each 500 ms for 20 x 40 ms.
    EXPECT_LE(sender.GetCounters().retransmittedPackets, 4U);
    // The window of payload in packets of 1,500 bytes at the path's rate. The end of a message is
    // acknowledged at once. The queue is a packet more or less.
    const double queued = 0.04 * (1 + GetParam()) * 1500 / 1448;
    EXPECT_NEAR(sender.SmoothedRtt().GetSeconds(), queued, 0.005);
}

INSTANTIATE_TEST_SUITE_P(BandwidthDelayProducts, BehindAQueue, testing::Values(4, 10, 20));

/// The round trip in milliseconds.
class LongPath : public RetransmissionTimer, public testing::WithParamInterface<int>
{
};

TEST_P(LongPath, OneSegmentMessagesAreSentOnce)
{
    Build(pathRate, Duration::Milliseconds(GetParam()));
    const FlowNumber flow = path.AddFlow(options);
    path.Sender(flow).Send(1000, 3000000); // so that the variation of the round trip is known
    SendEach(flow, 50, 1000, 20000, 2000);
    Simulator::Run();
    EXPECT_EQ(path.Sender(flow).GetCounters().retransmittedPackets, 0U);
    EXPECT_EQ(path.Sender(flow).GetCounters().tailLossProbes, 0U);
    EXPECT_EQ(path.Sender(flow).GetCounters().timeouts, 0U);
}

INSTANTIATE_TEST_SUITE_P(RoundTrips, LongPath, testing::Values(40, 170, 200, 300, 600));

TEST_F(RetransmissionTimer, AQueueInsideADataCentreTriggersNoProbe)
{
    // 10 Gbit/s x 20 us. The other flow's window of 2 MB queues for 1.6 ms, which is over two round
    // trips of 20 us and under their sum with the floor of 2 ms.
    Build(10000000000, Duration::Microseconds(20));
    options.slowStartAfterIdle = false;
    const FlowNumber message = path.AddFlow(options);
    BulkTcpOptions other = options;
    other.window = Bytes::Of(2000000);
    other.pacing = false;
    const FlowNumber large = path.AddFlow(other);
    SendEach(message, 100, 28960, 1, 50);
    for (int i = 0; i < 50; ++i)
    {
        Simulator::Schedule(
            MicroSeconds(static_cast<std::uint64_t>(900 + i * 100000)),
            [this, large, i]
            { path.Sender(large).Send(static_cast<std::uint64_t>(1000 + i), 10000000); });
    }
    Simulator::Run();
    EXPECT_EQ(path.Sender(message).GetCounters().retransmittedBytes, 0U);
    EXPECT_EQ(path.Sender(large).GetCounters().retransmittedBytes, 0U);
}

TEST_F(RetransmissionTimer, ALostSynLeavesOneSegmentAndThreeSeconds)
{
    int syns = 0;
    Build(pathRate,
          Duration::Milliseconds(100),
          [&syns](const PacketRecord& record)
          { return record.kind == PacketRecord::Kind::Syn && ++syns == 1; });
    const FlowNumber flow = path.AddFlow(options);
    path.Sender(flow).Send(1, 1000000);
    Simulator::Stop(MilliSeconds(1000 + 100 + 50)); // the SYN's timeout of 1 s, and its round trip
    Simulator::Run();
    EXPECT_EQ(path.Sender(flow).HighTx(), options.SegmentSize());        // RFC 5681, 3.1: IW 1
    EXPECT_EQ(path.Sender(flow).RetransmissionTimeoutNow(), Seconds(3)); // RFC 6298, 5.7
}

TEST_F(RetransmissionTimer, Ns3sRulesKeepTheInitialWindowAfterALostSyn)
{
    int syns = 0;
    Build(pathRate,
          Duration::Milliseconds(100),
          [&syns](const PacketRecord& record)
          { return record.kind == PacketRecord::Kind::Syn && ++syns == 1; });
    const FlowNumber flow = path.AddFlow(BulkTcpOptions::StockCompatible());
    path.Sender(flow).Send(1, 1000000);
    Simulator::Stop(MilliSeconds(1000 + 100 + 50));
    Simulator::Run();
    EXPECT_EQ(path.Sender(flow).HighTx(), 10 * options.SegmentSize());
    EXPECT_EQ(path.Sender(flow).RetransmissionTimeoutNow(), Seconds(1));
}

/// What an acknowledgement of retransmitted data at 1 s, which echoes `echoMs`, tells the estimator.
struct Measured
{
    bool endsBackingOff;
    std::int64_t smoothedNs;
};

Measured
MeasureRetransmitted(std::uint32_t echoMs)
{
    Scoreboard::Progress progress;
    progress.ackedBytes = 1448;
    progress.retransmissionAcked = true;
    RoundTripEstimator rtt;
    TcpSocketState tcb;
    const bool ends = WindowRules().MeasureRtt(1000 * nsPerMs, progress, echoMs, rtt, tcb);
    return {ends, rtt.SmoothedNs()};
}

TEST(TimestampsForRtt, MeasureRetransmittedData) // RFC 7323, section 4
{
    const Measured measured = MeasureRetransmitted(880);
    EXPECT_TRUE(measured.endsBackingOff);
    EXPECT_EQ(measured.smoothedNs, 120 * nsPerMs);
    EXPECT_EQ(MeasureRetransmitted(1000).smoothedNs, nsPerMs); // at least a tick
}

TEST(TimestampsForRtt, WithoutThemRetransmittedDataIsAmbiguous) // Karn; RFC 6298, sections 3 and 5
{
    EXPECT_FALSE(MeasureRetransmitted(0).endsBackingOff);
    EXPECT_EQ(MeasureRetransmitted(0).smoothedNs, 0);
}

/// Segments of the window when each control has left its first slow start, on a path without loss
/// whose queue grows from the 84th segment on (1,250,000 bytes); 0: it stays in slow start.
double
WindowAtTheEndOfSlowStart(const std::string& control, std::optional<bool> hyStart)
{
    LinkModel::Settings link;
    link.rate = BitRate::BitsPerSecond(pathRate);
    link.delay = Duration::Milliseconds(50);
    link.name = "slow start";
    ExpressPathHelper path;
    path.AddLink(link);
    path.Build();
    BulkTcpOptions options;
    options.congestionControl = control;
    options.autotuneWindow = false;
    BulkTcpOverrides overrides;
    overrides.hyStart = hyStart;
    overrides.ApplyTo(options);
    BulkSender& sender = path.Sender(path.AddFlow(options));
    sender.Send(1, 100000000);
    Simulator::Stop(Seconds(4));
    Simulator::Run();
    const std::uint32_t threshold = sender.State()->m_ssThresh;
    Simulator::Destroy();
    return threshold == UINT32_MAX ? 0 : threshold / 1448.0;
}

TEST(HyStart, IsOnForThoseControlsThatHaveItInLinux)
{
    EXPECT_GT(WindowAtTheEndOfSlowStart("TcpCubic", std::nullopt), 0);
    for (const char* control :
         {"TcpLinuxReno", "TcpNewReno", "TcpScalable", "TcpWestwood", "TcpBic"})
    {
        EXPECT_EQ(WindowAtTheEndOfSlowStart(control, std::nullopt), 0) << control;
    }
}

TEST(HyStart, IsOnOrOffWhereThatIsSaid)
{
    EXPECT_GT(WindowAtTheEndOfSlowStart("TcpLinuxReno", true), 0);
    EXPECT_EQ(WindowAtTheEndOfSlowStart("TcpLinuxReno", false), 0);
}

TEST_F(RetransmissionTimer, HyStartEndsTheFirstSlowStartOnly) // RFC 9406, section 4.3
{
    bool isCut = false;
    Build(pathRate,
          Duration::Milliseconds(100),
          [&isCut](const PacketRecord& record)
          { return isCut && record.kind == PacketRecord::Kind::Data; });
    options.hyStart.minThresholdNs = 1; // any rise of the round trip counts
    options.hyStart.maxThresholdNs = 1;
    options.hyStart.conservativeRounds = 1000;
    options.autotuneWindow = false;
    options.window = Bytes::Of(2500000); // two bandwidth-delay products
    const FlowNumber flow = path.AddFlow(options);
    path.Sender(flow).Send(1, 200000000);
    const Ptr<TcpSocketState> state = path.Sender(flow).State();
    std::uint32_t before = 0;
    Simulator::Schedule(Seconds(3),
                        [&]
                        {
                            before = state->m_cWnd;
                            isCut = true;
                        });
    Simulator::Schedule(Seconds(4), [&] { isCut = false; });
    std::int64_t restartNs = 0; // of the slow start after the outage
    std::int64_t grownNs = 0;
    std::uint32_t goal = 0;
    state->TraceConnectWithoutContext("CongestionWindow",
                                      Callback<void, std::uint32_t, std::uint32_t>(
                                          [&](std::uint32_t, std::uint32_t window)
                                          {
                                              if (window == 1448)
                                              {
                                                  restartNs = NowNs();
                                                  grownNs = 0;
                                                  goal = 128 * 1448;
                                              }
                                              else if (goal > 0 && grownNs == 0 && window >= goal)
                                              {
                                                  grownNs = NowNs();
                                              }
                                          }));
    Simulator::Stop(Seconds(12));
    Simulator::Run();
    ASSERT_GT(before, 2U * 128 * 1448); // the threshold after the timeout is above the goal
    ASSERT_GT(grownNs, 0);
    // 128 segments are 7 doublings of one, after at most one more backed-off timeout of 2 s. In
    // conservative slow start, from 16 segments on, they would take 4 + 10 round trips more.
    EXPECT_LT(grownNs - restartNs, (2000 + (7 + 2) * 100) * nsPerMs);
}

TEST(EcnWithADeafControl, IsRefusedByTheHelper)
{
    BulkTcpOptions options;
    options.ecn = true;
    options.congestionControl = "TcpBbr";
    EXPECT_THROW(BulkTcpHelper{options}, geotrain::ConfigError);
    LinkModel::Settings link;
    link.rate = BitRate::BitsPerSecond(pathRate);
    ExpressPathHelper path;
    path.AddLink(link);
    path.Build();
    EXPECT_THROW(path.AddFlow(options), geotrain::ConfigError);
    options.congestionControl = "TcpCubic";
    EXPECT_NO_THROW(BulkTcpHelper{options});
}

TEST(EcnWithADeafControl, IsRefusedByTheSocket)
{
    BulkTcpOptions options;
    options.ecn = true;
    const Ptr<Node> node = CreateObject<Node>();
    InternetStackHelper().Install(node);
    const Ptr<BulkTcpSocket> socket = BulkTcpHelper(options).CreateSocket(node);
    EXPECT_THROW(socket->SetCongestionControlAlgorithm(CreateObject<TcpBbr>()),
                 geotrain::ConfigError);
    Simulator::Destroy();
}

TEST(ImpossibleOptions, AreRefused)
{
    const auto refuses = [](const std::function<void(BulkTcpOptions&)>& change)
    {
        BulkTcpOptions options;
        change(options);
        try
        {
            BulkTcpHelper{options};
        }
        catch (const geotrain::ConfigError&)
        {
            return true;
        }
        return false;
    };
    EXPECT_TRUE(refuses([](auto& o) { o.initialWindow = 0; }));
    EXPECT_TRUE(refuses([](auto& o) { o.minRto = Duration::Milliseconds(-1); }));
    EXPECT_TRUE(refuses([](auto& o) { o.delayedAckTimeout = Duration::Milliseconds(-40); }));
    EXPECT_TRUE(refuses([](auto& o) { o.hyStart.minThresholdNs = -1; }));
    EXPECT_TRUE(refuses([](auto& o) { o.hyStart.thresholdDivisor = 0; }));
    EXPECT_TRUE(refuses([](auto& o) { o.hyStart.growthDivisor = 0; }));
    EXPECT_TRUE(refuses([](auto& o) { o.hyStart.samples = 0; }));
    EXPECT_TRUE(refuses([](auto& o) { o.hyStart.conservativeRounds = 0; }));
}

} // namespace
