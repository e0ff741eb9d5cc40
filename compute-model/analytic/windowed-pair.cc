// SPDX-License-Identifier: GPL-2.0-only
// At one instant, the queue is served first. Then acknowledgements arrive and are answered, pauses
// end, messages of one connection go, and chunks go last.
#include "analytic/windowed-pair.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

// Where a run has many connections, more than mostSingle of a pair form groups, at least leastGroups
// of them, whose trains are up to coarsenessOfGroups times as long. A search over plans can afford
// that. README.md has the error against packets.
constexpr std::uint32_t mostSingle = 8;
constexpr std::uint32_t leastGroups = 4;
constexpr double coarsenessOfGroups = 4;

} // namespace

WindowedPair::WindowedPair(const AnalyticPath& path, const LinkQueueOf& queueOf)
    : m_delay(path.delay),
      m_roundTrip(path.roundTrip),
      m_mostQueued(static_cast<double>(path.queue.Count())),
      m_connections(path.connections),
      m_membersOfGroup(
          path.mayGroup && path.connections > mostSingle ? path.connections / leastGroups : 1),
      m_overflow(m_mostQueued, std::max<std::int64_t>(1, path.segment.Count()), path.dropPhase)
{
    const auto addWay = [&](const AnalyticRoute& route)
    {
        m_ways.push_back(
            {TrainRoute(route.hops, route.delay, queueOf, path.rank),
             TrainRoute(route.returnHops, route.roundTrip - route.delay, queueOf, path.rank),
             UnacknowledgedTrains(m_queue, route.delay)});
        m_ways.back().back.KeepTrains(route.roundTrip);
    };
    const double coarseness = m_membersOfGroup > 1 ? coarsenessOfGroups : 1;
    for (std::uint32_t first = 0; first < path.connections; first += m_membersOfGroup)
    {
        m_free.push_back(static_cast<std::uint32_t>(m_groups.size()));
        const AnalyticRoute& route = path.routes.empty() ? path : path.routes[first];
        if (m_ways.empty() || !path.routes.empty())
        {
            addWay(route);
        }
        ConnectionGroup group(std::min(m_membersOfGroup, path.connections - first),
                              Connection(path, route.roundTrip, coarseness));
        m_groups.push_back({std::move(group), true, false, false, {}, {}, {}, {}});
    }
}

Instant
WindowedPair::Now() const
{
    return m_queue.Now();
}

std::uint32_t
WindowedPair::NewMessage(std::uint32_t number, std::int64_t bytes)
{
    if (m_freeMessages.empty())
    {
        m_freeMessages.push_back(static_cast<std::uint32_t>(m_messages.size()));
        m_messages.emplace_back();
    }
    const std::uint32_t message = m_freeMessages.back();
    m_freeMessages.pop_back();
    m_messages[message] = {number, bytes, bytes, {}, false, nullptr};
    return message;
}

void
WindowedPair::Stripe(std::uint32_t message, std::int64_t bytes, std::int64_t chunks)
{
    m_arrived.push_back({NewMessage(message, bytes), bytes, chunks});
}

void
WindowedPair::Queue(std::uint32_t message, std::int64_t bytes, std::uint32_t connection)
{
    const std::uint32_t group = connection / m_membersOfGroup;
    Push(group, {NewMessage(message, bytes), bytes, 1, false});
    m_toSend.push_back(group);
}

void
WindowedPair::QueueForAll(std::uint32_t message, std::int64_t bytes)
{
    const auto partsLeft = std::make_shared<std::uint32_t>(0);
    std::int64_t members = 0; // members of the groups so far
    std::int64_t given = 0;
    for (std::uint32_t group = 0; group < m_groups.size(); ++group)
    {
        const std::uint32_t ofGroup = m_groups[group].connections.Members();
        members += ofGroup;
        const std::int64_t part = bytes * members / m_connections - given;
        given += part;
        if (part > 0)
        {
            const std::uint32_t own = NewMessage(message, part);
            m_messages[own].partsLeft = partsLeft;
            ++*partsLeft;
            Push(group, {own, part, ofGroup, false});
            m_toSend.push_back(group);
        }
    }
}

