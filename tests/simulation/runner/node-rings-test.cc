// SPDX-License-Identifier: GPL-2.0-only
// All-reduces of replicas that share nodes. A ring enters and leaves each node once, so that it takes
// 2(n - 1)/n S / r over NICs of r, whatever the number of GPUs in a node: NCCL's algorithm bandwidth.
#include "scenario-runs.h"
#include "small-scenario.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

const char* const scenarioText = R"(
model {
  transformer { layers: 2 hidden: 768 heads: 12 vocabulary: 50265 tied_embeddings: true }
  sequence: 512
  microbatches: 1
}
parallelism { data_parallel: 16 }
data_center { name: "cluster" nodes: 2 gpu: "V100-16" gpus_per_node: 8 nic_rate: "25Gbps" }
transport { window: "64MB" }
mtu: 9000
run { memory_check: WARN warmup_iterations: 1 iterations: 1 }
)";

constexpr double payloadRate = 25e9 * (9000 - 52) / 9000; // IPv4, TCP and timestamps in each packet

struct Shape
{
    const char* name;
    std::vector<std::string> sets;
    double replicas;
};

void
PrintTo(const Shape& shape, std::ostream* out)
{
    *out << shape.name;
}

class NodeRings : public ::testing::TestWithParam<std::tuple<const char*, Shape>>
{
};

TEST_P(NodeRings, EnterAndLeaveANodeOnce)
{
    const auto& [network, shape] = GetParam();
    std::vector<std::string> sets = shape.sets;
    sets.emplace_back(network);
    const auto experiment = LoadText(scenarioText, sets);
    const double iteration = RunOnce(experiment).Find("iteration_time").value();
    sets.emplace_back("parallelism.data_parallel=1");
    const double alone = RunOnce(LoadText(scenarioText, sets)).Find("iteration_time").value();
    const auto& prepared = experiment.jobs.front().prepared;
    const double bits = 8.0 * static_cast<double>(prepared.gradients.front().Count());
    const double n = shape.replicas;
    const double expected = 2 * (n - 1) / n * bits / payloadRate;
    // On top come latencies and first packets of 2(n - 1) steps, 10 us and 3 us each. A member may go on
    // while the last of its messages is on its way.
    EXPECT_LE(iteration - alone, 1.03 * expected);
    EXPECT_GE(iteration - alone, expected * (1 - 1 / (2 * (n - 1))));
}

INSTANTIATE_TEST_SUITE_P(
    Shapes,
    NodeRings,
    testing::Combine(
        testing::Values("run.network=ANALYTIC",
                        "run.all_reduce_fidelity=ANALYTIC",
                        "run.network=PACKET"),
        testing::Values(Shape{"two nodes of eight", {}, 16},
                        Shape{"four nodes of four",
                              {"data_center[0].nodes=4", "data_center[0].gpus_per_node=4"},
                              16},
                        Shape{
                            "thirteen replicas on two nodes", {"parallelism.data_parallel=13"}, 13},
                        Shape{"tensor parallelism of two",
                              {"parallelism.data_parallel=8", "parallelism.tensor_parallel=2"},
                              8})));

} // namespace
} // namespace geotrain
