// SPDX-License-Identifier: GPL-2.0-only
// Tests where the analytic network says that it is not what packets do: ports lose some, or bursts are few.
#include "scenario-runs.h"
#include "small-scenario.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Returns a pipeline of four stages, of which the inner ones get 67 MB per microbatch from their own
/// data centre and as much over a WAN of 40 Gbit/s.
Experiment
PipelineWith(const std::string& nicRate, const std::string& window, const std::string& network)
{
    return LoadText(fmt::format(R"(
name: "ports"
model {{ transformer {{ layers: 4 hidden: 4096 heads: 32 vocabulary: 1000 }} sequence: 8192 microbatches: 16
        software_efficiency: 0.65 }}
parallelism {{ pipeline_stages: 4 }}
data_center {{ name: "a" nodes: 2 gpus_per_node: 1 gpu: "H100" nic_rate: "{0}" stages: 2 }}
data_center {{ name: "b" nodes: 2 gpus_per_node: 1 gpu: "H100" nic_rate: "{0}" stages: 2 }}
wan_link {{ from: "a" to: "b" rate: "40Gbps" delay: "20ms" }}
mtu: 9000
transport {{ connections: 8 window: "{1}" }}
schedule {{ name: "1f1b" warmup_factor: 2 }}
run {{ network: {2} warmup_iterations: 2 iterations: 4 memory_check: WARN }}
)",
                                nicRate,
                                window,
                                network));
}

double
WarningsWith(const std::string& nicRate, const std::string& window)
{
    return RunOnce(PipelineWith(nicRate, window, "ANALYTIC")).Find("warnings").value();
}

// 67 MB come at 100 Gbit/s in 5.4 ms, in which the WAN brings 5.4 ms x 40 Gbit/s = 27 MB, and a port
// holds 16. With 400 Gbit/s that is a quarter, 6.7 MB. A window of 4 MB inside the data centre makes
// 4 / (1 - 0.4) = 6.7 MB wait.
TEST(PortWarnings, AreOfPortsThatHoldLessThanWouldWait)
{
    EXPECT_EQ(WarningsWith("100Gbps", "24MB"), 1);
    EXPECT_EQ(WarningsWith("400Gbps", "24MB"), 0);
    EXPECT_EQ(WarningsWith("100Gbps", "4MB"), 0);
}

// Where ports lose nothing both networks agree. Where they do both send again, and chance decides which windows
// that leaves small: the analytic network, whose iteration was 25 % too short before ports were queues, is 2 % too short
// at this pace of the GPUs, and 5 and 15 % too long where these are 1.3 and 1.5 times as fast.
TEST(PortWarnings, TellWherePortsLosePackets)
{
    const auto run = [](const std::string& nicRate, const std::string& network)
    { return RunOnce(PipelineWith(nicRate, "24MB", network)); };
    const double roomy = run("400Gbps", "ANALYTIC").Find("iteration_time").value();
    EXPECT_NEAR(run("400Gbps", "PACKET").Find("iteration_time").value(), roomy, 0.01 * roomy);
    const double time = run("100Gbps", "PACKET").Find("iteration_time").value();
    EXPECT_GT(time, 1.05 * roomy);
    // 9 % too long. Windows that a loss has reduced grow from iteration to iteration over packets.
    EXPECT_NEAR(run("100Gbps", "ANALYTIC").Find("iteration_time").value(), time, 0.1 * time);
}

// A window of 250 kB is less than four bursts of 65,536 bytes, and one of 300 kB is more. So is each
// connection's eighth of 67 MB.
TEST(BurstWarnings, AreOfConnectionsThatSendFewBurstsAtATime)
{
    EXPECT_EQ(WarningsWith("400Gbps", "250kB"), 1);
    EXPECT_EQ(WarningsWith("400Gbps", "300kB"), 0);
}

} // namespace
} // namespace geotrain
