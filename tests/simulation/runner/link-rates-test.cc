// SPDX-License-Identifier: GPL-2.0-only
// Runs transfers over links of two rates, of rates over time and beside each other, against formulas.
#include "metrics/flow-metrics.h"
#include "scenario-runs.h"
#include "small-scenario.h"
#include "trace/trace-reader.h"
#include "units/random-stream.h"
#include "wan/wan-paths.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

constexpr double payloadShare = 1448.0 / 1500;

class LinkRates : public testing::Test
{
  protected:
    Summary RunTransfer(const std::string& links, const std::string& transfer)
    {
        const auto folder = m_folder / std::to_string(m_runs++);
        std::filesystem::create_directories(folder);
        m_trace = (folder / "trace.pb").string();
        return RunIn(folder,
                     LoadText(sites + ("transport { window: \"4MB\" bearer: " + m_bearer + " } ") +
                              links + transfer));
    }

    /// Runs a pipeline of one microbatch on a network. It sends 2 MB from a to b and back.
    Summary RunPipeline(const Experiment& experiment)
    {
        const auto folder = m_folder / std::to_string(m_runs++);
        std::filesystem::create_directories(folder);
        return RunIn(folder, experiment);
    }

    FlowTally Tally() const
    {
        TraceReader reader(m_trace);
        return FlowTally(reader);
    }

    static double Of(const Summary& summary, const std::string& metric)
    {
        const auto value = summary.Find(metric);
        EXPECT_TRUE(value) << metric;
        return value.value_or(-1);
    }

    static constexpr const char* sites = R"(
name: "rates"
data_center { name: "a" nodes: 1 nic_rate: "10Gbps" }
data_center { name: "b" nodes: 1 nic_rate: "10Gbps" }
data_center { name: "c" nodes: 1 nic_rate: "10Gbps" }
wan_link { from: "b" to: "c" rate: "10Mbps" delay: "1ms" }
)";

    TemporaryFolder m_folder;
    std::string m_bearer = "EXPRESS";
    std::string m_trace;
    int m_runs = 0;
};

TEST_F(LinkRates, UtilisationIsOfTheCapacityOverTime)
{
    // 10 Mbit/s but for the first of 20 s x 1000 ms. The queue is never empty, and headers are 3.5 %.
    const auto summary = RunTransfer(R"(wan_link { from: "a" to: "b" rate: "100Mbps" delay: "10ms"
                                  rate_step { at: "1ms" rate: "10Mbps" } })",
                                     R"(transfer { from: "a" to: "b" duration: "20s" })");
    EXPECT_NEAR(Of(summary, "goodput_over_capacity"), payloadShare, 0.02);
    EXPECT_NEAR(Of(summary, "bottleneck_utilization"), 1, 0.02);
    // An outage of 5 s is no capacity; afterwards TCP has to wait for its timer, 1.6 s at most.
    const auto outage = RunTransfer(R"(wan_link { from: "a" to: "b" rate: "10Mbps" delay: "10ms"
                                  outage { begin: "5s" end: "10s" } })",
                                    R"(transfer { from: "a" to: "b" duration: "30s" })");
    EXPECT_GT(Of(outage, "goodput_over_capacity"), (25 - 4) / 25.0 * payloadShare);
    EXPECT_LE(Of(outage, "goodput_over_capacity"), payloadShare);
    // What a deep queue sends into an outage is no use of the link: 10 s are full, to a packet.
    const auto deep =
        RunTransfer(R"(wan_link { from: "a" to: "b" rate: "10Mbps" delay: "10ms" queue: "4MB"
                                  outage { begin: "10s" end: "19.9s" } })",
                    R"(transfer { from: "a" to: "b" duration: "20s" })");
    EXPECT_NEAR(Of(deep, "bottleneck_utilization"), 1, 0.02);
    EXPECT_LE(Of(deep, "bottleneck_utilization"), 1 + 12000 / 1e8);
}

