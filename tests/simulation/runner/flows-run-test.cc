// SPDX-License-Identifier: GPL-2.0-only
// Runs flows side by side: fair shares against formulas, warm-ups, drawn starts, joins, messages
// among steady flows, paths of several bottlenecks, and the table of the flows.
#include "metrics/flow-metrics.h"
#include "scenario-runs.h"
#include "small-scenario.h"
#include "trace/trace-reader.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

constexpr double flowsLinkRate = 100e6;           // bit/s
constexpr double payloadOfPacket = 1448.0 / 1500; // of a full packet
constexpr double flowsRoundTrip = 0.020;          // a bandwidth-delay product of 250 kB

/// A window of few segments goes once per round trip only where no burst of segmentation offload waits for room
/// in it: a Linux host is some 5 % slower, in the kernel too.
constexpr const char* withoutBursts = "transport.preset=RFC";

constexpr const char* flowsSites = R"(
name: "flows"
data_center { name: "near" nodes: 1 nic_rate: "1Gbps" intra_delay: "0" }
data_center { name: "far" nodes: 1 nic_rate: "1Gbps" intra_delay: "0" }
wan_link { from: "near" to: "far" rate: "100Mbps" delay: "10ms" queue: "1bdp" }
transport { bearer: EXPRESS congestion_control: "TcpLinuxReno" window: "4MB" }
)";

class FlowsFolder : public testing::Test
{
  protected:
    Summary RunFlows(const std::string& transfer,
                     const std::vector<std::string>& sets = {},
                     const std::string& sites = flowsSites)
    {
        m_run = m_folder / std::to_string(m_runs++);
        std::filesystem::create_directories(m_run);
        return RunIn(m_run, LoadText(sites + "transfer { " + transfer + " }", sets));
    }

    FlowTally Tally() const
    {
        TraceReader reader((m_run / "trace.pb").string());
        return FlowTally(reader);
    }

