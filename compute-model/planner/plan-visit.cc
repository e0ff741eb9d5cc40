// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-visit.h"

#include "planner/cell-size.h"
#include "planner/layer-balance.h"
#include "planner/plan-memory.h"
#include "planner/stage-gpus.h"
#include "planner/stage-hosts.h"
#include "training-plan/cluster-ways.h"

#include <algorithm>
#include <set>
#include <utility>

namespace geotrain
{

namespace
{

class Visit
{
  public:
    Visit(const PlanSpace& space,
          const TrainingJob& job,
          const Cluster& cluster,
          StageTables& tables,
          const PlanVisitor& visit)
        : m_space(space),
          m_job(job),
          m_cluster(cluster),
          m_tables(tables),
          m_visit(visit),
          m_ways(cluster),
          m_balance(job),
          m_orders(OrdersToTry(cluster)),
          m_memory(job)
    {
        m_plan.collective = space.collective;
        m_plan.placement = space.placement;
    }

    std::vector<PruneReason> All()
    {
        for (const auto stages : m_space.pipelineStages)
        {
            for (const auto width : m_space.tensorParallel)
            {
                for (const auto size : m_space.microbatchSizes)
                {
                    m_plan.pipelineStages = stages;
                    m_plan.tensorParallel = width;
                    m_plan.microbatchSize = size;
                    VisitShare();
                }
            }
        }
        return m_reasons.All();
    }

  private:
    /// Counts a combination as pruned. `text` is only made for the nearest miss so far.
    template <typename Text>
    void Prune(PruneRule rule, double shortfall, Text text)
    {
        m_reasons.Count(rule, m_plan, shortfall, text);
    }

    void VisitShare()
    {
        m_table =
            &m_tables.Of({m_plan.pipelineStages, m_plan.tensorParallel, m_plan.microbatchSize});
        if (!m_table->refusal.empty())
        {
            Prune(PruneRule::Share, 0, [this] { return m_table->refusal; });
            return;
        }
        for (const auto replicas : m_space.dataParallel)
        {
            m_plan.dataParallel = replicas;
            const std::uint64_t sequences = std::uint64_t{replicas} * m_plan.microbatchSize;
            if (m_job.globalBatch % sequences != 0)
            {
                Prune(PruneRule::Batch,
                      static_cast<double>(sequences),
                      [this, sequences]
                      {
                          return std::to_string(sequences) + " sequences don't divide " +
                                 std::to_string(m_job.globalBatch);
                      });
            }
            else if (m_plan.Gpus() > m_cluster.Gpus())
            {
                const std::uint64_t missing = m_plan.Gpus() - m_cluster.Gpus();
                Prune(PruneRule::Gpus,
                      static_cast<double>(missing),
                      [this, missing]
                      {
                          return "needs " + std::to_string(m_plan.Gpus()) + " GPUs, " +
                                 std::to_string(missing) + " too many";
                      });
            }
            else
            {
                m_plan.microbatches = static_cast<std::uint32_t>(m_job.globalBatch / sequences);
                VisitPlacements();
            }
        }
    }

    void VisitPlacements()
    {
        m_memory.Forget();
        for (const CrossDc crossDc : m_space.crossDc)
        {
            m_plan.crossDc = crossDc;
            const bool replicas = m_plan.HasReplicasAcross();
            const std::uint32_t count = replicas ? m_plan.dataParallel : m_plan.pipelineStages;
            if (replicas && m_plan.dataParallel < 2)
            {
                continue; // nothing to put across
            }
            const auto capacities =
                CapacitiesFor(replicas ? m_plan.pipelineStages : m_plan.dataParallel);
            std::set<std::vector<std::pair<std::uint32_t, std::uint32_t>>> seen;
            for (const auto& order : m_orders)
            {
                for (const bool evenly : {false, true})
                {
                    m_plan.hosts = evenly ? SpreadEvenly(order, capacities, count)
                                          : FillInOrder(order, capacities, count);
                    if (IsComplete(order, capacities, count) && !IsMirrored(seen) &&
                        seen.insert(KeyOfHosts()).second)
                    {
                        VisitHosts();
                    }
                }
            }
        }
        m_plan.crossDc = CrossDc::Pipeline;
    }

