// SPDX-License-Identifier: GPL-2.0-only
// Checks geotrain::TcpHtcp against draft-leith-tcp-htcp-06 and its closed formula of growth.
#include "window-script.h"

#include "bulk-tcp/model/spurious-loss-listener.h"

#include <gtest/gtest.h>

#include <ns3/boolean.h>

#include <cmath>

namespace
{

using namespace ns3;

WindowScript
HtcpScript(const WindowScript::Path& path)
{
    return {"geotrain::TcpHtcp", path};
}

/// Returns what the window has grown by, in segments, `seconds` after a loss that left half of it:
/// the integral of alpha = 1 + 10 (t - 1) + ((t - 1) / 2)^2, 1 before t = 1 s, over round trips.
double
HtcpGrowth(double seconds, double rttSeconds)
{
    const double late = std::max(0.0, seconds - 1);
    return (seconds + 5 * late * late + late * late * late / 12) / rttSeconds;
}

class HtcpCounting : public testing::TestWithParam<std::pair<std::uint32_t, std::uint32_t>>
{
};

TEST_P(HtcpCounting, GrowsByAlphaSegmentsPerRoundTrip)
{
    const auto [segment, segmentsPerAck] = GetParam();
    WindowScript script = HtcpScript({100, segment, segmentsPerAck});
    script.Lose(400);
    EXPECT_DOUBLE_EQ(script.Window(), 200);
    script.Run(1);
    EXPECT_NEAR(script.Window(), 200 + HtcpGrowth(1, 0.1), 2);
    script.Run(2);
    EXPECT_NEAR(script.Window(), 200 + HtcpGrowth(3, 0.1), 10); // alpha is 22: half a round trip
    script.Run(7);
    EXPECT_NEAR(script.Window(), 200 + HtcpGrowth(10, 0.1), 50); // alpha is 111
}

INSTANTIATE_TEST_SUITE_P(MtuAndAck,
                         HtcpCounting,
                         testing::Values(std::pair{1448U, 1U},
                                         std::pair{1448U, 40U},
                                         std::pair{8948U, 2U}));

/// A loss after ten round trips from a window of `begin`, the last five of them with a queue.
double
LeftByLoss(WindowScript& script, double begin)
{
    script.State().m_ssThresh = 2 * 1448;
    script.SetWindow(begin);
    script.SetRtt(100);
    script.RunRounds(5);
    script.SetRtt(140);
    script.RunRounds(5);
    const double before = script.Window();
    script.Lose(before);
    return script.Window() / before;
}

TEST(TcpHtcp, ALossAtASteadyThroughputLeavesTheRatioOfTheRoundTrips)
{
    WindowScript script = HtcpScript({100, 1448, 1});
    EXPECT_DOUBLE_EQ(LeftByLoss(script, 100), 0.5) << "the first";
    EXPECT_NEAR(LeftByLoss(script, 100), 100.0 / 140, 0.001);
    EXPECT_NEAR(LeftByLoss(script, 300), 0.5, 0.001) << "the throughput has changed";
    WindowScript fixed = HtcpScript({100, 1448, 1});
    fixed.Control()->SetAttribute("AdaptiveBackoff", BooleanValue(false));
    LeftByLoss(fixed, 100);
    EXPECT_NEAR(LeftByLoss(fixed, 100), 0.5, 0.001);
}

TEST(TcpHtcp, ASmallerReductionMakesTheGrowthSmaller)
{
    WindowScript script = HtcpScript({100, 1448, 1});
    LeftByLoss(script, 1000);
    const double beta = LeftByLoss(script, 1000);
    script.SetRtt(100);
    script.Run(1);
    const double before = script.Window();
    script.Run(1);
    // 2 (1 - beta) alpha segments per round trip, where alpha is 1 to 11.25.
    EXPECT_NEAR(
        script.Window() - before, 2 * (1 - beta) * (HtcpGrowth(2, 0.1) - HtcpGrowth(1, 0.1)), 6);
}

TEST(TcpHtcp, RttScalingMultipliesAlphaByTheRoundTripOverAHundredMilliseconds)
{
    WindowScript script = HtcpScript({200, 1448, 1});
    script.Control()->SetAttribute("RttScaling", BooleanValue(true));
    script.Lose(400);
    script.Run(3);
    EXPECT_NEAR(script.Window(), 200 + 2 * HtcpGrowth(3, 0.2), 20);
}

TEST(TcpHtcp, ASpuriousRecoveryLeavesNoTraceAndIdleTimeDoesNotCount)
{
    WindowScript script = HtcpScript({100, 1448, 1});
    script.Lose(400);
    script.Run(2);
    const std::uint32_t before = script.State().m_cWnd;
    auto& listener = dynamic_cast<SpuriousLossListener&>(*script.Control());
    listener.OnRecoveryBegins(script.StatePointer());
    script.Lose(script.Window());
    script.State().m_cWnd = before;
    script.State().m_ssThresh = 200 * 1448;
    listener.OnSpuriousRecovery(script.StatePointer());
    script.Wait(5000);
    script.Control()->CwndEvent(script.StatePointer(), TcpSocketState::CA_EVENT_TX_START);
    script.Run(1);
    EXPECT_NEAR(script.Window(), 200 + HtcpGrowth(3, 0.1), 10);
}

} // namespace