    static double Of(const Summary& summary, const std::string& metric)
    {
        const auto value = summary.Find(metric);
        EXPECT_TRUE(value) << metric;
        return value.value_or(-1);
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_run;
    int m_runs = 0;
};

TEST_F(FlowsFolder, AWindowBoundFlowDeliversAWindowPerRoundTrip)
{
    // Two flows whose windows together are 80 % of the BDP: no queue, no loss, W / RTT each. 4 %:
    // windows are whole segments, and a packet, the other flow's and the acknowledgement take 0.4 ms
    // on the wire.
    const auto summary =
        RunFlows(R"(duration: "5s" warm_up { time: "2s" } flow { count: 2 window: "100kB" })",
                 {withoutBursts});
    const double expected = 8 * 100e3 / flowsRoundTrip;
    const auto results = ResultsOf(Tally());
    ASSERT_EQ(results.size(), 2U);
    EXPECT_NEAR(results[0].goodputBps, expected, 0.04 * expected);
    EXPECT_NEAR(results[1].goodputBps, expected, 0.04 * expected);
    EXPECT_NEAR(results[0].fairShareBps, expected * payloadOfPacket, 0.01 * expected);
    EXPECT_NEAR(Of(summary, "goodput_flow-1"), 2 * expected, 0.04 * 2 * expected);
    EXPECT_GT(Of(summary, "jain_index"), 0.999);
    EXPECT_EQ(Of(summary, "retransmitted_share"), 0);
    EXPECT_LT(Of(summary, "queue_delay_p99"), 0.002);
}

TEST_F(FlowsFolder, TwoFlowsOfOneControlShareTheLinkByHalves)
{
    // Reno flows of one round trip converge to equal shares (Chiu and Jain 1989): the queue of one
    // BDP keeps the link busy at half the window. 5 % of a sawtooth's amplitude remain after 40 s.
    const auto summary =
        RunFlows(R"(duration: "40s" warm_up { time: "20s" } start_spread: "1s" flow { count: 2 })");
    const auto results = ResultsOf(Tally());
    const double half = flowsLinkRate * payloadOfPacket / 2;
    EXPECT_NEAR(results[0].fairShareBps, half, 1);
    EXPECT_NEAR(results[0].goodputBps, half, 0.1 * half);
    EXPECT_NEAR(results[1].goodputBps, half, 0.1 * half);
    EXPECT_GT(Of(summary, "jain_index"), 0.99);
    EXPECT_GT(Of(summary, "bottleneck_utilization"), 0.97);
    EXPECT_GT(Of(summary, "queue_delay_p95"), Of(summary, "queue_delay_p50"));
    EXPECT_LE(Of(summary, "queue_delay_p99"), 1.05 * flowsRoundTrip);
}

TEST_F(FlowsFolder, NothingBeforeTheEndOfTheWarmUpCounts)
{
    // Slow start overruns the queue by up to a window of one BDP, 250 kB of the first second's 12 MB;
    // later losses are a packet or two per sawtooth.
    const char* flow = R"(flow { congestion_control: "TcpCubic" })";
    const auto cold = RunFlows(std::string(R"(duration: "1s" )") + flow);
    EXPECT_GT(Of(cold, "retransmitted_share"), 0.005);
    const auto warm =
        RunFlows(std::string(R"(duration: "1s" warm_up { time: "1s" bytes: "12MB" } )") + flow);
    EXPECT_LT(Of(warm, "retransmitted_share"), 0.0005);
    EXPECT_NEAR(Of(warm, "simulated_time"), 1, 1e-9);
    const auto tally = Tally();
    const auto& points = tally.flows.front().delivered;
    ASSERT_FALSE(points.empty());
    EXPECT_GT(points.front().timeNs, 0);
    // The link can't have carried more than its rate since time 0, whatever was sent before.
    EXPECT_LE(8 * points.back().bytes, 1.01 * flowsLinkRate);
}

TEST_F(FlowsFolder, AFlowThatJoinsAndLeavesIsMeasuredInBetween)
{
    const auto summary = RunFlows(R"(duration: "12s" warm_up { time: "1s" }
        flow { name: "first" window: "200kB" }
        flow { name: "late" window: "200kB" start: "4s" stop: "8s" })",
                                  {withoutBursts});
    const auto tally = Tally();
    EXPECT_EQ(tally.Flow(1).start_ns(), 4000000000);
    EXPECT_TRUE(tally.Flow(1).joins());
    const auto results = ResultsOf(tally);
    EXPECT_DOUBLE_EQ(results[1].seconds, 4);
    // Alone a window of 200 kB gives 80 Mbit/s; two share the link by halves, with the queue's help.
    const double half = flowsLinkRate * payloadOfPacket / 2;
    EXPECT_NEAR(results[1].goodputBps, half, 0.1 * half);
    EXPECT_NEAR(results[1].fairShareBps, half, 0.01 * half);
    ASSERT_TRUE(results[1].convergenceSeconds);
    EXPECT_LT(*results[1].convergenceSeconds, 1);
    EXPECT_EQ(Of(summary, "joins_converged"), 1);
    EXPECT_EQ(Of(summary, "convergence_time"), *results[1].convergenceSeconds);
    const auto& late = tally.flows[1];
    const double atStop = late.BytesAt(8500000000);
    EXPECT_EQ(late.BytesAt(12000000000), atStop); // nothing is handed over after the stop
    const auto& first = tally.flows[0];
    const double alone = 8 * (first.BytesAt(12000000000) - first.BytesAt(9000000000)) / 3;
    EXPECT_NEAR(alone, 8 * 200e3 / flowsRoundTrip, 0.03 * 80e6);
}

TEST_F(FlowsFolder, StartsAreDrawnFromTheSeed)
{
    const char* transfer = R"(duration: "2s" start_spread: "1s" flow { count: 2 window: "100kB" })";
    const auto starts = [&](const char* seed)
    {
        RunFlows(transfer, {seed});
        const auto tally = Tally();
        return std::pair(tally.Flow(0).start_ns(), tally.Flow(1).start_ns());
    };
    const auto first = starts("run.seed=1");
    EXPECT_EQ(starts("run.seed=1"), first);
    EXPECT_NE(starts("run.seed=2"), first);
    EXPECT_NE(first.first, first.second);
    EXPECT_LT(std::max(first.first, first.second), 1000000000);
}

