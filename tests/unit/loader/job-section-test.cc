// SPDX-License-Identifier: GPL-2.0-only
// Which nodes and GPUs each job of a scenario gets, what a job inherits, and what is refused.
#include "loader/scenario-loader.h"

#include "small-scenario.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

const char* const sites = R"(
data_center { name: "a" nodes: 4 gpus_per_node: 2 gpu: "A100-80" other_gpus { nodes: 1 gpu: "H100" } }
data_center { name: "b" nodes: 3 gpus_per_node: 2 gpu: "A100-80" }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
)";

/// Returns a job of two stages of one GPU on the nodes that `nodes` says.
std::string
Job(const std::string& name, const std::string& nodes, const std::string& more = "")
{
    return "job { name: \"" + name + "\" " + nodes + R"(
  model { transformer { layers: 4 hidden: 256 heads: 4 vocabulary: 1000 } sequence: 128 microbatches: 4 }
  parallelism { pipeline_stages: 2 data_parallel: 1 } )" +
           more + "}\n";
}

std::string
OnBoth(int count, const std::string& more = "")
{
    const auto entry = [&](const char* dataCenter)
    {
        return "nodes { data_center: \"" + std::string(dataCenter) +
               "\" count: " + std::to_string(count) + " stages: 1 " + more + "} ";
    };
    return entry("a") + entry("b");
}

using Nodes = std::vector<std::uint32_t>;

TEST(JobSection, JobsTakeFreeNodesInOrder)
{
    const auto loaded = LoadText(sites + Job("first", OnBoth(1)) + Job("second", OnBoth(2)));
    ASSERT_EQ(loaded.jobs.size(), 2U);
    EXPECT_EQ(loaded.jobs[0].name, "first");
    EXPECT_EQ(loaded.jobs[0].nodes, (Nodes{0, 4})); // data centre b's nodes are 4, 5, 6
    EXPECT_EQ(loaded.jobs[1].nodes, (Nodes{1, 2, 5, 6}));
    // A job counts its own nodes, and its stages sit on the first of each data centre.
    EXPECT_EQ(loaded.jobs[1].cluster.wan.NodeCount(), 4U);
    EXPECT_EQ(loaded.jobs[1].prepared.placement.nodeOfWorker, (Nodes{0, 2}));
    EXPECT_EQ(loaded.testbed.wan.NodeCount(), 7U);
}

TEST(JobSection, AJobWithoutNodesTakesAllThatAreFree)
{
    const auto loaded = LoadText(sites + Job("first", OnBoth(1)) + Job("rest", ""));
    EXPECT_EQ(loaded.jobs[1].nodes, (Nodes{1, 2, 3, 5, 6}));
    // The last of data centre a's nodes has another GPU, and is the third of the job's.
    EXPECT_EQ(loaded.jobs[1].cluster.GpuOfNode(1).name, "A100-80");
    EXPECT_EQ(loaded.jobs[1].cluster.GpuOfNode(2).name, "H100");
    EXPECT_EQ(loaded.jobs[1].cluster.GpuOfNode(3).name, "A100-80");
}

TEST(JobSection, JobsMayShareANodeButNoGpu)
{
    const auto half = OnBoth(3, "gpus: 1 ");
    const auto loaded = LoadText(sites + Job("first", half) + Job("second", half));
    EXPECT_EQ(loaded.jobs[0].nodes, (Nodes{0, 1, 2, 4, 5, 6}));
    EXPECT_EQ(loaded.jobs[1].nodes, loaded.jobs[0].nodes);
    EXPECT_EQ(loaded.jobs[1].cluster.dataCenters[0].gpusPerNode, 1U);
    EXPECT_EQ(
        ErrorOfText(sites + Job("first", half) + Job("second", half) + Job("third", half)),
        "small.textproto: job[2].nodes, data_center \"a\": \"3\" must be <= 1, its nodes with 1 "
        "GPUs that no job above has");
}

