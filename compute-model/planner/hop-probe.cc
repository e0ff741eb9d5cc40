// SPDX-License-Identifier: GPL-2.0-only
#include "planner/hop-probe.h"

#include "planner/plan-simulation.h"

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr std::uint32_t mostMessages = 5; // of a pipeline, each way

/// Most pipelines whose messages are simulated for one measurement; more have the formula's hop.
constexpr std::uint32_t mostPipelines = 64;

/// Returns two stages without work between which messages are those of `table`.
StageTable
WithoutWork(const StageTable& table, std::uint32_t from, std::uint32_t to)
{
    StageTable probe;
    probe.shares.assign(2, table.shares.front());
    probe.timing.resize(table.timing.size());
    probe.timing[from].resize(2);
    probe.timing[to].resize(2);
    probe.gradients.resize(2);
    probe.boundary = table.boundary;
    return probe;
}

} // namespace

HopProbe::HopProbe(const TrainingJob& job, const Cluster& cluster)
    : m_job(job),
      m_cluster(cluster)
{
}

std::vector<Hop>
HopProbe::Measured(std::vector<Hop> hops, const TrainingPlan& plan, const StageTable& table)
{
    if (plan.HasReplicasAcross() || plan.hosts.size() < 2)
    {
        return hops;
    }
    const auto workers = WorkersOfStages(plan);
    const auto dataCenters = plan.DataCenterOfStage();
    for (std::size_t stage = 0; stage < hops.size(); ++stage)
    {
        const std::uint32_t from = dataCenters[workers[stage]];
        const std::uint32_t to = dataCenters[workers[stage + 1]];
        if (from != to)
        {
            hops[stage] = HopBetween(from, to, plan, table).value_or(hops[stage]);
        }
    }
    return hops;
}

std::optional<Hop>
HopProbe::HopBetween(std::uint32_t from,
                     std::uint32_t to,
                     const TrainingPlan& plan,
                     const StageTable& table)
{
    const Key key{from,
                  to,
                  table.boundary.Count(),
                  plan.dataParallel,
                  plan.tensorParallel,
                  plan.sharing == WanSharing::Temporal ? plan.cellSize : 0,
                  std::min(plan.microbatches, mostMessages)};
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        const auto found = m_hops.find(key);
        if (found != m_hops.end())
        {
            return found->second;
        }
    }
    const auto hop = Measure(from, to, plan, table);
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_hops.emplace(key, hop).first->second;
}

std::optional<Hop>
HopProbe::Measure(std::uint32_t from,
                  std::uint32_t to,
                  const TrainingPlan& plan,
                  const StageTable& table) const
{
    TrainingPlan probe = plan;
    probe.pipelineStages = 2;
    probe.virtualStages = 1;
    probe.warmupFactor = mostMessages; // all activations at once; each gradient follows its own
    probe.memoryCap = 0;
    probe.schedule = "1f1b";
    probe.layersPerStage.clear();
    probe.customOrder.reset();
    probe.hosts = {{from, 1}, {to, 1}};
    if (probe.dataParallel / AlikeCells(probe, m_cluster) > mostPipelines)
    {
        return std::nullopt;
    }
    TrainingJob job = m_job;
    job.shardsOptimizer = false;
    const StageTable stages = WithoutWork(table, from, to);
    const auto secondsOf = [&](std::uint32_t messages)
    {
        probe.microbatches = messages;
        return SimulatePlan(probe, job, m_cluster, stages).iterationTime.ToSeconds();
    };
    const double one = secondsOf(1);
    const std::uint32_t count = std::min(plan.microbatches, mostMessages);
    const bool temporal = plan.sharing == WanSharing::Temporal;
    const double turns = temporal ? plan.cellSize : 1;
    // With turns of o among C pipelines, n messages of each leave after n C o; the last gradient
    // needs a turn of its own: 2 delay + (n C + 1) o.
    const double occupancy =
        count > 1 ? (secondsOf(count) - one) / ((count - 1) * turns) : one / (1 + turns);
    Hop hop;
    hop.occupancy = Duration::Seconds(std::max(0.0, occupancy));
    hop.delay = Duration::Seconds(std::max(0.0, (one - (turns + 1) * occupancy) / 2));
    hop.takesTurns = temporal;
    return hop;
}

} // namespace geotrain
