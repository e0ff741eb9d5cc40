// SPDX-License-Identifier: GPL-2.0-only
// What becomes of trains once they are in the pair's own queue: they pass it and the links' queues,
// arrive or are lost, and are acknowledged or sent again.
#include "analytic/windowed-pair.h"

#include <algorithm>
#include <limits>

namespace geotrain
{

namespace
{

// Acknowledgements within one moment count as one.
constexpr std::int64_t momentsOfRoundTrip = 3000;

} // namespace

WindowedPair::Way&
WindowedPair::WayOf(std::uint32_t group)
{
    return m_ways[m_ways.size() == 1 ? 0 : group];
}

void
WindowedPair::Begins(const Train& train, Instant at)
{
    m_begun = at;
    if (m_ways.front().there.HasHops())
    {
        return;
    }
    if (train.isFirst)
    {
        Tell(Event::Kind::Begun, m_messages[train.message].number, at + m_delay);
    }
    m_ways.front().unacknowledged.Begin(train, at);
    m_trainsWithLosses += train.lost > 0 ? 1 : 0;
}

void
WindowedPair::HasLeft(const Train& train, Instant at)
{
    Way& way = WayOf(train.group);
    if (way.there.HasHops())
    {
        // A train that answers acknowledgements was sent as these came, not at once.
        way.there.Push(
            train, {std::max(m_begun, train.times.firstSent), std::max(at, train.times.lastSent)});
        return;
    }
    way.unacknowledged.End(train, at);
    Arrive(train, at + m_delay);
}

/// Moves trains through the links' queues.
void
WindowedPair::MoveTrains()
{
    for (Way& way : m_ways)
    {
        way.there.Advance(Now());
        for (auto& arrivals = way.there.Arrivals(); !arrivals.Empty();)
        {
            const auto [train, passage] = arrivals.PopFront();
            if (train.isFirst)
            {
                Tell(Event::Kind::Begun, m_messages[train.message].number, passage.first);
            }
            way.unacknowledged.Add(train, passage);
            m_trainsWithLosses += train.lost > 0 ? 1 : 0;
            Arrive(train, passage.last);
        }
    }
}

/// Takes a train at the destination. A connection hands its bytes on in order.
void
WindowedPair::Arrive(const Train& train, Instant arrival)
{
    Group& group = m_groups[train.group];
    const std::int64_t sentUntil = train.times.sentUntil;
    if (train.times.isRepair)
    {
        group.holes.Fill(sentUntil, train.bytes);
    }
    else if (train.lost > 0)
    {
        group.holes.Open(sentUntil, train.lost);
    }
    group.held.emplace(sentUntil, Held{train.message, train.bytes, arrival});
    while (!group.held.empty() && !group.holes.AreBefore(group.held.begin()->first))
    {
        const Held held = group.held.begin()->second;
        group.held.erase(group.held.begin());
        Deliver(held.message, held.bytes, std::max(held.arrival, arrival));
    }
}

/// Counts bytes of a message that come to the destination until `arrival`.
void
WindowedPair::Deliver(std::uint32_t number, std::int64_t bytes, Instant arrival)
{
    Message& message = m_messages[number];
    message.delivered = std::max(message.delivered, arrival);
    message.bytesToDeliver -= bytes;
    if (message.bytesToDeliver > 0)
    {
        return;
    }
    if (!message.partsLeft || --*message.partsLeft == 0)
    {
        Tell(Event::Kind::Left, message.number, message.delivered);
    }
    m_freeMessages.push_back(number);
}

/// Takes out of a train what has no room in the pair's own queue by the time that it has come.
void
WindowedPair::LoseWhatOverflows(Train& train)
{
    const double answers = Nanoseconds(train.times.lastSent - Now());
    const double comes = std::max(
        answers, m_groups[train.group].connections.Member().PacedFor(train.bytes / train.members));
    const double leaves = m_queue.Rate() * std::max(0.0, comes);
    const double over =
        m_queue.Backlog() + static_cast<double>(train.bytes) - leaves - m_mostQueued;
    if (m_mostQueued > 0)
    {
        const TailDrop::Drop dropped = m_overflow.Of(over, train.bytes);
        train.Lose(dropped.bytes, dropped.isEnd);
    }
}

/// Notes what was lost of a train. Its connections learn of it from what they send behind it, or by
/// waiting.
void
WindowedPair::Miss(const Train& train)
{
    ConnectionGroup& group = m_groups[train.group].connections;
    group.Miss(train);
    ++m_losses;
    if (!train.endsLost)
    {
        group.LearnOfLosses(train.times.order + 1);
    }
    else if (!group.Member().WillHear())
    {
        const Instant soonest = Now() + Duration::Nanoseconds(1);
        m_waits.emplace(std::max(soonest, group.Member().LearnsOf(train.times)), train.group);
    }
}

/// Ends the waits that are over, of groups that won't hear of what they have sent since.
void
WindowedPair::EndWaits()
{
    while (!m_waits.empty() && m_waits.top().first <= Now())
    {
        const std::uint32_t index = m_waits.top().second;
        m_waits.pop();
        ConnectionGroup& group = m_groups[index].connections;
        if (group.Member().WillHear() || !group.HasMissing())
        {
            continue;
        }
        if (group.Member().Recovers() && !group.Member().Holds())
        {
            group.Member().TimeOut();
        }
        group.LearnOfLosses(std::numeric_limits<std::int64_t>::max());
        Send(index);
    }
}

/// Sends again what was lost.
void
WindowedPair::Repair(std::uint32_t index, std::int64_t bytesOfMember)
{
    ConnectionGroup& group = m_groups[index].connections;
    const std::size_t before = group.LostTrains();
    Train train = group.Repair(Now(), bytesOfMember, m_clock.At(0), m_clock.At(bytesOfMember));
    m_clock.sent += bytesOfMember;
    m_losses -= static_cast<std::uint32_t>(before - group.LostTrains());
    train.group = index;
    NoteRetransmitted(train.bytes);
    LoseWhatOverflows(train);
    m_queue.Push(train);
}

/// Handles the acknowledgements that have come, and those that come in the same moment.
void
WindowedPair::AcknowledgeDue()
{
    Instant until = Now();
    for (Way& way : m_ways)
    {
        while (!way.unacknowledged.Empty() &&
               Arrival(way, way.unacknowledged.Front().times.firstAcknowledged) <= until)
        {
            until = Now() + Duration::Nanoseconds(m_roundTrip.ToNanoseconds() / momentsOfRoundTrip);
            Acknowledge(way, way.unacknowledged.PopFront());
        }
    }
}

void
WindowedPair::Acknowledge(const Way& way, Train train)
{
    AcknowledgedTrain& times = train.times;
    times.firstAcknowledged = Arrival(way, times.firstAcknowledged);
    times.lastAcknowledged = Arrival(way, times.lastAcknowledged);
    Group& group = m_groups[train.group];
    if (times.bytes > 0)
    {
        group.connections.LearnOfLosses(times.order);
        group.connections.Member().Acknowledge(times);
    }
    if (train.lost > 0)
    {
        --m_trainsWithLosses;
        Miss(train);
    }
    group.answersUntil = times.lastAcknowledged;
    if (!group.isAcknowledged)
    {
        group.isAcknowledged = true;
        group.answersSince = times.firstAcknowledged;
        m_acknowledged.push_back(train.group);
    }
}

/// Returns when an acknowledgement that leaves the receiver at `acknowledgement` arrives, as far as
/// that is known.
Instant
WindowedPair::Arrival(const Way& way, Instant acknowledgement) const
{
    return way.back.Arrives(m_reverse ? m_reverse->LeavesAfter(acknowledgement) : acknowledgement);
}

} // namespace geotrain