TEST_F(FlowsFolder, MessagesArriveByAPoissonProcessAmongSteadyFlows)
{
    const auto summary = RunFlows(R"(duration: "20s" warm_up { time: "1s" }
        flow { name: "long" window: "125kB" }
        flow { name: "short" size: "14480B" arrivals_per_second: 20 })");
    // 400 are expected, with a standard deviation of 20: five of them.
    EXPECT_NEAR(Of(summary, "messages"), 400, 100);
    // Ten segments: a round trip for the handshake, half of one for the data. No queue is left by a
    // window of half a BDP, so that there is but transmission (1.2 ms) on top.
    EXPECT_NEAR(Of(summary, "completion_time_p50_short"), 1.5 * flowsRoundTrip + 0.0012, 0.002);
    EXPECT_GT(Of(summary, "share_long"), 0.999);
    EXPECT_FALSE(summary.Find("share_short"));
}

TEST_F(FlowsFolder, MessagesOneAfterAnotherWaitTheirGap)
{
    // 30 kB over two open connections: half a round trip after the first message. Pacing spreads the
    // window of slow start over at most half a round trip more.
    const auto summary = RunFlows(
        R"(duration: "2s" flow { size: "28960B" connections: 2 gap: "90ms" window: "100kB" })");
    const double bound = flowsRoundTrip / 2 + 8 * 28960 / 1e8;
    EXPECT_GT(Of(summary, "completion_time_p50"), bound);
    EXPECT_LT(Of(summary, "completion_time_p50"), bound + flowsRoundTrip / 2);
    EXPECT_NEAR(Of(summary, "messages"), 2 / (0.09 + bound), 3);
}

TEST_F(FlowsFolder, FlowsOfSeveralPathsHaveFairSharesOfTheirOwn)
{
    // A parking lot of three links: max-min fairness gives each flow half of each link it crosses.
    const std::string sites = R"(
        data_center { name: "a" nodes: 1 nic_rate: "1Gbps" }
        data_center { name: "b" nodes: 1 nic_rate: "1Gbps" }
        data_center { name: "c" nodes: 1 nic_rate: "1Gbps" }
        data_center { name: "d" nodes: 1 nic_rate: "1Gbps" }
        wan_link { from: "a" to: "b" rate: "100Mbps" delay: "5ms" }
        wan_link { from: "b" to: "c" rate: "100Mbps" delay: "5ms" }
        wan_link { from: "c" to: "d" rate: "50Mbps" delay: "5ms" }
        transport { congestion_control: "TcpCubic" window: "4MB" })";
    RunFlows(R"(duration: "2s" warm_up { time: "1s" }
        flow { name: "through" to: "d" }
        flow { name: "ab" congestion_control: "TcpBbr3" } flow { name: "cd" from: "c" to: "d" })",
             {},
             sites);
    const auto tally = Tally();
    EXPECT_EQ(tally.Flow(0).links_size(), 3);
    EXPECT_EQ(tally.Flow(1).congestion_control(), "TcpBbr3");
    const auto results = ResultsOf(tally);
    EXPECT_NEAR(results[0].fairShareBps, 25e6 * payloadOfPacket, 1);
    EXPECT_NEAR(results[1].fairShareBps, 75e6 * payloadOfPacket, 1);
    EXPECT_NEAR(results[2].fairShareBps, 25e6 * payloadOfPacket, 1);
    EXPECT_EQ(results[1].bottleneck, "a -> b");
    EXPECT_EQ(results[2].bottleneck, "c -> d");
}

TEST_F(FlowsFolder, FairSharesFollowRateSteps)
{
    RunFlows(R"(duration: "4s" warm_up { time: "1s" })",
             {"wan_link[0].rate_step[0].at=2s", "wan_link[0].rate_step[0].rate=50Mbps"});
    const auto tally = Tally();
    ASSERT_EQ(tally.Flow(0).fair_shares_size(), 2);
    EXPECT_EQ(tally.Flow(0).fair_shares(1).from_ns(), 2000000000);
    EXPECT_NEAR(tally.Flow(0).fair_shares(1).bps(), 50e6 * payloadOfPacket, 1);
    ASSERT_EQ(tally.Flow(0).capacity_steps_size(), 2);
    EXPECT_EQ(tally.Flow(0).capacity_steps(1).from_ns(), 2000000000);
    EXPECT_EQ(tally.Flow(0).capacity_steps(1).bps(), 50e6);
    const auto& series = tally.flows.front();
    const double after = 8 * (series.BytesAt(4000000000) - series.BytesAt(2500000000)) / 1.5;
    EXPECT_NEAR(after, 50e6 * payloadOfPacket, 0.05 * 50e6);
}

