// SPDX-License-Identifier: GPL-2.0-only
// Checks geotrain::TcpVegas beside ns-3's, which takes one segment for a loss and keeps its least
// round trip through pauses.
#include "window-script.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace
{

using namespace ns3;

/// Returns the windows in segments, second by second, of a flow in congestion avoidance without a
/// queue.
std::vector<double>
GrowthOf(const std::string& control)
{
    WindowScript script{control, {100, 1448, 1}};
    script.SetWindow(20);
    script.State().m_ssThresh = 10 * 1448;
    std::vector<double> windows;
    for (int second = 0; second < 5; ++second)
    {
        script.Run(1);
        windows.push_back(script.Window());
    }
    return windows;
}

/// Returns what a loss leaves of 400 segments.
double
LeftOf(const std::string& control)
{
    WindowScript script{control, {100, 1448, 1}};
    script.Lose(400);
    return script.Window();
}

TEST(TcpVegas, GrowsAsNs3sWithoutLosses)
{
    const std::vector<double> windows = GrowthOf("geotrain::TcpVegas");
    EXPECT_GT(windows.back(), 20);
    EXPECT_EQ(windows, GrowthOf("ns3::TcpVegas"));
}

TEST(TcpVegas, ALossLeavesHalfOfTheWindowAndNotAllButASegment)
{
    EXPECT_DOUBLE_EQ(LeftOf("geotrain::TcpVegas"), 200);
    EXPECT_DOUBLE_EQ(LeftOf("ns3::TcpVegas"), 399);
}

/// Returns the window after ten round trips of 150 ms, which follow those of 100 ms and a pause.
double
WindowAfterPause(const std::string& control)
{
    WindowScript script{control, {100, 1448, 1}};
    script.SetWindow(20);
    script.State().m_ssThresh = 10 * 1448;
    script.RunRounds(5);
    script.SetWindow(20);
    script.Control()->CwndEvent(script.StatePointer(), TcpSocketState::CA_EVENT_TX_START);
    script.SetRtt(150);
    script.RunRounds(10);
    return script.Window();
}

// Linux's tcp_vegas_cwnd_event. To ns-3's, 20 (1 - 100/150) = 6.7 segments seem to wait in a queue,
// more than Beta = 4, so that it takes a segment per round trip until it is 20 - 7 = 13, where 4.3
// count as 4. To Linux's none does: it adds one per round trip, but for the first, which only
// measures.
TEST(TcpVegas, MeasuresThePathAnewAfterAPause)
{
    EXPECT_NEAR(WindowAfterPause("geotrain::TcpVegas"), 29, 1);
    EXPECT_LE(WindowAfterPause("ns3::TcpVegas"), 14);
}

} // namespace
