// SPDX-License-Identifier: GPL-2.0-only
// Checks the throughput over a long path with 1 % of random loss, which says nothing of congestion:
// 1 Gbit/s, 100 ms, a buffer of one bandwidth-delay product.
#include "express-path-helper.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <string>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

LinkModel::Settings
Link(const char* name, std::uint64_t seed, double lossRate)
{
    LinkModel::Settings link;
    link.rate = BitRate::GigabitsPerSecond(1);
    link.delay = Duration::Milliseconds(50);
    link.queue = QueueLimit::OfBytes(link.rate.In(Duration::Milliseconds(100)));
    link.lossRate = lossRate;
    link.name = name;
    link.seed = seed;
    return link;
}

/// Returns payload over capacity from 15 to 60 s.
double
LossyUtilization(const char* control, std::uint64_t seed)
{
    ExpressPathHelper path;
    path.AddLink(Link("link", seed, 0.01), Link("back", seed, 0));
    path.Build();
    BulkTcpOptions options;
    options.congestionControl = control;
    const FlowNumber flow = path.AddFlow(options, seed);
    path.Sender(flow).Send(1, 100000000000ULL);
    Simulator::Stop(Seconds(15));
    Simulator::Run();
    const std::uint64_t before = path.Receiver(flow).GetCounters().inOrderBytes;
    Simulator::Stop(Seconds(45));
    Simulator::Run();
    const std::uint64_t after = path.Receiver(flow).GetCounters().inOrderBytes;
    Simulator::Destroy();
    return static_cast<double>(after - before) * 8 / (45 * 1e9);
}

/// Returns the mean of 10 seeds. With `evenly` it expects no seed below half of the capacity.
double
MeanUtilization(const char* control, bool evenly)
{
    constexpr std::uint64_t seeds = 10;
    double mean = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    {
        const double share = LossyUtilization(control, seed);
        EXPECT_TRUE(!evenly || share >= 0.5) << control << ", seed " << seed << ": " << share;
        mean += share / seeds;
    }
    testing::Test::RecordProperty(control, std::to_string(mean));
    return mean;
}

TEST(LossyPath, BbrCarriesEightyFivePercent)
{
    EXPECT_GE(MeanUtilization("TcpBbr", true), 0.85);
}

TEST(LossyPath, Bbr3CarriesSeventyFivePercent)
{
    // Less than TcpBbr: between probes its model of the bandwidth follows what is delivered
    // (draft-ietf-ccwg-bbr-06).
    EXPECT_GE(MeanUtilization("TcpBbr3", true), 0.75);
}

TEST(LossyPath, CubicCarriesUnderTwoPercent)
{
    EXPECT_LT(MeanUtilization("TcpCubic", false), 0.02);
}

} // namespace
