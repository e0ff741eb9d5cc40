// SPDX-License-Identifier: GPL-2.0-only
// Checks geotrain::TcpCubic rule by rule against RFC 9438; section numbers are the RFC's.
#include "window-script.h"

#include "bulk-tcp/model/congestion-control-types.h"
#include "bulk-tcp/model/geotrain-cubic.h"

#include <gtest/gtest.h>

#include <ns3/boolean.h>
#include <ns3/config.h>
#include <ns3/double.h>
#include <ns3/enum.h>

#include <cmath>

namespace
{

using namespace ns3;

constexpr double cubicC = 0.4;
constexpr double cubicBeta = 0.7;
constexpr double cubicAlpha = 3 * (1 - cubicBeta) / (1 + cubicBeta); // 4.3
const WindowScript::Path shortPath{10, 1448, 1};
const WindowScript::Path longPath{100, 1448, 1};

WindowScript
CubicScript(const WindowScript::Path& path)
{
    return {"geotrain::TcpCubic", path};
}

/// Returns equation 1 for a reduction from `maxWindow` to `begin` segments.
double
CubicFunction(double seconds, double maxWindow, double begin)
{
    const double k = std::cbrt((maxWindow - begin) / cubicC); // equation 2
    return maxWindow + cubicC * std::pow(seconds - k, 3);
}

TEST(TcpCubic, ALossLeavesSeventyPercentAndAtLeastTwoSegments)
{
    WindowScript script = CubicScript(longPath);
    script.Lose(100);
    EXPECT_DOUBLE_EQ(script.Window(), 100 * cubicBeta); // 4.6
    script.Lose(2);
    EXPECT_DOUBLE_EQ(script.Window(), 2);
}

TEST(TcpCubic, BelowThePriorWindowRenosGrowthIsScaledByItsSmallerReduction)
{
    WindowScript script = CubicScript(shortPath);
    script.Lose(100);
    script.RunRounds(50);
    // W_est = 70 + 0.529 per round trip (4.3). The window is in whole segments, and the growing
    // window makes the script's round trips a little long.
    EXPECT_NEAR(script.Window(), 70 + cubicAlpha * 50, 1.5);
}

TEST(TcpCubic, FromThePriorWindowOnItGrowsBySegmentPerRoundTrip)
{
    WindowScript script = CubicScript(shortPath);
    script.Lose(100);
    script.RunRounds(30 / cubicAlpha); // 70 to 100
    EXPECT_NEAR(script.Window(), 100, 1.5);
    script.RunRounds(40);
    EXPECT_NEAR(script.Window(), 140, 2);
}

TEST(TcpCubic, AlphaAbovePriorWindowIsAnAttribute)
{
    WindowScript script = CubicScript(shortPath);
    script.Control()->SetAttribute("AlphaAbovePriorWindow", DoubleValue(0.53)); // Linux
    script.Lose(100);
    script.RunRounds(30 / cubicAlpha + 40);
    EXPECT_NEAR(script.Window(), 100 + 0.53 * 40, 2);
}

TEST(TcpCubic, FollowsTheCubicFunctionBelowAndAboveItsOrigin)
{
    WindowScript script = CubicScript(longPath);
    script.Lose(1000);
    // K = 9.09 s. It follows the target of the next round trip by as long, so 1 % covers the lag:
    // C ((t + RTT - K)^3 - (t - K)^3) is at most 7 segments after 4 s.
    for (double seconds = 4; seconds <= 16; seconds += 4)
    {
        script.Run(4);
        EXPECT_NEAR(script.Window(), CubicFunction(seconds, 1000, 700), 10) << seconds << " s";
    }
}

class CubicCounting : public testing::TestWithParam<std::pair<std::uint32_t, std::uint32_t>>
{
};

TEST_P(CubicCounting, GrowsBySegmentsOfAnySizeAndAcknowledgementsOfAnyLength)
{
    const auto [segment, segmentsPerAck] = GetParam();
    WindowScript reno = CubicScript({10, segment, segmentsPerAck});
    reno.Lose(200);
    reno.RunRounds(60);
    EXPECT_NEAR(reno.Window(), 140 + cubicAlpha * 60, 2);
    WindowScript cubic = CubicScript({100, segment, segmentsPerAck});
    cubic.Lose(1000);
    cubic.Run(12);
    EXPECT_NEAR(cubic.Window(), CubicFunction(12, 1000, 700), 10);
}

INSTANTIATE_TEST_SUITE_P(MtuAndAck,
                         CubicCounting,
                         testing::Values(std::pair{1448U, 1U},
                                         std::pair{1448U, 2U},
                                         std::pair{1448U, 40U},
                                         std::pair{8948U, 1U},
                                         std::pair{8948U, 2U},
                                         std::pair{8948U, 40U}));

TEST(TcpCubic, ASecondLossBelowTheLastMaximumLeavesRoomToOthers)
{
    WindowScript script = CubicScript(longPath);
    script.Lose(1000);
    script.Lose(800); // W_max = 800 (1 + 0.7) / 2 = 680 (4.7)
    script.Run(5);
    EXPECT_NEAR(script.Window(), CubicFunction(5, 680, 560), 7);
    WindowScript without = CubicScript(longPath);
    without.Control()->SetAttribute("FastConvergence", BooleanValue(false));
    without.Lose(1000);
    without.Lose(800);
    without.Run(5);
    EXPECT_NEAR(without.Window(), CubicFunction(5, 800, 560), 8);
}

TEST(TcpCubic, DoesNotGrowWhileTheWindowIsNotTheLimit)
{
    WindowScript script = CubicScript(longPath);
    script.Lose(1000);
    script.Run(3);
    const double before = script.Window();
    for (int i = 0; i < 500; ++i) // 5 s with a tenth of the window in flight
    {
        script.Wait(10);
        script.Acknowledge(1, script.State().m_cWnd / 10);
    }
    // What was in flight a round trip ago still counts for the first two round trips.
    EXPECT_NEAR(script.Window(), before, 2);
}

TEST(TcpCubic, TimeWithoutUseOfTheWindowDoesNotCountAsTimeOfGrowth)
{
    const auto windowAfter = [](const auto& pause)
    {
        WindowScript script = CubicScript(longPath);
        script.Lose(1000);
        script.Run(3);
        pause(script);
        script.Run(3);
        return script.Window();
    };
    const double expected = CubicFunction(6, 1000, 700); // 5.8: 988; after 11 s it would be 1003
    EXPECT_NEAR(windowAfter(
                    [](WindowScript& script)
                    {
                        script.Wait(5000);
                        script.Control()->CwndEvent(script.StatePointer(),
                                                    TcpSocketState::CA_EVENT_TX_START);
                    }),
                expected,
                5)
        << "idle";
    for (const bool asks : {true, false}) // ns-3's sockets ask in any case
    {
        EXPECT_NEAR(windowAfter(
                        [asks](WindowScript& script)
                        {
                            for (int i = 0; i < 500; ++i)
                            {
                                script.Wait(10);
                                script.Acknowledge(1, script.State().m_cWnd / 10, asks);
                            }
                        }),
                    expected,
                    5)
            << "application-limited";
    }
}

TEST(TcpCubic, AfterATimeoutTheOriginIsTheWindowAtTheEndOfSlowStart)
{
    WindowScript script = CubicScript(longPath);
    script.SetWindow(1000);
    script.State().m_ssThresh = script.Control()->GetSsThresh(script.StatePointer(), 0);
    script.Control()->CongestionStateSet(script.StatePointer(), TcpSocketState::CA_LOSS);
    EXPECT_DOUBLE_EQ(script.State().m_ssThresh, 700.0 * 1448);
    script.State().m_cWnd = script.State().m_ssThresh.Get();
    script.Control()->CongestionStateSet(script.StatePointer(), TcpSocketState::CA_OPEN);
    script.Run(10);
    EXPECT_NEAR(script.Window(), 700 + cubicC * 1000, 25); // 4.8: K = 0; 12 segments per round trip
}

TEST(TcpCubic, ASpuriousRecoveryOrTimeoutLeavesNoTrace)
{
    for (const bool isTimeout : {false, true})
    {
        const auto windowAfter = [isTimeout](bool isInterrupted)
        {
            WindowScript script = CubicScript(longPath);
            auto& listener = dynamic_cast<SpuriousLossListener&>(*script.Control());
            script.Lose(1000);
            script.Run(5);
            if (isInterrupted)
            {
                const std::uint32_t before = script.State().m_cWnd;
                const std::uint32_t threshold = script.State().m_ssThresh;
                listener.OnRecoveryBegins(script.StatePointer());
                script.Lose(script.Window());
                if (isTimeout)
                {
                    script.Control()->CongestionStateSet(script.StatePointer(),
                                                         TcpSocketState::CA_LOSS);
                }
                script.State().m_cWnd = before;
                script.State().m_ssThresh = threshold;
                listener.OnSpuriousRecovery(script.StatePointer());
            }
            script.Run(6);
            return script.Window();
        };
        EXPECT_DOUBLE_EQ(windowAfter(true), windowAfter(false)); // 4.9
    }
}

TEST(TcpCubic, SlowStartAddsWhatIsAcknowledgedUpToTheThreshold)
{
    WindowScript script = CubicScript({100, 8948, 2});
    script.State().m_ssThresh = 80 * 8948;
    script.RunRounds(1);
    // A segment per segment acknowledged, at the growing pace of the script's round trip, is a
    // factor of e.
    EXPECT_NEAR(script.Window(), 10 * std::exp(1), 2);
    script.RunRounds(1.2); // e^2.08 = 8
    EXPECT_NEAR(script.Window(), 80, 2);
}

TEST(TcpCubic, HyStartEndsTheFirstSlowStartAndTheCubicFunctionBeginsThere)
{
    WindowScript script = CubicScript(longPath);
    script.RunRounds(4);
    for (int round = 0; round < 14; ++round) // of a queue that grows: conservative slow start, then
    {
        script.SetRtt(130 + round);
        script.RunRounds(1);
    }
    const double left = script.State().m_ssThresh / 1448.0;
    EXPECT_LT(left, 10000); // e^18 times 10 without
    WindowScript without = CubicScript(longPath);
    without.Control()->SetAttribute("HyStart", BooleanValue(false));
    without.RunRounds(4);
    without.SetRtt(130);
    without.RunRounds(3);
    EXPECT_EQ(without.State().m_ssThresh, UINT32_MAX);
}

TEST(TcpCubic, GrowsByHalfOfTheWindowPerRoundTripAtMost)
{
    WindowScript script = CubicScript(longPath);
    script.Lose(1000);
    script.Run(12);
    script.State().m_ssThresh = 2 * 1448;
    script.SetWindow(100);
    script.RunRounds(1);
    EXPECT_NEAR(script.Window(), 100 * std::exp(0.5), 5); // half a segment per segment (4.2)
}

TEST(TcpCubic, TheWindowStaysWithinItsThirtyTwoBits)
{
    WindowScript script = CubicScript({100, 65483, 40});
    script.SetWindow(32000);
    script.RunRounds(2);
    EXPECT_EQ(script.State().m_cWnd, 2147483647U);
    script.State().m_ssThresh = script.State().m_cWnd.Get();
    script.RunRounds(3);
    EXPECT_EQ(script.State().m_cWnd, 2147483647U);
}

WindowScript
LinuxScript(const WindowScript::Path& path)
{
    WindowScript script = CubicScript(path);
    script.Control()->SetAttribute("Rules", EnumValue(geotrain::TcpCubic::LINUX));
    return script;
}

TEST(TcpCubicAsLinux, RoundsTheTargetUpToWholeSegments)
{
    WindowScript script = LinuxScript(longPath);
    script.Lose(201); // 140.7, of which 140 segments are left
    EXPECT_DOUBLE_EQ(script.Window(), 140);
    script.RunRounds(1.5);
    // The target of the next round trip, 201 - 0.4 (5.3 - 0.1)^3 = 143.4, is 144: four segments more in
    // the first round trip. RFC 9438 grows by 3.4 of them.
    EXPECT_GE(script.Window(), 144);
    for (double seconds = 2; seconds <= 8; seconds += 1)
    {
        script.Run(seconds == 2 ? 1.85 : 1);
        // It is never below the function, and never more than a segment above that of the next round
        // trip.
        EXPECT_GE(script.Window() + 1e-9, std::floor(CubicFunction(seconds, 201, 140))) << seconds;
        EXPECT_LE(script.Window(), std::ceil(CubicFunction(seconds + 0.1, 201, 140)) + 1)
            << seconds;
    }
}

TEST(TcpCubicAsLinux, KeepsTheFriendlyGrowthAboveThePriorWindow)
{
    WindowScript script = LinuxScript(shortPath);
    script.Lose(100);
    script.RunRounds(280);
    // 8/15 of a segment a round trip, in Linux's eighths: 219. By RFC 9438 it were 100 + 224.
    EXPECT_NEAR(script.Window(), 70 + 280 * 8 / 15.0, 2);
}

TEST(TcpCubicAsLinux, GrowsByATwentiethARoundTripUntilALossHasToldAWindow)
{
    WindowScript script = LinuxScript(longPath);
    script.SetWindow(100);
    script.State().m_ssThresh = script.State().m_cWnd.Get();
    script.RunRounds(5);
    // A segment for each twenty that are acknowledged. By RFC 9438 it were 100 + 0.53 * 5.
    EXPECT_NEAR(script.Window(), 100 * std::exp(5 / 20.0), 2);
}

TEST(TcpCubicAsLinux, GrowsByASegmentForEachTwoThatAreAcknowledgedAtMost)
{
    WindowScript script = LinuxScript(longPath);
    script.Lose(1000);
    script.Run(12);
    script.State().m_ssThresh = 2 * 1448;
    script.SetWindow(100);
    script.RunRounds(1);
    EXPECT_NEAR(script.Window(), 100 * std::exp(0.5), 5);
}

TEST(CongestionControlTypes, AShortNameIsGeotrainsBeforeNs3s)
{
    for (const std::string name : {"TcpCubic", "cubic", "TCP cubic", "geotrain::TcpCubic"})
    {
        EXPECT_EQ(FindCongestionControl(name).GetName(), "geotrain::TcpCubic") << name;
    }
    for (const std::string name : {"ns3::TcpCubic", "ns3::cubic", "NS3::tcpcubic"})
    {
        EXPECT_EQ(FindCongestionControl(name).GetName(), "ns3::TcpCubic") << name;
    }
}

} // namespace
