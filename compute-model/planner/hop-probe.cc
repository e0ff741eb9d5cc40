// SPDX-License-Identifier: GPL-2.0-only
#include "planner/hop-probe.h"

#include "planner/on-all-threads.h"
#include "planner/plan-simulation.h"

#include <algorithm>
#include <array>
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

/// What bulk-tcp's timeout has beyond the round trip, at least (Linux's least timeout).
constexpr Duration leastTimeoutVariation = Duration::Milliseconds(200);

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

/// MessageLog keeps when messages were there, by sender.
class MessageLog : public ExecutionObserver
{
  public:
    /// A Record is one message.
    struct Record
    {
        std::uint32_t microbatch = 0;
        double latency = 0;   ///< s, from its sending (its turn) to its arrival
        double delivered = 0; ///< s
    };

    void MessageDelivered(const Message& message, const MessageTimes& times) override
    {
        m_bySender.resize(std::max<std::size_t>(m_bySender.size(), message.sender + 1));
        m_bySender[message.sender].push_back({message.microbatch,
                                              (times.delivered - times.sendStart).ToSeconds(),
                                              (times.delivered - Instant()).ToSeconds()});
    }

    /// Returns the messages of each way in the order of their arrivals. Workers of a stage share a
    /// way if they take turns. The activations' ways have even numbers.
    std::vector<std::vector<Record>> ByWay(bool takesTurns) const
    {
        std::vector<std::vector<Record>> ways(takesTurns ? 2 : m_bySender.size());
        for (std::size_t sender = 0; sender < m_bySender.size(); ++sender)
        {
            auto& way = ways[takesTurns ? sender % 2 : sender];
            way.insert(way.end(), m_bySender[sender].begin(), m_bySender[sender].end());
        }
        for (auto& way : ways)
        {
            std::stable_sort(way.begin(),
                             way.end(),
                             [](const Record& a, const Record& b)
                             { return a.delivered < b.delivered; });
        }
        return ways;
    }

  private:
    std::vector<std::vector<Record>> m_bySender;
};

using Ways = std::vector<std::vector<MessageLog::Record>>;

/// Returns the mean latency of the messages of a place, counted from 0, on their ways.
double
LatencyAt(std::size_t place, const Ways& ways)
{
    double sum = 0;
    for (const auto& way : ways)
    {
        sum += way.at(place).latency;
    }
    return sum / static_cast<double>(ways.size());
}

/// Returns after which message of a way its later half begins.
std::size_t
LaterHalf(const Ways& ways)
{
    return (ways.front().size() - 1) / 2;
}

/// Returns the median latency of the later half of the messages: losses while windows opened make
/// some of them late.
double
LaterLatency(const Ways& ways)
{
    std::vector<double> latencies;
    for (std::size_t place = ways.front().size() - 1; place > LaterHalf(ways); --place)
    {
        latencies.push_back(LatencyAt(place, ways));
    }
    if (latencies.empty())
    {
        return LatencyAt(0, ways);
    }
    std::sort(latencies.begin(), latencies.end());
    return latencies[(latencies.size() - 1) / 2];
}

/// Returns the mean time between the later half of the messages of a direction's ways, of the faster
/// direction, since losses while windows opened make the other one late; 0 where a way has one
/// message.
double
LaterInterval(const Ways& ways)
{
    const std::size_t begin = LaterHalf(ways);
    const std::size_t intervals = ways.front().size() - 1 - begin;
    std::array<double, 2> sums{};
    for (std::size_t way = 0; way < ways.size() && intervals > 0; ++way)
    {
        sums[way % 2] += ways[way].back().delivered - ways[way][begin].delivered;
    }
    const std::size_t count = std::max<std::size_t>(1, intervals) * (ways.size() / 2);
    return std::min(sums[0], sums[1]) / static_cast<double>(count);
}

/// Returns the mean time between the arrival of a message of the activations' ways, which were sent
/// at once, and the one before it.
double
IntervalBefore(std::size_t place, const Ways& ways)
{
    double sum = 0;
    for (std::size_t way = 0; way < ways.size(); way += 2)
    {
        sum += ways[way].at(place).delivered - ways[way].at(place - 1).delivered;
    }
    return 2 * sum / static_cast<double>(ways.size());
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
    const auto dataCenters = plan.DataCenterOfStage();
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
    const Ways burst = simulated();
    const double occupancy = LaterInterval(burst);
    probe.customOrder = OneAtATime(probe.microbatches);
    const Ways sequential = simulated();
    const double latency = LaterLatency(sequential);
    Hop hop;
    hop.occupancy = Duration::Seconds(std::min(occupancy, latency));
    hop.delay = Duration::Seconds(latency) - hop.occupancy;
    hop.nodeOccupancy = std::min(hop.occupancy, NodeOccupancy(from, to, plan, table));
    hop.takesTurns = temporal;
    for (std::size_t place = 0; place < sequential.front().size(); ++place)
    {
        hop.cold.push_back({Duration::Seconds(LatencyAt(place, sequential)),
                            Duration::Seconds(place > 0 ? IntervalBefore(place, burst) : 0)});
    }
    const AnalyticConnection& connection = m_cluster.transport.connection;
    if (connection.tcp == AnalyticTcp::Bulk && connection.restartsAfterIdle)
    {
        hop.restart.roundTrip = m_ways.Between(from, to).roundTrip;
        hop.restart.timeout = hop.restart.roundTrip + leastTimeoutVariation;
        probe.microbatches = 1;
        probe.customOrder = OneAtATime(1);
        stages.timing[from].front().forward = hop.restart.timeout * longPause;
        hop.restart.alone = Duration::Seconds(LatencyAt(0, simulated()));
    }
    return hop;
}

} // namespace geotrain
