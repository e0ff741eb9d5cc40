// SPDX-License-Identifier: GPL-2.0-only
// Checks what a WAN TCP must do at high bandwidth-delay products: repair an overshoot without a
// timeout, fill a window, and cost nothing when idle.
#include "express-path-helper.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <algorithm>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

LinkModel::Settings
Link(std::int64_t rateMbps, std::int64_t rttMs, double bufferBdp)
{
    LinkModel::Settings link;
    link.rate = BitRate::BitsPerSecond(rateMbps * 1000000);
    link.delay = Duration::Microseconds(rttMs * 500);
    const Bytes bdp = link.rate.In(Duration::Milliseconds(rttMs));
    link.queue = QueueLimit::OfBytes(
        Bytes::Of(static_cast<std::int64_t>(bufferBdp * static_cast<double>(bdp.Count()))));
    link.name = "link";
    return link;
}

class HighBandwidth : public testing::Test
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }

    /// Returns the seconds that 200 MB take over 5 Gbit/s x 40 ms with a buffer of so many
    /// bandwidth-delay products.
    double Seconds200MB(double bufferBdp)
    {
        ExpressPathHelper path;
        path.AddLink(Link(5000, 40, bufferBdp));
        path.Build();
        BulkSender& sender = path.Sender(path.AddFlow(BulkTcpOptions()));
        sender.Send(1, 200000000);
        Simulator::Run();
        path.CheckConservation();
        m_counters = sender.GetCounters();
        const double seconds = static_cast<double>(path.Log().deliveredNs.at(0)) * 1e-9;
        Simulator::Destroy();
        return seconds;
    }

    BulkSender::Counters m_counters;
};

TEST_F(HighBandwidth, CubicRepairsAnOvershootWithoutATimeout)
{
    const double lossFree = Seconds200MB(100);
    EXPECT_EQ(m_counters.retransmittedBytes, 0U);
    const double shallow = Seconds200MB(0.1);
    EXPECT_EQ(m_counters.timeouts, 0U);
    EXPECT_LT(shallow, 3 * lossFree);
}

TEST_F(HighBandwidth, AWindowLimitedTransferNeverWrapsItsWindow)
{
    ExpressPathHelper path;
    path.AddLink(Link(100000, 1, 10));
    path.Build();
    BulkTcpOptions options;
    options.congestionControl = "TcpNewReno";
    options.mtu = Bytes::Of(9000);
    options.window = Bytes::Of(1500000);
    BulkSender& sender = path.Sender(path.AddFlow(options));
    std::uint32_t largest = 0;
    bool fell = false;
    sender.State()->TraceConnectWithoutContext("CongestionWindow",
                                               Callback<void, uint32_t, uint32_t>(
                                                   [&](uint32_t before, uint32_t after)
                                                   {
                                                       fell = fell || after < before;
                                                       largest = std::max(largest, after);
                                                   }));
    sender.Send(1, 20000000000ULL);
    Simulator::Run();
    path.CheckConservation();
    EXPECT_FALSE(fell);                        // there is no loss, so only a wrap could lower it
    EXPECT_LE(largest, 2 * 1500000U + 90000U); // slow start ends where the window is not the limit
}

TEST_F(HighBandwidth, AnIdleConnectionCostsNoEvents)
{
    ExpressPathHelper path;
    path.AddLink(Link(1000, 10, 1));
    path.Build();
    path.Sender(path.AddFlow(BulkTcpOptions())).Send(1, 1000000);
    Simulator::Stop(Seconds(100));
    Simulator::Run();
    const std::uint64_t events = Simulator::GetEventCount();
    Simulator::Stop(Seconds(100000));
    Simulator::Run();
    EXPECT_EQ(Simulator::GetEventCount(), events + 1); // the stop
}

} // namespace
