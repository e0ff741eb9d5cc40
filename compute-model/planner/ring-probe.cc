// SPDX-License-Identifier: GPL-2.0-only
#include "planner/ring-probe.h"

#include "planner/all-reduce-estimate.h"
#include "planner/plan-simulation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace geotrain
{

namespace
{

/// Length that is measured of longer rings, in round trips and in seconds.
constexpr double mostRoundTrips = 200;
constexpr double mostSeconds = 2;

/// Returns the gradients of each worker of a pipeline.
std::vector<Bytes>
GradientsByWorker(const TrainingPlan& plan, const StageTable& table)
{
    const auto workers = WorkersOfStages(plan);
    std::vector<Bytes> gradients(plan.pipelineStages);
    for (std::size_t stage = 0; stage < workers.size(); ++stage)
    {
        gradients[workers[stage]] = gradients[workers[stage]] + table.gradients[stage];
    }
    return gradients;
}

/// Returns whether both ends of a pipeline have the embeddings, on different workers.
bool
SharesEmbeddings(const TrainingPlan& plan)
{
    const auto workers = WorkersOfStages(plan);
    return workers.front() != workers.back();
}

/// Returns stages that only reduce their gradients.
StageTable
WithoutComputing(const TrainingPlan& plan, const StageTable& table)
{
    StageTable probe;
    probe.shares.resize(plan.pipelineStages);
    probe.timing.resize(table.timing.size());
    for (const auto& host : plan.hosts)
    {
        probe.timing[host.dataCenter].resize(plan.pipelineStages);
    }
    probe.gradients = GradientsByWorker(plan, table);
    probe.boundary = Bytes::Of(1);
    probe.tiedEmbeddingGradients = SharesEmbeddings(plan) ? table.tiedEmbeddingGradients : Bytes();
    return probe;
}

/// Returns the plan with one microbatch and one stage a worker.
TrainingPlan
OfOneMicrobatch(TrainingPlan plan)
{
    plan.tensorParallel = 1;
    plan.microbatches = 1;
    plan.warmupFactor = 1;
    plan.virtualStages = 1;
    plan.memoryCap = 0;
    plan.schedule = "1f1b";
    plan.sharing = WanSharing::Spatial;
    plan.cellSize = 1;
    plan.layersPerStage.clear();
    plan.customOrder.reset();
    return plan;
}

Bytes
PartOf(Bytes size, double share)
{
    return Bytes::Of(std::llround(share * static_cast<double>(size.Count())));
}

/// RingLog keeps when the last replica of each worker had reduced all.
class RingLog : public ExecutionObserver
{
  public:
    explicit RingLog(std::uint32_t workers)
        : m_seconds(workers)
    {
    }

    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t /*iteration*/,
                          const Instruction& instruction,
                          Instant /*start*/,
                          Instant end) override
    {
        if (instruction.kind == InstructionKind::OptimizerStep)
        {
            double& seconds = m_seconds[worker % m_seconds.size()];
            seconds = std::max(seconds, (end - Instant()).ToSeconds());
        }
    }

    const std::vector<double>& Seconds() const
    {
        return m_seconds;
    }

  private:
    std::vector<double> m_seconds;
};

} // namespace

RingProbe::RingProbe(const TrainingJob& job, const Cluster& cluster, const ClusterWays& ways)
    : m_job(job),
      m_cluster(cluster),
      m_ways(ways)
{
}

RingProbe::Key
RingProbe::KeyOf(const TrainingPlan& plan, const StageTable& table)
{
    Key key{static_cast<std::int64_t>(plan.crossDc), plan.pipelineStages};
    for (const auto& host : plan.hosts)
    {
        key.push_back(host.dataCenter);
        key.push_back(host.count);
    }
    for (const Bytes& gradients : GradientsByWorker(plan, table))
    {
        key.push_back(gradients.Count());
    }
    key.push_back(SharesEmbeddings(plan) ? table.tiedEmbeddingGradients.Count() : 0);
    return key;
}

std::vector<double>
RingProbe::SecondsOf(const TrainingPlan& plan, const StageTable& table)
{
    const Key key = KeyOf(plan, table);
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        const auto found = m_seconds.find(key);
        if (found != m_seconds.end())
        {
            return found->second;
        }
    }
    const auto seconds = Measure(plan, table);
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_seconds.emplace(key, seconds).first->second;
}

/// Returns which share of the gradients is measured.
double
RingProbe::MeasuredShare(const TrainingPlan& plan, const StageTable& stages) const
{
    double longest = mostSeconds;
    for (std::size_t index = 0; index < plan.hosts.size(); ++index)
    {
        const Way& way = m_ways.Between(plan.hosts[index].dataCenter,
                                        plan.hosts[(index + 1) % plan.hosts.size()].dataCenter);
        longest = std::max(longest, mostRoundTrips * way.roundTrip.ToSeconds());
    }
    double bits = 0;
    for (const Bytes& gradients : stages.gradients)
    {
        bits += 8.0 * static_cast<double>(gradients.Count());
    }
    const double mean = bits / plan.pipelineStages;
    const double formula = AllReduceEstimate(plan, m_cluster, m_ways)
                               .Seconds(plan.hosts.front().dataCenter, mean, mean);
    return std::min(1.0, longest / formula);
}

std::vector<double>
RingProbe::Measure(const TrainingPlan& plan, const StageTable& table) const
{
    TrainingJob job = m_job;
    job.shardsOptimizer = false;
    StageTable stages = WithoutComputing(plan, table);
    const double share = MeasuredShare(plan, stages);
    for (Bytes& gradients : stages.gradients)
    {
        gradients = PartOf(gradients, share);
    }
    stages.tiedEmbeddingGradients = PartOf(stages.tiedEmbeddingGradients, share);
    OrderCache orders;
    RingLog log(plan.pipelineStages);
    SimulatePlan(OfOneMicrobatch(plan), job, m_cluster, stages, orders, &log);
    std::vector<double> seconds = log.Seconds();
    for (double& ofWorker : seconds)
    {
        ofWorker /= share;
    }
    return seconds;
}

} // namespace geotrain
