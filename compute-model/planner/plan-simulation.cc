// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-simulation.h"

#include "analytic/window-meetings.h"
#include "execution/plan-run.h"
#include "execution/warm-ups.h"
#include "timing/compute-jitter.h"
#include "training-plan/plan-streams.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// Least number of cells that run where they queue at a WAN link, if there are as many: with fewer,
/// a cell's bursts meet too little of the others'. More run while they are no more pipelines, and
/// send no more messages each way over the WAN, than these.
constexpr std::uint32_t leastCellsInAQueue = 4;
constexpr std::uint32_t mostPipelinesInAQueue = 64;
constexpr std::uint64_t mostMessagesInAQueue = 1000;

/// Returns how many of `cells` cells that queue at WAN links run; they divide the cells.
std::uint32_t
CellsThatRun(const TrainingPlan& plan, std::uint32_t cells)
{
    const std::uint64_t pipelines = plan.dataParallel / cells;
    const std::uint64_t messages =
        std::max<std::uint64_t>(1, pipelines * (plan.hosts.size() - 1) * plan.microbatches);
    const std::uint64_t affordable =
        std::min(mostMessagesInAQueue / messages, mostPipelinesInAQueue / pipelines);
    auto running = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(cells, std::max<std::uint64_t>(leastCellsInAQueue, affordable)));
    while (cells % running != 0)
    {
        ++running;
    }
    return running;
}

/// Returns how many workers a plan packs into a node of a data centre; 1 where it spreads them.
std::uint32_t
SlotsToPack(const TrainingPlan& plan, const Cluster& cluster, const TrainingPlan::Host& host)
{
    const NodeDealing dealing = DealingOf(cluster, plan, host);
    return dealing.placement == NodePlacement::Pack ? dealing.slots : 1;
}

/// Returns whether workers of a plan share nodes of a data centre.
bool
SharesNodes(const TrainingPlan& plan, const Cluster& cluster, const TrainingPlan::Host& host)
{
    const std::uint64_t workers = std::uint64_t{host.count} * plan.dataParallel;
    return workers > (SlotsToPack(plan, cluster, host) > 1 ? 1 : cluster.NodesOf(host.dataCenter));
}

bool
SharesNodes(const TrainingPlan& plan, const Cluster& cluster)
{
    return std::any_of(plan.hosts.begin(),
                       plan.hosts.end(),
                       [&](const auto& host) { return SharesNodes(plan, cluster, host); });
}

/// Returns how many cells a plan has that share no node; 1 where they do. Workers that are spread go
/// round a data centre's nodes stage by stage, so that replicas whose number divides that of the nodes
/// share none, even if several stages of one do. The rings of these stages meet on the node, so that
/// two replicas at least make a cell. Of workers that are packed, a cell has two whole nodes per stage.
std::uint32_t
CellsWithoutCommonNodes(const TrainingPlan& plan, const Cluster& cluster)
{
    if (plan.collective != ringCollective.name)
    {
        return 1; // only a ring of some stands for all
    }
    const std::uint32_t slots = SlotsToPack(plan, cluster, plan.hosts.front());
    const bool areAlike =
        std::all_of(plan.hosts.begin(),
                    plan.hosts.end(),
                    [&](const auto& host) { return SlotsToPack(plan, cluster, host) == slots; });
    if (slots > 1 || !areAlike)
    {
        const std::uint32_t cell = 2 * slots;
        return areAlike && plan.dataParallel % cell == 0 ? plan.dataParallel / cell : 1;
    }
    const bool isShared = SharesNodes(plan, cluster);
    const bool replicasMeet =
        std::any_of(plan.hosts.begin(),
                    plan.hosts.end(),
                    [&](const auto& host)
                    {
                        return SharesNodes(plan, cluster, host) &&
                               cluster.NodesOf(host.dataCenter) % plan.dataParallel != 0;
                    });
    if (replicasMeet)
    {
        return 1;
    }
    std::uint32_t cell = plan.sharing == WanSharing::Temporal
                             ? plan.cellSize
                             : std::min(isShared ? 2u : 1u, plan.dataParallel);
    while (plan.dataParallel % cell != 0)
    {
        ++cell;
    }
    return plan.dataParallel / cell;
}