TEST_F(LinkRates, EachDirectionHasItsRateAndDelay)
{
    const char* link = R"(wan_link { from: "a" to: "b" rate: "100Mbps" rate_back: "10Mbps"
                                     delay: "5ms" delay_back: "45ms" })";
    // 5 MB: 0.4145 s at 100 Mbit/s with headers, and ten times that back. A message waits for half a
    // round trip, and for up to three more while the window reopens: 5 %.
    const double bits = 8 * 5e6 / payloadShare;
    const auto there =
        RunTransfer(link, R"(transfer { from: "a" to: "b" size: "5MB" messages: 5 })");
    EXPECT_NEAR(Of(there, "completion_time_p50"), bits / 100e6 + 0.005, 0.05 * bits / 100e6);
    EXPECT_NEAR(Of(there, "goodput_over_capacity"), payloadShare, 0.06);
    const auto back =
        RunTransfer(link, R"(transfer { from: "b" to: "a" size: "5MB" messages: 5 })");
    EXPECT_NEAR(Of(back, "completion_time_p50"), bits / 10e6 + 0.045, 0.05 * bits / 10e6);
    EXPECT_NEAR(Of(back, "goodput_over_capacity"), payloadShare, 0.06);
}

TEST_F(LinkRates, ATraceDeliversItsIntegral)
{
    // 8, 0 and 4 Mbit/s for half a second each: 4 Mbit/s on average, in 15 s 60 Mbit. The queue of 8 MB
    // never runs dry and never overflows; the first round trips miss a window: 3 %.
    const auto summary = RunTransfer(
        R"(wan_link { from: "a" to: "b" delay: "10ms" queue: "8MB" rate_trace_line: "t_s,rate"
                      rate_trace_line: "0,8Mbps" rate_trace_line: "0.5,0" rate_trace_line: "1,4Mbps" })",
        R"(transfer { from: "a" to: "b" duration: "15s" warm_up { time: "3s" } })");
    const double wire = Of(summary, "goodput") / payloadShare;
    EXPECT_NEAR(wire, 4e6, 0.03 * 4e6);
    EXPECT_NEAR(Of(summary, "goodput_over_capacity"), payloadShare, 0.03);
    // In each tenth of a second the link carries what the trace allows, to a packet at each end.
    const auto tally = Tally();
    ASSERT_FALSE(tally.links.at("a -> b").points.empty());
    for (const auto& point : tally.links.at("a -> b").points)
    {
        const double end = static_cast<double>(point.timeNs) / 1e9;
        const double most = tally.links.at("a -> b").capacity.MeanIn(end - point.seconds, end);
        EXPECT_NEAR(point.bits, most * point.seconds, 2 * 12000) << end;
    }
}

TEST_F(LinkRates, DevicesHaveTheSameRatesAsLightLinks)
{
    const char* link =
        R"(wan_link { from: "a" to: "b" delay: "5ms" delay_back: "20ms" rate_back: "3Mbps"
                          queue: "2MB" rate_trace_line: "t_s,rate_mbps" rate_trace_line: "0,8"
                          rate_trace_line: "0.5,0" rate_trace_line: "1,4" })";
    const char* transfer =
        R"(transfer { from: "a" to: "b" duration: "10s" warm_up { time: "1s" } })";
    const double light = Of(RunTransfer(link, transfer), "goodput");
    m_bearer = "DEVICE";
    // The same packets at the same times, but for the frame headers' place in the queue's limit.
    EXPECT_NEAR(Of(RunTransfer(link, transfer), "goodput"), light, 0.002 * light);
}

