// SPDX-License-Identifier: GPL-2.0-only
// Tests where a run says that packets were lost before its measurement.
#include "scenario-runs.h"
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace geotrain
{
namespace
{

/// Returns the warnings of a pipeline of two stages that sends 8.4 MB per microbatch over 1 Gbit/s and
/// 20 ms, of which the bandwidth-delay product is 2.5 MB.
double
WarningsAfter(const std::vector<std::string>& sets)
{
    const auto scenario = LoadText(R"(
name: "losses"
model { transformer { layers: 2 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 4096 microbatches: 4 }
parallelism { pipeline_stages: 2 }
data_center { name: "a" nodes: 1 gpus_per_node: 1 gpu: "A100-80" nic_rate: "10Gbps" }
data_center { name: "b" nodes: 1 gpus_per_node: 1 gpu: "A100-80" nic_rate: "10Gbps" }
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "10ms" queue: "1bdp" }
transport { window: "16MB" }
run { iterations: 2 }
)",
                                   sets);
    return RunOnce(scenario).Find("warnings").value();
}

// Slow start overruns the queue once. Afterwards CUBIC grows to the queue's end more rarely.
TEST(WarmUpLosses, AreWarnedOf)
{
    EXPECT_EQ(WarningsAfter({"run.warmup_iterations=1"}), 1);
}

TEST(WarmUpLosses, OfMeasuredIterationsAreInTheMetricAlone)
{
    EXPECT_EQ(WarningsAfter({}), 0);
}

// A window of 2 MB fits into link and queue, 5 MB, bursts of slow start included.
TEST(WarmUpLosses, AreNotWhereTheWindowFits)
{
    EXPECT_EQ(WarningsAfter({"run.warmup_iterations=1", "transport.window=2MB"}), 0);
}

// The line of the analytic network's losses counts all iterations.
TEST(WarmUpLosses, HaveTheAnalyticNetworksOwnLine)
{
    EXPECT_EQ(WarningsAfter({"run.warmup_iterations=1", "run.network=ANALYTIC"}), 1);
}

} // namespace
} // namespace geotrain
