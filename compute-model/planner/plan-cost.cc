// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-cost.h"

#include "execution/collective-catalogue.h"
#include "execution/ring-collective.h"
#include "training-plan/collective-times.h"

#include <algorithm>
#include <map>

namespace geotrain
{

namespace
{

double
AllGradients(const StageTable& table)
{
    double bytes = 0;
    for (std::size_t stage = 0; stage < table.gradients.size(); ++stage)
    {
        bytes += static_cast<double>(table.Reduced(stage).Count());
    }
    return bytes;
}

std::vector<double>
EgressOfPipelines(const TrainingPlan& plan, const Cluster& cluster, const StageTable& table)
{
    std::vector<double> egress(cluster.dataCenters.size(), 0);
    const double messages = static_cast<double>(plan.dataParallel) * plan.microbatches;
    const auto dataCenters = plan.DataCenterOfHosted();
    const auto workers = WorkersOfStages(plan);
    for (std::size_t stage = 0; stage + 1 < workers.size(); ++stage)
    {
        const auto from = dataCenters[workers[stage]];
        const auto to = dataCenters[workers[stage + 1]];
        if (from != to)
        {
            const double bytes = messages * static_cast<double>(table.boundary.Count());
            egress[from] += bytes; // activations
            egress[to] += bytes;   // gradients
        }
    }
    const auto first = dataCenters[workers.front()];
    const auto last = dataCenters[workers.back()];
    if (first != last)
    {
        // A ring of two sends the whole vector each way: 2 steps of a half.
        const double tied =
            static_cast<double>(table.tiedEmbeddingGradients.Count()) * plan.dataParallel;
        egress[first] += tied;
        egress[last] += tied;
    }
    return egress;
}

/// Returns what the messages of an algorithm carry out of each data centre: all whose receiver is in
/// another. Each edge of a ring carries 2(n-1)/n of the vector.
std::vector<double>
EgressOfReplicas(const TrainingPlan& plan,
                 const CollectiveAlgorithm& algorithm,
                 const Cluster& cluster,
                 const StageTable& table)
{
    const std::uint32_t members = plan.dataParallel;
    const GroupShape shape =
        algorithm.hasOneSender ? GroupShape(members) : ShapeOfReplicas(cluster, plan);
    std::map<std::uint32_t, std::uint64_t> partsOver; // by distance
    for (std::uint32_t number = 0; number < algorithm.Steps(CollectiveKind::AllReduce, shape);
         ++number)
    {
        const auto step = algorithm.stepOf(CollectiveKind::AllReduce, shape, 0, number);
        partsOver[step.distance] += step.staysInNode ? 0 : step.parts;
    }
    const auto dataCenters = plan.DataCenterOfHosted();
    std::vector<double> parts(cluster.dataCenters.size(), 0);
    for (const auto& [distance, count] : partsOver)
    {
        for (std::uint32_t member = 0; member < members; ++member)
        {
            if (dataCenters[member] != dataCenters[(member + distance) % members])
            {
                parts[dataCenters[member]] += static_cast<double>(count);
            }
        }
    }
    for (double& ofOne : parts)
    {
        ofOne = ofOne / members * AllGradients(table);
    }
    return parts;
}

} // namespace

bool
HasPrices(const Cluster& cluster)
{
    return std::any_of(cluster.dataCenters.begin(),
                       cluster.dataCenters.end(),
                       [](const Cluster::DataCenter& dataCenter) {
                           return dataCenter.dollarsPerGpuHour > 0 ||
                                  dataCenter.dollarsPerEgressGigabyte > 0;
                       });
}

double
PriceOf(const PlanCost& cost, const Cluster& cluster)
{
    return HasPrices(cluster) ? cost.dollars : cost.gpuHours;
}

std::vector<std::uint64_t>
GpusByDataCenter(const TrainingPlan& plan, const Cluster& cluster)
{
    std::vector<std::uint64_t> gpus(cluster.dataCenters.size(), 0);
    const std::uint64_t ofOne =
        std::uint64_t{plan.HasReplicasAcross() ? plan.pipelineStages : plan.dataParallel} *
        plan.tensorParallel;
    for (const auto& host : plan.hosts)
    {
        gpus[host.dataCenter] += ofOne * host.count;
    }
    return gpus;
}

std::vector<double>
EgressBytesByDataCenter(const TrainingPlan& plan, const Cluster& cluster, const StageTable& table)
{
    if (!plan.HasReplicasAcross())
    {
        return EgressOfPipelines(plan, cluster, table);
    }
    // The shards of a data centre carry 2(n-1)/n of the vector together, where n is the number of
    // data centres.
    const CollectiveAlgorithm* const algorithm = CollectiveOf(plan);
    if (algorithm == nullptr || algorithm->rewrite == nullptr)
    {
        return EgressOfReplicas(
            plan, algorithm == nullptr ? ringCollective : *algorithm, cluster, table);
    }
    const auto members = static_cast<double>(plan.hosts.size());
    std::vector<double> egress(cluster.dataCenters.size(), 0);
    for (const auto& host : plan.hosts)
    {
        egress[host.dataCenter] = 2 * (members - 1) / members * AllGradients(table);
    }
    return egress;
}

PlanCost
CostOf(const TrainingPlan& plan,
       const Cluster& cluster,
       const StageTable& table,
       double iterationSeconds)
{
    constexpr double secondsPerHour = 3600;
    constexpr double gigabyte = 1e9;
    const auto gpus = GpusByDataCenter(plan, cluster);
    const auto egress = EgressBytesByDataCenter(plan, cluster, table);
    PlanCost cost;
    for (std::size_t index = 0; index < cluster.dataCenters.size(); ++index)
    {
        const double hours = static_cast<double>(gpus[index]) * iterationSeconds / secondsPerHour;
        const double gigabytes = egress[index] / gigabyte;
        cost.gpuHours += hours;
        cost.egressGigabytes += gigabytes;
        cost.dollars += hours * cluster.dataCenters[index].dollarsPerGpuHour +
                        gigabytes * cluster.dataCenters[index].dollarsPerEgressGigabyte;
    }
    return cost;
}

} // namespace geotrain