// One connection: each message takes its own link's delay and time to send, T = d + 8 B / r with headers, and
// the compute time of both stages is the rest. NICs add 1.6 ms each way, and acknowledgements wait for
// packets of the other direction: 4 %. Windows are open after the warm-up and hold a message.
TEST_F(LinkRates, BothNetworksTakeTheTimeOfTheLinkThatCarriesAConnection)
{
    RandomStream draws(3, "links", "drawn");
    const auto draw = [&draws](double least, double most)
    { return std::to_string(std::lround(least + draws.Uniform() * (most - least))); };
    for (int drawn = 0; drawn < 6; ++drawn)
    {
        std::string text = R"(name: "drawn"
            model { transformer { layers: 2 hidden: 1024 heads: 16 vocabulary: 1024 } sequence: 1024
                    microbatches: 1 }
            parallelism { pipeline_stages: 2 data_parallel: 1 }
            data_center { name: "a" nodes: 1 gpu: "A100-40" nic_rate: "10Gbps" stages: 1 }
            data_center { name: "b" nodes: 1 gpu: "A100-40" nic_rate: "10Gbps" stages: 1 }
            transport { window: "8MB" slow_start_after_idle: false }
            )";
        for (int link = 0; link <= drawn % 3; ++link)
        {
            text += "wan_link { " +
                    std::string(link == 1 ? R"(from: "b" to: "a")" : R"(from: "a" to: "b")") +
                    " queue: \"20MB\" rate: \"" + draw(50, 500) + "Mbps\" rate_back: \"" +
                    draw(50, 500) + "Mbps\" delay: \"" + draw(2, 40) + "ms\" delay_back: \"" +
                    draw(2, 40) + "ms\" }\n";
        }
        text += "run { warmup_iterations: 3 iterations: 2";
        const Experiment experiment = LoadText(text + " }");
        const WanTopology& wan = experiment.testbed.wan;
        const WanPaths& paths = *experiment.testbed.paths;
        const double bits = 8 * 1024.0 * 1024 * 2 / payloadShare;
        double expected = 0;
        for (const std::uint32_t from : {0u, 1u})
        {
            const WanHop hop = paths.SitePath(from, 1 - from, DrawOf(from, 1 - from, 0))->front();
            const auto& link = wan.links[hop.link];
            expected += link.DelayOf(hop.forward).ToSeconds() +
                        bits / static_cast<double>(link.RateOf(hop.forward).ToBitsPerSecond());
        }
        for (const char* network : {"PACKET", "ANALYTIC"})
        {
            const Summary summary = RunPipeline(LoadText(text + " network: " + network + " }"));
            const double onTheWay =
                Of(summary, "iteration_time") * (1 - 2 * Of(summary, "gpu_utilization"));
            EXPECT_NEAR(onTheWay, expected, 0.04 * expected) << network << "\n" << text;
        }
    }
}

TEST_F(LinkRates, ParallelLinksCarryTheirSum)
{
    const char* links[] = {R"(wan_link { from: "a" to: "b" rate: "30Mbps" delay: "10ms" })",
                           R"(wan_link { from: "b" to: "a" rate: "10Mbps" delay: "10ms" })"};
    const char* many = R"(transfer { from: "a" to: "b" duration: "20s" warm_up { time: "5s" }
                                     flow { connections: 24 } })";
    for (const bool swapped : {false, true})
    {
        const auto summary =
            RunTransfer(std::string(links[swapped ? 1 : 0]) + links[swapped ? 0 : 1], many);
        EXPECT_NEAR(Of(summary, "goodput"), 40e6 * payloadShare, 0.03 * 40e6);
        EXPECT_NEAR(Of(summary, "goodput_over_capacity"), payloadShare, 0.03);
        EXPECT_EQ(Of(summary, "warnings"), 0);
    }
    // One connection has one of the links, and the other is said to idle.
    const auto one = RunTransfer(std::string(links[0]) + links[1],
                                 R"(transfer { from: "a" to: "b" duration: "10s" })");
    EXPECT_LT(Of(one, "goodput"), 30e6);
    EXPECT_EQ(Of(one, "warnings"), 1);
    const auto first = RunTransfer(std::string(links[0]) + links[1] + "parallel: FIRST ", many);
    EXPECT_NEAR(Of(first, "goodput"), 30e6 * payloadShare, 0.03 * 30e6);
    EXPECT_EQ(Of(first, "warnings"), 1);
}

