#include "planner/plan-simulation.h"

#include "execution/executor.h"
#include "execution/spatial-sharing.h"
#include "execution/warm-ups.h"
#include "planner/cluster-network.h"
#include "planner/plan-streams.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// Chunks that a node pair carries of a message under temporal sharing: enough for them to cut
/// through.
constexpr std::int64_t chunksOfPart = 4;

class IterationEnd : public ExecutionObserver
{
  public:
    void IterationEnded(std::uint32_t /*iteration*/, Instant end) override
    {
        m_end = end;
    }

    Instant At() const
    {
        return m_end;
    }

  private:
    Instant m_end;
};

/// A message is one chunk of its (one) connection, unless chunks have to cut through. Never finer
/// than the transport's own.
Bytes
ChunkOf(const TrainingPlan& plan, const Cluster& cluster, const StageTable& table)
{
    Bytes largest = table.boundary;
    if (plan.sharing == WanSharing::Temporal)
    {
        largest = Bytes::Of(largest.Count() / (plan.cellSize * chunksOfPart) + 1);
    }
    else
    {
        largest =
            std::max(largest, *std::max_element(table.gradients.begin(), table.gradients.end()));
    }
    return std::max(largest, cluster.transport.chunk);
}

/// NVLink of the slowest GPU type that takes part: one figure for all nodes.
BitRate
NodeLocalRate(const TrainingPlan& plan, const Cluster& cluster)
{
    double slowest = std::numeric_limits<double>::infinity();
    for (const auto& host : plan.hosts)
    {
        slowest =
            std::min(slowest, 8 * cluster.dataCenters[host.dataCenter].gpu.nvlinkBytesPerSecond);
    }
    return BitRate::BitsPerSecond(static_cast<std::int64_t>(slowest));
}

std::unique_ptr<MessageCarrier>
MakeCarrier(const TrainingPlan& plan,
            const Cluster& cluster,
            const CellLayout& cells,
            Network& network)
{
    if (plan.sharing == WanSharing::Temporal)
    {
        return std::make_unique<TemporalSharing>(network, cells, cluster.turnLatency);
    }
    return std::make_unique<SpatialSharing>(network);
}

Duration
RingTime(const Cluster& cluster, std::uint32_t dataCenter, Bytes size, std::uint32_t members)
{
    const double bits = 8.0 * static_cast<double>(size.Count()) / members;
    const Duration step = Duration::Seconds(bits / IntraDcPairRate(cluster, dataCenter)) +
                          cluster.dataCenters[dataCenter].intraDelay;
    return step * (2 * (std::int64_t{members} - 1));
}

/// The stages of one of the alike cells: no gradients to reduce over the network, and the ring of
/// all replicas in the time of the optimiser's step.
StageTable
WithTimedRings(StageTable table, const TrainingPlan& plan, const Cluster& cluster)
{
    for (std::uint32_t dataCenter = 0; dataCenter < table.timing.size(); ++dataCenter)
    {
        for (std::size_t stage = 0; stage < table.timing[dataCenter].size(); ++stage)
        {
            auto& step = table.timing[dataCenter][stage].optimizerStep;
            step = step + RingTime(cluster, dataCenter, table.gradients[stage], plan.dataParallel);
        }
    }
    table.gradients.assign(table.gradients.size(), Bytes());
    return table;
}

Cluster
WithShareOfLinks(Cluster cluster, std::uint32_t cells)
{
    for (BitRate& rate : cluster.linkRates)
    {
        rate = BitRate::BitsPerSecond(std::max<std::int64_t>(1, rate.ToBitsPerSecond() / cells));
    }
    return cluster;
}

PlanSimulation
Run(const TrainingPlan& plan,
    const TrainingJob& job,
    const Cluster& cluster,
    const StageTable& table)
{
    const PlanStreams streams = MakePlanStreams(plan, job, cluster, table);
    const bool temporal = plan.sharing == WanSharing::Temporal;
    const auto pairs = WarmUpsOf(streams.execution,
                                 temporal ? std::optional(streams.cells) : std::nullopt,
                                 [](const auto&) { return true; });
    AnalyticNetwork network(MakeAnalyticTopology(cluster, streams.cells.dataCenterOfNode, pairs));
    network.SetChunkSize(ChunkOf(plan, cluster, table));
    network.SetNodeLocalRate(NodeLocalRate(plan, cluster));
    const auto carrier = MakeCarrier(plan, cluster, streams.cells, network);
    IterationEnd end;
    ExecutorOptions options;
    options.collectiveTime = [](const CollectiveRequest& request)
    { return request.size > Bytes() ? std::nullopt : std::optional(Duration()); };
    Executor executor(streams.execution, network, *carrier, {&end}, options);
    executor.Run(Instant::Never());
    if (!executor.IsDone())
    {
        throw std::logic_error("a plan came to a halt: " + executor.WhoWaitsForWhat());
    }
    return {end.At() - Instant(), network.Counters().wanPayload};
}

} // namespace

std::uint32_t
AlikeCells(const TrainingPlan& plan, const Cluster& cluster)
{
    const bool sharesNodes = std::any_of(plan.hosts.begin(),
                                         plan.hosts.end(),
                                         [&plan, &cluster](const auto& host)
                                         {
                                             return std::uint64_t{host.count} * plan.dataParallel >
                                                    cluster.dataCenters[host.dataCenter].nodes;
                                         });
    if (sharesNodes || plan.HasReplicasAcross())
    {
        return 1;
    }
    return plan.sharing == WanSharing::Temporal ? plan.dataParallel / plan.cellSize
                                                : plan.dataParallel;
}

PlanSimulation
SimulatePlan(const TrainingPlan& plan,
             const TrainingJob& job,
             const Cluster& cluster,
             const StageTable& table)
{
    const std::uint32_t cells = AlikeCells(plan, cluster);
    if (cells == 1)
    {
        return SimulateWholePlan(plan, job, cluster, table);
    }
    // ZeRO-1's shards are those of all replicas, whatever the simulation holds of them.
    StageTable ofOne = table;
    for (const auto& host : plan.hosts)
    {
        ofOne.timing[host.dataCenter] = TimesIn(host.dataCenter, job, cluster, table, plan);
    }
    TrainingJob jobOfOne = job;
    jobOfOne.shardsOptimizer = false;
    TrainingPlan one = plan;
    one.dataParallel /= cells;
    one.cellSize = std::min(plan.cellSize, one.dataParallel);
    PlanSimulation simulation = Run(one,
                                    jobOfOne,
                                    WithShareOfLinks(cluster, cells),
                                    WithTimedRings(std::move(ofOne), plan, cluster));
    simulation.wanPayload = simulation.wanPayload * cells;
    return simulation;
}

PlanSimulation
SimulateWholePlan(const TrainingPlan& plan,
                  const TrainingJob& job,
                  const Cluster& cluster,
                  const StageTable& table)
{
    return Run(plan, job, cluster, table);
}

} // namespace geotrain
