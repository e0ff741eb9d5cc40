// SPDX-License-Identifier: GPL-2.0-only
// Tests what the loader fills in and refuses in scenarios whose transfer has flows.
#include "schema/scenario.pb.h"

#include "small-scenario.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

const std::string flowSites = R"(
data_center { name: "a" nodes: 1 }
data_center { name: "b" nodes: 2 }
data_center { name: "c" nodes: 1 }
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "10ms" }
wan_link { from: "b" to: "c" rate: "1Gbps" delay: "10ms" }
transport { congestion_control: "TcpBbr" connections: 2 window: "4MB" }
)";

const std::string flowsOfThree = flowSites + R"(
transfer {
  duration: "60s" warm_up { bytes: "300MB" time: "10s" } start_spread: "1s"
  flow { name: "long" to: "c" count: 2 }
  flow { from: "b" to: "c" congestion_control: "TcpCubic" connections: 1 window: "8MB"
         start: "20s" stop: "50s" }
  flow { name: "short" size: "100kB" arrivals_per_second: 10 }
})";

TEST(FlowSection, FillsInWhatAnEntryLeavesOut)
{
    const auto loaded = LoadScenario(AsText(flowsOfThree));
    const auto& transfer = loaded.transfer.value();
    ASSERT_TRUE(transfer.IsOfFlows());
    EXPECT_EQ(transfer.duration, Duration::Seconds(60));
    EXPECT_EQ(transfer.warmUpBytes, Bytes::Of(300000000));
    EXPECT_EQ(transfer.warmUpTime, Duration::Seconds(10));
    EXPECT_EQ(transfer.startSpread, Duration::Seconds(1));
    ASSERT_EQ(transfer.flows.size(), 4U);
    const auto& first = transfer.flows[0];
    EXPECT_EQ(first.name, "long-1");
    EXPECT_EQ(first.group, "long");
    EXPECT_EQ(first.source, 0U);
    EXPECT_EQ(first.destination, 3U);
    EXPECT_EQ(first.congestionControl, "ns3::TcpBbr");
    EXPECT_EQ(first.connections, 2U);
    EXPECT_EQ(first.window, Bytes::Of(4000000));
    EXPECT_FALSE(first.start.has_value());
    EXPECT_EQ(first.stop, Duration::Seconds(60));
    EXPECT_TRUE(first.IsSteady());
    EXPECT_EQ(transfer.flows[1].name, "long-2");
    const auto& late = transfer.flows[2];
    EXPECT_EQ(late.name, "flow-2");
    EXPECT_EQ(late.source, 1U);
    EXPECT_EQ(late.connections, 1U);
    EXPECT_EQ(late.start, Duration::Seconds(20));
    EXPECT_EQ(late.stop, Duration::Seconds(50));
    EXPECT_FALSE(transfer.flows[3].IsSteady());
    EXPECT_TRUE(transfer.flows[3].cold);
}

TEST(FlowSection, WithoutEntriesThereIsOneSteadyFlow)
{
    const auto loaded = LoadScenario(AsText(flowSites + R"(transfer { duration: "1s" })"));
    ASSERT_EQ(loaded.transfer->flows.size(), 1U);
    EXPECT_EQ(loaded.transfer->flows[0].name, "flow-1");
    EXPECT_EQ(loaded.transfer->flows[0].destination, 1U);
    EXPECT_FALSE(loaded.transfer->HasWarmUp());
}

TEST(FlowSection, ResolvesToItself)
{
    const auto once = PrintScenario(*LoadScenario(AsText(flowsOfThree)).provenance.resolved);
    EXPECT_EQ(PrintScenario(*LoadScenario(AsText(once)).provenance.resolved), once);
}

TEST(FlowSection, TheNicsQueueHoldsTwoWindowsOfAllFlows)
{
    const auto loaded = LoadScenario(
        AsText(flowSites + R"(transfer { duration: "1s" flow { count: 10 window: "16MB" } })"));
    // 2 x (10 flows x 2 connections x 16 MB + the transport's 2 connections x 4 MB)
    EXPECT_EQ(loaded.testbed.wan.portQueue.Count(), 2 * (20 * 16000000 + 2 * 4000000));
}

