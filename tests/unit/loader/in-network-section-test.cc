// SPDX-License-Identifier: GPL-2.0-only
// Tests what a scenario may say of replicas that don't keep the whole model, and its defaults.
#include "loader/scenario-text.h"
#include "schema/scenario.pb.h"
#include "small-scenario.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

const char* const layeredText = R"(
model { transformer { layers: 6 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 512 microbatches: 1 }
parallelism { data_parallel: 4 data_parallelism: IN_NETWORK }
data_center { name: "a" nodes: 4 gpus_per_node: 1 gpu: "A100-40" }
)";

std::string
LayeredError(const std::vector<std::string>& sets)
{
    return ErrorOfText(layeredText, sets);
}

TEST(InNetworkSection, FillsInWhatFollowsFromTheDataCentre)
{
    const auto loaded = LoadText(layeredText);
    ASSERT_TRUE(loaded.jobs[0].inNetwork);
    const auto& written = loaded.provenance.resolved->in_network();
    EXPECT_EQ(written.server_data_center(), "a");
    EXPECT_EQ(written.server_rate(), "100Gbps");
    EXPECT_EQ(written.link_delay(), "5us");
    EXPECT_EQ(loaded.jobs[0].inNetwork->workers, 4U);
    // Two links there and back of 5 us and two intervals of 10 us, in packets of 1,060 bytes, 4
    // packets on the links and 16 in the NIC.
    EXPECT_EQ(loaded.jobs[0].inNetwork->aggregation.WindowPackets(), 472 + 4 + 16);
    EXPECT_EQ(loaded.jobs[0].plan.prefetch, 1U);
    EXPECT_EQ(ErrorOfText(ResolvedText(loaded.provenance)), "");
}

TEST(InNetworkSection, CreditCountsAHeartbeatIntervalPerLevelOfSwitches)
{
    const auto loaded = LoadText(layeredText, {"in_network.switches=[2, 1]"});
    // Three links there and back of 5 us and three intervals of 10 us, in packets of 1,060 bytes, 6
    // packets on the links and 16 in the NIC.
    EXPECT_EQ(loaded.jobs[0].inNetwork->aggregation.WindowPackets(), 708 + 6 + 16);
}

TEST(InNetworkSection, Zero3HasItsContention)
{
    const auto loaded = LoadText(layeredText, {"parallelism.data_parallelism=ZERO3"});
    EXPECT_FALSE(loaded.jobs[0].inNetwork);
    EXPECT_TRUE(loaded.jobs[0].plan.contention.isNonPreemptive);
    EXPECT_EQ(loaded.jobs[0].plan.contention.interference, 0.17);
    const auto two = LoadText(layeredText,
                              {"parallelism.data_parallelism=ZERO3",
                               "parallelism.data_parallel=2",
                               "parallelism.non_preemptive=false"});
    EXPECT_FALSE(two.jobs[0].plan.contention.IsThere());
}

TEST(InNetworkSection, ReplicatedScenariosSayNothingOfIt)
{
    const auto text = ResolvedText(LoadSmall().provenance);
    EXPECT_EQ(text.find("data_parallelism"), std::string::npos);
    EXPECT_EQ(text.find("in_network"), std::string::npos);
}

/// Returns the memory of a GPU in GB of a model of 8 workers.
double
MemoryOf(int layers, int hidden, const std::vector<std::string>& sets)
{
    std::vector<std::string> all = {"data_center[0].nodes=8",
                                    "parallelism.data_parallel=8",
                                    "run.memory_check=WARN",
                                    "model.recomputation=FULL",
                                    "model.sequence=1024",
                                    "model.transformer.heads=8",
                                    "model.transformer.layers=" + std::to_string(layers),
                                    "model.transformer.hidden=" + std::to_string(hidden)};
    all.insert(all.end(), sets.begin(), sets.end());
    const auto loaded = LoadText(layeredText, all);
    return static_cast<double>(loaded.jobs[0].prepared.memory.front().Total().Count()) * 1e-9;
}

TEST(InNetworkSection, AModelOf1TFitsIntoEightGpusOf40GBWithoutPrefetch)
{
    // 172 layers of 12 h^2 = 5.82 G parameters. One layer and its gradients take 4 bytes each, 23.3 GB;
    // the rest are activations: 2 sbh a layer, and one layer's whole.
    EXPECT_LT(MemoryOf(172, 22016, {"parallelism.prefetch=0"}), 40);
    EXPECT_GT(MemoryOf(172, 22016, {"parallelism.prefetch=0"}), 23.3);
    EXPECT_GT(MemoryOf(172, 22016, {"parallelism.prefetch=1"}), 40);
    // 276B (112 layers of 14336) fits with one layer ahead.
    EXPECT_LT(MemoryOf(112, 14336, {}), 40);
}