    std::vector<std::uint64_t> CapacitiesFor(std::uint32_t perUnit) const
    {
        std::vector<std::uint64_t> capacities;
        for (std::uint32_t index = 0; index < m_cluster.dataCenters.size(); ++index)
        {
            capacities.push_back(StageCapacity(m_cluster, index, m_plan.tensorParallel, perUnit));
        }
        return capacities;
    }

    bool IsComplete(const std::vector<std::uint32_t>& order,
                    const std::vector<std::uint64_t>& capacities,
                    std::uint32_t count)
    {
        std::uint64_t room = 0;
        for (const auto dataCenter : order)
        {
            room += capacities[dataCenter];
        }
        if (room < count)
        {
            const std::uint64_t missing =
                (count - room) * m_plan.Gpus() / std::max<std::uint32_t>(1, count);
            Prune(PruneRule::Room,
                  static_cast<double>(missing),
                  [&]
                  {
                      return std::string("the data centres chosen have room for ") +
                             std::to_string(room) + " of " + std::to_string(count) +
                             (m_plan.HasReplicasAcross() ? " replicas, " : " stages, ") +
                             std::to_string(missing) + " GPUs are missing";
                  });
            return false;
        }
        return !m_plan.hosts.empty() && (!m_plan.HasReplicasAcross() || m_plan.hosts.size() > 1);
    }

    /// Returns what distinguishes hosts. The order of replicas across data centres makes no
    /// difference worth a plan of its own.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> KeyOfHosts() const
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> key;
        for (const auto& host : m_plan.hosts)
        {
            key.emplace_back(host.dataCenter, host.count);
        }
        if (m_plan.HasReplicasAcross())
        {
            std::sort(key.begin(), key.end());
        }
        return key;
    }

    /// Returns whether the mirror image was seen. Mirror images over data centres that are alike
    /// differ only in embedding and head.
    bool
    IsMirrored(const std::set<std::vector<std::pair<std::uint32_t, std::uint32_t>>>& seen) const
    {
        auto mirrored = KeyOfHosts();
        std::reverse(mirrored.begin(), mirrored.end());
        for (std::size_t index = 0; index < mirrored.size(); ++index)
        {
            const std::uint32_t here = m_plan.hosts[index].dataCenter;
            const auto& one = m_cluster.dataCenters[mirrored[index].first];
            const auto& other = m_cluster.dataCenters[here];
            if (!one.otherGpus.empty() || !other.otherGpus.empty() ||
                m_cluster.NodesOf(mirrored[index].first) != m_cluster.NodesOf(here) ||
                one.gpusPerNode != other.gpusPerNode || one.gpu.name != other.gpu.name)
            {
                return false;
            }
        }
        return seen.count(mirrored) > 0;
    }

    void VisitHosts()
    {
        const auto unequal = [this](const TrainingPlan::Host& host)
        { return host.count != m_plan.hosts.front().count; };
        if (m_plan.crossDc == CrossDc::ReplicasHierarchical &&
            std::any_of(m_plan.hosts.begin(), m_plan.hosts.end(), unequal))
        {
            Prune(PruneRule::Hierarchy, 0, [] { return "replicas are not equal"; });
            return;
        }
        m_gpus = GpusOfStages(m_plan, m_cluster);
        auto balanced = AreUnlike(m_gpus) && !m_plan.HasReplicasAcross()
                            ? m_balance.Of(m_plan, m_gpus)
                            : std::vector<std::uint32_t>();
        if (!balanced.empty() &&
            HaveLayers(SplitEvenly(m_job.model, m_plan.pipelineStages), balanced))
        {
            balanced.clear();
        }
        for (const auto& name : m_space.schedules)
        {
            const ScheduleEntry& schedule = *FindSchedule(name);
            VisitSchedule(schedule);
            if (!balanced.empty() && schedule.plannedVirtualStages == 1)
            {
                m_plan.layersPerStage = balanced;
                VisitSchedule(schedule);
                m_plan.layersPerStage.clear();
            }
        }
        m_plan.virtualStages = 1;
        m_plan.warmupFactor = 1;
        m_plan.memoryCap = 0;
    }