TEST(FlowSection, MessagesCanBeWarmedUpToo)
{
    const auto loaded =
        LoadScenario(AsText(flowSites + R"(transfer { size: "8MB" warm_up { bytes: "300MB" } })"));
    EXPECT_FALSE(loaded.transfer->IsOfFlows());
    EXPECT_TRUE(loaded.transfer->HasWarmUp());
    EXPECT_EQ(loaded.transfer->warmUpTime, Duration());
}

TEST(FlowSection, RefusesWhatDoesNotFit)
{
    const std::pair<const char*, const char*> broken[] = {
        {"", "transfer: must have exactly one of size and duration"},
        {R"(size: "8MB" flow { })", "transfer.flow: needs transfer.duration"},
        {R"(size: "8MB" cold: true warm_up { time: "1s" })",
         "transfer.warm_up.time: \"1s\" must not be set with transfer.cold"},
        {R"(duration: "9s" size: "8MB")", "transfer: must have exactly one of size and duration"},
        {R"(duration: "9s" messages: 9)",
         "transfer.messages: \"9\" must not be set with transfer.duration"},
        {R"(duration: "9s" rival: "TcpBbr")",
         "transfer.rival: \"TcpBbr\" must not be set with transfer.duration"},
        {R"(duration: "0s")", "transfer.duration: \"0s\" must be >= 1ms"},
        {R"(duration: "9s" start_spread: "-1s")", "transfer.start_spread"},
        {R"(duration: "9s" warm_up { bytes: "-1B" })", "transfer.warm_up.bytes"},
        {R"(duration: "9s" flow { } flow { to: "d" })", "transfer.flow[1].to: \"d\""},
        {R"(duration: "9s" flow { to: "a" })",
         "transfer.flow[0].to: \"a\" must be another data centre than from"},
        {R"(duration: "9s" flow { congestion_control: "TcpTahiti" })",
         "transfer.flow[0].congestion_control: \"TcpTahiti\""},
        {R"(duration: "9s" flow { ecn: true })", "transport.ecn: \"true\" needs a congestion"},
        {R"(duration: "9s" flow { stop: "10s" })",
         "transfer.flow[0].stop: \"10s\" must be <= transfer.duration"},
        {R"(duration: "9s" flow { start: "5s" stop: "5s" })",
         "transfer.flow[0].start: \"5s\" must be earlier than the flow's stop, 5s"},
        {R"(duration: "9s" flow { count: 0 })", "transfer.flow[0].count"},
        {R"(duration: "9s" flow { name: "x" } flow { name: "x" })",
         "transfer.flow[1].name: \"x\" must be the name of one flow only"},
        {R"(duration: "9s" flow { name: "a b" })", "transfer.flow[0].name"},
        {R"(duration: "9s" flow { gap: "1s" })",
         "transfer.flow[0].gap: \"1s\" needs transfer.flow[0].size"},
        {R"(duration: "9s" flow { cold: true })",
         "transfer.flow[0].cold: \"true\" needs transfer.flow[0].size"},
        {R"(duration: "9s" flow { size_distribution: WEB_SEARCH })",
         "transfer.flow[0].size_distribution: \"WEB_SEARCH\" needs transfer.flow[0].size"},
        {R"(duration: "9s" flow { arrivals_per_second: 1 })",
         "transfer.flow[0].arrivals_per_second: \"1\" needs transfer.flow[0].size"},
        {R"(duration: "9s" flow { size: "1MB" gap: "1s" arrivals_per_second: 1 })",
         "transfer.flow[0].gap: \"1s\" must not be set with transfer.flow[0].arrivals_per_second"},
        {R"(duration: "9s" flow { size: "1MB" arrivals_per_second: 20000 })",
         "transfer.flow[0].arrivals_per_second: \"20000\" times the flow's time must be at most "
         "100000"},
    };
    for (const auto& [inside, says] : broken)
    {
        const auto error = ErrorOfText(flowSites + "transfer { " + inside + " }");
        EXPECT_NE(error.find(says), std::string::npos) << inside << ": " << error;
        EXPECT_EQ(error.find('\n'), std::string::npos) << inside;
    }
}

} // namespace

} // namespace geotrain
