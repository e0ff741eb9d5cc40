#include "analytic/analytic-network.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

namespace geotrain
{

namespace
{

// That the scatter, or the gather, of a part takes of the time that it takes to cross.
constexpr double shareOfCrossing = 1.0 / 100;

// Fields of a scenario for which this network has no model, but for transport.congestion_control.
constexpr std::string_view ignoredFields[] = {"caps.police",
                                              "caps.queue",
                                              "cross_traffic",
                                              "run.sample_interval",
                                              "transport.ecn",
                                              "wan_link.burst_loss",
                                              "wan_link.codel",
                                              "wan_link.duplication",
                                              "wan_link.jitter",
                                              "wan_link.loss",
                                              "wan_link.outage",
                                              "wan_link.policer",
                                              "wan_link.queue",
                                              "wan_link.queue_disc",
                                              "wan_link.rate_step",
                                              "wan_link.red"};

} // namespace

void
LeaveOutLooseWindow(AnalyticPath& path, const std::vector<BitRate>& linkRates)
{
    double rate = std::numeric_limits<double>::infinity();
    for (const std::size_t link : path.links)
    {
        rate = std::min(rate, static_cast<double>(linkRates[link].ToBitsPerSecond()));
    }
    const bool binds =
        8 * static_cast<double>(path.window.Count()) < rate * path.roundTrip.ToSeconds();
    if (!path.crossesWan && !binds)
    {
        path.window = Bytes();
    }
}

struct AnalyticNetwork::Pair
{
    AnalyticPath path;
    WindowedPair sender;
    double rate = 0;           ///< bytes a nanosecond
    std::int64_t alone = 0;    ///< bit/s that it takes of its links if no other does
    bool isInLinks = false;    ///< has something in its queue
    bool isChanged = false;    ///< in m_changed
    bool isAdvanced = false;   ///< in m_advanced
    bool isWarm = false;       ///< has carried its warm-up
    std::uint64_t visited = 0; ///< stamp of the last gathering of pairs that share links
    Instant next = Instant::Never();
    Clock::EventNumber nextEvent = 0; ///< scheduled where `next` isn't Never

    /// `fastest` is the rate of its path, in bytes a nanosecond.
    Pair(const AnalyticPath& way, double fastest)
        : path(way),
          sender({way.connections,
                  WindowOf(way),
                  way.header.Count(),
                  way.delay,
                  way.roundTrip - way.delay,
                  fastest})
    {
    }

    /// None where acknowledgements take no time.
    static CongestionWindow::Settings WindowOf(const AnalyticPath& way)
    {
        CongestionWindow::Settings settings;
        if (way.roundTrip > Duration() && way.window > Bytes())
        {
            settings.limit = way.window.Count();
            settings.initial = way.initialWindow.Count();
            settings.firstFlight = way.firstFlight.Count();
            settings.segment = way.segment.Count();
            settings.isBulkTcp = way.isBulkTcp;
            settings.restartsAfterIdle = way.restartsAfterIdle;
            settings.handshake = way.roundTrip;
        }
        return settings;
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
        m_links[link].rate = m_topology.linkRates[link].ToBitsPerSecond();
        m_links[link].capacity =
            static_cast<double>(m_links[link].rate) * m_topology.payloadShare / 8e9;
    }
}

AnalyticNetwork::~AnalyticNetwork() = default;

std::string
AnalyticNetwork::Name() const
{
    return "analytic";
}

bool
AnalyticNetwork::HasPackets() const
{
    return false;
}

bool
AnalyticNetwork::Ignores(std::string_view field, std::string_view value) const
{
    if (field == "transport.congestion_control")
    {
        return value.substr(value.rfind(':') + 1) != "TcpCubic"; // npos + 1 is 0
    }
    return std::find(std::begin(ignoredFields), std::end(ignoredFields), field) !=
           std::end(ignoredFields);
}

bool
AnalyticNetwork::SpreadsMessages() const
{
    return true;
}

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
        const AnalyticPath path = m_topology.pathOf(source, destination);
        pair = std::make_unique<Pair>(path, RateOf(path));
        pair->alone = SlowestRate(path);
        const auto reverse = m_pairs.find((std::uint64_t{destination} << 32) | source);
        if (reverse != m_pairs.end())
        {
            pair->sender.SetReverse(reverse->second->sender);
            reverse->second->sender.SetReverse(pair->sender);
        }
    }
    return *pair;
}

