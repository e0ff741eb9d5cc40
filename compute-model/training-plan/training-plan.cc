// SPDX-License-Identifier: GPL-2.0-only
// Computes what follows from a plan alone, without a job or a cluster.
#include "training-plan/training-plan.h"

#include <algorithm>
#include <stdexcept>

namespace geotrain
{

const ScheduleEntry&
ScheduleOf(const TrainingPlan& plan)
{
    const ScheduleEntry* schedule = FindSchedule(plan.schedule);
    if (schedule == nullptr)
    {
        throw std::invalid_argument("there is no schedule " + plan.schedule);
    }
    return *schedule;
}

const TrainingPlan::Host&
TrainingPlan::HostIn(std::uint32_t dataCenter) const
{
    const auto found =
        std::find_if(hosts.begin(),
                     hosts.end(),
                     [dataCenter](const Host& host) { return host.dataCenter == dataCenter; });
    if (found == hosts.end())
    {
        throw std::logic_error("a plan has no host in a data centre");
    }
    return *found;
}

std::vector<std::uint32_t>
TrainingPlan::DataCenterOfHosted() const
{
    std::vector<std::uint32_t> dataCenters;
    for (const Host& host : hosts)
    {
        dataCenters.insert(dataCenters.end(), host.count, host.dataCenter);
    }
    return dataCenters;
}

ScheduleShape
ShapeOf(const TrainingPlan& plan)
{
    const ScheduleEntry* schedule = FindSchedule(plan.schedule);
    ScheduleShape shape;
    shape.stages = plan.pipelineStages;
    shape.microbatches = plan.microbatches;
    shape.warmupFactor = plan.warmupFactor;
    shape.virtualStages = plan.virtualStages;
    if (plan.memoryCap > 0)
    {
        shape.memoryCap = plan.memoryCap;
    }
    if (schedule != nullptr && schedule->knowsTurns && plan.sharing == WanSharing::Temporal)
    {
        shape.cellSize = plan.cellSize;
    }
    return shape;
}

std::vector<std::uint32_t>
InFlightOf(const TrainingPlan& plan)
{
    return MostActivations(ScheduleOf(plan), ShapeOf(plan));
}

std::vector<std::uint32_t>
WorkersOfStages(const TrainingPlan& plan)
{
    if (!plan.customOrder)
    {
        return WorkersOfStages(ScheduleOf(plan), ShapeOf(plan));
    }
    std::vector<std::uint32_t> workers;
    for (const StageHome& home : HomesOf(*plan.customOrder))
    {
        workers.push_back(home.worker);
    }
    return workers;
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
    if (!plan.layersPerStage.empty())
    {
        text += ", layers";
        for (const std::uint32_t layers : plan.layersPerStage)
        {
            text += (&layers == &plan.layersPerStage.front() ? " " : "+") + std::to_string(layers);
        }
    }
    text += ",";
    for (const auto& host : plan.hosts)
    {
        text += " " + dataCenterNames.at(host.dataCenter) + ":" + std::to_string(host.count);
    }
    return text;
}

} // namespace geotrain
