#include "analytic/analytic-network.h"

#include "analytic/max-min-fairness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace geotrain
{

namespace
{

constexpr double unlimited = std::numeric_limits<double>::infinity();

double
Bits(Bytes size)
{
    return 8.0 * static_cast<double>(size.Count());
}

} // namespace

struct AnalyticNetwork::Pair
{
    AnalyticPath path;
    std::vector<std::deque<FlowIndex>> connections; ///< of transfers, the first of each under way
    std::deque<FlowIndex> waiting;                  ///< striped messages without a connection
    std::vector<FlowIndex> striped;                 ///< under way, in the order in which they began
    std::uint32_t freeConnections = 0;              ///< for striped messages
    std::vector<FlowIndex> toBegin;                 ///< transfers at the head of their connection
    ConnectionWindows windows;
    std::uint32_t nextConnection = 0; ///< that a striped message takes
    bool isToStart = false;

    explicit Pair(const AnalyticPath& way)
        : path(way),
          connections(way.connections),
          freeConnections(way.connections),
          windows(way.connections, {way.initialWindow, way.window, way.segment, way.roundTrip})
    {
    }
};

AnalyticNetwork::AnalyticNetwork(AnalyticTopology topology)
    : AnalyticNetwork(std::move(topology), m_loop)
{
}

AnalyticNetwork::AnalyticNetwork(AnalyticTopology topology, Clock& clock)
    : m_topology(std::move(topology)),
      m_clock(clock),
      m_links(m_topology.linkRates.size())
{
    for (std::size_t link = 0; link < m_links.size(); ++link)
    {
        const auto rate = static_cast<double>(m_topology.linkRates[link].ToBitsPerSecond());
        m_links[link].capacity = rate * m_topology.payloadShare * 1e-9;
    }
}

AnalyticNetwork::~AnalyticNetwork() = default;

Clock&
AnalyticNetwork::GetClock()
{
    return m_clock;
}

AnalyticNetwork::Pair&
AnalyticNetwork::PairOf(NodeIndex source, NodeIndex destination) const
{
    auto& pair = m_pairs[(std::uint64_t{source} << 32) | destination];
    if (!pair)
    {
        pair = std::make_unique<Pair>(m_topology.pathOf(source, destination));
    }
    return *pair;
}

std::uint32_t
AnalyticNetwork::ConnectionsBetween(NodeIndex source, NodeIndex destination) const
{
    return PairOf(source, destination).path.connections;
}

AnalyticNetwork::FlowIndex
AnalyticNetwork::NewFlow(Pair& pair, Bytes size, TransferCallback callback)
{
    if (m_freeFlows.empty())
    {
        m_freeFlows.push_back(static_cast<FlowIndex>(m_flows.size()));
        m_flows.emplace_back();
    }
    const FlowIndex index = m_freeFlows.back();
    m_freeFlows.pop_back();
    Flow& flow = m_flows[index];
    const std::uint64_t visited = flow.visited;
    flow = Flow();
    flow.visited = visited;
    flow.pair = &pair;
    flow.number = ++m_lastTransfer;
    flow.callback = std::move(callback);
    flow.size = size;
    flow.bitsLeft = Bits(size);
    return index;
}

TransferNumber
AnalyticNetwork::Transfer(const TransferRequest& request, TransferCallback callback)
{
    Pair& pair = PairOf(request.source, request.destination);
    if (request.connection >= pair.connections.size() || !(request.size > Bytes()))
    {
        throw std::invalid_argument(
            "a transfer needs a connection that is there and at least 1 byte");
    }
    const FlowIndex index = NewFlow(pair, request.size, std::move(callback));
    m_flows[index].connection = request.connection;
    auto& queue = pair.connections[request.connection];
    queue.push_back(index);
    if (queue.size() == 1)
    {
        pair.toBegin.push_back(index);
        StartWaiting(pair);
    }
    return m_flows[index].number;
}

void
AnalyticNetwork::SendStriped(NodeIndex source,
                             NodeIndex destination,
                             Bytes size,
                             TransferCallback callback)
{
    if (source == destination || !(size > Bytes()))
    {
        Network::SendStriped(source, destination, size, std::move(callback));
        return;
    }
    Pair& pair = PairOf(source, destination);
    const FlowIndex index = NewFlow(pair, size, std::move(callback));
    const std::int64_t chunks = (size.Count() + ChunkSize().Count() - 1) / ChunkSize().Count();
    m_flows[index].wanted =
        static_cast<std::uint32_t>(std::min<std::int64_t>(chunks, pair.path.connections));
    pair.waiting.push_back(index);
    StartWaiting(pair);
}

void
AnalyticNetwork::Cancel(TransferNumber transfer)
{
    m_cancelled.insert(transfer);
}

void
AnalyticNetwork::Prepare(const std::vector<WarmUp>& pairs)
{
    for (const WarmUp& warmUp : pairs)
    {
        PairOf(warmUp.source, warmUp.destination).windows.Warm(warmUp.size);
    }
}

NetworkCounters
AnalyticNetwork::Counters() const
{
    return m_counters;
}

/// At the next update, which has all changes of this instant.
void
AnalyticNetwork::StartWaiting(Pair& pair)
{
    if (!pair.isToStart)
    {
        pair.isToStart = true;
        m_toStart.push_back(&pair);
        RequestUpdate();
    }
}

void
AnalyticNetwork::RequestUpdate()
{
    if (!m_updateRequested)
    {
        m_updateRequested = true;
        m_clock.Schedule(m_clock.Now(), [this] { Update(); });
    }
}

void
AnalyticNetwork::Update()
{
    // What callers send when they hear that a connection is free joins this update.
    for (std::size_t ended = 0; ended < m_ended.size(); ++ended)
    {
        EndFlow(m_ended[ended]);
    }
    m_ended.clear();
    for (const FlowIndex index : m_phaseEnded)
    {
        EndPhase(index);
    }
    m_phaseEnded.clear();
    for (std::size_t start = 0; start < m_toStart.size(); ++start)
    {
        Pair& pair = *m_toStart[start];
        pair.isToStart = false;
        for (const FlowIndex index : pair.toBegin)
        {
            m_flows[index].connections = 1;
            Begin(index);
        }
        pair.toBegin.clear();
        StartStriped(pair);
    }
    m_toStart.clear();
    m_updateRequested = false;
    ShareRates();
}

/// Freed connections go to the message that began first and can use more, then to those that wait.
void
AnalyticNetwork::StartStriped(Pair& pair)
{
    for (const FlowIndex index : pair.striped)
    {
        Flow& flow = m_flows[index];
        const std::uint32_t more = std::min(flow.wanted - flow.connections, pair.freeConnections);
        flow.connections += more;
        pair.freeConnections -= more;
        if (more > 0)
        {
            m_touched.push_back(index);
        }
    }
    while (!pair.waiting.empty() && pair.freeConnections > 0)
    {
        const FlowIndex index = pair.waiting.front();
        pair.waiting.pop_front();
        Flow& flow = m_flows[index];
        flow.connections = std::min(flow.wanted, pair.freeConnections);
        flow.connection = pair.nextConnection;
        pair.nextConnection = (flow.connection + flow.connections) % pair.path.connections;
        pair.freeConnections -= flow.connections;
        pair.striped.push_back(index);
        Begin(index);
    }
}

/// At once, or when its connections may send again.
void
AnalyticNetwork::Begin(FlowIndex index)
{
    const Flow& flow = m_flows[index];
    ConnectionWindows& windows = flow.pair->windows;
    if (!windows.HasLimit())
    {
        Join(index);
        return;
    }
    const auto allows = windows.Allows({flow.connection, flow.connections}, m_clock.Now());
    if (allows.now > 0)
    {
        Join(index);
        return;
    }
    m_clock.Schedule(allows.roundTripEnd,
                     [this, index]
                     {
                         Begin(index);
                         RequestUpdate();
                     });
}

void
AnalyticNetwork::Join(FlowIndex index)
{
    Flow& flow = m_flows[index];
    flow.isUnderWay = true;
    flow.progressedTo = m_clock.Now();
    for (const std::size_t link : flow.pair->path.links)
    {
        m_links[link].flows.push_back(index);
    }
    StartPhase(flow);
    m_touched.push_back(index);
    const Instant at = m_clock.Now() + flow.pair->path.delay;
    m_clock.Schedule(at,
                     [this, index] { Tell(index, TransferEvent::Kind::FirstByte, m_clock.Now()); });
}

/// What its connections may send now goes at any rate if it is all that is left; else it is spread over the rest of the
/// round trip, and once the windows grow no more, with all later round trips but the last.
void
AnalyticNetwork::StartPhase(Flow& flow)
{
    flow.limitOfConnection = 0;
    flow.bitsLeftInPhase = unlimited;
    ConnectionWindows& windows = flow.pair->windows;
    if (!windows.HasLimit())
    {
        return;
    }
    const ConnectionWindows::Range range{flow.connection, flow.connections};
    const auto allows = windows.Allows(range, m_clock.Now());
    windows.Take(range, flow.bitsLeft, allows.now);
    if (flow.bitsLeft <= allows.now)
    {
        return;
    }
    const double more =
        allows.isOpen ? std::ceil((flow.bitsLeft - allows.now) / allows.ofRoundTrip) - 1 : 0;
    const auto roundTrip = static_cast<double>(flow.pair->path.roundTrip.ToNanoseconds());
    const auto left = static_cast<double>((allows.roundTripEnd - m_clock.Now()).ToNanoseconds());
    flow.bitsLeftInPhase = allows.now + more * allows.ofRoundTrip;
    flow.limitOfConnection = flow.bitsLeftInPhase / (left + more * roundTrip) / flow.connections;
}

void
AnalyticNetwork::EndPhase(FlowIndex index)
{
    Flow& flow = m_flows[index];
    Progress(flow);
    flow.hasEnd = false;
    flow.pair->windows.Acknowledge({flow.connection, flow.connections}, m_clock.Now());
    StartPhase(flow);
    m_touched.push_back(index);
}

/// The last bit of the flow has gone.
void
AnalyticNetwork::EndFlow(FlowIndex index)
{
    Flow& flow = m_flows[index];
    Pair& pair = *flow.pair;
    Leave(index);
    if (flow.wanted > 0)
    {
        pair.freeConnections += flow.connections;
        pair.striped.erase(std::find(pair.striped.begin(), pair.striped.end(), index));
    }
    else
    {
        auto& queue = pair.connections[flow.connection];
        queue.pop_front();
        if (!queue.empty())
        {
            pair.toBegin.push_back(queue.front());
        }
    }
    StartWaiting(pair);
    Tell(index, TransferEvent::Kind::Sent, m_clock.Now());
    m_clock.Schedule(m_clock.Now() + pair.path.delay,
                     [this, index] { Deliver(index, m_clock.Now()); });
}

/// Frees the flow's share of its links for one flow on each, and those that share with it.
void
AnalyticNetwork::Leave(FlowIndex index)
{
    for (const std::size_t link : m_flows[index].pair->path.links)
    {
        auto& flows = m_links[link].flows;
        flows.erase(std::find(flows.begin(), flows.end(), index));
        if (!flows.empty())
        {
            m_touched.push_back(flows.front());
        }
    }
    m_flows[index].isUnderWay = false;
}

void
AnalyticNetwork::ShareRates()
{
    ++m_stamp;
    for (const FlowIndex index : m_touched)
    {
        // A flow that was touched may have ended since.
        if (m_flows[index].visited != m_stamp && m_flows[index].isUnderWay)
        {
            Gather(index);
            ShareGathered();
        }
    }
    m_touched.clear();
}

/// All flows that share links with `first`, directly or through others, and these links.
void
AnalyticNetwork::Gather(FlowIndex first)
{
    m_gatheredFlows.assign(1, first);
    m_gatheredLinks.clear();
    m_flows[first].visited = m_stamp;
    for (std::size_t next = 0; next < m_gatheredFlows.size(); ++next)
    {
        for (const std::size_t index : m_flows[m_gatheredFlows[next]].pair->path.links)
        {
            Link& link = m_links[index];
            if (link.visited == m_stamp)
            {
                continue;
            }
            link.visited = m_stamp;
            link.local = m_gatheredLinks.size();
            m_gatheredLinks.push_back(index);
            for (const FlowIndex other : link.flows)
            {
                if (m_flows[other].visited != m_stamp)
                {
                    m_flows[other].visited = m_stamp;
                    m_gatheredFlows.push_back(other);
                }
            }
        }
    }
}

void
AnalyticNetwork::ShareGathered()
{
    if (m_gatheredFlows.size() == 1)
    {
        const Flow& flow = m_flows[m_gatheredFlows.front()];
        const double limit = flow.limitOfConnection;
        double rate = limit > 0 ? limit * flow.connections : unlimited;
        for (const std::size_t link : m_gatheredLinks)
        {
            rate = std::min(rate, m_links[link].capacity);
        }
        SetRate(m_gatheredFlows.front(), rate);
        return;
    }
    std::vector<FlowGroup> groups(m_gatheredFlows.size());
    for (std::size_t index = 0; index < groups.size(); ++index)
    {
        const Flow& flow = m_flows[m_gatheredFlows[index]];
        groups[index].weight = flow.connections;
        groups[index].rateLimit = flow.limitOfConnection;
        for (const std::size_t link : flow.pair->path.links)
        {
            groups[index].links.push_back(m_links[link].local);
        }
    }
    std::vector<double> capacities;
    for (const std::size_t link : m_gatheredLinks)
    {
        capacities.push_back(m_links[link].capacity);
    }
    const auto rates = MaxMinFairRates(groups, capacities);
    for (std::size_t index = 0; index < rates.size(); ++index)
    {
        SetRate(m_gatheredFlows[index], rates[index] * groups[index].weight);
    }
}

void
AnalyticNetwork::Progress(Flow& flow)
{
    const auto passed = static_cast<double>((m_clock.Now() - flow.progressedTo).ToNanoseconds());
    flow.bitsLeft -= flow.bitsPerNanosecond * passed;
    flow.bitsLeftInPhase -= flow.bitsPerNanosecond * passed;
    flow.progressedTo = m_clock.Now();
}

void
AnalyticNetwork::SetRate(FlowIndex index, double bitsPerNanosecond)
{
    Flow& flow = m_flows[index];
    if (flow.hasEnd && bitsPerNanosecond == flow.bitsPerNanosecond)
    {
        return;
    }
    if (flow.hasEnd)
    {
        Progress(flow);
        m_clock.Cancel(flow.end);
    }
    flow.progressedTo = m_clock.Now();
    flow.bitsPerNanosecond = bitsPerNanosecond;
    flow.hasEnd = true;
    const bool phaseEnds = flow.bitsLeftInPhase < flow.bitsLeft;
    const double bits = phaseEnds ? flow.bitsLeftInPhase : flow.bitsLeft;
    const double left = std::max(0.0, bits / bitsPerNanosecond);
    const auto wait = Duration::Nanoseconds(static_cast<std::int64_t>(std::ceil(left)));
    flow.end = m_clock.Schedule(m_clock.Now() + wait,
                                [this, index, phaseEnds]
                                {
                                    (phaseEnds ? m_phaseEnded : m_ended).push_back(index);
                                    RequestUpdate();
                                });
}

void
AnalyticNetwork::Deliver(FlowIndex index, Instant at)
{
    const Flow& flow = m_flows[index];
    const bool crossesWan = flow.pair->path.crossesWan;
    (crossesWan ? m_counters.wanPayload : m_counters.intraDcPayload) += flow.size;
    if (crossesWan)
    {
        m_counters.wanWireBytes += Bytes::Of(
            std::llround(static_cast<double>(flow.size.Count()) / m_topology.payloadShare));
    }
    Tell(index, TransferEvent::Kind::Delivered, at);
    m_cancelled.erase(flow.number);
    m_freeFlows.push_back(index);
}

void
AnalyticNetwork::Tell(FlowIndex index, TransferEvent::Kind kind, Instant at)
{
    const Flow& flow = m_flows[index];
    if (m_cancelled.empty() || m_cancelled.count(flow.number) == 0)
    {
        flow.callback({kind, flow.number, at, {}});
    }
}

} // namespace geotrain
