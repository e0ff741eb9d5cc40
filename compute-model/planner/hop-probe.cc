// SPDX-License-Identifier: GPL-2.0-only
#include "planner/hop-probe.h"

#include "planner/message-log.h"
#include "planner/on-all-threads.h"
#include "planner/plan-simulation.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// Most messages of a pipeline, each way.
constexpr std::uint32_t mostMessages = 6;
/// The same of all pipelines together where packets are lost: what windows can carry changes with
/// each loss for longer.
constexpr std::uint32_t mostMessagesWithLoss = 32;

/// Timeouts in a pause that halve any window to the initial one: 2^16 segments are 95 MB.
constexpr std::int64_t longPause = 16;

/// Most pipelines whose messages are simulated for one measurement; more have the formula's hop.
constexpr std::uint32_t mostPipelines = 64;

/// Returns two stages without work between which messages have a size.
StageTable
WithoutWork(Bytes size, std::uint32_t from, std::uint32_t to)
{
    StageTable probe;
    probe.shares.resize(2);
    probe.timing.resize(std::size_t{std::max(from, to)} + 1);
    probe.timing[from].resize(2);
    probe.timing[to].resize(2);
    probe.gradients.resize(2);
    probe.boundary = size;
    return probe;
}

bool
LosesPackets(const Cluster& cluster)
{
    const auto& links = cluster.wan.links;
    return std::any_of(links.begin(),
                       links.end(),
                       [](const WanTopology::Link& link) { return link.lossRate > 0; });
}

/// Returns the plan of two stages with `messages` activations at once; each gradient follows its own.
TrainingPlan
AllAtOnce(TrainingPlan plan, std::uint32_t from, std::uint32_t to, std::uint32_t messages)
{
    plan.pipelineStages = 2;
    plan.virtualStages = 1;
    plan.microbatches = messages;
    plan.warmupFactor = messages;
    plan.memoryCap = 0;
    plan.schedule = "1f1b";
    plan.layersPerStage.clear();
    plan.customOrder.reset();
    plan.hosts = {{from, 1}, {to, 1}};
    return plan;
}

/// Returns the order in which each gradient comes back before the next activation goes.
std::shared_ptr<const ScheduleOrder>
OneAtATime(std::uint32_t messages)
{
    StageOrder alternating;
    for (std::uint32_t microbatch = 0; microbatch < messages; ++microbatch)
    {
        alternating.push_back({Operation::Kind::Forward, microbatch});
        alternating.push_back({Operation::Kind::Backward, microbatch});
    }
    auto order = std::make_shared<ScheduleOrder>();
    order->stages.assign(2, alternating);
    order->activationCap.assign(2, 1);
    return order;
}

/// A WanHop is a hop over the WAN behind a virtual stage of a plan.
struct WanHop
{
    std::size_t stage = 0;
    std::uint32_t from = 0; ///< data centre
    std::uint32_t to = 0;   ///< data centre
};

std::vector<WanHop>
WanHopsOf(const TrainingPlan& plan)
{
    std::vector<WanHop> hops;
    if (plan.HasReplicasAcross() || plan.hosts.size() < 2)
    {
        return hops;
    }
    const auto workers = WorkersOfStages(plan);
    const auto dataCenters = plan.DataCenterOfHosted();
    for (std::size_t stage = 0; stage + 1 < workers.size(); ++stage)
    {
        const std::uint32_t from = dataCenters[workers[stage]];
        const std::uint32_t to = dataCenters[workers[stage + 1]];
        if (from != to)
        {
            hops.push_back({stage, from, to});
        }
    }
    return hops;
}

} // namespace

HopProbe::HopProbe(const TrainingJob& job, const Cluster& cluster, const ClusterWays& ways)
    : m_job(job),
      m_cluster(cluster),
      m_ways(ways)
{
}

void
HopProbe::Measure(const std::vector<PlannedHops>& plans, unsigned threads)
{
    struct Unmeasured
    {
        WanHop hop;
        PlannedHops planned;
    };

    std::map<Key, Unmeasured> missing;
    for (const PlannedHops& planned : plans)
    {
        for (const WanHop& hop : WanHopsOf(*planned.first))
        {
            const Key key = KeyOf(hop.from, hop.to, *planned.first, *planned.second);
            if (m_hops.count(key) == 0)
            {
                missing.emplace(key, Unmeasured{hop, planned});
            }
        }
    }
    std::vector<Unmeasured> slots;
    for (const auto& [key, unmeasured] : missing)
    {
        slots.push_back(unmeasured);
    }
    OnAllThreads(
        threads,
        slots.size(),
        [&](std::size_t slot)
        {
            const auto& [hop, planned] = slots[slot];
            HopBetween(hop.from, hop.to, *planned.first, *planned.second);
        },
        [](double) {});
}

std::vector<Hop>
HopProbe::Measured(std::vector<Hop> hops, const TrainingPlan& plan, const StageTable& table)
{
    for (const auto& [stage, from, to] : WanHopsOf(plan))
    {
        hops[stage] = HopBetween(from, to, plan, table).value_or(hops[stage]);
    }
    return hops;
}