TEST(JobSection, GpusGivenTwiceAreRefused)
{
    EXPECT_EQ(
        ErrorOfText(sites + Job("first", OnBoth(3)) + Job("second", OnBoth(2))),
        "small.textproto: job[1].nodes, data_center \"a\": \"2\" must be <= 1, its nodes with 2 "
        "GPUs that no job above has");
    EXPECT_EQ(ErrorOfText(sites + Job("first", "") + Job("second", "")),
              "small.textproto: job[1].nodes: must have nodes, and the jobs above leave none");
}

TEST(JobSection, WhatAJobResolvesIsWrittenAndLoadsToItself)
{
    const auto loaded =
        LoadText(sites + Job("first", OnBoth(1)) + Job("rest", "", "sharing: TEMPORAL "));
    const auto text = PrintScenario(*loaded.provenance.resolved);
    const auto again = LoadText(text);
    EXPECT_EQ(PrintScenario(*again.provenance.resolved), text);
    EXPECT_EQ(again.jobs[1].nodes, loaded.jobs[1].nodes);
    EXPECT_EQ(again.jobs[0].plan.sharing, WanSharing::Spatial);
    EXPECT_EQ(again.jobs[1].plan.sharing, WanSharing::Temporal);
    EXPECT_EQ(again.jobs[1].plan.layersPerStage, (std::vector<std::uint32_t>{2, 2}));
}

TEST(JobSection, ConnectionsHaveTheirJobsPriorityWhereThatMakesADifference)
{
    const auto two = sites + Job("first", OnBoth(1)) + Job("second", OnBoth(1));
    const auto ranksOf = [&](const std::vector<std::string>& sets)
    {
        const auto loaded = LoadText(two, sets);
        const TestbedSpec& testbed = loaded.testbed;
        EXPECT_EQ(testbed.wan.classes.empty(), testbed.classOfOwner.empty());
        std::vector<int> ranks;
        for (const std::uint32_t number : testbed.classOfOwner)
        {
            ranks.push_back(testbed.wan.classes[number].priority);
        }
        return ranks;
    };
    EXPECT_EQ(ranksOf({}), std::vector<int>());
    EXPECT_EQ(ranksOf({"job[0].priority=3", "job[1].priority=3"}), std::vector<int>());
    EXPECT_EQ(ranksOf({"job[0].priority=-3"}), (std::vector<int>{-3, 0}));
    const std::string transfer = "transfer={from: \"a\" to: \"b\" size: \"4MB\"}"; // has 0
    EXPECT_EQ(ranksOf({transfer}), std::vector<int>());
    EXPECT_EQ(ranksOf({"job[0].priority=3", "job[1].priority=3", transfer}),
              (std::vector<int>{3, 3}));
}

