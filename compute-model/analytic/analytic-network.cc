// SPDX-License-Identifier: GPL-2.0-only
// The changes of an instant are gathered in one update: pairs advance, then share rates, then
// schedule their next event.
#include "analytic/analytic-network.h"

#include "analytic/make-pair-sender.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace geotrain
{

namespace
{

// Share of the WAN crossing that scatter or gather may take.
constexpr double shareOfCrossing = 1.0 / 100;

// Bytes per nanosecond of a pair that only queues limit, so that its own holds nothing.
constexpr double atOnce = 1e6;

} // namespace

/// A Pair is the state of one directed node pair.
struct AnalyticNetwork::Pair : LinkSharing::Member
{
    AnalyticPath path;
    std::unique_ptr<PairSender> sender;
    double rate = 0;         ///< bytes per nanosecond
    bool isChanged = false;  ///< in m_changed
    bool isAdvanced = false; ///< in m_advanced
    bool isWarm = false;     ///< its warm-up was carried
    Instant next = Instant::Never();
    Clock::EventNumber nextEvent = 0; ///< scheduled where `next` isn't Never

    Pair(const AnalyticPath& way, const LinkQueueOf& queueOf)
        : path(way),
          sender(MakePairSender(way, queueOf))
    {
        links = way.links;
        connections = way.connections;
        rank = way.rank.value_or(0);
    }
};

AnalyticNetwork::AnalyticNetwork(AnalyticTopology topology)
    : AnalyticNetwork(std::move(topology), m_loop)
{
}

AnalyticNetwork::AnalyticNetwork(AnalyticTopology topology, Clock& clock)
    : m_topology(std::move(topology)),
      m_clock(clock),
      m_queues(m_topology.linkRates.size()),
      m_sharing(m_topology.linkRates, m_topology.payloadShare)
{
}

AnalyticNetwork::~AnalyticNetwork() = default;

Clock&
AnalyticNetwork::GetClock()
{
    return m_clock;
}

AnalyticNetwork::Pair&
AnalyticNetwork::PairOf(NodeIndex source, NodeIndex destination, OwnerIndex owner) const
{
    auto& pairs = m_pairs[owner];
    auto& pair = pairs[(std::uint64_t{source} << 32) | destination];
    if (!pair)
    {
        AnalyticPath path = m_topology.pathOf(source, destination);
        if (!m_topology.ranks.empty())
        {
            path.rank = owner < m_topology.ranks.size() ? m_topology.ranks[owner] : 0;
        }
        pair = std::make_unique<Pair>(
            path, [this](std::size_t link) -> LinkQueue& { return QueueOf(link); });
        const auto reverse = pairs.find((std::uint64_t{destination} << 32) | source);
        if (reverse != pairs.end())
        {
            pair->sender->SetReverse(*reverse->second->sender);
            reverse->second->sender->SetReverse(*pair->sender);
        }
    }
    return *pair;
}

/// Returns the queue of a link, which it makes at the first call.
LinkQueue&
AnalyticNetwork::QueueOf(std::size_t link) const
{
    auto& queue = m_queues[link];
    if (!queue)
    {
        auto settings = m_topology.queues.empty() ? LinkQueue::Settings() : m_topology.queues[link];
        settings.rate = m_sharing.RateAlone({link});
        queue = std::make_unique<LinkQueue>(settings);
    }
    return *queue;
}

/// Returns the rate of a pair that sends alone, in bytes per nanosecond.
double
AnalyticNetwork::RateAlone(const AnalyticPath& path) const
{
    double rate = m_sharing.RateAlone(path.links);
    for (const AnalyticPath::Hop& hop : path.hops)
    {
        rate = std::min(rate, m_sharing.RateAlone({hop.link}));
    }
    return rate;
}

std::uint32_t
AnalyticNetwork::ConnectionsBetween(NodeIndex source, NodeIndex destination) const
{
    return PairOf(source, destination).path.connections;
}

Bytes
AnalyticNetwork::PartSize(NodeIndex source,
                          NodeIndex relay,
                          NodeIndex destination,
                          Bytes size) const
{
    const AnalyticPath& crossing = PairOf(relay, destination).path;
    const auto delay = static_cast<double>(crossing.delay.ToNanoseconds());
    const double takes = delay + static_cast<double>(size.Count()) / RateAlone(crossing);
    const double part = RateAlone(PairOf(source, relay).path) * takes * shareOfCrossing;
    // The whole message where nothing limits the rate and the part is infinite or not a number.
    const double most = std::min(static_cast<double>(size.Count()), part);
    return Bytes::Of(static_cast<std::int64_t>(most));
}

AnalyticNetwork::MessageIndex
AnalyticNetwork::NewMessage(Pair& pair, Bytes size, TransferCallback callback)
{
    if (m_freeMessages.empty())
    {
        m_freeMessages.push_back(static_cast<MessageIndex>(m_messages.size()));
        m_messages.emplace_back();
    }
    const MessageIndex index = m_freeMessages.back();
    m_freeMessages.pop_back();
    m_messages[index] = {&pair, ++m_lastTransfer, std::move(callback), size};
    RequestUpdate(pair);
    return index;
}

TransferNumber
AnalyticNetwork::Transfer(const TransferRequest& request, TransferCallback callback)
{
    Pair& pair = PairOf(request.source, request.destination, request.owner);
    const bool isSpread = request.connection == everyConnection && request.chunk > Bytes();
    if ((!isSpread && request.connection >= pair.path.connections) || !(request.size > Bytes()))
    {
        throw std::invalid_argument("a transfer needs an existing connection and at least 1 byte");
    }
    const MessageIndex index = NewMessage(pair, request.size, std::move(callback));
    const std::int64_t size = request.size.Count();
    if (isSpread)
    {
        const std::int64_t chunk = request.chunk.Count();
        pair.sender->Stripe(index, size, (size + chunk - 1) / chunk);
    }
    else
    {
        pair.sender->Queue(index, size, request.connection);
    }
    return m_messages[index].number;
}

void
AnalyticNetwork::Cancel(TransferNumber transfer)
{
    m_cancelled.insert(transfer);
}

void
AnalyticNetwork::Prepare(const std::vector<WarmUp>& pairs)
{
    const bool hasBegun = m_lastTransfer > 0 || m_clock.Now() > Instant();
    std::vector<WarmUp> cold;
    for (const WarmUp& warmUp : pairs)
    {
        Pair& pair = PairOf(warmUp.source, warmUp.destination, warmUp.owner);
        if (!hasBegun && !pair.isWarm)
        {
            pair.isWarm = true;
            cold.push_back(warmUp);
        }
    }
    AnalyticNetwork rehearsal(m_topology);
    rehearsal.CarryWarmUps(cold);
    const Instant end = rehearsal.GetClock().Now();
    for (const WarmUp& warmUp : cold)
    {
        Pair& warm = rehearsal.PairOf(warmUp.source, warmUp.destination, warmUp.owner);
        PairOf(warmUp.source, warmUp.destination, warmUp.owner)
            .sender->TakeConnections(warm.sender->GiveConnections(), end - Instant());
    }
}

/// Carries each warm-up over all connections of its pair. Pairs that share a node go one after
/// another.
void
AnalyticNetwork::CarryWarmUps(const std::vector<WarmUp>& pairs)
{
    WarmUpOrder order(pairs);
    StartWarmUps(order);
    m_clock.Run(Instant::Never());
}

void
AnalyticNetwork::StartWarmUps(WarmUpOrder& order)
{
    for (auto index = order.TakeNext(); index < order.Count(); index = order.TakeNext())
    {
        StartWarmUp(order, index);
    }
}

/// Starts a warm-up, which ends when its last byte is acknowledged.
void
AnalyticNetwork::StartWarmUp(WarmUpOrder& order, std::size_t index)
{
    const WarmUp& warmUp = order.At(index);
    Pair& pair = PairOf(warmUp.source, warmUp.destination, warmUp.owner);
    const auto onEvent = [this, &order, &pair, index](const TransferEvent& event)
    {
        if (event.kind == TransferEvent::Kind::Delivered)
        {
            const Duration back = pair.path.roundTrip - pair.path.delay;
            m_clock.Schedule(event.at + back + pair.sender->LongestHold(),
                             [this, &order, index]
                             {
                                 order.End(index);
                                 StartWarmUps(order);
                             });
        }
    };
    pair.sender->QueueForAll(NewMessage(pair, warmUp.size, onEvent), warmUp.size.Count());
}

NetworkCounters
AnalyticNetwork::Counters() const
{
    return m_counters;
}

/// Adds the pair to the next update, which has all changes of this instant.
void
AnalyticNetwork::RequestUpdate(Pair& pair)
{
    if (!pair.isChanged)
    {
        pair.isChanged = true;
        m_changed.push_back(&pair);
    }
    if (!m_updateRequested)
    {
        m_updateRequested = true;
        m_clock.Schedule(m_clock.Now(), [this] { Update(); });
    }
}

void
AnalyticNetwork::Update()
{
    // What callers send when they hear that a message was sent joins this update.
    for (std::size_t next = 0; next < m_changed.size(); ++next)
    {
        AdvancePair(*m_changed[next]);
    }
    m_changed.clear();
    m_updateRequested = false;
    for (const auto& [member, rate] : m_sharing.Share())
    {
        SetRate(*static_cast<Pair*>(member), rate);
    }
    for (Pair* pair : m_advanced)
    {
        pair->isAdvanced = false;
        ScheduleNext(*pair);
    }
    m_advanced.clear();
}

void
AnalyticNetwork::AdvancePair(Pair& pair)
{
    pair.isChanged = false;
    if (!pair.isAdvanced)
    {
        pair.isAdvanced = true;
        m_advanced.push_back(&pair);
    }
    pair.sender->Advance(m_clock.Now());
    if (pair.sender->HasQueue() != pair.isInLinks)
    {
        JoinOrLeave(pair);
    }
    m_counters.retransmittedBytes += Bytes::Of(pair.sender->TakeRetransmitted());
    pair.sender->TakeEvents(m_events);
    for (const auto& event : m_events)
    {
        Handle(event);
    }
}

void
AnalyticNetwork::Handle(const PairSender::Event& event)
{
    const MessageIndex index = event.message;
    const Instant arrival = std::max(m_clock.Now(), event.arrival);
    switch (event.kind)
    {
    case PairSender::Event::Kind::Begun:
        m_clock.Schedule(arrival, [this, index] { Tell(index, TransferEvent::Kind::FirstByte); });
        break;
    case PairSender::Event::Kind::Sent:
        Tell(index, TransferEvent::Kind::Sent);
        break;
    case PairSender::Event::Kind::Left:
        m_clock.Schedule(arrival, [this, index] { Deliver(index); });
        break;
    }
}

void
AnalyticNetwork::JoinOrLeave(Pair& pair)
{
    if (pair.isInLinks)
    {
        m_sharing.Leave(pair);
    }
    else if (const auto rate = m_sharing.Join(pair))
    {
        SetRate(pair, *rate);
    }
}

void
AnalyticNetwork::ScheduleNext(Pair& pair)
{
    const Instant next = pair.sender->NextEvent();
    if (next == pair.next)
    {
        return;
    }
    if (pair.next != Instant::Never())
    {
        m_clock.Cancel(pair.nextEvent);
    }
    pair.next = next;
    if (next != Instant::Never())
    {
        pair.nextEvent = m_clock.Schedule(next,
                                          [this, &pair]
                                          {
                                              pair.next = Instant::Never();
                                              RequestUpdate(pair);
                                          });
    }
}

void
AnalyticNetwork::SetRate(Pair& pair, double bytesPerNanosecond)
{
    if (!pair.path.hops.empty())
    {
        bytesPerNanosecond = std::min(bytesPerNanosecond, atOnce);
    }
    if (pair.rate == bytesPerNanosecond)
    {
        return;
    }
    pair.rate = bytesPerNanosecond;
    if (!pair.isAdvanced)
    {
        pair.isAdvanced = true;
        m_advanced.push_back(&pair);
    }
    pair.sender->SetRate(m_clock.Now(), bytesPerNanosecond);
}

void
AnalyticNetwork::Deliver(MessageIndex index)
{
    const Message& message = m_messages[index];
    const bool crossesWan = message.pair->path.crossesWan;
    (crossesWan ? m_counters.wanPayload : m_counters.intraDcPayload) += message.size;
    if (crossesWan)
    {
        m_counters.wanWireBytes += Bytes::Of(
            std::llround(static_cast<double>(message.size.Count()) / m_topology.payloadShare));
    }
    Tell(index, TransferEvent::Kind::Delivered);
    m_cancelled.erase(message.number);
    m_freeMessages.push_back(index);
}

void
AnalyticNetwork::Tell(MessageIndex index, TransferEvent::Kind kind)
{
    const Message& message = m_messages[index];
    if (m_cancelled.empty() || m_cancelled.count(message.number) == 0)
    {
        message.callback({kind, message.number, m_clock.Now(), {}});
    }
}

} // namespace geotrain
