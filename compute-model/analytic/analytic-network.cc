#include "analytic/analytic-network.h"

#include "analytic/max-min-fairness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// What rounding may leave of a transfer that has ended.
constexpr double bitTolerance = 1e-3;

} // namespace

struct AnalyticNetwork::Pair
{
    AnalyticPath path;
    std::vector<std::deque<Flight>> connections;
    std::uint32_t busyConnections = 0;
    std::uint32_t sharedFor = 0;  ///< busy connections when the rate was set
    double bitsPerNanosecond = 0; ///< of each busy connection
};

AnalyticNetwork::AnalyticNetwork(AnalyticTopology topology)
    : m_topology(std::move(topology))
{
    for (const BitRate rate : m_topology.linkRates)
    {
        m_capacities.push_back(static_cast<double>(rate.ToBitsPerSecond()) *
                               m_topology.payloadShare * 1e-9);
    }
}

AnalyticNetwork::~AnalyticNetwork() = default;

Clock&
AnalyticNetwork::GetClock()
{
    return m_loop;
}

AnalyticNetwork::Pair&
AnalyticNetwork::PairOf(NodeIndex source, NodeIndex destination) const
{
    auto& pair = m_pairs[{source, destination}];
    if (!pair)
    {
        pair = std::make_unique<Pair>();
        pair->path = m_topology.pathOf(source, destination);
        pair->connections.resize(pair->path.connections);
    }
    return *pair;
}

std::uint32_t
AnalyticNetwork::ConnectionsBetween(NodeIndex source, NodeIndex destination) const
{
    return PairOf(source, destination).path.connections;
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
    auto& connection = pair.connections[request.connection];
    if (connection.empty() && pair.busyConnections++ == 0)
    {
        m_activePairs.push_back(&pair);
    }
    const double bits = 8.0 * static_cast<double>(request.size.Count());
    connection.push_back({++m_lastTransfer, std::move(callback), request.size, bits, false});
    RequestUpdate(m_loop.Now());
    return m_lastTransfer;
}

void
AnalyticNetwork::Cancel(TransferNumber transfer)
{
    m_cancelled.insert(transfer);
}

void
AnalyticNetwork::Prepare(const std::vector<WarmUp>& /*pairs*/)
{
}

NetworkCounters
AnalyticNetwork::Counters() const
{
    return m_counters;
}

void
AnalyticNetwork::RequestUpdate(Instant at)
{
    if (m_isUpdating || (m_update != 0 && m_updateAt <= at))
    {
        return;
    }
    if (m_update != 0)
    {
        m_loop.Cancel(m_update);
    }
    m_updateAt = at;
    m_update = m_loop.Schedule(at, [this] { Update(); });
}

void
AnalyticNetwork::Update()
{
    m_update = 0;
    m_isUpdating = true;
    Progress();
    // What callers send when they hear that a connection is free joins this update.
    for (Ended& ended : TakeEnded())
    {
        Tell(ended.flight, TransferEvent::Kind::Sent, m_loop.Now());
        Deliver(*ended.pair, std::move(ended.flight));
    }
    BeginHeads();
    ShareRates();
    m_isUpdating = false;
    ScheduleNextEnd();
}

void
AnalyticNetwork::Progress()
{
    const auto nanoseconds = static_cast<double>((m_loop.Now() - m_progressedTo).ToNanoseconds());
    m_progressedTo = m_loop.Now();
    for (Pair* pair : m_activePairs)
    {
        for (auto& connection : pair->connections)
        {
            if (!connection.empty() && connection.front().begun)
            {
                Flight& head = connection.front();
                head.bitsLeft = std::isinf(pair->bitsPerNanosecond)
                                    ? 0
                                    : head.bitsLeft - pair->bitsPerNanosecond * nanoseconds;
            }
        }
    }
}

