// SPDX-License-Identifier: GPL-2.0-only
// Over packets, TcpBbr3 fills a long fat path, and random loss costs it little.
#include "express-path-helper.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

/// Makes a path with a queue of `bdps` bandwidth-delay products.
LinkModel::Settings
Path(std::int64_t rateMbps, std::int64_t rttMs, double bdps, double loss, std::uint64_t seed)
{
    LinkModel::Settings link;
    link.rate = BitRate::BitsPerSecond(rateMbps * 1000000);
    link.delay = Duration::Microseconds(rttMs * 500);
    const double bdp = static_cast<double>(rateMbps * rttMs) * 125;
    link.queue = QueueLimit::OfBytes(Bytes::Of(static_cast<std::int64_t>(bdps * bdp)));
    link.lossRate = loss;
    link.seed = seed;
    link.name = "path";
    return link;
}

/// Returns the payload delivered between the seconds `from` and `to`, as a share of the payload
/// that the path can carry in that time.
double
Share(const LinkModel::Settings& link, const std::string& control, double from, double to)
{
    ExpressPathHelper path;
    LinkModel::Settings back = link;
    back.name = "back";
    back.lossRate = 0;
    path.AddLink(link, back);
    path.Build();
    BulkTcpOptions options;
    options.congestionControl = control;
    options.window = Bytes::Of(250000000);
    const FlowNumber flow = path.AddFlow(options, link.seed);
    path.Sender(flow).Send(1, 1000000000000);
    Simulator::Stop(Seconds(from));
    Simulator::Run();
    const std::uint64_t before = path.Receiver(flow).GetCounters().inOrderBytes;
    Simulator::Stop(Seconds(to - from));
    Simulator::Run();
    const std::uint64_t bytes = path.Receiver(flow).GetCounters().inOrderBytes - before;
    Simulator::Destroy();
    const double headers = 1448.0 / 1500;
    return static_cast<double>(bytes) * 8 /
           (static_cast<double>(link.rate.ToBitsPerSecond()) * headers * (to - from));
}

TEST(Bbr3OverPackets, FillsALongFatPath)
{
    // 0.99 of the bandwidth by PacingMarginPercent, 0.98 of it by ProbeRTT: 0.97; from 2 s on, when
    // Startup is over.
    EXPECT_GT(Share(Path(5000, 40, 1, 0, 1), "TcpBbr3", 2, 6), 0.95);
}

TEST(Bbr3OverPackets, OnePercentOfRandomLossCostsLittle)
{
    EXPECT_GT(Share(Path(1000, 100, 1, 0.01, 1), "TcpBbr3", 5, 15), 0.75);
}

TEST(Bbr3OverPackets, ALinkWithoutAQueueLeavesMostOfTheBandwidth)
{
    // A queue of a twentieth of the BDP; 2 % of loss is what the model accepts while it probes.
    EXPECT_GT(Share(Path(1000, 40, 0.05, 0, 1), "TcpBbr3", 5, 15), 0.8);
}

} // namespace