/// Returns how many replicas in each data centre do the same, where a hierarchy of rings reduces over
/// data centres and a pipeline is in one of them. Returns 1 where replicas share nodes or have GPUs
/// of several types, and for a flat ring: how its fast hops make up for its slow ones needs all.
std::uint32_t
AlikeReplicas(const TrainingPlan& plan, const Cluster& cluster)
{
    if (plan.crossDc != CrossDc::ReplicasHierarchical || plan.sharing == WanSharing::Temporal ||
        HasOtherGpus(cluster, plan))
    {
        return 1;
    }
    std::uint32_t alike = 0;
    for (const auto& host : plan.hosts)
    {
        if (std::uint64_t{host.count} * plan.pipelineStages > cluster.NodesOf(host.dataCenter) ||
            SlotsToPack(plan, cluster, host) > 1)
        {
            return 1;
        }
        alike = std::gcd(alike, host.count);
    }
    return alike;
}

/// Returns whether the messages of all pipelines can build a queue at a WAN link.
bool
QueuesAtLinks(const TrainingPlan& plan, const Cluster& cluster)
{
    const Placement placement = PlacePlan(cluster, plan);
    std::vector<Network::WarmUp> pairs;
    for (std::uint32_t replica = 0; replica < plan.dataParallel; ++replica)
    {
        for (std::uint32_t stage = 0; stage + 1 < plan.pipelineStages; ++stage)
        {
            if (placement.dataCenterOfStage[stage] != placement.dataCenterOfStage[stage + 1])
            {
                const NodeIndex from = placement.nodeOfWorker[placement.WorkerOf(replica, stage)];
                const NodeIndex to = placement.nodeOfWorker[placement.WorkerOf(replica, stage + 1)];
                pairs.push_back({from, to, Bytes::Of(1)});
                pairs.push_back({to, from, Bytes::Of(1)});
            }
        }
    }
    const auto topology = MakeAnalyticTopology(cluster.wan, cluster.transport, pairs);
    // Replicas of a stage have the same way.
    const std::size_t ofReplica = pairs.size() / plan.dataParallel;
    return std::any_of(pairs.begin(),
                       pairs.begin() + static_cast<std::ptrdiff_t>(ofReplica),
                       [&topology](const Network::WarmUp& pair)
                       { return !topology.pathOf(pair.source, pair.destination).hops.empty(); });
}

Duration
RingTime(const Way& inside, Bytes size, std::uint32_t members)
{
    const double bits = 8.0 * static_cast<double>(size.Count()) / members;
    const Duration step = Duration::Seconds(bits / inside.PairRate()) + inside.delay;
    return step * (2 * (std::int64_t{members} - 1));
}

/// Returns the stages of one of alike cells. They have no gradients to reduce over the network; the
/// time of the optimiser's step includes the ring of `members` replicas in a data centre.
StageTable
WithTimedRings(StageTable table, const Cluster& cluster, std::uint32_t members)
{
    const ClusterWays ways(cluster);
    for (std::uint32_t dataCenter = 0; dataCenter < table.timing.size(); ++dataCenter)
    {
        for (std::size_t stage = 0; stage < table.timing[dataCenter].size(); ++stage)
        {
            auto& step = table.timing[dataCenter][stage].optimizerStep;
            step = step + RingTime(ways.Inside(dataCenter), table.gradients[stage], members);
        }
    }
    table.gradients.assign(table.gradients.size(), Bytes());
    return table;
}

/// Divides the links among `shares` that send the same.
void
DivideLinks(WanTopology& wan, std::uint32_t shares)
{
    for (WanTopology::Link& link : wan.links)
    {
        const auto divide = [shares](BitRate rate) {
            return BitRate::BitsPerSecond(
                std::max<std::int64_t>(1, rate.ToBitsPerSecond() / shares));
        };
        link.rateBack = divide(link.RateOf(false));
        link.rate = divide(link.rate);
        if (link.queue.unit != WanQueueSize::Unit::BandwidthDelayProducts)
        {
            link.queue.value /= shares;
        }
    }
}

