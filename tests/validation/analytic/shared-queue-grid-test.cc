// SPDX-License-Identifier: GPL-2.0-only
// Holds the analytic network against packets in scenarios that are drawn, and prints each. Where
// no packet is lost, the median of the error is below 2 % and the worst below 10 %; elsewhere the
// median is below 10 %. Random losses of one packet in a million to one in a hundred, of which packets
// and the analytic network draw different ones, are within 25 %.
#include "error-summary.h"
#include "shared-queue-runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace geotrain
{
namespace
{

constexpr std::uint64_t scenarios = 48;

TEST(SharedQueueGrid, MedianIsBelowTwoPercentAndWorstBelowTenWithoutLoss)
{
    std::vector<double> withoutLoss;
    std::vector<double> withLoss;
    for (std::uint64_t number = 0; number < scenarios; ++number)
    {
        const SharedQueueTimes times = RunOverBoth(DrawScenario(number));
        std::printf("%2llu %9.4f s %9.4f s %+6.2f %% %.1f MB sent again\n",
                    static_cast<unsigned long long>(number),
                    times.packets,
                    times.analytic,
                    100 * times.Error(),
                    times.retransmitted / 1e6);
        std::fflush(stdout);
        (times.retransmitted > 0 ? withLoss : withoutLoss).push_back(std::abs(times.Error()));
    }
    ASSERT_FALSE(withoutLoss.empty() || withLoss.empty());
    SumUp("without loss", withoutLoss);
    SumUp("with loss", withLoss);
    EXPECT_LT(withoutLoss[withoutLoss.size() / 2], 0.02);
    EXPECT_LT(withoutLoss.back(), 0.10);
    EXPECT_LT(withLoss[withLoss.size() / 2], 0.10);
}

// Eight microbatches of 17 MB go each way over four connections, whose round trip is 40 ms.
constexpr const char* lossyLink = R"(
model {{ transformer {{ layers: 4 hidden: 4096 heads: 32 vocabulary: 32000 }} sequence: 2048 microbatch_size: 1 microbatches: 8 recomputation: FULL }}
parallelism {{ pipeline_stages: 2 data_parallel: 1 }}
data_center {{ name: "a" nodes: 1 gpus_per_node: 1 gpu: "A100-80" nic_rate: "100Gbps" stages: 1 }}
data_center {{ name: "b" nodes: 1 gpus_per_node: 1 gpu: "A100-80" nic_rate: "100Gbps" stages: 1 }}
wan_link {{ from: "a" to: "b" rate: "2Gbps" delay: "20ms" queue: "4bdp" loss: {} }}
mtu: 1500
transport {{ connections: 4 window: "8MB" congestion_control: "{}" }}
schedule {{ name: "gpipe" }}
run {{ seed: {} }}
)";

/// Returns the median times of five seeds. Few losses decide in a run, so that means follow the
/// unluckiest.
SharedQueueTimes
MedianOfSeeds(const char* rate, const char* control)
{
    constexpr std::size_t seeds = 5;
    std::array<double, seeds> packets{};
    std::array<double, seeds> analytic{};
    for (std::size_t i = 0; i < seeds; ++i)
    {
        const SharedQueueTimes times = RunOverBoth(fmt::format(lossyLink, rate, control, i + 1));
        packets[i] = times.packets;
        analytic[i] = times.analytic;
    }
    std::sort(packets.begin(), packets.end());
    std::sort(analytic.begin(), analytic.end());
    return {packets[seeds / 2], analytic[seeds / 2], 0};
}

class LossResponse : public testing::TestWithParam<const char*>
{
};

// Between 1e-5 and 1e-4 some ten packets are lost, whose place decides: single seeds over packets
// are up to 40 % apart there.
TEST_P(LossResponse, IsWithinAQuarterOfPacketsFromOneInAMillionToOneInAHundred)
{
    for (const char* rate : {"1e-6", "1e-5", "1e-4", "1e-3", "1e-2"})
    {
        const SharedQueueTimes times = MedianOfSeeds(rate, GetParam());
        std::printf("| %s | %s | %.2f | %.2f | %+.1f %% |\n",
                    GetParam(),
                    rate,
                    times.packets,
                    times.analytic,
                    100 * times.Error());
        EXPECT_NEAR(times.Error(), 0, 0.25) << rate;
    }
}

INSTANTIATE_TEST_SUITE_P(Controls, LossResponse, testing::Values("TcpCubic", "TcpLinuxReno"));

} // namespace
} // namespace geotrain