/// Alone, in bytes a nanosecond.
double
AnalyticNetwork::RateOf(const AnalyticPath& path) const
{
    double rate = std::numeric_limits<double>::infinity();
    for (const std::size_t link : path.links)
    {
        rate = std::min(rate, m_links[link].capacity);
    }
    return rate;
}

/// In bit/s; 0 where it has no links.
std::int64_t
AnalyticNetwork::SlowestRate(const AnalyticPath& path) const
{
    std::int64_t rate = path.links.empty() ? 0 : std::numeric_limits<std::int64_t>::max();
    for (const std::size_t link : path.links)
    {
        rate = std::min(rate, m_links[link].rate);
    }
    return rate;
}

/// Whether a link of the pair has less than its pairs would take alone.
bool
AnalyticNetwork::HasContention(const Pair& pair) const
{
    return std::any_of(pair.path.links.begin(),
                       pair.path.links.end(),
                       [this](std::size_t link)
                       { return m_links[link].demand > m_links[link].rate; });
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
    const double takes = delay + static_cast<double>(size.Count()) / RateOf(crossing);
    const double part = RateOf(PairOf(source, relay).path) * takes * shareOfCrossing;
    // All of it where nothing limits the rate, and the part is infinite or no number.
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
    Pair& pair = PairOf(request.source, request.destination);
    const bool isSpread = request.connection == everyConnection && request.chunk > Bytes();
    if ((!isSpread && request.connection >= pair.path.connections) || !(request.size > Bytes()))
    {
        throw std::invalid_argument(
            "a transfer needs a connection that is there and at least 1 byte");
    }
    const MessageIndex index = NewMessage(pair, request.size, std::move(callback));
    const std::int64_t size = request.size.Count();
    if (isSpread)
    {
        const std::int64_t chunk = request.chunk.Count();
        pair.sender.Stripe(index, size, (size + chunk - 1) / chunk);
    }
    else
    {
        pair.sender.Queue(index, size, request.connection);
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
        Pair& pair = PairOf(warmUp.source, warmUp.destination);
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
        Pair& warm = rehearsal.PairOf(warmUp.source, warmUp.destination);
        PairOf(warmUp.source, warmUp.destination).sender.TakeWindows(warm.sender, end - Instant());
    }
}

/// Each over all connections of its pair; pairs that share a node go one after another.
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

/// It ends when its last byte is acknowledged.
void
AnalyticNetwork::StartWarmUp(WarmUpOrder& order, std::size_t index)
{
    const WarmUp& warmUp = order.At(index);
    Pair& pair = PairOf(warmUp.source, warmUp.destination);
    const std::int64_t size = warmUp.size.Count();
    const auto partsLeft = std::make_shared<std::uint32_t>(0);
    const auto onEvent = [this, &order, &pair, index, partsLeft](const TransferEvent& event)
    {
        if (event.kind == TransferEvent::Kind::Delivered && --*partsLeft == 0)
        {
            const Duration back = pair.path.roundTrip - pair.path.delay;
            m_clock.Schedule(event.at + back + pair.sender.LongestHold(),
                             [this, &order, index]
                             {
                                 order.End(index);
                                 StartWarmUps(order);
                             });
        }
    };
    std::uint32_t connections = 0; // of the lanes so far
    std::int64_t sent = 0;
    for (std::uint32_t lane = 0; lane < pair.sender.Lanes(); ++lane)
    {
        connections += pair.sender.MembersOf(lane);
        const std::int64_t part = size * connections / pair.path.connections - sent;
        sent += part;
        if (part > 0)
        {
            ++*partsLeft;
            pair.sender.QueueForLane(NewMessage(pair, Bytes::Of(part), onEvent), part, lane);
        }
    }
}

NetworkCounters
AnalyticNetwork::Counters() const
{
    return m_counters;
}

/// At the next update, which has all changes of this instant.
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
    // What callers send when they hear that a message has been sent joins this update.
    for (std::size_t next = 0; next < m_changed.size(); ++next)
    {
        AdvancePair(*m_changed[next]);
    }
    m_changed.clear();
    m_updateRequested = false;
    ShareRates();
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
    pair.sender.Advance(m_clock.Now());
    if (pair.sender.HasQueue() != pair.isInLinks)
    {
        pair.isInLinks ? Leave(pair) : Join(pair);
    }
    pair.sender.TakeEvents(m_events);
    for (const auto& event : m_events)
    {
        Handle(event);
    }
}

