// SPDX-License-Identifier: GPL-2.0-only
// Holds the analytic network against packets where windows overrun the queue of a cap, so that connections recover
// from losses: one node pair, 5 Gbit/s, a round trip of 36 ms and a queue as large as their product. At 40 ms the
// pause while the other direction is warmed would be two retransmission timeouts, give or take the 50 us of an
// interrupt, which decides how far a window opens before the first message.
#include "scenario-runs.h"
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace geotrain
{
namespace
{

constexpr const char* pair = R"(
name: "overrun"
model { transformer { layers: 2 hidden: 4096 heads: 32 vocabulary: 1000 } sequence: 4096 microbatches: 6 recomputation: FULL }
parallelism { pipeline_stages: 2 }
data_center { name: "a" nodes: 1 gpus_per_node: 1 gpu: "A100-80" nic_rate: "100Gbps" stages: 1 }
data_center { name: "b" nodes: 1 gpus_per_node: 1 gpu: "A100-80" nic_rate: "100Gbps" stages: 1 }
wan_link { from: "a" to: "b" rate: "100Gbps" delay: "18ms" }
caps { node_pair: "5Gbps" }
mtu: 9000
transport { connections: 1 window: "64MB" }
schedule { name: "gpipe" }
run { iterations: 3 }
)";

struct OverrunCase
{
    std::vector<std::string> sets;
    double tolerance = 0;
};

void
PrintTo(const OverrunCase& overrun, std::ostream* out)
{
    for (const auto& set : overrun.sets)
    {
        *out << set << ' ';
    }
}

class OverrunWindows : public testing::TestWithParam<OverrunCase>
{
};

// One connection has one course. Of several, the order of packets in a full queue decides which
// lose what, so that single runs are some per cent apart: between 17.9 and 18.2 ms of delay, 20
// connections take 0.802 to 0.810 s over packets.
TEST_P(OverrunWindows, IterationIsAsLongAsOverPackets)
{
    const Summary packets = RunOnce(LoadText(pair, GetParam().sets));
    auto sets = GetParam().sets;
    sets.emplace_back("run.network=ANALYTIC");
    const Summary analytic = RunOnce(LoadText(pair, sets));
    const double time = packets.Find("iteration_time").value();
    EXPECT_GT(packets.Find("retransmitted_bytes").value(), 0);
    EXPECT_NEAR(analytic.Find("iteration_time").value(), time, GetParam().tolerance * time);
}

INSTANTIATE_TEST_SUITE_P(
    Cases,
    OverrunWindows,
    testing::Values(OverrunCase{{}, 0.005},
                    OverrunCase{{"transport.connections=2"}, 0.03},
                    OverrunCase{{"transport.connections=8"}, 0.05},
                    OverrunCase{{"transport.connections=20"}, 0.05},
                    OverrunCase{{"transport.connections=20", "transport.window=5MB"}, 0.05},
                    OverrunCase{{"schedule.name=1f1b", "model.microbatches=12"}, 0.03},
                    OverrunCase{{"transport.congestion_control=TcpLinuxReno"}, 0.06}));

// All bytes that are lost are sent again once: those that slow start has sent beyond the queue.
TEST(OverrunWindows, OneConnectionSendsAgainWhatPacketsDo)
{
    const Summary packets = RunOnce(LoadText(pair));
    const Summary analytic = RunOnce(LoadText(pair, {"run.network=ANALYTIC"}));
    const double bytes = packets.Find("retransmitted_bytes").value();
    EXPECT_GT(bytes, 5e6); // an iteration
    EXPECT_NEAR(analytic.Find("retransmitted_bytes").value(), bytes, 0.03 * bytes);
}

} // namespace
} // namespace geotrain
