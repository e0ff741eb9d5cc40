// SPDX-License-Identifier: GPL-2.0-only
// Replicas that share experts, held against a closed formula: an iteration is its computing, an
// all-to-all before and behind the experts of each layer, forward and backward, of each microbatch,
// and the all-reduce of what is not an expert.
#include "scenario-runs.h"
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

namespace geotrain
{
namespace
{

const char* const expertScenario = R"(
model {
  transformer {
    layers: 4 hidden: 1024 heads: 8 vocabulary: 2048
    experts { count: 8 per_token: 2 width: 1024 }
  }
  sequence: 1024
  microbatch_size: 4
  microbatches: 2
}
parallelism { data_parallel: 4 expert_parallel: 4 }
data_center { name: "a" nodes: 4 gpus_per_node: 1 gpu: "A100-80" nic_rate: "25Gbps" }
transport { window: "64MB" intra_dc_connections: 1 }
mtu: 9000
run { warmup_iterations: 1 iterations: 1 }
)";

constexpr double payloadOfPackets =
    (9000.0 - 52) / 9000; // payload's share: IPv4, TCP and timestamps
constexpr double tokens =
    4 * 1024 * 2 * 1024 * 2 * 8;        // bits: microbatch x sequence x k x hidden x 2 B
constexpr double exchanges = 4 * 4 * 2; // per layer, layers, microbatches
constexpr double nvlink = 300e9 * 8;

struct Place
{
    const char* name;
    std::vector<std::string> sets;
    double perNode;     ///< replicas on a node
    double busiest;     ///< share of a replica's tokens that the busiest NIC or link carries
    double rate;        ///< of it, bit/s
    double latency;     ///< s
    double ringLatency; ///< s, of the six steps of the all-reduce together
};

void
PrintTo(const Place& place, std::ostream* out)
{
    *out << place.name;
}

class ExpertParallel : public ::testing::TestWithParam<std::tuple<const char*, Place>>
{
};

TEST_P(ExpertParallel, IterationIsComputingAndFourExchangesALayerAndMicrobatch)
{
    const auto& [network, place] = GetParam();
    std::vector<std::string> sets = place.sets;
    sets.emplace_back(network);
    const auto experiment = LoadText(expertScenario, sets);
    const double iteration = RunOnce(experiment).Find("iteration_time").value();
    const auto& prepared = experiment.jobs.front().prepared;
    const auto timing =
        prepared.timing.empty() ? prepared.replicaHosts.front().timing : prepared.timing;
    const StageTiming& one = timing.front();
    const double computing =
        2 * (one.forward + one.Backward()).ToSeconds() + one.optimizerStep.ToSeconds();
    const double inNode = (place.perNode - 1) / 4 * tokens / nvlink;
    const double exchange = std::max(
        inNode,
        place.rate > 0 ? place.latency + place.busiest * tokens / (place.rate * payloadOfPackets)
                       : 0);
    const double dense = 8.0 * static_cast<double>(prepared.gradients.front().Count());
    const double ring =
        place.ringLatency +
        2 * 3.0 / 4 * dense / (place.rate > 0 ? place.rate * payloadOfPackets : nvlink);
    const double expected = computing + exchanges * exchange + ring;
    EXPECT_NEAR(iteration, expected, 0.03 * expected)
        << computing << " " << exchanges * exchange << " " << ring;
}

INSTANTIATE_TEST_SUITE_P(
    Places,
    ExpertParallel,
    testing::Combine(testing::Values("run.network=ANALYTIC",
                                     "run.all_reduce_fidelity=ANALYTIC",
                                     "run.network=PACKET"),
                     testing::Values(
                         // Each sends 3/4 of its tokens over its own NIC.
                         Place{"four nodes", {}, 1, 3.0 / 4, 25e9, 10e-6, 6 * 10e-6},
                         Place{"one node",
                               {"data_center[0].nodes=1", "data_center[0].gpus_per_node=4"},
                               4,
                               0,
                               0,
                               0,
                               0},
                         // The two of a node send half of theirs each over their NIC.
                         Place{"two nodes of two",
                               {"data_center[0].nodes=2", "data_center[0].gpus_per_node=2"},
                               2,
                               1,
                               25e9,
                               10e-6,
                               6 * 10e-6})));

// Two sites of two replicas, each of which sends half of its tokens over the link of 10 Gbit/s, whose
// queue holds all that they send at once. The gradients cross it in every other step of the ring's six.
// In lockstep all wait for the link and its latency each time. Members that are not may use the link
// while others wait for the latency, but no iteration is shorter than what the link needs.
TEST(ExpertsOfReplicas, OverAWanTheLinkSetsThePace)
{
    const std::string text = std::string(expertScenario) + R"(
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "A100-80" nic_rate: "25Gbps" }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "5ms" queue: "20bdp" })";
    for (const char* network : {"run.network=ANALYTIC", "run.network=PACKET"})
    {
        const auto experiment =
            LoadText(text, {network, "data_center[0].nodes=2", "parallelism.across=REPLICAS"});
        EXPECT_TRUE(std::any_of(experiment.warnings.begin(),
                                experiment.warnings.end(),
                                [](const std::string& warning)
                                { return warning.find("cross the WAN") != std::string::npos; }));
        const auto summary = RunOnce(experiment);
        const auto& prepared = experiment.jobs.front().prepared;
        const StageTiming& one = prepared.replicaHosts.front().timing.front();
        const double computing =
            2 * (one.forward + one.Backward()).ToSeconds() + one.optimizerStep.ToSeconds();
        const double dense = 8.0 * static_cast<double>(prepared.gradients.front().Count());
        const double link = (exchanges * tokens + 6.0 / 4 * dense) / (10e9 * payloadOfPackets);
        const double lockstep = computing + link + (exchanges + 3) * 5e-3;
        const double iteration = summary.Find("iteration_time").value();
        EXPECT_GT(iteration, link) << network;
        EXPECT_LT(iteration, 1.03 * lockstep) << network;
        EXPECT_GT(iteration, 0.9 * lockstep) << network;
        // Both ways. An exchange may be cut by the end of the iteration.
        const double bytes = 2 * (exchanges * tokens + 6.0 / 4 * dense) / 8;
        EXPECT_NEAR(summary.Find("wan_bytes").value(), bytes, bytes / exchanges) << network;
    }
}