void
AnalyticNetwork::Handle(const WindowedPair::Event& event)
{
    const MessageIndex index = event.message;
    const Instant arrival = m_clock.Now() + m_messages[index].pair->path.delay;
    switch (event.kind)
    {
    case WindowedPair::Event::Kind::Begun:
        m_clock.Schedule(arrival, [this, index] { Tell(index, TransferEvent::Kind::FirstByte); });
        break;
    case WindowedPair::Event::Kind::Sent:
        Tell(index, TransferEvent::Kind::Sent);
        break;
    case WindowedPair::Event::Kind::Left:
        m_clock.Schedule(arrival, [this, index] { Deliver(index); });
        break;
    }
}

void
AnalyticNetwork::Join(Pair& pair)
{
    pair.isInLinks = true;
    for (const std::size_t link : pair.path.links)
    {
        m_links[link].pairs.push_back(&pair);
        m_links[link].demand += pair.alone;
    }
    if (HasContention(pair))
    {
        m_touched.push_back(&pair);
    }
    else
    {
        SetRate(pair, RateOf(pair.path));
    }
}

/// Frees the pair's share of its links for one pair on each, and those that share with it.
void
AnalyticNetwork::Leave(Pair& pair)
{
    const bool freesShares = HasContention(pair);
    pair.isInLinks = false;
    for (const std::size_t link : pair.path.links)
    {
        m_links[link].demand -= pair.alone;
        auto& pairs = m_links[link].pairs;
        pairs.erase(std::find(pairs.begin(), pairs.end(), &pair));
        if (freesShares && !pairs.empty())
        {
            m_touched.push_back(pairs.front());
        }
    }
}

void
AnalyticNetwork::ScheduleNext(Pair& pair)
{
    const Instant next = pair.sender.NextEvent();
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
AnalyticNetwork::ShareRates()
{
    ++m_stamp;
    for (Pair* pair : m_touched)
    {
        // A pair that was touched may have left since.
        if (pair->visited != m_stamp && pair->isInLinks)
        {
            Gather(*pair);
            ShareGathered();
        }
    }
    m_touched.clear();
}

/// All pairs that share links with `first`, directly or through others, and these links.
void
AnalyticNetwork::Gather(Pair& first)
{
    m_gatheredPairs.assign(1, &first);
    m_gatheredLinks.clear();
    first.visited = m_stamp;
    for (std::size_t next = 0; next < m_gatheredPairs.size(); ++next)
    {
        for (const std::size_t index : m_gatheredPairs[next]->path.links)
        {
            Link& link = m_links[index];
            if (link.visited == m_stamp)
            {
                continue;
            }
            link.visited = m_stamp;
            link.local = m_gatheredLinks.size();
            m_gatheredLinks.push_back(index);
            for (Pair* other : link.pairs)
            {
                if (other->visited != m_stamp)
                {
                    other->visited = m_stamp;
                    m_gatheredPairs.push_back(other);
                }
            }
        }
    }
}

void
AnalyticNetwork::ShareGathered()
{
    if (m_gatheredPairs.size() == 1)
    {
        SetRate(*m_gatheredPairs.front(), RateOf(m_gatheredPairs.front()->path));
        return;
    }
    m_groups.resize(m_gatheredPairs.size());
    for (std::size_t index = 0; index < m_groups.size(); ++index)
    {
        m_groups[index].weight = m_gatheredPairs[index]->path.connections;
        m_groups[index].links.clear();
        for (const std::size_t link : m_gatheredPairs[index]->path.links)
        {
            m_groups[index].links.push_back(m_links[link].local);
        }
    }
    m_capacities.clear();
    for (const std::size_t link : m_gatheredLinks)
    {
        m_capacities.push_back(m_links[link].capacity);
    }
    const auto rates = MaxMinFairRates(m_groups, m_capacities);
    for (std::size_t index = 0; index < rates.size(); ++index)
    {
        SetRate(*m_gatheredPairs[index], rates[index] * m_groups[index].weight);
    }
}

void
AnalyticNetwork::SetRate(Pair& pair, double bytesPerNanosecond)
{
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
    pair.sender.SetRate(m_clock.Now(), bytesPerNanosecond);
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
