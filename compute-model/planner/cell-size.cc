// SPDX-License-Identifier: GPL-2.0-only
#include "planner/cell-size.h"

#include "training-plan/prepare-plan.h"

#include <algorithm>

namespace geotrain
{

namespace
{

double
WanToComputeRatio(const TrainingPlan& plan, const ClusterWays& ways, const StageTable& table)
{
    double transfer = 0;
    for (std::size_t host = 0; host + 1 < plan.hosts.size(); ++host)
    {
        const double rate =
            ways.Between(plan.hosts[host].dataCenter, plan.hosts[host + 1].dataCenter).PairRate();
        transfer = std::max(transfer, 8.0 * static_cast<double>(table.boundary.Count()) / rate);
    }
    double work = 0;
    std::size_t stage = 0;
    for (const auto dataCenter : plan.DataCenterOfHosted())
    {
        double forward = 0; // time of all the worker's virtual stages
        for (std::size_t chunk = 0; chunk < plan.virtualStages; ++chunk)
        {
            const auto& timing = table.timing[dataCenter];
            forward += timing[stage + chunk * plan.pipelineStages].forward.ToSeconds();
        }
        work = std::max(work, forward);
        ++stage;
    }
    return std::max(2.0, transfer / work);
}

} // namespace

std::uint32_t
DifferentNodes(const TrainingPlan& plan, const Cluster& cluster)
{
    std::uint32_t nodes = plan.dataParallel;
    for (const auto& host : plan.hosts)
    {
        // A cell's pipelines follow one another, as those that are packed into a node do.
        const NodeDealing dealing = DealingOf(cluster, plan, host);
        const bool isPacked = plan.placement == NodePlacement::Pack && dealing.ReplicasOnNode() > 1;
        nodes = std::min(nodes, isPacked ? 1 : dealing.nodes);
    }
    return nodes;
}

std::uint32_t
CellSizeOf(const TrainingPlan& plan,
           const Cluster& cluster,
           const ClusterWays& ways,
           const StageTable& table)
{
    const double wanted = WanToComputeRatio(plan, ways, table);
    std::uint32_t best = 1;
    for (std::uint32_t size = 2; size <= DifferentNodes(plan, cluster); ++size)
    {
        if (plan.dataParallel % size == 0 && best < wanted)
        {
            best = size;
        }
    }
    return best;
}

} // namespace geotrain