// Experts of a replica: 8 x 2 x 1024 x 1024 weights of a layer, a quarter of them with
// expert_parallel 4.
TEST(ExpertsOfReplicas, AReplicaHasAShareOfTheExperts)
{
    const auto whole = LoadText(expertScenario, {"parallelism.expert_parallel=1"});
    const auto shared = LoadText(expertScenario, {});
    const auto& with = shared.jobs.front().prepared;
    const auto& without = whole.jobs.front().prepared;
    const double experts = 4 * 8 * (2.0 * 1024 * 1024 + 5 * 1024); // GPT's MLPs have biases, about
    const double state =
        static_cast<double>((without.memory.front().state - with.memory.front().state).Count());
    EXPECT_NEAR(state, 18 * experts * 3 / 4, 0.01 * 18 * experts);
    const double reduced =
        static_cast<double>((without.gradients.front() - with.gradients.front()).Count());
    EXPECT_NEAR(reduced, 2 * experts, 0.02 * experts); // the group has each expert once
    // Two groups of two: each expert's gradients are reduced between two replicas.
    const auto two = LoadText(expertScenario, {"parallelism.expert_parallel=2"});
    EXPECT_NEAR(static_cast<double>(two.jobs.front().prepared.experts.gradients.front().Count()),
                2 * experts / 2,
                0.02 * experts);
}

TEST(ExpertsOfReplicas, IsRefusedWhereReplicasCantShare)
{
    const auto refusal = [](const std::vector<std::string>& sets)
    { return ErrorOfText(expertScenario, sets); };
    EXPECT_NE(refusal({"parallelism.expert_parallel=3"}).find("must divide the 8 experts"),
              std::string::npos);
    const std::string dense =
        std::regex_replace(std::string(expertScenario), std::regex(R"(experts \{.*\})"), "");
    EXPECT_NE(ErrorOfText(dense, {}).find("model with experts"), std::string::npos);
    EXPECT_NE(refusal({"parallelism.data_parallel=2"}).find("must divide data_parallel (2)"),
              std::string::npos);
    EXPECT_NE(refusal({"parallelism.data_parallelism=ZERO3"}).find("expert_parallel"),
              std::string::npos);
    EXPECT_NE(refusal({"schedule.name=varuna"}).find("fixed order"), std::string::npos);
}

} // namespace
} // namespace geotrain