TEST_F(LinkRates, InAnOutageOfAParallelLinkTheOthersCarryItsConnections)
{
    // Both for 10 s, then one for 10 s: 40 + 30 Mbit/s on average of 35. Timers of the connections that
    // lost their packets take up to 1 s, in which the rest has the link: 5 %.
    const auto summary =
        RunTransfer(R"(wan_link { from: "a" to: "b" rate: "30Mbps" delay: "10ms" }
                       wan_link { from: "a" to: "b" rate: "10Mbps" delay: "10ms"
                                  outage { begin: "10s" end: "20s" } })",
                    R"(transfer { from: "a" to: "b" duration: "20s" warm_up { time: "5s" }
                                  flow { connections: 24 } })");
    EXPECT_NEAR(Of(summary, "goodput"), 35e6 * payloadShare, 0.05 * 35e6);
    EXPECT_NEAR(Of(summary, "goodput_over_capacity"), payloadShare, 0.05);
}

TEST_F(LinkRates, RoutesStripeATransferOverBothWays)
{
    // 30 Mbit/s over the pair's own link and 15 over b: 45 together, by connections of 2 to 1. Of 24
    // connections the hash gives one way its share within one or two; each way is full all the same.
    const char* links = R"(wan_link { from: "a" to: "c" rate: "30Mbps" delay: "10ms" }
                           wan_link { from: "a" to: "b" rate: "15Mbps" delay: "10ms" })";
    const char* transfer = R"(transfer { from: "a" to: "c" duration: "20s" warm_up { time: "5s" }
                                         flow { connections: 24 } })";
    const auto fast = [](std::string text)
    {
        const std::string slow = R"(rate: "10Mbps" delay: "1ms")";
        text.replace(text.find(slow), slow.size(), R"(rate: "100Mbps" delay: "1ms")");
        return text;
    };
    const auto folder = m_folder / "routes";
    std::filesystem::create_directories(folder);
    const auto summary = RunIn(
        folder,
        LoadText(fast(sites) + R"(transport { window: "4MB" } )" + links + transfer +
                 R"(route { from: "a" to: "c" weight: 2 } route { from: "a" to: "c" via: "b" })"));
    EXPECT_NEAR(Of(summary, "goodput"), 45e6 * payloadShare, 0.03 * 45e6);
    EXPECT_NEAR(Of(summary, "goodput_over_capacity"), payloadShare, 0.03);
    EXPECT_EQ(Of(summary, "warnings"), 0);
}

TEST_F(LinkRates, AnOutageIsRoutedAroundAfterATime)
{
    // 30 Mbit/s for 10 s, nothing for 2 s, and 15 Mbit/s over b for 8 s; until routers know that the
    // outage is over, nothing else can come. A timeout takes up to 1.6 s more of the 8 (doubled from
    // 0.2 s until packets arrive again).
    const auto summary =
        RunTransfer(R"(wan_link { from: "a" to: "c" rate: "30Mbps" delay: "10ms"
                                  outage { begin: "10s" end: "25s" } }
                       wan_link { from: "a" to: "b" rate: "8Mbps" delay: "10ms" }
                       reroute_after: "2s" )",
                    R"(transfer { from: "a" to: "c" duration: "20s" warm_up { time: "5s" } })");
    const double whole = (10 * 30e6 + 8 * 8e6) / 20 * payloadShare;
    EXPECT_LT(Of(summary, "goodput"), whole * 1.02);
    EXPECT_GT(Of(summary, "goodput"), whole - 1.6 * 8e6 / 20 - 0.03 * whole);
}

TEST_F(LinkRates, ADetourOfLessDelayDoesNotTakeAPairsTraffic)
{
    // 5 MB over the pair's own 200 Mbit/s take 0.2 s and 80 ms; over b, at 10 Mbit/s, 4 s.
    const auto summary = RunTransfer(R"(wan_link { from: "a" to: "c" rate: "200Mbps" delay: "80ms" }
                                        wan_link { from: "a" to: "b" rate: "10Mbps" delay: "5ms" })",
                                     R"(transfer { from: "a" to: "c" size: "5MB" messages: 3 })");
    EXPECT_LT(Of(summary, "completion_time_p50"), 0.5);
    EXPECT_EQ(Of(summary, "warnings"), 0);
}

} // namespace

} // namespace geotrain