void
WindowedPair::Advance(Instant now)
{
    m_queue.Serve(now);
    MoveTrains();
    AcknowledgeDue();
    SendForAcknowledgements();
    m_clock = {now, now, 0, 0};
    EndWaits();
    EndPauses();
    for (const std::uint32_t group : std::exchange(m_toSend, {}))
    {
        Send(group);
    }
    m_waiting.insert(m_waiting.end(), m_arrived.begin(), m_arrived.end());
    m_arrived.clear();
    GiveChunks();
}

void
WindowedPair::SetRate(Instant now, double bytesPerNanosecond)
{
    PairSender::SetRate(now, bytesPerNanosecond);
    m_ways.front().unacknowledged.Predict(now); // without hops there are no others
}

Instant
WindowedPair::NextSend() const
{
    Instant next = NextAnswer();
    if (!m_ways.front().there.HasHops())
    {
        return next;
    }
    // Each train goes into the queues that others share in time, whether or not more follows.
    for (const Way& way : m_ways)
    {
        next = std::min(next, way.there.Next());
    }
    if (!m_queue.Empty())
    {
        const auto bytes = static_cast<double>(m_queue.First().bytes);
        next = std::min(next, m_queue.LeavesFirst(bytes, Now()));
    }
    return next;
}

/// Returns when something next allows to send; Never if there is nothing to send.
Instant
WindowedPair::NextAnswer() const
{
    Instant next = Instant::Never();
    if (m_unsentPieces == 0 && m_trainsWithLosses == 0 && m_losses == 0)
    {
        return next;
    }
    if (!m_paced.empty() && m_unsentPieces + m_losses > 0) // otherwise the pause may be over
    {
        next = m_paced.top().first;
    }
    if (!m_waits.empty())
    {
        next = std::min(next, m_waits.top().first);
    }
    bool isAwaited = false; // an acknowledgement
    for (const Way& way : m_ways)
    {
        if (!way.unacknowledged.Empty())
        {
            const Instant acknowledged =
                Arrival(way, way.unacknowledged.Front().times.firstAcknowledged);
            next = std::min(next, std::max(Now() + Duration::Nanoseconds(1), acknowledged));
            isAwaited = true;
        }
    }
    if (!isAwaited && !m_queue.Empty())
    {
        const auto bytes = static_cast<double>(m_queue.First().bytes);
        next = std::min(next, m_queue.LeavesFirst(bytes, Now()));
    }
    return next;
}

Duration
WindowedPair::LongestHold() const
{
    Duration longest;
    for (const Group& group : m_groups)
    {
        longest = std::max(longest, group.connections.Member().LongestHold());
    }
    return longest;
}

void
WindowedPair::SetReverse(PairSender& reverse)
{
    m_reverse = &KeepingQueue(reverse, m_roundTrip * 2);
}

std::vector<Connection>
WindowedPair::GiveConnections()
{
    for (Way& way : m_ways)
    {
        while (!way.unacknowledged.Empty())
        {
            Acknowledge(way, way.unacknowledged.PopFront());
        }
    }
    std::vector<Connection> connections;
    for (Group& group : m_groups)
    {
        connections.push_back(std::move(group.connections.Member()));
    }
    return connections;
}

void
WindowedPair::TakeConnections(std::vector<Connection> connections, Duration by)
{
    for (std::size_t group = 0; group < m_groups.size(); ++group)
    {
        connections[group].Rest(by);
        m_groups[group].connections.Member() = std::move(connections[group]);
    }
}

void
WindowedPair::Push(std::uint32_t index, const Piece& piece)
{
    Group& group = m_groups[index];
    group.connections.Push(piece);
    ++m_unsentPieces;
    if (piece.isStriped && group.connections.FreeMembers() == 0)
    {
        group.isFree = false;
        m_free.pop_front();
    }
}

/// Removes the oldest piece, which has been sent.
void
WindowedPair::Pop(std::uint32_t index)
{
    Group& group = m_groups[index];
    --m_unsentPieces;
    if (group.connections.Pop().isStriped && !std::exchange(group.isFree, true))
    {
        m_free.push_back(index);
    }
}

/// Returns the number of chunks that a connection takes one after another. A member of a group
/// takes several as long as there are more for each.
std::int64_t
WindowedPair::ChunksAtOnce(std::int64_t left) const
{
    return m_membersOfGroup > 1 ? std::max<std::int64_t>(1, left / (2 * m_connections)) : 1;
}

