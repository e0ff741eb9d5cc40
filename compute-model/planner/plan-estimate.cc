#include "planner/plan-estimate.h"

#include <algorithm>
#include <numeric>

namespace geotrain
{

namespace
{

/// What a message between two stages takes.
struct HopSeconds
{
    double latency = 0;   ///< from its sending to its arrival
    double occupancy = 0; ///< of the way, by one microbatch of every pipeline that shares it
};

double
Rate(BitRate rate)
{
    return static_cast<double>(rate.ToBitsPerSecond());
}

/// At most this many of `workers` are on the same of `nodes` nodes.
double
OnOneNode(std::uint64_t workers, std::uint32_t nodes)
{
    return static_cast<double>((workers + nodes - 1) / nodes);
}

class Estimate
{
  public:
    Estimate(const TrainingPlan& plan,
             const TrainingJob& job,
             const Cluster& cluster,
             const StageTable& table)
        : m_plan(plan),
          m_job(job),
          m_cluster(cluster),
          m_table(table)
    {
    }

    PlanEstimate Of(const std::vector<std::uint32_t>& inFlight) const
    {
        if (!m_plan.HasReplicasAcross())
        {
            return OfPipeline(m_plan.DataCenterOfStage(), m_plan.dataParallel, inFlight);
        }
        PlanEstimate slowest; // replicas run apart and meet in the all-reduce
        for (const auto& host : m_plan.hosts)
        {
            const std::vector<std::uint32_t> here(m_plan.pipelineStages, host.dataCenter);
            const PlanEstimate one = OfPipeline(here, host.count, inFlight);
            slowest = one.seconds > slowest.seconds ? one : slowest;
        }
        return slowest;
    }

  private:
    PlanEstimate OfPipeline(const std::vector<std::uint32_t>& dataCenterOfStage,
                            std::uint32_t replicas,
                            const std::vector<std::uint32_t>& inFlight) const
    {
        double roundTrip = 0;
        double period = 0;
        std::vector<double> afterLastBackward; // how long stage s is done before stage 0
        double ahead = 0;
        for (std::uint32_t stage = 0; stage < m_plan.pipelineStages; ++stage)
        {
            afterLastBackward.push_back(ahead);
            const auto& timing = m_table.timing[dataCenterOfStage[stage]][stage];
            const double backward = (timing.recompute + timing.Backward()).ToSeconds();
            ahead += backward + (stage + 1 < m_plan.pipelineStages
                                     ? Hop(dataCenterOfStage, stage, replicas).latency
                                     : 0);
        }
        for (std::uint32_t stage = m_plan.pipelineStages; stage-- > 0;)
        {
            const auto& timing = m_table.timing[dataCenterOfStage[stage]][stage];
            const double work =
                (timing.forward + timing.recompute + timing.Backward()).ToSeconds();
            if (stage + 1 < m_plan.pipelineStages)
            {
                const HopSeconds hop = Hop(dataCenterOfStage, stage, replicas);
                roundTrip += 2 * hop.latency;
                period = std::max(period, hop.occupancy);
            }
            roundTrip += work;
            period = std::max({period, work, roundTrip / inFlight[stage]});
        }
        PlanEstimate estimate;
        estimate.pipelineSeconds = roundTrip + (m_plan.microbatches - 1) * period;
        for (std::uint32_t stage = 0; stage < m_plan.pipelineStages; ++stage)
        {
            const double end = estimate.pipelineSeconds - afterLastBackward[stage] +
                               UpdateSeconds(dataCenterOfStage[stage], stage);
            estimate.seconds = std::max(estimate.seconds, end);
        }
        estimate.allReduceSeconds = estimate.seconds - estimate.pipelineSeconds;
        return estimate;
    }

    HopSeconds Hop(const std::vector<std::uint32_t>& dataCenterOfStage,
                   std::uint32_t stage,
                   std::uint32_t replicas) const
    {
        const std::uint32_t from = dataCenterOfStage[stage];
        const std::uint32_t to = dataCenterOfStage[stage + 1];
        const double bits = 8.0 * static_cast<double>(m_table.boundary.Count());
        if (from == to)
        {
            const auto& inside = m_cluster.dataCenters[from];
            const double seconds = bits * OnOneNode(replicas, inside.nodes) / IntraDcPairRate(m_cluster, from);
            return {seconds + inside.intraDelay.ToSeconds(), seconds};
        }
        const double delay = m_cluster.paths[from][to]->delay.ToSeconds();
        const double seconds = bits / SharedWanRate(from, to, replicas);
        if (m_plan.sharing == WanSharing::Spatial)
        {
            return {seconds + delay, seconds};
        }
        const double cell = m_plan.cellSize;
        const double scatter = bits * (cell - 1) / cell / IntraDcPairRate(m_cluster, from);
        const double turn = std::max(seconds / cell, scatter);
        return {turn + delay, cell * (turn + m_cluster.turnLatency.ToSeconds())};
    }

