// SPDX-License-Identifier: GPL-2.0-only
// Checks geotrain::TcpPrague's rules by scripts of acknowledgements, and its shares over a link that
// marks at a step of delay.
#include "bulk-tcp/model/tcp-prague.h"

#include "bulk-tcp/helper/express-flows.h"
#include "bulk-tcp/model/congestion-control-types.h"
#include "express-path-helper.h"

#include <gtest/gtest.h>

#include <ns3/boolean.h>
#include <ns3/config.h>
#include <ns3/nstime.h>
#include <ns3/simulator.h>

#include <cmath>
#include <memory>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using geotrain::TcpPrague;

constexpr std::uint32_t pragueSegment = 1448; // bytes

/// A PragueScript acknowledges whole round trips by hand.
class PragueScript
{
  public:
    explicit PragueScript(double rttMs)
        : m_rttMs(rttMs)
    {
        m_tcb->m_segmentSize = pragueSegment;
        m_tcb->m_initialCWnd = 10;
        m_tcb->m_ssThresh = UINT32_MAX;
        m_tcb->m_congState = TcpSocketState::CA_OPEN;
        m_tcb->m_maxPacingRate = DataRate(10000000000000ULL);
        m_control->Init(m_tcb);
        m_tcb->m_cWnd = 10 * pragueSegment;
    }

    ~PragueScript()
    {
        Simulator::Destroy();
    }

    /// Begins congestion avoidance at a window.
    void Begin(std::uint32_t segments)
    {
        m_tcb->m_cWnd = segments * pragueSegment;
        m_tcb->m_ssThresh = segments * pragueSegment;
    }

    /// One round trip with an acknowledgement of each segment of the window, of which `marked` behind the
    /// first are marked. The first one ends the control's own round.
    void Round(std::uint32_t marked)
    {
        const std::uint32_t window = m_tcb->m_cWnd / pragueSegment;
        m_tcb->m_highTxMark = m_tcb->m_lastAckedSeq + m_tcb->m_cWnd.Get();
        for (std::uint32_t i = 0; i < window; ++i)
        {
            Simulator::Stop(NanoSeconds(static_cast<std::uint64_t>(m_rttMs * 1e6 / window)));
            Simulator::Run();
            m_tcb->m_lastRtt = NanoSeconds(static_cast<std::uint64_t>(m_rttMs * 1e6));
            m_tcb->m_lastAckedSeq += pragueSegment;
            m_tcb->m_highTxMark = m_tcb->m_highTxMark.Get() + pragueSegment;
            AccurateEcnFeedback feedback;
            feedback.deliveredBytes = pragueSegment;
            feedback.markedPackets = 1 <= i && i <= marked ? 1 : 0;
            m_control->OnFeedback(feedback);
            TcpRateOps::TcpRateSample sample;
            sample.m_ackedSacked = pragueSegment;
            m_control->CongControl(m_tcb, {}, sample);
        }
    }

    double Window() const
    {
        return static_cast<double>(m_tcb->m_cWnd.Get()) / pragueSegment;
    }

    TcpSocketState& State()
    {
        return *m_tcb;
    }

    const Ptr<TcpPrague>& Control() const
    {
        return m_control;
    }

  private:
    double m_rttMs;
    Ptr<TcpSocketState> m_tcb = CreateObject<TcpSocketState>();
    Ptr<TcpPrague> m_control = CreateObject<TcpPrague>();
};

TEST(TcpPrague, AlphaIsTheAverageOfTheMarkedSharesOfRoundTrips)
{
    PragueScript script(40);
    script.Begin(100);
    script.Round(0); // no mark has been seen, and alpha stays
    double expected = 1;
    for (const double share : {0.5, 0.0, 0.25, 0.9, 0.0, 0.0, 0.1, 0.0})
    {
        const double window = std::floor(script.Window());
        const double marked = std::floor(share * window);
        script.Round(static_cast<std::uint32_t>(marked));
        EXPECT_NEAR(script.Control()->Alpha(), expected, 1e-9) << "before the end of " << share;
        expected += (marked / window - expected) / 16; // g = 1/16
    }
}

TEST(TcpPrague, AMarkTakesHalfOfAlphaOncePerRoundTrip)
{
    PragueScript script(40);
    script.Begin(200);
    script.Round(20); // alpha was 1: half of the window, whatever follows in the round trip
    script.Round(0);
    // One segment is added by 180 unmarked ones in the first round trip, and one in the second.
    EXPECT_NEAR(script.Window(), 100 + 2, 1.5);
    const double alpha =
        15.0 / 16 * script.Control()->Alpha(); // the round without marks ends first
    const double before = script.Window();
    script.Round(1);
    script.Round(0);
    EXPECT_NEAR(script.Window(), before * (1 - alpha / 2) + 2, 1.5);
}

TEST(TcpPrague, GrowsByASegmentPerRoundTripWithoutMarks)
{
    PragueScript script(40);
    script.Begin(50);
    for (int round = 0; round < 20; ++round)
    {
        script.Round(0);
    }
    EXPECT_NEAR(script.Window(), 70, 1);
}

/// (RTT / virtual RTT)^2 segments per round trip, after four round trips of Reno's growth: at 5 ms of
/// 25 ms a 25th of a segment.
TEST(TcpPrague, GrowsLessWithAShortRoundTrip)
{
    PragueScript script(5);
    script.Begin(50);
    for (int round = 0; round < 4; ++round)
    {
        script.Round(0);
    }
    const double before = script.Window();
    EXPECT_NEAR(before, 54, 1);
    for (int round = 0; round < 250; ++round)
    {
        script.Round(0);
    }
    EXPECT_NEAR(script.Window() - before, 10, 1);
}

