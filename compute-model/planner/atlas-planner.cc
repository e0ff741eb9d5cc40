// SPDX-License-Identifier: GPL-2.0-only
#include "planner/atlas-planner.h"

#include "planner/on-all-threads.h"
#include "planner/plan-candidates.h"
#include "planner/plan-estimate.h"
#include "planner/plan-simulation.h"
#include "planner/stage-hosts.h"
#include "training-plan/stage-table.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace geotrain
{

namespace
{

constexpr unsigned simulatingThreads = 2; // as many as a search has by default

class CellLoop
{
  public:
    CellLoop(const TrainingPlan& shape, const TrainingJob& job, const Cluster& cluster)
        : m_shape(shape),
          m_job(job),
          m_cluster(cluster),
          m_ways(cluster),
          m_tables(job, cluster),
          m_table(m_tables.Of(ChoiceOf(shape))),
          m_order(ByGpusDescending(cluster))
    {
        const std::string refusal = m_table.refusal.empty()
                                        ? RefusalOf(ScheduleOf(shape), ShapeOf(shape))
                                        : m_table.refusal;
        if (!refusal.empty())
        {
            throw std::invalid_argument(refusal);
        }
        m_inFlight = InFlightOf(shape);
    }

    AtlasPlan Run() const
    {
        AtlasPlan result;
        const std::uint64_t ofCell =
            std::uint64_t{m_shape.pipelineStages} * m_shape.tensorParallel * m_shape.cellSize;
        const std::uint64_t most = m_cluster.Gpus() / ofCell;
        for (std::uint32_t cells = 1; cells <= most + 1; ++cells)
        {
            result.curve.push_back(PointOf(cells));
            const CellPoint& point = result.curve.back();
            if (point.missing.empty() &&
                (!result.best ||
                 point.sequencesPerSecond > result.curve[*result.best].sequencesPerSecond))
            {
                result.best = result.curve.size() - 1;
            }
        }
        for (const std::uint32_t dataCenter : m_order)
        {
            if (result.best && !IsHost(result.curve[*result.best].plan, dataCenter))
            {
                result.leftOut.push_back({dataCenter, BestWith(dataCenter, most)});
            }
        }
        return result;
    }

  private:
    static bool IsHost(const TrainingPlan& plan, std::uint32_t dataCenter)
    {
        return std::any_of(plan.hosts.begin(),
                           plan.hosts.end(),
                           [dataCenter](const auto& host)
                           { return host.dataCenter == dataCenter; });
    }

    std::vector<std::uint64_t> Capacities(std::uint32_t cells) const
    {
        std::vector<std::uint64_t> capacities;
        for (std::uint32_t index = 0; index < m_cluster.dataCenters.size(); ++index)
        {
            capacities.push_back(
                StageCapacity(m_cluster, index, m_shape.tensorParallel, cells * m_shape.cellSize));
        }
        return capacities;
    }

    CellPoint PointOf(std::uint32_t cells) const
    {
        return Rate(cells, FillInOrder(m_order, Capacities(cells), m_shape.pipelineStages));
    }

    CellPoint Rate(std::uint32_t cells, std::vector<TrainingPlan::Host> hosts) const
    {
        CellPoint point;
        point.cells = cells;
        point.plan = m_shape;
        point.plan.dataParallel = cells * m_shape.cellSize;
        point.plan.hosts = std::move(hosts);
        point.missing = WhatIsMissing(point.plan);
        if (point.missing.empty())
        {
            const PlanEstimate estimate =
                EstimatePlan(point.plan, {m_job, m_cluster, m_table}, m_ways, m_inFlight);
            point.pipelineSeconds = estimate.pipelineSeconds;
            point.allReduceSeconds = estimate.allReduceSeconds;
            point.sequencesPerSecond =
                static_cast<double>(point.plan.Sequences()) / estimate.seconds;
        }
        return point;
    }

    std::string WhatIsMissing(const TrainingPlan& plan) const
    {
        std::uint32_t hosted = 0;
        for (const auto& host : plan.hosts)
        {
            hosted += host.count;
        }
        if (hosted < plan.pipelineStages)
        {
            const std::uint64_t gpus = std::uint64_t{plan.pipelineStages - hosted} *
                                       plan.dataParallel * plan.tensorParallel;
            return std::to_string(plan.pipelineStages - hosted) + " of " +
                   std::to_string(plan.pipelineStages) + " stages remain: " + std::to_string(gpus) +
                   " GPUs are missing, " +
                   std::to_string(plan.dataParallel * std::uint64_t{plan.tensorParallel}) +
                   " per stage in one data centre";
        }
        return MissingMemory(plan);
    }

    std::string MissingMemory(const TrainingPlan& plan) const
    {
        const auto needed = MemoryByWorker(plan, m_job, m_table, m_inFlight);
        const auto dataCenters = plan.DataCenterOfHosted();
        for (std::size_t stage = 0; stage < needed.size(); ++stage)
        {
            const GpuSpec& gpu = m_cluster.dataCenters[dataCenters[stage]].gpu;
            if (needed[stage].Total() > gpu.memory)
            {
                const Bytes missing = needed[stage].Total() - gpu.memory;
                return "stage " + std::to_string(stage) + " needs " +
                       std::to_string(missing.Count() / 1000000 + 1) + " MB more memory than " +
                       gpu.name + " has";
            }
        }
        return "";
    }

    /// Returns the throughput of Algorithm 1 with one stage kept for `dataCenter`.
    double BestWith(std::uint32_t dataCenter, std::uint64_t most) const
    {
        double best = 0;
        for (std::uint32_t cells = 1; cells <= most; ++cells)
        {
            auto capacities = Capacities(cells);
            if (capacities[dataCenter] == 0 || m_shape.pipelineStages < 2)
            {
                break;
            }
            capacities[dataCenter] = 0;
            auto hosts = FillInOrder(m_order, capacities, m_shape.pipelineStages - 1);
            hosts.push_back({dataCenter, 1});
            best = std::max(best, Rate(cells, std::move(hosts)).sequencesPerSecond);
        }
        return best;
    }

    const TrainingPlan& m_shape;
    const TrainingJob& m_job;
    const Cluster& m_cluster;
    ClusterWays m_ways;
    StageTables m_tables;
    const StageTable& m_table;
    std::vector<std::uint32_t> m_order;
    std::vector<std::uint32_t> m_inFlight;
};

/// Returns whether two plans take the same time.
bool
RunsAlike(const TrainingPlan& a, const TrainingPlan& b)
{
    return a.microbatches == b.microbatches && a.dataParallelism == b.dataParallelism &&
           !a.customOrder && !b.customOrder && IsSamePlan(a, b);
}

} // namespace

AtlasPlan
PlanCells(const TrainingPlan& shape, const TrainingJob& job, const Cluster& cluster)
{
    CheckCluster(cluster);
    if (shape.pipelineStages == 0 || shape.tensorParallel == 0 || shape.cellSize == 0 ||
        shape.microbatches == 0)
    {
        throw std::invalid_argument("every degree of parallelism must be at least 1");
    }
    return CellLoop(shape, job, cluster).Run();
}

void
SimulateCells(AtlasPlan& plan,
              const TrainingJob& job,
              const Cluster& cluster,
              const std::vector<RankedPlan>& ranked,
              std::size_t most)
{
    std::vector<std::size_t> feasible;
    for (std::size_t index = 0; index < plan.curve.size(); ++index)
    {
        if (plan.curve[index].missing.empty())
        {
            feasible.push_back(index);
        }
    }
    std::set<std::size_t> chosen;
    if (plan.best && most > 0)
    {
        chosen.insert(*plan.best);
    }
    const std::size_t points = std::min(feasible.size(), most);
    for (std::size_t point = 0; point < points && chosen.size() < most; ++point)
    {
        chosen.insert(feasible[(point + 1) * feasible.size() / points - 1]);
    }
    StageTables tables(job, cluster);
    std::vector<std::pair<CellPoint*, const StageTable*>> toRun;
    for (const std::size_t index : chosen)
    {
        CellPoint& point = plan.curve[index];
        const auto same = std::find_if(ranked.begin(),
                                       ranked.end(),
                                       [&point](const RankedPlan& one)
                                       { return RunsAlike(one.plan, point.plan); });
        if (same != ranked.end())
        {
            point.simulatedSeconds = same->simulation.iterationTime.ToSeconds();
            continue;
        }
        toRun.emplace_back(&point, &tables.Of(ChoiceOf(point.plan)));
    }
    OnAllThreads(
        simulatingThreads,
        toRun.size(),
        [&](std::size_t slot)
        {
            const auto& [point, table] = toRun[slot];
            point->simulatedSeconds =
                SimulatePlan(point->plan, {job, cluster, *table}).iterationTime.ToSeconds();
        },
        [](double) {});
}

} // namespace geotrain
