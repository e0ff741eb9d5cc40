// SPDX-License-Identifier: GPL-2.0-only
// Tests what a port that is watched holds.
#include "analytic/port-watch.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geotrain
{
namespace
{

// Rates are in bytes per nanosecond: 12.5 is 100 Gbit/s.
constexpr double nic = 12.5;
constexpr double room = 16e6;

Instant
At(double milliseconds)
{
    return Instant() + Duration::Seconds(milliseconds * 1e-3);
}

// 67 MB come at the NIC's rate for 5.4 ms, in which 40 Gbit/s bring 5.4 ms x 5 GB/s = 26.8 MB more.
TEST(PortWatch, HoldsWhatComesBesideTheShortestMessage)
{
    PortWatch port(nic, room);
    const auto local = port.AddSender(nic, 200e6);
    const auto wan = port.AddSender(5, 200e6);
    port.Note(At(0), local, 67e6);
    port.Note(At(0), wan, 67e6);
    port.Note(At(30), wan, 67e6);
    EXPECT_NEAR(port.MostBeyond(), 67e6 / nic * 5 - room, 1e4);
}

// What has left is gone. 26.8 MB wait after 5.36 ms, and 26.8 / (12.5 - 5) = 3.57 ms later none do.
TEST(PortWatch, Empties)
{
    PortWatch port(nic, 2 * room);
    const auto local = port.AddSender(nic, 200e6);
    const auto wan = port.AddSender(5, 200e6);
    port.Note(At(0), wan, 200e6);
    port.Note(At(0), local, 67e6);
    port.Note(At(9), local, 134e6); // the same again
    port.Note(At(18), local, 134e6);
    EXPECT_EQ(port.MostBeyond(), 0);
    port.Note(At(18), local, 268e6); // twice as much
    port.Note(At(36), local, 268e6);
    EXPECT_NEAR(port.MostBeyond(), 134e6 / nic * 5 - 2 * room, 1e4);
}

// A window of 12 MB makes at most 12 / (1 - 5 / 12.5) = 20 MB wait beside the WAN, one of 9 MB 15 MB.
TEST(PortWatch, HoldsNoMoreThanAWindowLetsWait)
{
    for (const double window : {12e6, 9e6})
    {
        PortWatch port(nic, room);
        const auto local = port.AddSender(nic, window);
        const auto wan = port.AddSender(5, 200e6);
        port.Note(At(0), local, 67e6);
        port.Note(At(0), wan, 67e6);
        port.Note(At(30), wan, 67e6);
        EXPECT_NEAR(port.MostBeyond(), std::max(0.0, window / (1 - 5 / nic) - room), 1e3);
    }
}

// Small windows hold two that fill the NIC each, and the WAN's open window adds its share: 2 x 1.2 MB /
// (1 - 5 / 12.5) = 4 MB.
TEST(PortWatch, HoldsLittleWhereSmallWindowsMeetAnOpenOne)
{
    PortWatch port(nic, 3e6);
    const auto first = port.AddSender(nic, 1.2e6);
    const auto wan = port.AddSender(5, 200e6);
    const auto second = port.AddSender(nic, 1.2e6);
    port.Note(At(0), first, 67e6);
    port.Note(At(0), wan, 67e6);
    port.Note(At(0), second, 67e6);
    port.Note(At(30), first, 67e6);
    EXPECT_NEAR(port.MostBeyond(), 2 * 1.2e6 / (1 - 5 / nic) - 3e6, 1e3);
}

// Two that bring as much as the NIC takes leave what both windows let wait.
TEST(PortWatch, HoldsTheWindowsOfTwoThatFillTheNic)
{
    PortWatch port(nic, room);
    const auto first = port.AddSender(nic, 10e6);
    const auto second = port.AddSender(nic, 10e6);
    port.Note(At(0), first, 67e6);
    port.Note(At(0), second, 67e6);
    port.Note(At(30), first, 67e6);
    EXPECT_NEAR(port.MostBeyond(), 20e6 - room, 1e3);
}

} // namespace
} // namespace geotrain