TEST(TcpPrague, TheFirstMarkEndsSlowStart)
{
    PragueScript script(40);
    script.Round(0);
    EXPECT_NEAR(script.Window(), 20, 0);
    script.Round(1);
    EXPECT_LE(script.State().m_ssThresh.Get(), 20 * pragueSegment);
    script.Round(0);
    EXPECT_NEAR(script.Window(), 10 + 2, 1.5); // alpha is 1 at first: half of it
}

TEST(TcpPrague, ALossTakesHalf)
{
    PragueScript script(40);
    script.Begin(100);
    script.Control()->OnRecoveryBegins(&script.State());
    script.State().m_ssThresh = script.Control()->GetSsThresh(&script.State(), 0);
    script.State().m_congState = TcpSocketState::CA_RECOVERY;
    EXPECT_EQ(script.State().m_ssThresh.Get(), 50 * pragueSegment);
    script.Round(0);
    EXPECT_NEAR(script.Window(), 50, 0);
    // What was spurious comes back.
    script.Control()->OnRecoveryBegins(&script.State());
    script.Control()->GetSsThresh(&script.State(), 0);
    script.Control()->OnSpuriousRecovery(&script.State());
    script.State().m_congState = TcpSocketState::CA_OPEN;
    script.Round(0);
    EXPECT_NEAR(script.Window(), 51, 1);
}

/// A StepMarker marks ECN-capable packets that would wait longer than a step for a link of `rate`.
class StepMarker : public PacketElement
{
  public:
    StepMarker(BitRate rate, Duration step, PacketElement& next)
        : m_rate(rate),
          m_step(step),
          m_next(next)
    {
    }

    void Receive(const PacketRecord& record) override
    {
        const std::int64_t now = NowNs();
        m_freeNs = std::max(m_freeNs, now);
        PacketRecord marked = record;
        if (m_freeNs - now > m_step.ToNanoseconds() &&
            (record.flags & PacketRecord::EctCapable) != 0)
        {
            marked.flags |= PacketRecord::CongestionExperienced;
        }
        m_freeNs += m_rate.TransmissionTime(Bytes::Of(record.wireSize)).ToNanoseconds();
        m_next.Receive(marked);
    }

  private:
    BitRate m_rate;
    Duration m_step;
    PacketElement& m_next;
    std::int64_t m_freeNs = 0;
};

/// Returns the goodputs in Mbit/s, from 10 s to 40 s, of flows with these round trips over 50 Mbit/s that
/// marks above 1 ms.
std::vector<double>
ShareOfStep(const std::vector<std::int64_t>& rttsMs)
{
    ExpressFlows flows(2);
    LinkModel::Settings settings;
    settings.rate = BitRate::BitsPerSecond(50000000);
    LightLink bottleneck(settings, flows.Host(1));
    StepMarker marker(settings.rate, Duration::Milliseconds(1), bottleneck);
    std::vector<std::unique_ptr<LightLink>> delays;
    TransferLog log;
    for (std::size_t i = 0; i < rttsMs.size(); ++i)
    {
        LinkModel::Settings delay;
        delay.rate = BitRate::GigabitsPerSecond(100);
        delay.delay = Duration::Microseconds(rttsMs[i] * 500);
        delays.push_back(std::make_unique<LightLink>(delay, marker));
        LightLink& there = *delays.back();
        delays.push_back(std::make_unique<LightLink>(delay, flows.Host(0)));
        BulkTcpOptions options;
        options.congestionControl = "geotrain::TcpPrague";
        const auto flow = static_cast<FlowNumber>(i);
        flows.Open(flow,
                   {{0, 1}, there, *delays.back()},
                   options,
                   MakeCongestionControl(FindCongestionControl(options.congestionControl), 1),
                   {log, log});
        flows.Sender(flow).Send(i + 1, 1000000000000ULL);
    }
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    std::vector<double> before;
    for (std::size_t i = 0; i < rttsMs.size(); ++i)
    {
        before.push_back(static_cast<double>(
            flows.Receiver(static_cast<FlowNumber>(i)).GetCounters().inOrderBytes));
    }
    Simulator::Stop(Seconds(30));
    Simulator::Run();
    std::vector<double> megabits;
    for (std::size_t i = 0; i < rttsMs.size(); ++i)
    {
        const auto after = static_cast<double>(
            flows.Receiver(static_cast<FlowNumber>(i)).GetCounters().inOrderBytes);
        megabits.push_back((after - before[i]) * 8 / 30e6);
    }
    Simulator::Destroy();
    return megabits;
}

TEST(TcpPrague, FlowsBelowTheVirtualRoundTripShareEqually)
{
    const std::vector<double> shares = ShareOfStep({5, 20});
    EXPECT_NEAR(shares[0] / shares[1], 1, 0.25); // growth is quantised by round trips of 20 ms
    // A window of Reno's rule would give the shorter one several times as much.
    Config::SetDefault("geotrain::TcpPrague::VirtualRtt", TimeValue(Time(0)));
    const std::vector<double> dependent = ShareOfStep({5, 20});
    Config::Reset();
    EXPECT_GT(dependent[0] / dependent[1], 2);
    // A step at 1 ms keeps the link busy: headers take 3.5 % of it.
    EXPECT_GT(shares[0] + shares[1], 0.95 * 50 * 1448 / 1500);
}

} // namespace