TEST(InNetworkSection, Zero3TakesEighteenBytesOverTheWorkersAndLayersInFlight)
{
    const std::vector<std::string> zero3 = {"parallelism.data_parallelism=ZERO3"};
    // 96 layers of 12 h^2 = 1.81 G parameters, 174 G in all: 18 bytes over 8 workers, and 2 layers and
    // the gradients of 3 with 2 bytes a parameter. Beside it are activations (3.4 GB) and biases.
    const double layer = 12.0 * 12288 * 12288 * 1e-9;
    const double state = 96 * layer * 18 / 8 + 5 * 2 * layer;
    EXPECT_NEAR(MemoryOf(96, 12288, zero3), state + 3.4, 0.01 * state);
    const double deeper =
        MemoryOf(96, 12288, {"parallelism.data_parallelism=ZERO3", "parallelism.prefetch=2"});
    // The largest layer has the embedding too: 1.4 % more.
    EXPECT_NEAR(deeper - MemoryOf(96, 12288, zero3), 2 * 2 * layer, 0.02 * 4 * layer);
}

// Replicas in two data centres, the servers with the first one.
const char* const farText = R"(
model { transformer { layers: 6 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 512 microbatches: 1 }
parallelism { data_parallel: 4 data_parallelism: IN_NETWORK across: REPLICAS }
data_center { name: "a" nodes: 3 replicas: 2 gpus_per_node: 1 gpu: "A100-40" }
data_center { name: "b" nodes: 3 replicas: 2 gpus_per_node: 1 gpu: "A100-40" }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "20ms" }
)";

TEST(InNetworkSection, ReplicasInOtherDataCentresGetRelays)
{
    const auto loaded = LoadText(farText, {"in_network.server_data_center=b"});
    ASSERT_TRUE(loaded.jobs[0].inNetworkWan);
    const auto& wan = *loaded.jobs[0].inNetworkWan;
    ASSERT_EQ(wan.sites.size(), 1U);
    EXPECT_EQ(wan.sites[0].cluster.name, "a");
    EXPECT_EQ(wan.sites[0].cluster.workers, 2U);
    EXPECT_EQ(wan.sites[0].relay, 2U); // the last node of a
    EXPECT_EQ(wan.relay, 5U);
    EXPECT_EQ(loaded.jobs[0].inNetwork->workers, 3U); // workers 2 and 3, and the relay to a
    EXPECT_EQ(loaded.jobs[0].inNetwork->firstWorker, 2U);
    // 10 Gbit/s times 2 (20 ms + 10 us), and twice as much for the buffer.
    EXPECT_EQ(wan.sites[0].roundTrip.Count(), 50025000);
    EXPECT_EQ(loaded.provenance.resolved->in_network().relay_buffer(), "100050kB");
    EXPECT_TRUE(loaded.warnings.empty());
    EXPECT_EQ(ErrorOfText(ResolvedText(loaded.provenance)), "");
}

