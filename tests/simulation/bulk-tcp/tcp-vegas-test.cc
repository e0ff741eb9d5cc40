// SPDX-License-Identifier: GPL-2.0-only
// Checks geotrain::TcpVegas beside ns-3's, which takes one segment for a loss.
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

} // namespace