std::vector<AnalyticNetwork::Ended>
AnalyticNetwork::TakeEnded()
{
    std::vector<Ended> ended;
    for (Pair* pair : m_activePairs)
    {
        for (auto& connection : pair->connections)
        {
            if (!connection.empty() && connection.front().bitsLeft <= bitTolerance)
            {
                ended.push_back({pair, std::move(connection.front())});
                connection.pop_front();
                pair->busyConnections -= connection.empty() ? 1 : 0;
            }
        }
    }
    const auto isIdle = [](const Pair* pair) { return pair->busyConnections == 0; };
    m_activePairs.erase(std::remove_if(m_activePairs.begin(), m_activePairs.end(), isIdle),
                        m_activePairs.end());
    return ended;
}

void
AnalyticNetwork::BeginHeads()
{
    for (Pair* pair : m_activePairs)
    {
        for (auto& connection : pair->connections)
        {
            if (!connection.empty() && !connection.front().begun)
            {
                Flight& head = connection.front();
                head.begun = true;
                const Instant at = m_loop.Now() + pair->path.delay;
                m_loop.Schedule(at,
                                [this, number = head.number, callback = head.callback, at]
                                {
                                    if (m_cancelled.count(number) == 0)
                                    {
                                        callback({TransferEvent::Kind::FirstByte, number, at, {}});
                                    }
                                });
            }
        }
    }
}

void
AnalyticNetwork::ShareRates()
{
    // A pair that went idle has left the list and freed its share: its count differs from what it was.
    bool isStale = false;
    for (auto& [nodes, pair] : m_pairs)
    {
        isStale = isStale || pair->busyConnections != pair->sharedFor;
        pair->sharedFor = pair->busyConnections;
    }
    if (!isStale)
    {
        return;
    }
    std::vector<FlowGroup> groups;
    for (const Pair* pair : m_activePairs)
    {
        const auto roundTrip = static_cast<double>(pair->path.roundTrip.ToNanoseconds());
        const auto windowBits = 8.0 * static_cast<double>(pair->path.window.Count());
        groups.push_back({pair->path.links,
                          static_cast<double>(pair->busyConnections),
                          roundTrip > 0 ? windowBits / roundTrip : 0});
    }
    const auto rates = MaxMinFairRates(groups, m_capacities);
    for (std::size_t index = 0; index < rates.size(); ++index)
    {
        m_activePairs[index]->bitsPerNanosecond = rates[index];
    }
}

void
AnalyticNetwork::ScheduleNextEnd()
{
    double soonest = std::numeric_limits<double>::infinity();
    for (const Pair* pair : m_activePairs)
    {
        for (const auto& connection : pair->connections)
        {
            if (!connection.empty())
            {
                soonest = std::min(soonest, connection.front().bitsLeft / pair->bitsPerNanosecond);
            }
        }
    }
    if (std::isfinite(soonest))
    {
        const auto wait = static_cast<std::int64_t>(std::ceil(std::max(0.0, soonest)));
        RequestUpdate(m_loop.Now() + Duration::Nanoseconds(wait));
    }
}

void
AnalyticNetwork::Deliver(const Pair& pair, Flight flight)
{
    const Instant at = m_loop.Now() + pair.path.delay;
    m_loop.Schedule(at,
                    [this, crossesWan = pair.path.crossesWan, flight = std::move(flight), at]
                    {
                        (crossesWan ? m_counters.wanPayload : m_counters.intraDcPayload) +=
                            flight.size;
                        if (crossesWan)
                        {
                            m_counters.wanWireBytes +=
                                Bytes::Of(std::llround(static_cast<double>(flight.size.Count()) /
                                                       m_topology.payloadShare));
                        }
                        Tell(flight, TransferEvent::Kind::Delivered, at);
                        m_cancelled.erase(flight.number);
                    });
}

void
AnalyticNetwork::Tell(const Flight& flight, TransferEvent::Kind kind, Instant at)
{
    if (m_cancelled.count(flight.number) == 0)
    {
        flight.callback({kind, flight.number, at, {}});
    }
}

} // namespace geotrain