    /// Payload bit/s of a node pair when all pipelines cross from one data centre to another.
    double SharedWanRate(std::uint32_t from, std::uint32_t to, std::uint64_t senders) const
    {
        const double onSender = OnOneNode(senders, m_cluster.dataCenters[from].nodes);
        const double onReceiver = OnOneNode(senders, m_cluster.dataCenters[to].nodes);
        double rate = std::min(Rate(m_cluster.dataCenters[from].nicRate) / onSender,
                               Rate(m_cluster.dataCenters[to].nicRate) / onReceiver);
        if (m_cluster.caps.nodeEgress)
        {
            rate = std::min(rate, Rate(*m_cluster.caps.nodeEgress) / onSender);
        }
        if (m_cluster.caps.nodeIngress)
        {
            rate = std::min(rate, Rate(*m_cluster.caps.nodeIngress) / onReceiver);
        }
        for (const std::size_t link : m_cluster.paths[from][to]->links)
        {
            rate = std::min(rate, Rate(m_cluster.linkRates[link]) / static_cast<double>(senders));
        }
        return std::min(rate * m_cluster.transport.payloadShare, WanPairRate(m_cluster, from, to));
    }

    /// All-reduce of a stage's gradients and the optimiser's step.
    double UpdateSeconds(std::uint32_t dataCenter, std::uint32_t stage) const
    {
        const double bits = 8.0 * static_cast<double>(m_table.gradients[stage].Count());
        double seconds = OptimizerSeconds(dataCenter, stage);
        if (m_plan.dataParallel == 1)
        {
            return seconds;
        }
        switch (m_plan.crossDc)
        {
        case CrossDc::Pipeline:
            seconds += 2 * HalfRing(dataCenter, bits, m_plan.dataParallel);
            break;
        case CrossDc::ReplicasFlat:
            seconds += FlatRing(bits);
            break;
        case CrossDc::ReplicasHierarchical:
            seconds += 2 * HalfRing(dataCenter, bits, m_plan.hosts.front().count) +
                       RingAcross(bits / m_plan.hosts.front().count);
            break;
        }
        return seconds;
    }

    double OptimizerSeconds(std::uint32_t dataCenter, std::uint32_t stage) const
    {
        const double seconds = m_table.timing[dataCenter][stage].optimizerStep.ToSeconds();
        return m_job.shardsOptimizer ? seconds / m_plan.dataParallel : seconds;
    }

    /// A reduce-scatter or an all-gather of `members` in a data centre: n - 1 steps of an n-th each.
    double HalfRing(std::uint32_t dataCenter, double bits, std::uint32_t members) const
    {
        const auto& inside = m_cluster.dataCenters[dataCenter];
        if (members < 2)
        {
            return 0;
        }
        const double piece = bits / members / IntraDcPairRate(m_cluster, dataCenter);
        return (members - 1) * (piece + inside.intraDelay.ToSeconds());
    }

    /// 2(n - 1) steps; one lasts as long as the slowest piece, or as a round of the ring takes divided by n.
    double FlatRing(double bits) const
    {
        const double piece = bits / m_plan.dataParallel;
        double slowest = 0;
        double round = 0;
        for (std::size_t index = 0; index < m_plan.hosts.size(); ++index)
        {
            const auto& host = m_plan.hosts[index];
            const auto& next = m_plan.hosts[(index + 1) % m_plan.hosts.size()];
            const double inside = piece / IntraDcPairRate(m_cluster, host.dataCenter);
            const double across =
                piece / SharedWanRate(host.dataCenter, next.dataCenter, m_plan.pipelineStages);
            slowest = std::max({slowest, inside, across});
            round += (host.count - 1) *
                         (inside + m_cluster.dataCenters[host.dataCenter].intraDelay.ToSeconds()) +
                     across + m_cluster.paths[host.dataCenter][next.dataCenter]->delay.ToSeconds();
        }
        return 2.0 * (m_plan.dataParallel - 1) * std::max(slowest, round / m_plan.dataParallel);
    }

    /// The all-reduce of a shard over the data centres; every member and stage has one under way.
    double RingAcross(double bits) const
    {
        const auto members = static_cast<double>(m_plan.hosts.size());
        const std::uint64_t senders = std::uint64_t{m_plan.pipelineStages} * m_plan.hosts.front().count;
        double slowest = 0;
        double round = 0;
        for (std::size_t index = 0; index < m_plan.hosts.size(); ++index)
        {
            const auto from = m_plan.hosts[index].dataCenter;
            const auto to = m_plan.hosts[(index + 1) % m_plan.hosts.size()].dataCenter;
            const double across = bits / members / SharedWanRate(from, to, senders);
            slowest = std::max(slowest, across);
            round += across + m_cluster.paths[from][to]->delay.ToSeconds();
        }
        return 2 * (members - 1) * std::max(slowest, round / members);
    }

    const TrainingPlan& m_plan;
    const TrainingJob& m_job;
    const Cluster& m_cluster;
    const StageTable& m_table;
};

} // namespace

PlanEstimate
EstimatePlan(const TrainingPlan& plan,
             const TrainingJob& job,
             const Cluster& cluster,
             const StageTable& table,
             const std::vector<std::uint32_t>& inFlight)
{
    return Estimate(plan, job, cluster, table).Of(inFlight);
}

} // namespace geotrain
