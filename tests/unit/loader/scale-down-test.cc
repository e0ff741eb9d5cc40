// SPDX-License-Identifier: GPL-2.0-only
// Tests what run.scale divides, and what it keeps.
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <cmath>

namespace geotrain
{

namespace
{

const std::string path = R"(
data_center { name: "a" nodes: 1 nic_rate: "10Gbps" }
data_center { name: "b" nodes: 1 nic_rate: "10Gbps" }
)";

const std::string lossless = path + R"(
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "10ms" queue: "200kB" }
caps { node_pair: "500Mbps" }
transport { window: "4MB" chunk: "256kB" }
transfer { size: "8MB" }
run { scale: 10 }
)";

TEST(ScaleDown, DividesRatesQueuesWindowsAndMessagesAndKeepsTimes)
{
    const auto loaded = LoadScenario(AsText(lossless));
    const auto& wan = loaded.testbed.wan;
    EXPECT_EQ(wan.links[0].rate.ToBitsPerSecond(), 100000000);
    EXPECT_EQ(wan.links[0].delay.ToNanoseconds(), 10000000);
    EXPECT_EQ(wan.links[0].queue.value, 20000);
    EXPECT_EQ(wan.sites[0].nicRate.ToBitsPerSecond(), 1000000000);
    EXPECT_EQ(wan.caps.nodePair->ToBitsPerSecond(), 50000000);
    EXPECT_EQ(loaded.testbed.transport.window.Count(), 400000);
    EXPECT_EQ(loaded.testbed.transport.chunk.Count(), 25600);
    EXPECT_EQ(loaded.transfer->size.Count(), 800000);
}

// The same share of the link, in files that last as long.
TEST(ScaleDown, DividesCrossTraffic)
{
    const auto loaded = LoadScenario(
        AsText(lossless +
               R"(cross_traffic { from: "a" to: "b" load: 0.5 mean_size: "10MB" window: "1MB" })"));
    const auto& pair = loaded.crossTraffic.at(0);
    EXPECT_DOUBLE_EQ(pair.steps.at(0).bitsPerSecond, 0.5 * 1e9 / 10);
    EXPECT_EQ(pair.meanSize.Count(), 1000000);
    EXPECT_EQ(pair.window.Count(), 100000);
    EXPECT_DOUBLE_EQ(pair.load, 0.5);
}

TEST(ScaleDown, LeavesRoomForAPacketAndWindowsOfFour)
{
    const auto loaded = LoadScenario(AsText(lossless), {{"run.scale=1000", ""}});
    EXPECT_EQ(loaded.testbed.wan.links[0].queue.value, 1500);
    EXPECT_EQ(loaded.testbed.transport.window.Count(), 4 * 1500);
}

TEST(ScaleDown, RedForgetsInTheSameTime)
{
    const auto loaded = LoadScenario(AsText(path + R"(
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "10ms" queue: "2MB"
           red { min_threshold: "100kB" max_threshold: "400kB" weight: 0.002 } }
transfer { size: "8MB" }
run { scale: 10 })"));
    const auto& red = *loaded.testbed.wan.links[0].red;
    EXPECT_EQ(red.minThreshold.value, 10000);
    EXPECT_EQ(red.maxThreshold.value, 40000);
    EXPECT_DOUBLE_EQ(1 - red.weight, std::pow(1 - 0.002, 10)); // a packet forgets as ten did
}

TEST(ScaleDown, IsRefusedWithALearnedLink)
{
    EXPECT_EQ(ErrorOfText(path + R"(
wan_link { from: "a" to: "b" learned: "path.pb" }
transfer { size: "8MB" }
run { scale: 10 })"),
              "small.textproto: wan_link[0].learned: \"path.pb\" must not be set with run.scale");
}

} // namespace

} // namespace geotrain
