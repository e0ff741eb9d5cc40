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

/// Chunks that a node pair carries of a message under temporal sharing: enough for them to cut through.
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

/// A message is one chunk of its (one) connection, unless chunks have to cut through. Never finer than the
/// transport's own.
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
        largest = std::max(largest, *std::max_element(table.gradients.begin(), table.gradients.end()));
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
MakeCarrier(const TrainingPlan& plan, const Cluster& cluster, const CellLayout& cells, Network& network)
{
    if (plan.sharing == WanSharing::Temporal)
    {
        return std::make_unique<TemporalSharing>(network, cells, cluster.turnLatency);
    }
    return std::make_unique<SpatialSharing>(network);
}

} // namespace

PlanSimulation
SimulatePlan(const TrainingPlan& plan,
             const TrainingJob& job,
             const Cluster& cluster,
             const StageTable& table)
{
    const PlanStreams streams = MakePlanStreams(plan, job, cluster, table);
    const bool temporal = plan.sharing == WanSharing::Temporal;
    const auto pairs = WarmUpsOf(streams.execution,
                                 temporal ? std::optional(streams.cells) : std::nullopt,
                                 true);
    AnalyticNetwork network(
        MakeAnalyticTopology(cluster, streams.cells.dataCenterOfNode, pairs));
    network.SetChunkSize(ChunkOf(plan, cluster, table));
    network.SetNodeLocalRate(NodeLocalRate(plan, cluster));
    const auto carrier = MakeCarrier(plan, cluster, streams.cells, network);
    IterationEnd end;
    Executor executor(streams.execution, network, *carrier, {&end});
    executor.Run(Instant::Never());
    if (!executor.IsDone())
    {
        throw std::logic_error("a plan came to a halt: " + executor.WhoWaitsForWhat());
    }
    return {end.At() - Instant(), network.Counters().wanPayload};
}

} // namespace geotrain
