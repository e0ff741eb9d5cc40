// SPDX-License-Identifier: GPL-2.0-only
// What a topology says of a link and of a node reaches the settings that every bearer builds of.
#include "wan-topology/helper/wan-settings.h"

#include "wan/resources.h"

#include <gtest/gtest.h>

#include <memory>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using geotrain::WanQueueSize;
using geotrain::WanTopology;

/// Two sites of a node each, with caps, and a link that does everything to packets.
WanTopology
Impaired()
{
    WanTopology topology;
    for (const char* name : {"east", "west"})
    {
        WanTopology::Site site;
        site.name = name;
        site.nodes = 1;
        site.nicRate = BitRate::GigabitsPerSecond(10);
        site.intraRate = BitRate::GigabitsPerSecond(5);
        topology.sites.push_back(site);
    }
    WanTopology::Link link;
    link.to = 1;
    link.rate = BitRate::GigabitsPerSecond(1);
    link.delay = Duration::Milliseconds(10);
    link.lossRate = 0.01;
    link.red = geotrain::RedSettings();
    link.red->minThreshold = WanQueueSize::OfBytes(Bytes::Of(100000));
    link.red->maxThreshold = WanQueueSize::OfBytes(Bytes::Of(100500));
    link.policer = geotrain::PolicerSettings{BitRate::GigabitsPerSecond(2), Bytes::Of(50000)};
    link.burstLoss = geotrain::BurstLossSettings{0.1, 0.5, 0.9};
    link.jitter = geotrain::JitterSettings();
    link.jitter->mean = Duration::Milliseconds(2);
    link.duplication = 0.25;
    link.rates.steps = {{Duration::Seconds(1), BitRate::GigabitsPerSecond(3)}};
    link.outages = {{Duration::Seconds(2), Duration::Seconds(3), true}};
    topology.links.push_back(link);
    topology.caps.nodePair = BitRate::GigabitsPerSecond(1);
    topology.caps.nodeEgress = BitRate::GigabitsPerSecond(3);
    topology.caps.nodeIngress = BitRate::GigabitsPerSecond(4);
    return topology;
}

WanSettings
SettingsOf(const WanTopology& topology)
{
    return {topology,
            std::make_shared<geotrain::WanPaths>(topology),
            std::make_shared<WanAddressPlan>(topology),
            std::make_shared<geotrain::Instant>(geotrain::Instant::Never())};
}

TEST(WanSettings, ALinksImpairmentsReachBothDirections)
{
    const WanTopology topology = Impaired();
    const auto directions = SettingsOf(topology).WanDirections();
    ASSERT_EQ(directions.size(), 2u);
    for (const LinkSettings& direction : directions)
    {
        EXPECT_EQ(direction.lossRate, 0.01);
        EXPECT_TRUE(direction.IsMoreThanLoss());
        EXPECT_EQ(direction.policer->burst, Bytes::Of(50000));
        EXPECT_EQ(direction.burstLoss->enter, 0.1);
        EXPECT_EQ(direction.jitter->mean, Duration::Milliseconds(2));
        EXPECT_EQ(direction.duplication, 0.25);
        EXPECT_EQ(direction.rates.steps.at(0).rate, BitRate::GigabitsPerSecond(3));
        EXPECT_TRUE(direction.outages.at(0).holds);
        EXPECT_FALSE(direction.coDel);
        EXPECT_EQ(*direction.scheduleBegin, geotrain::Instant::Never());
    }
}

TEST(WanSettings, RedsThresholdsAreBytesAtLeastAPacketApart)
{
    WanTopology topology = Impaired();
    const auto apart = SettingsOf(topology).WanDirections().front();
    EXPECT_EQ(apart.red->minThreshold.unit, WanQueueSize::Unit::Bytes);
    EXPECT_EQ(apart.red->minThreshold.value, 100000);
    EXPECT_EQ(apart.red->maxThreshold.value, 100000 + 1500);
    topology.links[0].red = geotrain::RedSettings(); // shares of the bandwidth-delay product
    const auto shares = SettingsOf(topology).WanDirections().front();
    // 1 Gbit/s x 20 ms = 2.5 MB.
    EXPECT_NEAR(shares.red->minThreshold.value, 0.25 * 2.5e6, 0.01 * 2.5e6);
    EXPECT_NEAR(shares.red->maxThreshold.value, 0.75 * 2.5e6, 0.01 * 2.5e6);
    EXPECT_EQ(shares.red->maxThreshold.unit, WanQueueSize::Unit::Bytes);
}

TEST(WanSettings, ANodeIsLimitedByWhatItsResourcesSay)
{
    const WanTopology topology = Impaired();
    const WanSettings settings = SettingsOf(topology);
    EXPECT_EQ(settings.FromNode(0).rate, geotrain::EgressLimits(topology, 0).nic);
    const auto out = settings.Shaping(0, ShapingRemote::Destination);
    EXPECT_EQ(out->classRate, BitRate::GigabitsPerSecond(1));
    EXPECT_EQ(out->wanRate, BitRate::GigabitsPerSecond(3));
    EXPECT_EQ(out->intraRate, BitRate::GigabitsPerSecond(5));
    const auto in = settings.Shaping(0, ShapingRemote::Source);
    EXPECT_FALSE(in->classRate);
    EXPECT_EQ(in->wanRate, BitRate::GigabitsPerSecond(4));
}

} // namespace
} // namespace ns3
