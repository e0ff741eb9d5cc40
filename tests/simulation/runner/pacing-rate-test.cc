// SPDX-License-Identifier: GPL-2.0-only
// Runs transfers and trainings whose connections have a greatest pacing rate, against formulas.
#include "scenario-runs.h"
#include "small-scenario.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

class PacingRate : public testing::Test
{
  protected:
    double Of(const Experiment& experiment, const std::string& metric)
    {
        const auto folder = m_folder / std::to_string(m_runs++);
        std::filesystem::create_directories(folder);
        const auto value = RunIn(folder, experiment).Find(metric);
        EXPECT_TRUE(value) << metric;
        return value.value_or(-1);
    }

  private:
    TemporaryFolder m_folder;
    int m_runs = 0;
};

constexpr const char* pacedTransfer = R"(
name: "paced"
data_center { name: "a" nodes: 1 nic_rate: "10Gbps" }
data_center { name: "b" nodes: 1 nic_rate: "10Gbps" }
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "20ms" queue: "1bdp" }
transfer { from: "a" to: "b" size: "40MB" messages: 3 }
transport { window: "64MB" pacing_rate: "100Mbps" }
)";

TEST_F(PacingRate, AMessageTakesItsBytesAtTheRate)
{
    // 20 ms + 40 MB / 100 Mbit/s = 3.22 s of payload. Windows are twice what is on the way, and bursts a
    // millisecond: 2 %.
    for (const std::string control : {"TcpCubic", "TcpLinuxReno", "TcpBbr3", "ns3::TcpBbr"})
    {
        for (const std::string pacing : {"AUTO", "NONE", "FQ"})
        {
            EXPECT_NEAR(Of(LoadText(pacedTransfer,
                                    {"transport.congestion_control=" + control,
                                     "transport.pacing=" + pacing}),
                           "completion_time_p50"),
                        0.02 + 8 * 40e6 / 100e6,
                        0.02 * 3.22)
                << control << " " << pacing;
        }
    }
    EXPECT_NEAR(Of(LoadText(pacedTransfer, {"transport.connections=5"}), "completion_time_p50"),
                0.02 + 8 * 40e6 / 500e6,
                0.03 * 0.66); // the last chunks of 256 kB end apart
}

TEST_F(PacingRate, HoldsOverTheWanAlone)
{
    const std::string inside = R"(
name: "inside"
model { transformer { layers: 4 hidden: 2048 heads: 16 vocabulary: 1000 } sequence: 2048 microbatches: 1 }
parallelism { pipeline_stages: 2 }
data_center { name: "a" nodes: 2 gpu: "A100-80" gpus_per_node: 1 stages: 2 nic_rate: "10Gbps" }
run { network: )";
    for (const char* network : {"PACKET", "ANALYTIC"})
    {
        const auto text = inside + network + " }";
        EXPECT_EQ(Of(LoadText(text, {"transport.pacing_rate=1Mbps"}), "iteration_time"),
                  Of(LoadText(text), "iteration_time"));
    }
}

/// A pipeline of one microbatch waits for its activation, and the gradient of it, at the rate on both
/// networks.
TEST_F(PacingRate, ATrainingWaitsForItOnBothNetworks)
{
    const std::string pipeline = R"(
name: "pipeline"
model { transformer { layers: 4 hidden: 2048 heads: 16 vocabulary: 1000 } sequence: 2048 microbatches: 1 }
parallelism { pipeline_stages: 2 }
data_center { name: "a" nodes: 1 gpu: "A100-80" gpus_per_node: 1 stages: 1 nic_rate: "10Gbps" }
data_center { name: "b" nodes: 1 gpu: "A100-80" gpus_per_node: 1 stages: 1 nic_rate: "10Gbps" }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
transport { window: "64MB" pacing_rate: "200Mbps" connections: 2 slow_start_after_idle: false }
run { warmup_iterations: 1 iterations: 2 network: )";
    const double bits = 8 * 2048.0 * 2048 * 2;
    const double expected = 2 * (0.01 + bits / 400e6);
    for (const char* network : {"PACKET", "ANALYTIC"})
    {
        const auto experiment = LoadText(pipeline + network + " }");
        const double onTheWay = Of(experiment, "iteration_time") *
                                (1 - 2 * Of(experiment, "gpu_utilization"));
        EXPECT_NEAR(onTheWay, expected, 0.04 * expected) << network;
    }
}

TEST_F(PacingRate, NeedsExpress)
{
    EXPECT_NE(ErrorOfText(pacedTransfer, {"transport.bearer=DEVICE"}).find("transport.pacing_rate"),
              std::string::npos);
    EXPECT_NE(ErrorOfText(pacedTransfer, {"transport.pacing_rate=0"}).find("pacing_rate"),
              std::string::npos);
}

} // namespace
} // namespace geotrain
