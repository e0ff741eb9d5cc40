// SPDX-License-Identifier: GPL-2.0-only
// Holds the analytic network against packets where replicas that are alike meet at a queue with open
// windows: they would stay in lockstep for ever, and a run warns.
#include "scenario-runs.h"
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace geotrain
{
namespace
{

bool
WarnsOfMeeting(const Summary& summary)
{
    return std::any_of(summary.warnings.begin(),
                       summary.warnings.end(),
                       [](const std::string& warning)
                       { return warning.find("replicas meet at ") != std::string::npos; });
}

/// Three replicas take turns over links of 500 Mbit/s, which hold 625 kB there and back. Their windows
/// are 8 x 1 MB for each pair of nodes.
std::string
TurnsOverSlowLinks()
{
    return R"(
name: "turns"
model { transformer { layers: 6 hidden: 1024 heads: 8 vocabulary: 4000 } microbatches: 2 sequence: 512 }
parallelism { pipeline_stages: 3 data_parallel: 3 }
schedule { name: "gpipe" }
sharing: TEMPORAL
data_center { name: "s0" nodes: 3 gpus_per_node: 1 gpu: "A100-80" nic_rate: "10Gbps" }
data_center { name: "s1" nodes: 3 gpus_per_node: 1 gpu: "A100-80" nic_rate: "10Gbps" }
data_center { name: "s2" nodes: 3 gpus_per_node: 1 gpu: "A100-80" nic_rate: "1Gbps" }
wan_link { from: "s0" to: "s1" rate: "500Mbps" delay: "5ms" queue: "4bdp" }
wan_link { from: "s1" to: "s2" rate: "500Mbps" delay: "5ms" queue: "1bdp" }
caps { node_pair: "1Gbps" }
transport { connections: 8 window: "1MB" chunk: "256kB" }
run { iterations: 2 }
)";
}

// Windows overrun the second link's queue, and retransmission timeouts decide. Without jitter packets
// take 1.24 s, with 0.1 % of it 1.04 s: the network without packets can't tell which, and says so.
TEST(MeetingReplicas, AreWarnedOf)
{
    const Summary analytic = RunOnce(LoadText(TurnsOverSlowLinks(), {"run.network=ANALYTIC"}));
    EXPECT_TRUE(WarnsOfMeeting(analytic));
    const std::vector<std::string> jitter = {"run.compute_jitter=0.001"};
    const double packets =
        RunOnce(LoadText(TurnsOverSlowLinks(), jitter)).Find("iteration_time").value();
    EXPECT_NEAR(analytic.Find("iteration_time").value(), packets, 0.1 * packets);
}

// A replica by itself meets nobody.
TEST(MeetingReplicas, OneReplicaIsNone)
{
    EXPECT_FALSE(WarnsOfMeeting(RunOnce(
        LoadText(TurnsOverSlowLinks(),
                 {"run.network=ANALYTIC", "parallelism.data_parallel=1", "sharing=SPATIAL"}))));
}

// Three replicas take turns over a wide link, and meet at the ports of d1, whose stages share nodes'
// NICs with the rings. In lockstep an iteration takes 0.214 s; over packets, which take 20 s of
// processor time, it takes 0.2469 s, and with 0.1 % of jitter 0.2462 s.
TEST(MeetingReplicas, FallOutOfStepAsOverPackets)
{
    const Summary analytic = RunOnce(LoadText(R"(
name: "lockstep"
model { transformer { layers: 8 hidden: 2048 heads: 8 vocabulary: 4000 } sequence: 1024 microbatches: 8
        recomputation: FULL }
parallelism { pipeline_stages: 4 data_parallel: 3 cell_size: 3 }
data_center { name: "d0" nodes: 3 gpus_per_node: 1 gpu: "H100" nic_rate: "50Gbps" stages: 1 }
data_center { name: "d1" nodes: 9 gpus_per_node: 1 gpu: "A100-80" nic_rate: "25Gbps" stages: 3 }
wan_link { from: "d0" to: "d1" rate: "100Gbps" delay: "10ms" queue: "0.5bdp" }
mtu: 9000
transport { connections: 16 window: "31250000B" congestion_control: "geotrain::TcpCubic" }
schedule { name: "pipedream-2bw" }
sharing: TEMPORAL
run { warmup_iterations: 1 iterations: 2 memory_check: WARN network: ANALYTIC }
)"));
    EXPECT_TRUE(WarnsOfMeeting(analytic));
    constexpr double overPackets = 0.2469;
    EXPECT_NEAR(analytic.Find("iteration_time").value(), overPackets, 0.05 * overPackets);
}

} // namespace
} // namespace geotrain
