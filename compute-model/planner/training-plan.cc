#include "planner/training-plan.h"

namespace geotrain
{

std::vector<std::uint32_t>
TrainingPlan::DataCenterOfStage() const
{
    std::vector<std::uint32_t> dataCenters;
    for (const Host& host : hosts)
    {
        dataCenters.insert(dataCenters.end(), host.count, host.dataCenter);
    }
    return dataCenters;
}

std::string
Describe(const TrainingPlan& plan, const std::vector<std::string>& dataCenterNames)
{
    std::string text = "PP " + std::to_string(plan.pipelineStages) + " DP " +
                       std::to_string(plan.dataParallel) + " TP " +
                       std::to_string(plan.tensorParallel) + ", microbatch " +
                       std::to_string(plan.microbatchSize) + " x " +
                       std::to_string(plan.microbatches) + ", " + plan.schedule;
    if (plan.warmupFactor > 1)
    {
        text += " (warm-up x " + std::to_string(plan.warmupFactor) + ")";
    }
    if (plan.memoryCap > 0)
    {
        text += " (cap " + std::to_string(plan.memoryCap) + ")";
    }
    if (plan.sharing == WanSharing::Temporal)
    {
        text += ", temporal (C " + std::to_string(plan.cellSize) + ")";
    }
    if (plan.HasReplicasAcross())
    {
        text += plan.crossDc == CrossDc::ReplicasFlat ? ", replicas across, flat"
                                                      : ", replicas across, hierarchical";
    }
    text += ",";
    for (const auto& host : plan.hosts)
    {
        text += " " + dataCenterNames.at(host.dataCenter) + ":" + std::to_string(host.count);
    }
    return text;
}

} // namespace geotrain