/// Returns what one of `cells` cells of a plan has: its share of the links, and of the nodes where
/// stages share them.
Cluster
ShareOfCell(Cluster cluster, const TrainingPlan& plan, std::uint32_t cells)
{
    for (const auto& host : plan.hosts)
    {
        if (SharesNodes(plan, cluster, host))
        {
            cluster.wan.sites[host.dataCenter].nodes /= cells;
        }
    }
    DivideLinks(cluster.wan, cells);
    for (Cluster::DataCenter& dataCenter : cluster.dataCenters)
    {
        dataCenter.otherGpus.clear(); // the times are those of the slowest replica
    }
    return cluster;
}

/// CollectivesOfCells make rings of replicas that go on through alike cells
/// (CollectiveRequest::alike). A ring over the WAN belongs to one pipeline, for its tied
/// embeddings, or is one between data centres.
class CollectivesOfCells : public Collectives
{
  public:
    CollectivesOfCells(std::unique_ptr<Collectives> carried,
                       const std::vector<std::uint32_t>& dataCenterOfNode,
                       std::uint32_t cells)
        : m_carried(std::move(carried)),
          m_dataCenterOfNode(dataCenterOfNode),
          m_cells(cells)
    {
    }

    CollectiveHandle Join(const CollectiveRequest& request,
                          std::uint32_t member,
                          CollectiveCallback callback) override
    {
        const std::uint32_t first = m_dataCenterOfNode[request.members.front()];
        const std::uint32_t last = m_dataCenterOfNode[request.members.back()];
        CollectiveRequest ofAll = request;
        ofAll.alike = first == last ? m_cells : 1;
        return m_carried->Join(ofAll, member, std::move(callback));
    }

    void Cancel(CollectiveHandle collective) override
    {
        m_carried->Cancel(collective);
    }

  private:
    std::unique_ptr<Collectives> m_carried;
    const std::vector<std::uint32_t>& m_dataCenterOfNode;
    const std::uint32_t m_cells;
};

/// Returns the iterations to run. Some follow the measured ones, as in a run, so that these don't
/// see the pipeline drain.
MeasuredIterations
IterationsWithoutFlush(const TrainingPlan& plan)
{
    MeasuredIterations iterations = SteadyIterations(plan.pipelineStages, plan.microbatches);
    iterations.draining = iterations.settling;
    return iterations;
}

/// Runs `plan`, which stands for `cells` alike cells.
PlanSimulation
Run(const TrainingPlan& plan,
    const PlanInputs& inputs,
    std::uint32_t cells,
    const MeasuredIterations& withFlush)
{
    const Cluster& cluster = inputs.cluster;
    const PreparedPlan prepared =
        PreparePlan(inputs.job, cluster, plan, {&inputs.table, nullptr, inputs.orders});
    const MeasuredIterations iterations =
        prepared.order.noFlush ? IterationsWithoutFlush(plan) : withFlush;
    const PlanStreams streams =
        MakePlanStreams({prepared, inputs.job, cluster, plan, iterations.Count()});
    const auto& dataCenterOfNode = streams.cells.dataCenterOfNode;
    AnalyticTopology topology = MakeAnalyticTopology(cluster.wan, cluster.transport, streams.pairs);
    ExecutorOptions options;
    if (plan.dataParallel > 1 && !FindWindowMeetings(topology, NodePairsOf(streams.pairs)).empty())
    {
        options.durationOf = &BreakTie; // as a run does
    }
    AnalyticNetwork network(std::move(topology));
    PlanRun simulation(streams.execution,
                       network,
                       {streams.Turns(),
                        cluster.turnLatency,
                        {cluster.chunk, prepared.nodeLocalRate},
                        streams.pairs,
                        [](const CollectiveRequest& request) {
                            return request.size > Bytes() ? std::nullopt
                                                          : std::optional(Duration());
                        },
                        options});
    simulation.Decorate(
        [&](std::unique_ptr<Collectives> carried) {
            return std::make_unique<CollectivesOfCells>(
                std::move(carried), dataCenterOfNode, cells);
        });
    simulation.Prepare();
    const PlanOutcome outcome = simulation.Run(Instant::Never());
    if (!outcome.IsDone())
    {
        throw std::logic_error("the simulation of a plan came to a halt: " + outcome.report);
    }
    return {simulation.Times().TimeOf(iterations),
            Bytes::Of(network.Counters().wanPayload.Count() / iterations.Count())};
}

