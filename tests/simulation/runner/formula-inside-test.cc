// SPDX-License-Identifier: GPL-2.0-only
// Messages inside data centres by formula, beside packets over the WAN: against closed formulas and against
// packets.
#include "scenario-runs.h"
#include "small-scenario.h"

#include "units/config-error.h"

#include <gtest/gtest.h>

#include <cmath>

namespace geotrain
{
namespace
{

const char* const twoNodes = R"(
model { transformer { layers: 2 hidden: 4096 heads: 32 vocabulary: 32000 } sequence: 2048 microbatches: 1 }
parallelism { pipeline_stages: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "A100-80" nic_rate: "10Gbps" intra_delay: "20us" }
mtu: 9000
transport { window: "64MB" }
)";

// Two sites with two stages each, whose rings share NICs with pipelines. A pair's cap is a hundredth of the
// NICs. A window is more than a NIC brings in a round trip and the 50 us in which acknowledgements wait for an
// interrupt, 875 kB: one of 600 kB takes 1.2 % longer over packets.
const char* const twoSites = R"(
model { transformer { layers: 4 hidden: 2048 heads: 16 vocabulary: 32000 } sequence: 1024 microbatches: 6 }
parallelism { pipeline_stages: 4 data_parallel: 2 }
data_center { name: "a" nodes: 4 gpus_per_node: 1 gpu: "A100-80" nic_rate: "100Gbps" stages: 2 }
data_center { name: "b" nodes: 4 gpus_per_node: 1 gpu: "A100-80" nic_rate: "100Gbps" stages: 2 }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
caps { node_pair: "1Gbps" node_egress: "1Gbps" node_ingress: "1Gbps" }
mtu: 9000
transport { connections: 2 window: "1200kB" }
run { warmup_iterations: 1 iterations: 2 }
)";

Summary
RunWithInside(const char* text, std::vector<std::string> sets, const char* inside)
{
    sets.push_back(std::string("run.inside_data_center=") + inside);
    return RunOnce(LoadText(text, sets));
}

// Activations and gradients of 2048 x 4096 x 2 bytes are the only messages, two of them behind one another
// in an iteration. Each takes its packets' bits over the NIC, the way's delay, and one packet's time at the
// port behind it.
TEST(FormulaInside, AMessageTakesItsBitsOverTheNic)
{
    const double bytes = 2048.0 * 4096 * 2;
    const double packets = std::ceil(bytes / (9000 - 52));
    const double message = (bytes + 52 * packets) * 8 / 10e9 + 20e-6 + 9000 * 8 / 10e9;
    const double formula = RunWithInside(twoNodes, {}, "FORMULA").Find("iteration_time").value();
    const double alone =
        RunWithInside(twoNodes, {"data_center[0].nodes=1", "data_center[0].gpus_per_node=2"}, "FORMULA")
            .Find("iteration_time")
            .value();
    const double copies = 2 * bytes / 300e9; // NVLink in one direction
    EXPECT_NEAR(formula - alone + copies, 2 * message, 1e-3 * message);
    EXPECT_NEAR(formula, RunWithInside(twoNodes, {}, "PACKETS").Find("iteration_time").value(), 1e-3 * formula);
}

// A port holds 16 MB, so that a window of 8 MB loses nothing there.
TEST(FormulaInside, TheRateInsideADataCentreIsThatOfItsPort)
{
    const std::vector<std::string> sets{"data_center[0].intra_rate=5Gbps", "transport.window=8MB"};
    const double slow = RunWithInside(twoNodes, sets, "FORMULA").Find("iteration_time").value();
    const double packets = RunWithInside(twoNodes, sets, "PACKETS").Find("iteration_time").value();
    EXPECT_NEAR(slow, packets, 2e-3 * packets);
}

TEST(FormulaInside, TakesWhatPacketsTakeWhereTheWanHasAHundredthOfTheNics)
{
    for (
        const auto& sets : std::vector<std::vector<std::string>>{
            {},
            {"schedule.name=gpipe", "parallelism.shard_optimizer=true"},
            // Two iterations of turns are up to 1 % apart over packets, by the seed of a jitter of 0.1 %.
            {"sharing=TEMPORAL", "parallelism.cell_size=2", "run.iterations=6"},
            {"parallelism.collective=tree", "data_center[1].nic_rate=50Gbps"}})
    {
        const Summary packets = RunWithInside(twoSites, sets, "PACKETS");
        const Summary formula = RunWithInside(twoSites, sets, "FORMULA");
        const double expected = packets.Find("iteration_time").value();
        // What the page promises without a warning and without losses.
        EXPECT_NEAR(formula.Find("iteration_time").value(), expected, 0.005 * expected);
        EXPECT_EQ(packets.Find("wan_bytes").value(), formula.Find("wan_bytes").value());
        EXPECT_EQ(formula.Find("warnings").value(), 0);
        ASSERT_EQ(formula.header.analytic_parts_size(), 1);
        EXPECT_EQ(formula.header.analytic_parts(0), "messages_inside_data_centers");
        EXPECT_EQ(packets.header.analytic_parts_size(), 0);
        // Nearly all packets inside were of messages inside, and the WAN's remain.
        EXPECT_LT(formula.Find("packets_intra_dc").value(),
                  0.2 * packets.Find("packets_intra_dc").value());
        EXPECT_NEAR(formula.Find("packets_wan").value(),
                    packets.Find("packets_wan").value(),
                    0.01 * packets.Find("packets_wan").value());
    }
}

