// SPDX-License-Identifier: GPL-2.0-only
// Checks costs against formulas, and against the bytes that a simulation carries.
#include "planner-fixture.h"

#include "planner/plan-cost.h"
#include "planner/plan-simulation.h"

#include <gtest/gtest.h>

#include <numeric>

namespace geotrain
{
namespace
{

TrainingPlan
TwoDataCenters(CrossDc crossDc)
{
    TrainingPlan plan;
    plan.pipelineStages = 2;
    plan.dataParallel = 4;
    plan.tensorParallel = 2;
    plan.microbatches = 3;
    plan.crossDc = crossDc;
    plan.cellSize = 4;
    const std::uint32_t count = plan.HasReplicasAcross() ? 2 : 1;
    plan.hosts = {{0, count}, {1, count}};
    return plan;
}

Cluster
Priced()
{
    Cluster cluster = Chain({4, 4}, 2);
    cluster.dataCenters[0].dollarsPerGpuHour = 2;
    cluster.dataCenters[1].dollarsPerGpuHour = 3;
    cluster.dataCenters[0].dollarsPerEgressGigabyte = 0.05;
    cluster.dataCenters[1].dollarsPerEgressGigabyte = 0.10;
    return cluster;
}

TEST(PlanCost, IsGpuHoursAndEgressByThePricesOfEachDataCenter)
{
    const Cluster cluster = Priced();
    const TrainingJob job = SmallJob(4, 12);
    StageTables tables(job, cluster);
    const auto cost =
        CostOf(TwoDataCenters(CrossDc::Pipeline), cluster, tables.Of({2, 2, 1}), 1800);
    // 8 GPUs each for half an hour. Each way 4 pipelines x 3 microbatches x 2048 x 4096 x 2 bytes.
    const double gigabytes = 4 * 3 * 2048.0 * 4096 * 2 * 1e-9;
    EXPECT_DOUBLE_EQ(cost.gpuHours, 8);
    EXPECT_DOUBLE_EQ(cost.egressGigabytes, 2 * gigabytes);
    EXPECT_DOUBLE_EQ(cost.dollars, 4 * 2 + 4 * 3 + gigabytes * 0.05 + gigabytes * 0.10);
}

TEST(PlanCost, OneDataCenterHasNoEgress)
{
    TrainingPlan plan = TwoDataCenters(CrossDc::Pipeline);
    plan.dataParallel = 2;
    plan.hosts = {{0, 2}};
    const Cluster cluster = Priced();
    const TrainingJob job = SmallJob(4, 12);
    StageTables tables(job, cluster);
    EXPECT_EQ(CostOf(plan, cluster, tables.Of({2, 2, 1}), 1800).egressGigabytes, 0);
}

TEST(PlanCost, EgressIsWhatASimulationCarriesOverTheWan)
{
    for (const bool tied : {false, true})
    {
        for (const auto crossDc :
             {CrossDc::Pipeline, CrossDc::ReplicasFlat, CrossDc::ReplicasHierarchical})
        {
            const Cluster cluster = Priced();
            TrainingJob job = SmallJob(4, 12);
            job.model.tiedEmbeddings = tied;
            StageTables tables(job, cluster);
            const auto& table = tables.Of({2, 2, 1});
            auto plan = TwoDataCenters(crossDc);
            for (const char* collective : {"ring", "tree"})
            {
                plan.collective = collective;
                const auto egress = EgressBytesByDataCenter(plan, cluster, table);
                const double carried = static_cast<double>(
                    SimulatePlan(plan, {job, cluster, table}).wanPayload.Count());
                // Pieces are rounded to a byte: 8 workers, 6 steps each.
                EXPECT_NEAR(std::accumulate(egress.begin(), egress.end(), 0.0), carried, 8 * 6)
                    << static_cast<int>(crossDc) << tied << collective;
            }
        }
    }
}

TEST(PlanCost, HierarchicalReplicasSendLessOverTheWanThanAFlatRing)
{
    const Cluster cluster = Priced();
    const TrainingJob job = SmallJob(4, 12);
    StageTables tables(job, cluster);
    const auto& table = tables.Of({2, 2, 1});
    // 2(D-1)/D = 1 of the gradients against 2(n-1)/n = 1.5.
    const auto flat =
        EgressBytesByDataCenter(TwoDataCenters(CrossDc::ReplicasFlat), cluster, table);
    const auto split =
        EgressBytesByDataCenter(TwoDataCenters(CrossDc::ReplicasHierarchical), cluster, table);
    EXPECT_NEAR(split[0] / flat[0], 1 / 1.5, 1e-12);
}

} // namespace
} // namespace geotrain