/// Returns the times of `plan` with ZeRO-1's shards for all its replicas, even if the simulation has
/// only some of them. All its collectives are all-reduces.
StageTable
TimesOfAll(const TrainingPlan& plan, const PlanInputs& inputs)
{
    StageTable table = inputs.table;
    for (const auto& host : plan.hosts)
    {
        table.timing[host.dataCenter] =
            TimesIn(host.dataCenter, inputs.job, inputs.cluster, table, plan);
    }
    for (std::size_t stage = 0; stage < table.gradients.size(); ++stage)
    {
        table.gradients[stage] = table.Reduced(stage);
    }
    table.gathered.clear();
    return table;
}

/// Runs one of `alike` replicas in each data centre. The rings inside the data centres have their
/// formula. One of the `alike` rings between them, of a piece each, has its share of the links.
PlanSimulation
RunOneOfAlikeReplicas(const TrainingPlan& plan,
                      const PlanInputs& inputs,
                      std::uint32_t alike,
                      const MeasuredIterations& iterations)
{
    StageTable ofOne = TimesOfAll(plan, inputs);
    TrainingJob job = inputs.job;
    job.shardsOptimizer = false;
    Cluster cluster = inputs.cluster;
    TrainingPlan one = plan;
    one.dataParallel /= alike;
    one.cellSize = 1;
    for (auto& host : one.hosts)
    {
        host.count /= alike;
    }
    auto pieces = ofOne.gradients;
    ofOne = WithTimedRings(std::move(ofOne), cluster, alike);
    for (Bytes& piece : pieces)
    {
        piece = Bytes::Of((piece.Count() + alike - 1) / alike);
    }
    ofOne.gradients = std::move(pieces);
    DivideLinks(cluster.wan, alike);
    PlanSimulation simulation = Run(one, {job, cluster, ofOne, inputs.orders}, 1, iterations);
    simulation.wanPayload = simulation.wanPayload * alike;
    return simulation;
}

} // namespace

std::uint32_t
AlikeCells(const TrainingPlan& plan, const Cluster& cluster)
{
    if (plan.HasReplicasAcross())
    {
        return AlikeReplicas(plan, cluster);
    }
    const std::uint32_t cells = CellsWithoutCommonNodes(plan, cluster);
    return cells > 1 && QueuesAtLinks(plan, cluster) ? cells / CellsThatRun(plan, cells) : cells;
}

PlanSimulation
SimulatePlan(const TrainingPlan& plan,
             const PlanInputs& inputs,
             const MeasuredIterations& iterations)
{
    const auto& [job, cluster, table, orders] = inputs;
    const std::uint32_t cells = AlikeCells(plan, cluster);
    if (cells == 1)
    {
        return SimulateWholePlan(plan, inputs, iterations);
    }
    if (plan.HasReplicasAcross())
    {
        return RunOneOfAlikeReplicas(plan, inputs, cells, iterations);
    }
    StageTable ofOne = TimesOfAll(plan, inputs);
    if (HasOtherGpus(cluster, plan))
    {
        const auto slowest = PreparePlan(job, cluster, plan, {&table, nullptr, orders}).timing;
        for (const auto& host : plan.hosts)
        {
            ofOne.timing[host.dataCenter] = slowest;
        }
    }
    TrainingJob jobOfOne = job;
    jobOfOne.shardsOptimizer = false;
    TrainingPlan one = plan;
    one.dataParallel /= cells;
    one.cellSize = std::min(plan.cellSize, one.dataParallel);
    // Pipelines that take turns end one after another, and the first of a ring disturb the last
    // turns. Rings of stages on one node disturb each other.
    const bool ringsMeet = plan.sharing == WanSharing::Temporal || SharesNodes(plan, cluster);
    if (!ringsMeet)
    {
        ofOne = WithTimedRings(std::move(ofOne), cluster, plan.dataParallel);
    }
    const Cluster clusterOfOne = ShareOfCell(cluster, plan, cells);
    PlanSimulation simulation =
        Run(one, {jobOfOne, clusterOfOne, ofOne, orders}, ringsMeet ? cells : 1, iterations);
    simulation.wanPayload = simulation.wanPayload * cells;
    return simulation;
}

PlanSimulation
SimulateWholePlan(const TrainingPlan& plan,
                  const PlanInputs& inputs,
                  const MeasuredIterations& iterations)
{
    return Run(plan, inputs, 1, iterations);
}

} // namespace geotrain