TEST_F(FlowsFolder, EveryBearerCarriesFlowsOfSeveralControls)
{
    for (const char* bearer : {"EXPRESS", "DEVICE", "STOCK"})
    {
        SCOPED_TRACE(bearer);
        const auto summary = RunFlows(R"(duration: "2s" warm_up { time: "1s" bytes: "1MB" }
            flow { window: "100kB" } flow { window: "50kB" congestion_control: "TcpCubic" }
            flow { name: "short" size: "100kB" arrivals_per_second: 5 })",
                                      {std::string("transport.bearer=") + bearer});
        const auto results = ResultsOf(Tally());
        // Window-bound, as AWindowBoundFlowDeliversAWindowPerRoundTrip; a frame's header counts
        // on devices, and short messages come in between.
        EXPECT_NEAR(results[0].goodputBps, 40e6, 0.1 * 40e6);
        EXPECT_NEAR(results[1].goodputBps, 20e6, 0.1 * 20e6);
        EXPECT_GT(Of(summary, "messages"), 1);
        EXPECT_TRUE(std::filesystem::exists(m_run / "flows.csv"));
    }
}

// Over 5 Gbit/s, 40 ms and half a BDP of buffer, 32 MB take 51.5 ms at the link's rate and half a
// round trip: 0.0715 s. Messages of 32 MB never let ns-3's TcpBbr find out that the pipe is full: it
// stays in STARTUP, whose gain overruns the buffer with each message.
TEST_F(FlowsFolder, TcpBbrLeavesStartupOnlyInALongWarmUp)
{
    const std::string sites = R"(
        data_center { name: "near" nodes: 1 nic_rate: "50Gbps" }
        data_center { name: "far" nodes: 1 nic_rate: "50Gbps" }
        wan_link { from: "near" to: "far" rate: "5Gbps" delay: "20ms" queue: "0.5bdp" }
        mtu: 9000
        transport { window: "400MB" congestion_control: "TcpBbr" })";
    const std::string messages = R"(size: "32MB" messages: 20 )";
    const double bound = 8 * 32e6 * 9000 / 8948 / 5e9 + 0.020;
    const auto startup = RunFlows(messages + R"(warm_up { bytes: "200MB" })", {}, sites);
    EXPECT_NEAR(Of(startup, "completion_time_p50"), 0.152, 0.02 * 0.152);
    EXPECT_GT(Of(startup, "retransmitted_share"), 0.05);
    const auto warm = RunFlows(messages + R"(warm_up { bytes: "300MB" })", {}, sites);
    EXPECT_NEAR(Of(warm, "completion_time_p50"), bound, 0.02 * bound);
    EXPECT_EQ(Of(warm, "retransmitted_share"), 0);
    EXPECT_EQ(Of(warm, "messages"), 20);
}

TEST_F(FlowsFolder, MessagesBeforeTheEndOfTheirWarmUpAreNotCounted)
{
    // Ten messages of 100 kB take some 28 ms each: a warm-up of a second has many more.
    const auto summary = RunFlows(R"(size: "100kB" messages: 10 warm_up { time: "1s" })");
    EXPECT_EQ(Of(summary, "messages"), 10);
    EXPECT_LT(Of(summary, "simulated_time"), 0.5);
}

TEST_F(FlowsFolder, DrawnStartsOfMessagesDifferBySeed)
{
    const char* transfer = R"(size: "100kB" messages: 2 start_spread: "1s")";
    const double first = Of(RunFlows(transfer, {"run.seed=1"}), "simulated_time");
    EXPECT_NE(Of(RunFlows(transfer, {"run.seed=2"}), "simulated_time"), first);
    EXPECT_EQ(Of(RunFlows(transfer, {"run.seed=1"}), "simulated_time"), first);
}

TEST_F(FlowsFolder, TheTableOfFlowsHasARowPerFlowAndIsTheSameAgain)
{
    const char* transfer = R"(duration: "1s" flow { count: 3 window: "50kB" })";
    RunFlows(transfer);
    const std::string table = Contents(m_run / "flows.csv");
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4);
    EXPECT_EQ(table.find("flow,group,from,to,congestion_control,"), 0U);
    EXPECT_NE(table.find("flow-1-3,flow-1,near,far,TcpLinuxReno,1,50000,"), std::string::npos);
    RunFlows(transfer);
    EXPECT_EQ(Contents(m_run / "flows.csv"), table);
}

} // namespace

} // namespace geotrain