TEST(JobSection, APriorityThatLinksCannotServeIsRefused)
{
    const auto two = sites + Job("first", OnBoth(1)) + Job("second", OnBoth(1));
    const auto errorOf = [&](const std::string& set) {
        return ErrorOfText(two, {"job[1].priority=1", set});
    };
    for (const std::string bearer : {"DEVICE", "STOCK"})
    {
        EXPECT_EQ(errorOf("transport.bearer=" + bearer),
                  "small.textproto: job[1].priority: \"1\" needs transport.bearer EXPRESS");
    }
    EXPECT_EQ(errorOf("caps={node_pair: \"1Gbps\" police: true}"),
              "small.textproto: job[1].priority: \"1\" must not be set with caps.police");
    EXPECT_EQ(errorOf("run.packet_trace=a -> b"),
              "small.textproto: job[1].priority: \"1\" must not be set with run.packet_trace");
    for (const auto& [part, value] : {std::pair<std::string, std::string>("red", "{}"),
                                      {"codel", "{}"},
                                      {"step", "{time: \"1ms\"}"},
                                      {"pie", "{}"},
                                      {"fq_codel", "{}"},
                                      {"dualpi2", "{}"},
                                      {"policer", "{rate: \"1Gbps\"}"}})
    {
        EXPECT_EQ(errorOf("wan_link[0]." + part + "=" + value),
                  "small.textproto: job.priority: must be the same for all, since the link \"a -> "
                  "b\" has " +
                      part + ", which knows no priorities");
    }
    EXPECT_EQ(
        ErrorOfText(
            two,
            {"job[1].priority=-1", "transfer={from: \"a\" to: \"b\" duration: \"1s\" flow { }}"}),
        "small.textproto: job.priority: \"-1\" must be >= 0 beside steady flows, behind which "
        "no connection would open");
    // On the analytic network nothing says what a lower one gets of a cap that both use.
    const std::vector<std::string> capped{
        "run.network=ANALYTIC", "job[1].priority=1", "caps.node_pair=1Gbps"};
    EXPECT_NO_THROW(LoadText(two, capped)); // each has nodes of its own
    const auto half = OnBoth(3, "gpus: 1 ");
    const auto shared = sites + Job("first", half) + Job("second", half);
    EXPECT_NO_THROW(LoadText(shared, {"job[1].priority=1", "caps.node_pair=1Gbps"}));
    const std::string message = "small.textproto: job.priority: must be the same for all that share "
                                "the caps of a node on the analytic network: run it over packets";
    EXPECT_EQ(ErrorOfText(shared, capped), message);
    EXPECT_EQ(errorOf("job[0].priority=1001"),
              "small.textproto: job[0].priority: \"1001\" must be <= 1000");
}

TEST(JobSection, ErrorsNameTheJob)
{
    const auto two = sites + Job("first", OnBoth(1)) + Job("second", OnBoth(1));
    EXPECT_EQ(ErrorOfText(two, {"job[1].schedule.name=nosuch"})
                  .rfind("small.textproto: job[1].schedule.name: \"nosuch\"", 0),
              0U);
    EXPECT_EQ(ErrorOfText(two, {"job[1].parallelism.pipeline_stages=9"})
                  .rfind("small.textproto: job[1].parallelism.pipeline_stages: \"9\"", 0),
              0U);
    EXPECT_EQ(ErrorOfText(two, {"job[1].name=first"}),
              "small.textproto: job[1].name: \"first\" must be the name of one entry of job only");
    EXPECT_EQ(
        ErrorOfText(two, {"job[0].nodes[0].data_center=c"}),
        "small.textproto: job[0].nodes[0].data_center: \"c\" must be the name of a data_center");
    EXPECT_EQ(ErrorOfText(two, {"job[0].start=1s", "run.warmup_iterations=0"}),
              "small.textproto: job[0].start: \"1s\" needs run.warmup_iterations");
}

TEST(JobSection, TheScenarioHasNoTrainingOfItsOwnBesideJobs)
{
    EXPECT_EQ(ErrorOfText(SmallScenarioText() + Job("first", OnBoth(1))),
              "small.textproto: model: must not be set with job");
    EXPECT_EQ(ErrorOfText(sites + Job("first", OnBoth(1)), {"data_center[0].stages=1"}),
              "small.textproto: data_center[0].stages: \"1\" must not be set with job");
    EXPECT_EQ(ErrorText([] { LoadForPlanning(AsText(sites + Job("first", OnBoth(1)))); }),
              "small.textproto: job: must not be there: a plan is made for one training");
}

TEST(JobSection, JobsDrawApart)
{
    const auto loaded = LoadText(sites + Job("first", OnBoth(1)) + Job("second", OnBoth(1)));
    EXPECT_NE(loaded.jobs[0].SeedFrom(1), loaded.jobs[1].SeedFrom(1));
    EXPECT_EQ(LoadSmall().jobs[0].SeedFrom(1), 1U); // as ever where there is one training
}

} // namespace

} // namespace geotrain