/// Returns whether pipelines that don't take turns with each other share nodes, or a link that they
/// can fill or that loses packets.
bool
HopProbe::MeetOthers(std::uint32_t from, std::uint32_t to, const TrainingPlan& plan) const
{
    const auto fillLink = [&plan](const Way& way) {
        return way.link < plan.dataParallel * std::min({way.source, way.destination, way.pair});
    };
    return plan.dataParallel > std::min(m_cluster.NodesOf(from), m_cluster.NodesOf(to)) ||
           fillLink(m_ways.Between(from, to)) || fillLink(m_ways.Between(to, from)) ||
           LosesPackets(m_cluster);
}

/// Returns whether windows of more than two bandwidth-delay products may overrun a queue.
bool
HopProbe::MayOverrun(std::uint32_t from, std::uint32_t to) const
{
    const auto isBeyond = [](const Way& way) {
        return way.window > 2 * std::min({way.source, way.destination, way.pair, way.link});
    };
    return m_cluster.transport.connection.tcp == AnalyticTcp::Bulk &&
           (isBeyond(m_ways.Between(from, to)) || isBeyond(m_ways.Between(to, from)));
}

/// Returns how many messages of a pipeline are measured, each way.
std::uint32_t
HopProbe::MessagesOf(std::uint32_t from, std::uint32_t to, const TrainingPlan& plan) const
{
    const bool loses = LosesPackets(m_cluster) || MayOverrun(from, to);
    const std::uint32_t most =
        loses ? std::max(mostMessages, mostMessagesWithLoss / plan.dataParallel) : mostMessages;
    return std::min(plan.microbatches, most);
}

/// Returns all that a measurement depends on.
HopProbe::Key
HopProbe::KeyOf(std::uint32_t from,
                std::uint32_t to,
                const TrainingPlan& plan,
                const StageTable& table) const
{
    const bool meetOthers = MeetOthers(from, to, plan);
    return {from,
            to,
            table.boundary.Count(),
            meetOthers ? plan.dataParallel : 0,
            meetOthers ? plan.tensorParallel : 0,
            plan.sharing == WanSharing::Temporal ? plan.cellSize : 0,
            MessagesOf(from, to, plan)};
}

std::optional<Hop>
HopProbe::HopBetween(std::uint32_t from,
                     std::uint32_t to,
                     const TrainingPlan& plan,
                     const StageTable& table)
{
    const Key key = KeyOf(from, to, plan, table);
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        const auto found = m_hops.find(key);
        if (found != m_hops.end())
        {
            return found->second;
        }
    }
    const auto hop = MeasureBetween(from, to, plan, table);
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_hops.emplace(key, hop).first->second;
}

/// Returns for how long a message takes all that its nodes may send or receive.
Duration
HopProbe::NodeOccupancy(std::uint32_t from,
                        std::uint32_t to,
                        const TrainingPlan& plan,
                        const StageTable& table) const
{
    const double parts = plan.sharing == WanSharing::Temporal ? plan.cellSize : 1;
    const double bits = 8.0 * static_cast<double>(table.boundary.Count()) / parts;
    return Duration::Seconds(bits / m_ways.NodeRateOfEach(from, to, plan.dataParallel));
}

std::optional<Hop>
HopProbe::MeasureBetween(std::uint32_t from,
                         std::uint32_t to,
                         const TrainingPlan& plan,
                         const StageTable& table) const
{
    TrainingPlan probe = AllAtOnce(plan, from, to, MessagesOf(from, to, plan));
    if (probe.dataParallel / AlikeCells(probe, m_cluster) > mostPipelines)
    {
        return std::nullopt;
    }
    TrainingJob job = m_job;
    job.shardsOptimizer = false;
    StageTable stages = WithoutWork(table.boundary, from, to);
    const bool temporal = plan.sharing == WanSharing::Temporal;
    const auto simulated = [&]
    {
        MessageLog log;
        OrderCache orders;
        SimulatePlan(probe, job, m_cluster, stages, orders, &log);
        return log.ByWay(temporal);
    };
    const MessagesByWay burst = simulated();
    const double occupancy = burst.LaterInterval();
    probe.customOrder = OneAtATime(probe.microbatches);
    const MessagesByWay sequential = simulated();
    const double latency = sequential.LaterLatency();
    Hop hop;
    hop.occupancy = Duration::Seconds(std::min(occupancy, latency));
    hop.delay = Duration::Seconds(latency) - hop.occupancy;
    hop.nodeOccupancy = std::min(hop.occupancy, NodeOccupancy(from, to, plan, table));
    hop.takesTurns = temporal;
    for (std::size_t place = 0; place < sequential.Places(); ++place)
    {
        hop.cold.push_back({Duration::Seconds(sequential.LatencyAt(place)),
                            Duration::Seconds(place > 0 ? burst.IntervalBefore(place) : 0)});
    }
    const AnalyticConnection& connection = m_cluster.transport.connection;
    if (connection.tcp == AnalyticTcp::Bulk && connection.restartsAfterIdle)
    {
        hop.restart.roundTrip = m_ways.Between(from, to).roundTrip;
        hop.restart.timeout = hop.restart.roundTrip + leastTimeoutVariation;
        probe.microbatches = 1;
        probe.customOrder = OneAtATime(1);
        stages.timing[from].front().forward = hop.restart.timeout * longPause;
        hop.restart.alone = Duration::Seconds(simulated().LatencyAt(0));
    }
    return hop;
}

} // namespace geotrain
