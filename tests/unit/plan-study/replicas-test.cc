// SPDX-License-Identifier: GPL-2.0-only
// Tests how a scenario describes data parallelism across data centres and ZeRO-1.
#include "error-text.h"
#include "experiment-streams.h"
#include "loader/scenario-loader.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

ScenarioText
ReplicasText(const std::string& parallelism, const std::string& more = "")
{
    return {"replicas.textproto",
            ".",
            R"(
model { transformer { layers: 4 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 1024 microbatches: 4 }
data_center { name: "a" nodes: 4 gpus_per_node: 1 gpu: "A100-80" )" +
                more + R"( }
data_center { name: "b" nodes: 4 gpus_per_node: 1 gpu: "H100" }
wan_link { from: "a" to: "b" delay: "5ms" }
parallelism { )" +
                parallelism + " }"};
}

std::size_t
CountOf(const PlanStreams& plan, InstructionKind kind)
{
    std::size_t count = 0;
    for (const auto& worker : plan.execution.workers)
    {
        for (const auto& instruction : worker.stream)
        {
            count += instruction.kind == kind ? 1 : 0;
        }
    }
    return count;
}

TEST(ReplicasAcross, FillTheDataCentersInTheirOrder)
{
    const auto loaded =
        LoadScenario(ReplicasText("pipeline_stages: 2 data_parallel: 3 across: REPLICAS"));
    EXPECT_EQ(loaded.jobs[0].prepared.placement.dataCenterOfReplica,
              (std::vector<std::uint32_t>{0, 0, 1}));
}

TEST(ReplicasAcross, EachRunsAtTheSpeedOfItsDataCenter)
{
    const auto loaded =
        LoadScenario(ReplicasText("pipeline_stages: 2 data_parallel: 4 across: REPLICAS"));
    const auto plan = StreamsOf(loaded);
    const auto forwardOf = [&plan](WorkerIndex worker)
    {
        for (const auto& instruction : plan.execution.workers[worker].stream)
        {
            if (instruction.kind == InstructionKind::Forward)
            {
                return instruction.duration;
            }
        }
        return Duration();
    };
    EXPECT_EQ(forwardOf(0), forwardOf(2)); // replicas 0 and 1 in a, stage 0
    EXPECT_LT(forwardOf(4), forwardOf(0)); // replica 2 in b, on H100
}

TEST(ReplicasAcross, AHierarchicalAllReduceScattersAndGathersInside)
{
    const auto flat = StreamsOf(
        LoadScenario(ReplicasText("pipeline_stages: 2 data_parallel: 4 across: REPLICAS")));
    EXPECT_EQ(CountOf(flat, InstructionKind::AllReduce), 8u);
    EXPECT_EQ(CountOf(flat, InstructionKind::ReduceScatter), 0u);
    const auto split = StreamsOf(LoadScenario(
        ReplicasText("pipeline_stages: 2 data_parallel: 4 across: REPLICAS_HIERARCHICAL")));
    EXPECT_EQ(CountOf(split, InstructionKind::AllReduce), 8u);
    EXPECT_EQ(CountOf(split, InstructionKind::ReduceScatter), 8u);
    EXPECT_EQ(CountOf(split, InstructionKind::AllGather), 8u);
}

TEST(Collective, HierarchicalIsAnotherNameOfReplicasHierarchical)
{
    const auto named = LoadScenario(ReplicasText(
        "pipeline_stages: 2 data_parallel: 4 across: REPLICAS collective: \"hierarchical\""));
    EXPECT_EQ(named.jobs[0].plan.crossDc, CrossDc::ReplicasHierarchical);
    EXPECT_EQ(CountOf(StreamsOf(named), InstructionKind::ReduceScatter), 8u);
}

TEST(Collective, IsCheckedAgainstTheCatalogueAndTheShape)
{
    const auto errorOf = [](const std::string& parallelism)
    { return ErrorText([&] { LoadScenario(ReplicasText(parallelism)); }); };
    EXPECT_EQ(errorOf("data_parallel: 4 collective: \"fastest\""), "");
    EXPECT_NE(errorOf("data_parallel: 4 collective: \"butterfly\"")
                  .find("parallelism.collective: \"butterfly\""),
              std::string::npos);
    EXPECT_NE(errorOf("data_parallel: 4 collective: \"hierarchical\"")
                  .find("must not be so with parallelism.across STAGES"),
              std::string::npos);
    EXPECT_NE(errorOf("data_parallel: 4 data_parallelism: ZERO3 collectives: TREE collective: "
                      "\"ring\"")
                  .find("must not be set with parallelism.collectives"),
              std::string::npos);
}

TEST(Collective, OfZero3IsTheSameByItsOldName)
{
    for (const char* field : {"collectives: TREE", "collective: \"tree\""})
    {
        const auto loaded = LoadScenario(
            ReplicasText(std::string("data_parallel: 4 data_parallelism: ZERO3 ") + field));
        EXPECT_EQ(loaded.jobs[0].plan.collective, "tree") << field;
        EXPECT_EQ(StreamsOf(loaded).pairs.size(), 4u * 3); // to all others, there and back
    }
}

TEST(ReplicasAcross, RefusesWhatDoesNotFit)
{
    EXPECT_NE(ErrorText(
                  []
                  {
                      LoadScenario(ReplicasText(
                          "pipeline_stages: 2 data_parallel: 3 across: REPLICAS", "replicas: 3"));
                  })
                  .find("data centre a: 3 replicas need 6 GPUs"),
              std::string::npos);
    EXPECT_NE(
        ErrorText(
            []
            {
                StreamsOf(LoadScenario(ReplicasText(
                    "pipeline_stages: 2 data_parallel: 3 across: REPLICAS_HIERARCHICAL")));
            })
            .find("parallelism.across: \"REPLICAS_HIERARCHICAL\" a hierarchical all-reduce needs"),
        std::string::npos);
}

TEST(ShardOptimizer, MakesAModelFitThatDidNot)
{
    const auto text = [](const char* sharded)
    {
        return ScenarioText{"zero.textproto",
                            ".",
                            std::string(R"(
model { transformer { layers: 32 hidden: 4096 heads: 32 vocabulary: 50304 } sequence: 2048 recomputation: FULL }
data_center { name: "a" nodes: 8 gpus_per_node: 1 gpu: "A100-80" }
parallelism { data_parallel: 8 shard_optimizer: )") +
                                sharded + " }"};
    };
    EXPECT_NE(ErrorText([&] { LoadScenario(text("false")); }).find("must fit into memory"),
              std::string::npos);
    EXPECT_EQ(ErrorText([&] { LoadScenario(text("true")); }), "");
}

} // namespace
} // namespace geotrain