TEST(FormulaInside, AWanOfManyTenthsOfANicIsWarnedOf)
{
    const std::vector<std::string> sets{"caps.node_pair=20Gbps",
                                        "caps.node_egress=20Gbps",
                                        "caps.node_ingress=20Gbps",
                                        "transport.connections=16",
                                        "transport.window=8MB"};
    EXPECT_EQ(RunWithInside(twoSites, sets, "FORMULA").Find("warnings").value(),
              RunWithInside(twoSites, sets, "PACKETS").Find("warnings").value() + 1);
}

// Rings rest for seconds while pipelines send over 0.1 Gbit/s, and windows of 64 MB open anew behind the data
// of the other direction, 12 ms in a NIC: with windows that are always open an iteration is 0.7 % too short.
TEST(FormulaInside, WindowsOpenAnewAfterARest)
{
    const char* const rings = R"(
model { transformer { layers: 4 hidden: 2048 heads: 16 vocabulary: 32000 } sequence: 1024 microbatches: 8 recomputation: FULL }
parallelism { pipeline_stages: 2 data_parallel: 4 tensor_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 4 gpu: "H100" nic_rate: "25Gbps" stages: 1 }
data_center { name: "b" nodes: 2 gpus_per_node: 4 gpu: "H100" nic_rate: "25Gbps" stages: 1 }
wan_link { from: "a" to: "b" rate: "0.5Gbps" delay: "20ms" queue: "1GB" }
caps { node_pair: "0.1Gbps" queue: "1GB" }
mtu: 9000
transport { window: "64MB" connections: 1 }
run { warmup_iterations: 1 iterations: 2 }
)";
    const Summary formula = RunWithInside(rings, {}, "FORMULA");
    const double packets = RunWithInside(rings, {}, "PACKETS").Find("iteration_time").value();
    EXPECT_NEAR(formula.Find("iteration_time").value(), packets, 0.005 * packets);
    EXPECT_EQ(formula.Find("warnings").value(), 0);
}

// Nodes of a tree have windows of 16 MB from each of two others at once, of which a port of 16 MB loses some.
// Of windows of 4 MB it loses none.
TEST(FormulaInside, WindowsThatMayFillAPortAreWarnedOf)
{
    const char* const trees = R"(
model { transformer { layers: 4 hidden: 1024 heads: 16 vocabulary: 32000 } sequence: 1024 microbatches: 2 recomputation: FULL }
parallelism { pipeline_stages: 2 data_parallel: 3 collective: "tree" shard_optimizer: true }
data_center { name: "a" nodes: 3 gpus_per_node: 1 gpu: "H100" nic_rate: "25Gbps" stages: 1 }
data_center { name: "b" nodes: 3 gpus_per_node: 1 gpu: "H100" nic_rate: "25Gbps" stages: 1 }
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "20ms" queue: "1GB" }
caps { node_pair: "0.5Gbps" queue: "1GB" }
mtu: 9000
transport { connections: 4 intra_dc_connections: 4 window: "4MB" }
schedule { name: "gpipe" }
run { warmup_iterations: 1 iterations: 2 }
)";
    EXPECT_GT(RunWithInside(trees, {}, "PACKETS").Find("dropped_packets").value(), 0);
    EXPECT_EQ(RunWithInside(trees, {}, "FORMULA").Find("warnings").value(), 1);
    const std::vector<std::string> narrow{"transport.intra_dc_connections=1"};
    EXPECT_EQ(RunWithInside(trees, narrow, "PACKETS").Find("dropped_packets").value(), 0);
    EXPECT_EQ(RunWithInside(trees, narrow, "FORMULA").Find("warnings").value(), 0);
}

// 600 kB are less than 100 Gbit/s bring in 50 us and a round trip.
TEST(FormulaInside, WindowsBelowWhatANicBringsInAnInterruptAreWarnedOf)
{
    const std::vector<std::string> sets{"transport.window=600kB"};
    EXPECT_EQ(RunWithInside(twoSites, sets, "FORMULA").Find("warnings").value(),
              RunWithInside(twoSites, sets, "PACKETS").Find("warnings").value() + 1);
}

TEST(FormulaInside, IsTheDefaultOfLargeClustersOverPackets)
{
    const auto takes = [](std::vector<std::string> sets)
    { return LoadText(twoSites, sets).run.formulaInside; };
    EXPECT_FALSE(takes({"data_center[0].nodes=252"})); // 256 in all
    EXPECT_TRUE(takes({"data_center[0].nodes=253"}));
    EXPECT_FALSE(takes({"data_center[0].nodes=253", "run.inside_data_center=PACKETS"}));
    EXPECT_FALSE(takes({"data_center[0].nodes=253", "transport.bearer=DEVICE"}));
    EXPECT_FALSE(takes({"data_center[0].nodes=253", "run.network=ANALYTIC"}));
    EXPECT_THROW(takes({"run.inside_data_center=FORMULA", "transport.bearer=DEVICE"}), ConfigError);
}

} // namespace
} // namespace geotrain