    void VisitSchedule(const ScheduleEntry& schedule)
    {
        const bool crossesWan = m_plan.hosts.size() > 1 && !m_plan.HasReplicasAcross();
        m_plan.schedule = schedule.name;
        m_plan.virtualStages = schedule.plannedVirtualStages;
        m_plan.memoryCap = 0;
        if (m_plan.pipelineStages == 1 && m_plan.virtualStages > 1)
        {
            Prune(PruneRule::Shape,
                  0,
                  [&] { return schedule.name + ": the only worker has one stage, not several"; });
            return;
        }
        m_table = &m_tables.Of({m_plan.pipelineStages * m_plan.virtualStages,
                                m_plan.tensorParallel,
                                m_plan.microbatchSize,
                                m_plan.layersPerStage});
        const std::string refusal =
            m_table->refusal.empty() ? RefusalOf(schedule, ShapeOf(m_plan)) : m_table->refusal;
        if (!refusal.empty())
        {
            Prune(PruneRule::Shape, 0, [&] { return schedule.name + ": " + refusal; });
            return;
        }
        std::vector<std::uint32_t> before;
        for (const auto factor : m_space.warmupFactors)
        {
            m_plan.warmupFactor = factor;
            if (schedule.fillsMemory)
            {
                m_plan.memoryCap = m_memory.CapThatFits(m_plan, *m_table, m_gpus);
            }
            auto inFlight = InFlightOf(m_plan);
            // A deeper warm-up hides the WAN's latency; no warm-up is deeper than all microbatches.
            if (inFlight != before && (factor == 1 || (schedule.deepensWarmUp && crossesWan)))
            {
                VisitDepth(inFlight);
            }
            before = std::move(inFlight);
        }
    }

    void VisitDepth(const std::vector<std::uint32_t>& inFlight)
    {
        if (!FitsMemory(inFlight))
        {
            return;
        }
        for (const WanSharing sharing : m_space.sharing)
        {
            m_plan.sharing = sharing;
            if (sharing == WanSharing::Spatial)
            {
                m_plan.cellSize = m_plan.dataParallel;
                m_visit(m_plan, *m_table, inFlight);
            }
            else if (m_plan.hosts.size() > 1 && !m_plan.HasReplicasAcross())
            {
                VisitCells(inFlight);
            }
        }
        m_plan.sharing = WanSharing::Spatial;
    }

    bool FitsMemory(const std::vector<std::uint32_t>& inFlight)
    {
        const auto lack = m_memory.LackOf(m_plan, *m_table, m_gpus, inFlight);
        if (lack)
        {
            Prune(PruneRule::Memory,
                  lack->missing,
                  [&] { return m_plan.schedule + " needs " + lack->Text(); });
        }
        return !lack;
    }

    void VisitCells(const std::vector<std::uint32_t>& inFlight)
    {
        const std::uint32_t different = DifferentNodes(m_plan, m_cluster);
        const auto sizes =
            m_space.cellSizes.empty()
                ? std::vector<std::uint32_t>{CellSizeOf(m_plan, m_cluster, m_ways, *m_table)}
                : m_space.cellSizes;
        bool any = false;
        for (const std::uint32_t size : sizes)
        {
            if (size > 1 && m_plan.dataParallel % size == 0 && size <= different)
            {
                m_plan.cellSize = size;
                m_visit(m_plan, *m_table, inFlight);
                any = true;
            }
        }
        if (!any)
        {
            Prune(PruneRule::Cell,
                  0,
                  [different] {
                      return "a stage's replicas have only " + std::to_string(different) +
                             " different nodes";
                  });
        }
    }

    const PlanSpace& m_space;
    const TrainingJob& m_job;
    const Cluster& m_cluster;
    StageTables& m_tables;
    const PlanVisitor& m_visit;
    ClusterWays m_ways;
    LayerBalance m_balance;
    StageGpus m_gpus; ///< of the combination in progress
    std::vector<std::vector<std::uint32_t>> m_orders;
    PruneReasons m_reasons;
    PlanMemory m_memory;
    TrainingPlan m_plan; ///< the combination in progress
    const StageTable* m_table = nullptr;
};

} // namespace

std::vector<PruneReason>
VisitPlans(const PlanSpace& space,
           const TrainingJob& job,
           const Cluster& cluster,
           StageTables& tables,
           const PlanVisitor& visit)
{
    CheckSpace(space);
    return Visit(space, job, cluster, tables, visit).All();
}

} // namespace geotrain
