// SPDX-License-Identifier: GPL-2.0-only
// Tests the way from a scenario to the planner's input, and from a plan to a scenario that loads
// and runs as the planner said.
#include "error-text.h"
#include "loader/plan-scenario.h"
#include "plan-study/plan-list.h"
#include "plan-study/plan-ranges.h"
#include "plan-study/what-if.h"
#include "planner/plan-candidates.h"
#include "planner/plan-search.h"
#include "planner/plan-twins.h"
#include "schema/scenario.pb.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace geotrain
{
namespace
{

ScenarioText
PlanText(const std::string& more = "")
{
    return {"plan.textproto", ".", R"(
model { transformer { layers: 4 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 1024 microbatches: 8
        recomputation: FULL }
parallelism { pipeline_stages: 2 data_parallel: 2 }
data_center { name: "a" region: "eastus" nodes: 2 gpus_per_node: 1 gpu: "A100-80" }
data_center { name: "b" region: "westus" nodes: 2 gpus_per_node: 1 gpu: "H100" }
data_center { name: "c" nodes: 2 gpus_per_node: 2 gpu: "A100-80" }
wan_link { from: "a" to: "b" rate: "10Gbps" }
wan_link { from: "b" to: "c" rate: "20Gbps" delay: "5ms" }
caps { node_pair: "2Gbps" }
transport { connections: 4 window: "2MB" }
price { region: "eastus" dollars_per_gpu_hour: 2 dollars_per_egress_gb: 0.05 }
price { region: "c" dollars_per_gpu_hour: 1 }
)" + more};
}

TEST(PlanningInput, TakesTheClusterFromTheScenario)
{
    const auto scenario = LoadForPlanning(PlanText());
    const auto& cluster = scenario.cluster;
    EXPECT_EQ(cluster.Gpus(), 8u);
    EXPECT_EQ(cluster.dataCenters[1].gpu.name, "H100");
    EXPECT_EQ(cluster.dataCenters[0].dollarsPerGpuHour, 2);
    EXPECT_EQ(cluster.dataCenters[1].dollarsPerGpuHour, 0);
    EXPECT_EQ(cluster.dataCenters[2].dollarsPerGpuHour, 1); // by the data centre's name
    // c to b to a: link 1 backward, then link 0 backward.
    const ClusterWays ways(cluster);
    EXPECT_EQ(ways.Between(2, 0).link, 10e9); // the slower one
    EXPECT_EQ(ways.Between(2, 1).link, 20e9);
    // Both halves of each site's 10 us, and 5 ms of WAN.
    EXPECT_EQ(ways.Between(2, 1).delay, Duration::Milliseconds(5) + Duration::Microseconds(10));
}

TEST(PlanningInput, DepthsHoldTheScenariosOwnAndTheNumberOfDataCenters)
{
    const auto depths = PlanSpaceOf(LoadForPlanning(PlanText())).pipelineStages;
    EXPECT_EQ(depths, (std::vector<std::uint32_t>{1, 2, 3, 4})); // up to the layers
}

TEST(PlanningInput, TheScenarioItselfIsGivenWhereItsRangesHoldIt)
{
    const auto space = PlanSpaceOf(LoadForPlanning(PlanText()));
    ASSERT_EQ(space.given.size(), 1u);
    EXPECT_EQ(space.given.front().pipelineStages, 2u);
    const auto other = PlanSpaceOf(LoadForPlanning(PlanText("plan { schedule: [\"gpipe\"] }")));
    EXPECT_TRUE(other.given.empty());
}

TEST(PlanningInput, SaysWhyTheScenarioItselfIsNotGiven)
{
    const auto broken =
        LoadForPlanning(PlanText(), {{"parallelism.layers_per_stage=[3,2]", "test"}});
    EXPECT_FALSE(broken.ownPlan.has_value());
    ASSERT_EQ(broken.warnings.size(), 1u);
    EXPECT_EQ(broken.warnings.front(),
              "the scenario's own plan is not among the plans, since it can't run: plan.textproto: "
              "parallelism.layers_per_stage: must add up to 4, the model's layers, not 5");
    const auto whole =
        LoadForPlanning(PlanText(), {{"parallelism.layers_per_stage=[3,1]", "test"}});
    EXPECT_TRUE(whole.ownPlan.has_value());
    EXPECT_TRUE(whole.warnings.empty());
}

TEST(PlanningInput, OtherGpusArePlannedWith)
{
    const auto scenario = LoadForPlanning(PlanText(),
                                          {{"data_center[2].other_gpus[0].nodes=1", "test"},
                                           {"data_center[2].other_gpus[0].gpu=H100", "test"},
                                           {"plan.pipeline_stages=[1, 2]", "test"},
                                           {"plan.schedule=[\"1f1b\"]", "test"}});
    const auto search = SearchPlans(PlanSpaceOf(scenario), scenario.job, scenario.cluster);
    EXPECT_FALSE(search.ranked.empty());
}

TEST(PlanningInput, TheBatchIsTheScenariosOwnUnlessThePlanSaysOtherwise)
{
    const auto own = LoadForPlanning(PlanText());
    EXPECT_EQ(own.job.globalBatch, 16u);
    const auto given = LoadForPlanning(PlanText("plan { global_batch: 24 }"));
    EXPECT_EQ(given.job.globalBatch, 24u);
}

TEST(PlanningInput, WrittenRangesTakeThePlaceOfTheDefaults)
{
    const auto scenario = LoadForPlanning(PlanText(
        "plan { pipeline_stages: [1, 3] schedule: \"gpipe\" sharing: TEMPORAL across: REPLICAS }"));
    const auto space = PlanSpaceOf(scenario);
    EXPECT_EQ(space.pipelineStages, (std::vector<std::uint32_t>{1, 3}));
    EXPECT_EQ(space.schedules, (std::vector<std::string>{"gpipe"}));
    EXPECT_EQ(space.sharing, (std::vector<WanSharing>{WanSharing::Temporal}));
    EXPECT_EQ(space.crossDc, (std::vector<CrossDc>{CrossDc::ReplicasFlat}));
}

TEST(PlanningInput, RefusesPricesThatBelongToNobodyOrAreNegative)
{
    EXPECT_EQ(ErrorText([] { LoadForPlanning(PlanText("price { region: \"mars\" }")); }),
              "plan.textproto: price[2].region: \"mars\" must be the region or the name of a data "
              "centre");
    EXPECT_EQ(
        ErrorText(
            [] { LoadForPlanning(PlanText("price { region: \"b\" dollars_per_gpu_hour: -1 }")); }),
        "plan.textproto: price[2].dollars_per_gpu_hour: \"-1\" must be >= 0");
}

TEST(PlanScenario, EveryPlanOfASearchLoadsAsAScenario)
{
    const auto scenario = LoadForPlanning(PlanText());
    PlanSpace space = PlanSpaceOf(scenario);
    space.schedules = {"gpipe", "1f1b", "interleaved", "varuna", "atlas", "zb-h1", "zb-h2", "zb-v"};
    space.given.clear();
    PlanSearchOptions quick; // orders of searches are timed for few plans alone
    quick.triedOperations = 1e6;
    const auto search = SearchPlans(space, scenario.job, scenario.cluster, quick);
    for (const auto& ranked : search.ranked)
    {
        const auto written = ScenarioOfPlan(scenario, ranked.plan, "plan-1");
        const auto loaded = LoadScenario({"plan-1.textproto", ".", written});
        EXPECT_EQ(loaded.jobs[0].prepared.placement.stages, ranked.plan.pipelineStages);
        EXPECT_EQ(loaded.jobs[0].prepared.placement.replicas, ranked.plan.dataParallel);
        if (!ranked.plan.layersPerStage.empty())
        {
            EXPECT_EQ(loaded.jobs[0].plan.layersPerStage, ranked.plan.layersPerStage);
        }
        if (!ranked.plan.HasReplicasAcross())
        {
            std::size_t stage = 0;
            for (const auto dataCenter : ranked.plan.DataCenterOfHosted())
            {
                const auto hosting = loaded.jobs[0].prepared.placement.dataCenterOfStage[stage++];
                EXPECT_EQ(loaded.provenance.resolved->data_center(static_cast<int>(hosting)).name(),
                          scenario.cluster.NameOf(dataCenter));
            }
        }
    }
}

TEST(PlanScenario, ALeftOutDataCenterHostsNothing)
{
    const auto scenario = LoadForPlanning(PlanText());
    TrainingPlan plan;
    plan.pipelineStages = 1;
    plan.dataParallel = 2;
    plan.cellSize = 2;
    plan.microbatches = 8;
    plan.hosts = {{1, 1}};
    const auto written = ParseScenario(ScenarioOfPlan(scenario, plan, "plan-1"), "");
    EXPECT_EQ(written.data_center(0).name(), "b");
    EXPECT_EQ(written.data_center(1).stages(), 0);
    EXPECT_EQ(written.data_center(2).stages(), 0);
}

TEST(WhatIfs, ChangeTheClusterAsAsked)
{
    const auto scenario = LoadForPlanning(PlanText());
    const auto whatIfs = MakeWhatIfs(scenario, {{"b"}, {"c=4"}, {"5Gbps"}});
    ASSERT_EQ(whatIfs.size(), 3u);
    EXPECT_EQ(whatIfs[0].scenario.cluster.Gpus(), 6u);
    EXPECT_EQ(whatIfs[1].scenario.cluster.NodesOf(2), 4u);
    EXPECT_EQ(whatIfs[2].scenario.cluster.wan.caps.nodePair, BitRate::GigabitsPerSecond(5));
    EXPECT_EQ(whatIfs[2].scenario.cluster.wan.links[0].rate,
              BitRate::GigabitsPerSecond(10)); // the cap is what binds
    // Their plans are written so too.
    EXPECT_EQ(whatIfs[1].scenario.provenance.resolved->data_center(2).nodes(), 4);
    EXPECT_EQ(whatIfs[2].scenario.provenance.resolved->caps().node_pair(), "5Gbps");
    EXPECT_EQ(whatIfs[2].scenario.provenance.resolved->wan_link(0).rate(), "10Gbps");
}

TEST(WhatIfs, RefuseWhatIsNotThere)
{
    const auto scenario = LoadForPlanning(PlanText());
    const auto error = [&scenario](const WhatIfRequest& request)
    { return ErrorText([&] { MakeWhatIfs(scenario, request); }); };
    EXPECT_NE(error({{"d"}, {}, {}}).find("--without: \"d\" is no data centre of the scenario"),
              std::string::npos);
    EXPECT_NE(
        error({{}, {"c=3"}, {}}).find("a positive multiple of the data centre's 2 GPUs per node"),
        std::string::npos);
    EXPECT_NE(error({{}, {"c=-2"}, {}}).find("--add"), std::string::npos);
    EXPECT_NE(error({{}, {}, {"fast"}}).find("--wan-rate"), std::string::npos);
    EXPECT_NE(error({{}, {}, {"0bps"}}).find("--wan-rate"), std::string::npos);
}

TEST(ReversedRankings, NamesThePairsThatPacketsReverse)
{
    std::vector<ListedPlan> plans(4);
    const std::vector<MeasuredPlan> analytic = {
        {1.0, "", {}}, {1.1, "", {}}, {1.2, "", {}}, {1.3, "", {}}};
    const std::vector<MeasuredPlan> packets = {
        {1.5, "", {}}, {1.2, "", {}}, {1.6, "", {}}, {0, "exit 2: stuck", {}}};
    for (std::size_t rank = 0; rank < plans.size(); ++rank)
    {
        plans[rank].analytic = analytic[rank];
        plans[rank].packets = packets[rank];
    }
    EXPECT_EQ(ReversedRankings(plans),
              (std::vector<std::string>{
                  "packets reverse the ranking: plan 1 takes 1.5 s, plan 2 only 1.2 s"}));
    EXPECT_EQ(FailureOf(plans[3]), "exit 2: stuck");
}

TEST(Twins, DifferInNamesAlone)
{
    auto cluster = LoadForPlanning(PlanText()).cluster;
    cluster.dataCenters[1] = cluster.dataCenters[0]; // a and b are alike
    TrainingPlan plan;
    plan.pipelineStages = 3;
    plan.hosts = {{0, 2}, {1, 1}};
    const auto isTwin = [&](const std::vector<TrainingPlan::Host>& hosts, double seconds)
    {
        TrainingPlan other = plan;
        other.hosts = hosts;
        return AreTwins(plan, 1, other, seconds, cluster);
    };
    EXPECT_TRUE(isTwin({{1, 1}, {0, 2}}, 1.1)); // the mirror image
    EXPECT_TRUE(isTwin({{1, 2}, {0, 1}}, 1.1)); // equal GPUs the other way round
    EXPECT_FALSE(isTwin({{0, 2}, {2, 1}}, 1));  // c has other nodes
    TrainingPlan named = plan;
    named.schedule = "atlas";
    EXPECT_TRUE(AreTwins(plan, 1, named, 1, cluster));
    EXPECT_FALSE(AreTwins(plan, 1, named, 1.001, cluster)); // its order is another
    named.hosts = {{1, 1}, {0, 2}};
    EXPECT_TRUE(AreTwins(plan, 1, named, 1, cluster)); // both
    EXPECT_FALSE(AreTwins(plan, 1, named, 1.001, cluster));
    // The layers of a mirror image go the other way too.
    plan.layersPerStage = {2, 1, 1};
    TrainingPlan mirrored = plan;
    mirrored.hosts = {{1, 1}, {0, 2}};
    EXPECT_FALSE(AreTwins(plan, 1, mirrored, 1, cluster));
    mirrored.layersPerStage = {1, 1, 2};
    EXPECT_TRUE(AreTwins(plan, 1, mirrored, 1, cluster));
}

TEST(ListedPlans, HaveTheBestOfEveryScheduleSharingAndSetOfDataCentres)
{
    const auto scenario =
        LoadForPlanning(PlanText("plan { schedule: [\"gpipe\", \"1f1b\", \"zb-h1\"] }"));
    const auto search = SearchPlans(PlanSpaceOf(scenario), scenario.job, scenario.cluster);
    const auto kindsOf = [](const auto& plans, const auto& planOf)
    {
        std::set<std::string> kinds;
        for (const auto& one : plans)
        {
            const TrainingPlan& plan = planOf(one);
            kinds.insert(plan.schedule);
            kinds.insert(plan.sharing == WanSharing::Temporal ? "turns" : "no turns");
            std::string place;
            for (const auto dataCenter : DataCentersOf(plan))
            {
                place += std::to_string(dataCenter);
            }
            kinds.insert(place);
        }
        return kinds;
    };
    const auto simulated = kindsOf(search.ranked, [](const RankedPlan& plan) { return plan.plan; });
    // Three schedules, two kinds of sharing, and the data centres one by one, in pairs and all.
    EXPECT_EQ(simulated.size(), 3u + 2 + 7);
    const auto listed = ListPlans(search, scenario, 12);
    const auto ofList = kindsOf(listed, [](const ListedPlan& plan) { return plan.plan.plan; });
    EXPECT_EQ(ofList, simulated);
    EXPECT_EQ(std::count_if(listed.begin(),
                            listed.end(),
                            [](const ListedPlan& plan) { return plan.plan.isGiven; }),
              1);
}

} // namespace
} // namespace geotrain
