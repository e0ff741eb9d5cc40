// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-estimate.h"

#include "planner/all-reduce-estimate.h"
#include "training-plan/hop-times.h"
#include "training-plan/prepare-plan.h"

#include <algorithm>
#include <numeric>

namespace geotrain
{

namespace
{

/// HopSeconds are the times of a message between two stages.
struct HopSeconds
{
    double latency = 0;   ///< time from its sending to its arrival
    double occupancy = 0; ///< time on the way of one microbatch per pipeline that shares the way
    double nic = 0;       ///< part of it on a NIC that messages to the other neighbour take too
};

class Estimate
{
  public:
    Estimate(const TrainingPlan& plan, const PlanInputs& inputs, const ClusterWays& ways)
        : m_plan(plan),
          m_job(inputs.job),
          m_cluster(inputs.cluster),
          m_ways(ways),
          m_table(inputs.table),
          m_allReduce(plan, inputs.cluster, ways),
          m_schedule(*FindSchedule(plan.schedule)),
          m_workers(WorkersOfStages(plan))
    {
    }

    PlanEstimate Of(const std::vector<std::uint32_t>& inFlight) const
    {
        if (!m_plan.HasReplicasAcross())
        {
            return OfPipeline(m_plan.DataCenterOfHosted(), m_plan.dataParallel, inFlight);
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
    /// Sums are what a pipeline's stages add up to.
    struct Sums
    {
        /// Time of a microbatch through all stages, without weight gradients that run apart.
        double roundTrip = 0;
        double firstRound = 0; ///< part of `roundTrip` in the workers' first stages
        double littlesLaw = 0; ///< period that the activations in flight allow
        double forwardPeriod = 0;
        double backwardPeriod = 0;
        double period = 0;  ///< the longest work on a microbatch or occupancy by it
        double tail = 0;    ///< time of the first worker's weight gradient
        double busiest = 0; ///< from the start to the end of all work of the worker that ends last
        std::vector<double> backwardAndHop; ///< by worker
    };

    PlanEstimate OfPipeline(const std::vector<std::uint32_t>& dataCenterOfWorker,
                            std::uint32_t replicas,
                            const std::vector<std::uint32_t>& inFlight) const
    {
        const Sums sums = Add(dataCenterOfWorker, replicas, inFlight);
        PlanEstimate estimate;
        estimate.pipelineSeconds = PipelineSeconds(sums);
        const std::vector<Update> updates = Updates(dataCenterOfWorker);
        const std::vector<double> ready = GradientsReady(sums, estimate.pipelineSeconds);
        const double meanBits =
            std::accumulate(updates.begin(),
                            updates.end(),
                            0.0,
                            [](double sum, const Update& update) { return sum + update.bits; }) /
            m_plan.pipelineStages;
        const double tied = m_allReduce.TiedSeconds(
            dataCenterOfWorker[m_workers.front()],
            dataCenterOfWorker[m_workers.back()],
            8.0 * static_cast<double>(m_table.tiedEmbeddingGradients.Count()));
        std::vector<double> reduced(m_plan.pipelineStages); // ends of the all-reduces
        for (std::uint32_t worker = m_plan.pipelineStages; worker-- > 0;)
        {
            const std::uint32_t dataCenter = dataCenterOfWorker[worker];
            // The last worker's gradients are ready first; nodes that it shares are then busy.
            const std::uint32_t sharer = worker + StagesUntilNicsRepeat(dataCenter);
            const bool isShared =
                sharer < m_plan.pipelineStages && dataCenterOfWorker[sharer] == dataCenter;
            const double begin =
                isShared ? std::max(ready[worker], reduced[sharer]) : ready[worker];
            reduced[worker] =
                begin + m_allReduce.Seconds(dataCenter, updates[worker].bits, meanBits);
            if (m_workers.front() != m_workers.back() &&
                (worker == m_workers.front() || worker == m_workers.back()))
            {
                // Both ends of the pipeline wait for the first stage's last gradients.
                reduced[worker] = std::max(reduced[worker], estimate.pipelineSeconds) + tied;
            }
            estimate.seconds =
                std::max(estimate.seconds, reduced[worker] + updates[worker].seconds);
        }
        estimate.allReduceSeconds = estimate.seconds - estimate.pipelineSeconds;
        estimate.pipelineSeconds += m_job.iterationOverhead.ToSeconds();
        estimate.seconds += m_job.iterationOverhead.ToSeconds();
        return estimate;
    }

    /// Returns when each worker has its gradients, where the pipeline ends at `end`.
    std::vector<double> GradientsReady(const Sums& sums, double end) const
    {
        const bool endTogether = m_schedule.splitsBackward || m_plan.virtualStages > 1;
        std::vector<double> ready(m_plan.pipelineStages, end);
        for (std::uint32_t worker = 1; worker < m_plan.pipelineStages && !endTogether; ++worker)
        {
            ready[worker] = ready[worker - 1] - sums.backwardAndHop[worker - 1];
        }
        return ready;
    }

    /// Returns after how many stages of a data centre workers share NICs again.
    std::uint32_t StagesUntilNicsRepeat(std::uint32_t dataCenter) const
    {
        return m_plan.crossDc == CrossDc::Pipeline
                   ? DealingOf(m_cluster, m_plan, m_plan.HostIn(dataCenter)).StagesUntilNicsRepeat()
                   : m_plan.pipelineStages;
    }

    double PipelineSeconds(const Sums& sums) const
    {
        const double m = m_plan.microbatches;
        const double v = m_plan.virtualStages;
        const double busy =
            m_schedule.hasPhases ? sums.forwardPeriod + sums.backwardPeriod : sums.period;
        const double period = std::max(busy, sums.littlesLaw);
        if (m_schedule.isAsynchronous)
        {
            return m * period;
        }
        if (m_schedule.splitsBackward)
        {
            // Weight gradients fill what the ramps leave idle, as far as the work allows it.
            const double filled = 2 * (m_plan.pipelineStages - 1) * sums.tail;
            return std::max(sums.busiest, sums.roundTrip + (m - 1) * period + sums.tail - filled);
        }
        return sums.firstRound + (m * v - 1) * period / v;
    }

    Sums Add(const std::vector<std::uint32_t>& dataCenterOfWorker,
             std::uint32_t replicas,
             const std::vector<std::uint32_t>& inFlight) const
    {
        const std::uint32_t p = m_plan.pipelineStages;
        Sums sums;
        sums.backwardAndHop.resize(p);
        std::vector<double> forward(p);
        std::vector<double> backward(p);
        std::vector<double> weight(p);
        std::vector<double> occupancy(p); // occupancy of the ways that leave the worker
        std::vector<double> latency(p);   // time from a worker's start to the next one's
        std::vector<double> nic(p);       // time of the messages that the worker sends inside
        for (std::size_t stage = m_workers.size(); stage-- > 0;)
        {
            const std::uint32_t worker = m_workers[stage];
            const auto& timing = m_table.timing[dataCenterOfWorker[worker]][stage];
            const double ofForward = timing.forward.ToSeconds();
            const double ofBackward = BackwardSeconds(timing);
            const HopSeconds hop =
                stage + 1 < m_workers.size()
                    ? Hop(dataCenterOfWorker, worker, m_workers[stage + 1], replicas)
                    : HopSeconds();
            const double there = 2 * hop.latency + ofForward + ofBackward;
            sums.roundTrip += there;
            sums.firstRound += stage < p ? there : 0;
            forward[worker] += ofForward;
            backward[worker] += ofBackward;
            weight[worker] += m_schedule.splitsBackward ? timing.backwardWeight.ToSeconds() : 0;
            occupancy[worker] += hop.occupancy;
            nic[worker] += hop.nic;
            nic[m_workers[std::min(stage + 1, m_workers.size() - 1)]] += hop.nic;
            sums.backwardAndHop[worker] = ofBackward + hop.latency;
            latency[worker] = ofForward + hop.latency;
            if (stage < p && inFlight[worker] < m_plan.microbatches * m_plan.virtualStages)
            {
                sums.littlesLaw = std::max(
                    sums.littlesLaw, sums.roundTrip * m_plan.virtualStages / inFlight[worker]);
            }
        }
        double start = 0;
        for (std::uint32_t worker = 0; worker < p; ++worker)
        {
            const double work = forward[worker] + backward[worker] + weight[worker];
            sums.forwardPeriod = std::max({sums.forwardPeriod, forward[worker], occupancy[worker]});
            sums.backwardPeriod =
                std::max({sums.backwardPeriod, backward[worker], occupancy[worker]});
            sums.period = std::max({sums.period, work, occupancy[worker], nic[worker]});
            sums.busiest = std::max(sums.busiest, start + m_plan.microbatches * work);
            start += latency[worker];
        }
        sums.tail = weight.front();
        return sums;
    }

    /// Returns the time until the gradient goes on.
    double BackwardSeconds(const StageTiming& timing) const
    {
        const double recompute = m_schedule.recomputesAhead ? 0 : timing.recompute.ToSeconds();
        return recompute + (m_schedule.splitsBackward ? timing.backwardInput.ToSeconds()
                                                      : timing.Backward().ToSeconds());
    }

    HopSeconds Hop(const std::vector<std::uint32_t>& dataCenterOfWorker,
                   std::uint32_t sender,
                   std::uint32_t receiver,
                   std::uint32_t replicas) const
    {
        if (sender == receiver)
        {
            return {}; // the turn of a wave
        }
        const std::uint32_t from = dataCenterOfWorker[sender];
        const std::uint32_t to = dataCenterOfWorker[receiver];
        const double bits = 8.0 * static_cast<double>(m_table.boundary.Count());
        if (from == to)
        {
            const NodeDealing dealing = DealingOf(m_cluster, m_plan, m_plan.HostIn(from));
            const auto first = static_cast<std::uint32_t>(
                std::find(dataCenterOfWorker.begin(), dataCenterOfWorker.end(), from) -
                dataCenterOfWorker.begin());
            if (dealing.NodeOf(sender - first, 0) == dealing.NodeOf(receiver - first, 0))
            {
                const auto rate =
                    static_cast<double>(NodeLocalRate(m_plan, m_cluster).ToBitsPerSecond());
                return {bits / rate, bits / rate, 0};
            }
            const double seconds = bits * dealing.ReplicasOnNode() / m_ways.Inside(from).PairRate();
            return {seconds + m_ways.Inside(from).delay.ToSeconds(), seconds, seconds};
        }
        const double delay = m_ways.Between(from, to).delay.ToSeconds();
        const double seconds =
            bits / m_ways.RateOfEach(from, to, m_ways.CrowdOf(m_plan, from, to, replicas));
        if (m_plan.sharing == WanSharing::Spatial)
        {
            return {seconds + delay, seconds, 0};
        }
        const double cell = m_plan.cellSize;
        const double scatter = bits * (cell - 1) / cell / m_ways.Inside(from).PairRate();
        const double turn = std::max(seconds / cell, scatter);
        return {turn + delay, cell * (turn + m_cluster.turnLatency.ToSeconds()), 0};
    }

    /// Update is what a worker has to do at the end of an iteration.
    struct Update
    {
        double bits = 0;    ///< of its gradients
        double seconds = 0; ///< time of the optimiser's step
    };

    /// Returns the updates by worker.
    std::vector<Update> Updates(const std::vector<std::uint32_t>& dataCenterOfWorker) const
    {
        std::vector<Update> updates(m_plan.pipelineStages);
        for (std::size_t stage = 0; stage < m_workers.size(); ++stage)
        {
            Update& update = updates[m_workers[stage]];
            update.bits += 8.0 * static_cast<double>(m_table.Reduced(stage).Count());
            update.seconds += OptimizerSeconds(dataCenterOfWorker[m_workers[stage]], stage);
        }
        return updates;
    }

    double OptimizerSeconds(std::uint32_t dataCenter, std::size_t stage) const
    {
        const double seconds = m_table.timing[dataCenter][stage].optimizerStep.ToSeconds();
        return m_job.shardsOptimizer ? seconds / m_plan.dataParallel : seconds;
    }

    const TrainingPlan& m_plan;
    const TrainingJob& m_job;
    const Cluster& m_cluster;
    const ClusterWays& m_ways;
    const StageTable& m_table;
    AllReduceEstimate m_allReduce;
    const ScheduleEntry& m_schedule;
    std::vector<std::uint32_t> m_workers; ///< by virtual stage
};

} // namespace

PlanEstimate
EstimatePlan(const TrainingPlan& plan,
             const PlanInputs& inputs,
             const ClusterWays& ways,
             const std::vector<std::uint32_t>& inFlight)
{
    return Estimate(plan, inputs, ways).Of(inFlight);
}

} // namespace geotrain
