// SPDX-License-Identifier: GPL-2.0-only
// Tests by which names a congestion control is found, and what an unknown one is told.
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

namespace
{

TEST(LoaderNames, ACongestionControlIsFoundByWhatPeopleCallIt)
{
    for (const auto& [typed, control] :
         std::vector<std::pair<std::string, std::string>>{{"BBRv3", "geotrain::TcpBbr3"},
                                                          {"bbr3", "geotrain::TcpBbr3"},
                                                          {"TcpBbr3", "geotrain::TcpBbr3"},
                                                          {"bbr", "ns3::TcpBbr"},
                                                          {"BBRv1", "ns3::TcpBbr"},
                                                          {"cubic", "geotrain::TcpCubic"},
                                                          {"tcpcubic", "geotrain::TcpCubic"},
                                                          {"TCP Cubic", "geotrain::TcpCubic"},
                                                          {"ns3::TcpCubic", "ns3::TcpCubic"},
                                                          {"ns3::tcpcubic", "ns3::TcpCubic"},
                                                          {"reno", "ns3::TcpLinuxReno"},
                                                          {"NewReno", "ns3::TcpNewReno"},
                                                          {"dctcp", "ns3::TcpDctcp"}})
    {
        EXPECT_EQ(LoadSmall({"transport.congestion_control=" + typed})
                      .testbed.transport.congestionControl,
                  control)
            << typed;
    }
}

TEST(LoaderErrors, UnknownCongestionControlIsNamedWithTheNearest)
{
    const auto line = ErrorOfSmall({"transport.congestion_control=TcpCubik"});
    EXPECT_EQ(
        line.find(
            "small.textproto: transport.congestion_control: \"TcpCubik\" is no congestion control; "
            "the nearest are geotrain::TcpCubic, "),
        0U)
        << line;
}

TEST(LoaderErrors, ATypeThatIsNoCongestionControlIsRefused)
{
    EXPECT_NE(ErrorOfSmall({"transport.congestion_control=ns3::TcpSocketBase"}), "");
    EXPECT_NE(ErrorOfSmall({"transport.congestion_control=ns3::TcpCongestionOps"}), "");
}

} // namespace

} // namespace geotrain