/// Takes chunks of the oldest striped message for the free members of a group.
Piece
WindowedPair::TakeChunks(std::uint32_t freeMembers)
{
    StripedMessage& striped = m_waiting.front();
    const std::int64_t members = std::min<std::int64_t>(freeMembers, striped.chunks);
    const std::int64_t chunks = members * ChunksAtOnce(striped.chunks);
    const std::int64_t largest = (striped.bytes + striped.chunks - 1) / striped.chunks;
    const std::int64_t bytes = std::min(striped.bytes, chunks * largest);
    const Piece piece{striped.message, bytes, static_cast<std::uint32_t>(members), true};
    striped.bytes -= bytes;
    striped.chunks -= chunks;
    if (striped.bytes == 0)
    {
        m_waiting.pop_front();
    }
    return piece;
}

void
WindowedPair::GiveChunks()
{
    while (!m_waiting.empty() && !m_free.empty())
    {
        const std::uint32_t group = m_free.front();
        Push(group, TakeChunks(m_groups[group].connections.FreeMembers()));
        Send(group);
    }
}

void
WindowedPair::SendForAcknowledgements()
{
    for (const std::uint32_t index : m_acknowledged)
    {
        Group& group = m_groups[index];
        group.isAcknowledged = false;
        m_clock = {std::max(Now(), group.answersSince),
                   std::max(Now(), group.answersUntil),
                   group.connections.Member().Allowed(),
                   0};
        Send(index);
        GiveChunks();
    }
    m_acknowledged.clear();
}

/// Returns how long what is sent now waits beyond a round trip.
Duration
WindowedPair::Backlog() const
{
    return std::max(Duration(), m_queue.Wait() - m_roundTrip);
}

/// Lets groups send whose pause is over.
void
WindowedPair::EndPauses()
{
    while (!m_paced.empty() && m_paced.top().first <= Now())
    {
        const std::uint32_t group = m_paced.top().second;
        m_paced.pop();
        m_groups[group].isPaced = false;
        Send(group);
        GiveChunks();
    }
}

void
WindowedPair::Pause(std::uint32_t group, Instant until)
{
    if (!std::exchange(m_groups[group].isPaced, true))
    {
        m_paced.emplace(until, group);
    }
}

/// Lets a group send again when its receiver acknowledges what it holds, if nothing else will come.
void
WindowedPair::AwaitHeld(std::uint32_t index)
{
    const Instant released = m_groups[index].connections.Member().WaitsForHeld();
    if (released != Instant::Never())
    {
        Pause(index, released + m_roundTrip);
    }
}

/// Sends what the windows of a group allow.
void
WindowedPair::Send(std::uint32_t index)
{
    ConnectionGroup& group = m_groups[index].connections;
    group.Wake(Now());
    while (group.HasLost() || group.HasPieces())
    {
        const std::int64_t allowed = group.Allowed();
        if (allowed <= 0)
        {
            AwaitHeld(index);
            return;
        }
        const Duration backlog = Backlog();
        const Instant sendsFrom = group.Member().SendsFrom();
        if (sendsFrom > Now())
        {
            Pause(index, sendsFrom);
            return;
        }
        const std::int64_t bytes = std::min(allowed, group.Member().LongestTrain(backlog));
        if (group.HasLost())
        {
            Repair(index, bytes);
            continue;
        }
        SendTrain(index, bytes);
        if (group.Front().bytes == 0)
        {
            Pop(index);
        }
    }
}

void
WindowedPair::SendTrain(std::uint32_t index, std::int64_t bytesOfMember)
{
    Train train = m_groups[index].connections.Send(
        Now(), bytesOfMember, m_clock.At(0), m_clock.At(bytesOfMember));
    m_clock.sent += bytesOfMember;
    Message& message = m_messages[train.message];
    message.bytesToSend -= train.bytes;
    train.group = index;
    train.isFirst = !std::exchange(message.hasBegun, true);
    train.isLast = message.bytesToSend == 0;
    if (train.isLast)
    {
        Tell(Event::Kind::Sent, message.number, Now());
    }
    LoseWhatOverflows(train);
    m_queue.Push(train);
}

} // namespace geotrain
