// SPDX-License-Identifier: GPL-2.0-only
#include "loader/plan-scenario.h"

#include "execution/hierarchical-all-reduce.h"
#include "loader/field-path.h"
#include "loader/scenario-file.h"
#include "schema/scenario.pb.h"

#include <memory>
#include <vector>

namespace geotrain
{

namespace
{

void
WriteSchedule(scenario::Schedule& schedule, const TrainingPlan& plan)
{
    schedule.set_name(plan.schedule);
    schedule.set_warmup_factor(plan.warmupFactor);
    schedule.set_virtual_stages(plan.virtualStages);
    schedule.clear_memory_cap();
    schedule.clear_order_row();
    schedule.clear_fallback();
    if (plan.memoryCap > 0)
    {
        schedule.set_memory_cap(plan.memoryCap);
    }
}

void
OrderDataCenters(scenario::Scenario& scenario, const TrainingPlan& plan)
{
    const auto before = scenario.data_center();
    scenario.clear_data_center();
    std::vector<bool> hosts(static_cast<std::size_t>(before.size()), false);
    for (const auto& host : plan.hosts)
    {
        auto& dataCenter = *scenario.add_data_center();
        dataCenter = before.Get(static_cast<int>(host.dataCenter));
        dataCenter.clear_stages();
        dataCenter.clear_replicas();
        if (plan.HasReplicasAcross())
        {
            dataCenter.set_replicas(host.count);
        }
        else
        {
            dataCenter.set_stages(host.count);
        }
        hosts[host.dataCenter] = true;
    }
    for (int i = 0; i < before.size(); ++i)
    {
        if (!hosts[static_cast<std::size_t>(i)])
        {
            auto& leftOut = *scenario.add_data_center();
            leftOut = before.Get(i);
            leftOut.clear_stages();
            leftOut.clear_replicas();
            plan.HasReplicasAcross() ? leftOut.set_replicas(0) : leftOut.set_stages(0);
        }
    }
}

} // namespace

std::string
ScenarioOfPlan(const PlanningScenario& loaded, const TrainingPlan& plan, const std::string& name)
{
    scenario::Scenario scenario = *loaded.provenance.resolved;
    scenario.set_name(name);
    scenario.clear_variant();
    scenario.clear_plan();
    scenario.clear_expected(); // of another plan
    scenario.mutable_model()->set_microbatches(plan.microbatches);
    scenario.mutable_model()->set_microbatch_size(plan.microbatchSize);
    auto& parallelism = *scenario.mutable_parallelism();
    parallelism.set_pipeline_stages(plan.pipelineStages);
    parallelism.set_data_parallel(plan.dataParallel);
    parallelism.set_tensor_parallel(plan.tensorParallel);
    parallelism.set_cell_size(plan.cellSize);
    parallelism.set_across(WrittenAs<scenario::AcrossDataCenters>(plan.crossDc));
    if (parallelism.collective() == hierarchicalCollective.name)
    {
        parallelism.clear_collective(); // `across` says it
    }
    if (plan.placement)
    {
        parallelism.set_placement(WrittenAs<scenario::NodePlacement>(*plan.placement));
    }
    parallelism.clear_layers_per_stage(); // where the plan has none, an even split
    for (const std::uint32_t layers : plan.layersPerStage)
    {
        parallelism.add_layers_per_stage(layers);
    }
    WriteSchedule(*scenario.mutable_schedule(), plan);
    scenario.set_sharing(WrittenAs<scenario::Sharing>(plan.sharing));
    OrderDataCenters(scenario, plan);
    return PrintScenario(scenario);
}

void
SetWritten(PlanningScenario& scenario, const std::string& path, const std::string& value)
{
    const auto changed = std::make_shared<scenario::Scenario>(*scenario.provenance.resolved);
    SetField(*changed, path, value, scenario.provenance.file);
    scenario.provenance.resolved = changed;
}

} // namespace geotrain