TEST(InNetworkSection, RefusesRelaysThatCannotBe)
{
    const std::pair<const char*, const char*> inputs[] = {
        {"data_center[1].nodes=2",
         "data_center[1].nodes: \"2\" must be more than the nodes with replicas: the last node of "
         "b"},
        {"in_network.relay_buffer=100B",
         "in_network.relay_buffer: \"100B\" must be at least a packet's payload"},
        {"in_network.server_data_center=c",
         "in_network.server_data_center: \"c\" is no data_center"},
        {"in_network.adds_at_server=true",
         "in_network.adds_at_server: must not be set with replicas"},
        {"in_network.acknowledgement=EACH_PACKET",
         "in_network.acknowledgement: must not be set with replicas"},
        {"in_network.switches=[3, 1]", "in_network.switches: \"3\" must be at most"},
    };
    for (const auto& [set, error] : inputs)
    {
        const auto line = ErrorOfText(farText, {set});
        EXPECT_NE(line.find(error), std::string::npos) << set << ": " << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
    const auto alone = LayeredError({"in_network.relay_buffer=1GB"});
    EXPECT_NE(alone.find("in_network.relay_buffer: must not be set where all"), std::string::npos)
        << alone;
}

struct BadLayerInput
{
    std::vector<std::string> sets;
    const char* error; ///< part of it
};

TEST(InNetworkSection, RefusesWhatCannotBe)
{
    const BadLayerInput inputs[] = {
        {{"in_network.slots=0"}, "in_network.slots: \"0\" must be >= 1"},
        {{"in_network.credit=100B"},
         "in_network.credit: \"100B\" must be at least a packet's payload"},
        {{"in_network.credit=1MB", "in_network.slots=100"},
         "in_network.credit: \"1MB\" must be at most the slots"},
        {{"in_network.switch_memory=1MB"}, "switch_memory: \"1MB\" must hold the slots"},
        {{"data_center[0].nodes=65", "parallelism.data_parallel=65"},
         "in_network.switches: \"65\" must be at most 64 children below one switch"},
        {{"in_network.server_data_center=b"},
         "in_network.server_data_center: \"b\" is no data_center"},
        {{"in_network.heartbeat_interval=0"},
         "in_network.heartbeat_interval: \"0\" must be >= 1ns"},
        {{"in_network.switches=[2]"}, "in_network.switches: \"2\" must end with one root"},
        {{"in_network.switches=[5, 1]"}, "in_network.switches: \"5\" must be at most"},
        {{"in_network.memory_rate=199Gbps"},
         "in_network.memory_rate: \"199Gbps\" must carry the two directions of a server's link, "
         "200Gbps"},
        {{"in_network.payload=1B"}, "in_network.payload: \"1B\" must hold an integer"},
        {{"model.microbatches=2"}, "model.microbatches: \"2\" must not be so with"},
        {{"parallelism.pipeline_stages=2", "parallelism.data_parallel=2"},
         "parallelism.pipeline_stages: \"2\" must not be so with"},
        {{"data_center[0].gpus_per_node=2", "data_center[0].nodes=2"},
         "must have a node, and so a NIC, for each replica"},
        {{"run.scale=10"}, "run.scale: \"10\" must not be so with"},
        {{"in_network.payload=1465B"},
         "in_network.payload: \"1465B\" must be at most 1464B, the mtu of 1500B without 36B of "
         "headers"},
        {{"parallelism.gemm_interference=0.1"},
         "parallelism.gemm_interference: \"0.1\" needs parallelism.data_parallelism ZERO3"},
        {{"parallelism.non_preemptive=false"},
         "parallelism.non_preemptive: \"false\" needs parallelism.data_parallelism ZERO3"},
        {{"parallelism.collectives=TREE"},
         "parallelism.collectives: \"TREE\" needs parallelism.data_parallelism ZERO3"},
        {{"parallelism.data_parallelism=REPLICATED", "parallelism.prefetch=1"},
         "parallelism.prefetch: \"1\" needs parallelism.data_parallelism ZERO3 or IN_NETWORK"},
        {{"in_network.acknowledgement=RESULT"},
         "in_network.acknowledgement: \"RESULT\" must not be so with parallelism.data_parallelism"},
        {{"parallelism.data_parallelism=REPLICATED",
          "in_network.acknowledgement=RESULT",
          "parallelism.pipeline_stages=2",
          "parallelism.data_parallel=2"},
         "parallelism.pipeline_stages: \"2\" must not be so with in_network.acknowledgement "
         "RESULT"},
        {{"parallelism.data_parallelism=REPLICATED",
          "in_network.acknowledgement=RESULT",
          "in_network.servers=2"},
         "servers: \"2\" must be 1 where sums go back"},
        {{"parallelism.gradient_bucket=25MB"},
         "parallelism.gradient_bucket: \"25MB\" must not be so with parallelism.data_parallelism "
         "IN_NETWORK"},
        {{"parallelism.data_parallelism=ZERO3", "parallelism.gradient_bucket=25MB"},
         "parallelism.gradient_bucket: \"25MB\" must not be so with parallelism.data_parallelism "
         "ZERO3"},
        {{"parallelism.data_parallelism=ZERO3", "in_network.servers=1"},
         "in_network: must not be so with parallelism.data_parallelism ZERO3"},
        // 12 h^2 = 10 G parameters: 20 GB, and their gradients as much.
        {{"model.transformer.hidden=29000"}, "must fit into memory: stage 0 needs"},
    };
    for (const auto& [sets, error] : inputs)
    {
        const auto line = LayeredError(sets);
        EXPECT_NE(line.find(error), std::string::npos) << sets.front() << ": " << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
}

TEST(InNetworkSection, PlansAreMadeForReplicas)
{
    const auto error = ErrorText([] { LoadForPlanning(AsText(layeredText)); });
    EXPECT_NE(error.find("parallelism.data_parallelism: \"IN_NETWORK\" must be REPLICATED"),
              std::string::npos)
        << error;
}

} // namespace
} // namespace geotrain
