// SPDX-License-Identifier: GPL-2.0-only
// What becomes of trains once they are in the pair's own queue: they pass it and the links' queues,
// arrive or are lost, and are acknowledged or sent again.
#include "analytic/windowed-pair.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

void
WindowedPair::Begins(const Train& train, Instant at)
{
    m_begun = at;
    if (m_there.HasHops())
    {
        return;
    }
    if (train.isFirst)
    {
        Tell(Event::Kind::Begun, m_messages[train.message].number, at + m_settings.delay);
    }
    m_unacknowledged.Begin(train, at);
    m_trainsWithLosses += train.lost > 0 ? 1 : 0;
}

void
WindowedPair::HasLeft(const Train& train, Instant at)
{
    if (m_there.HasHops())
    {
        // A train that answers acknowledgements was sent as these came, not at once.
        m_there.Push(
            train, {std::max(m_begun, train.times.firstSent), std::max(at, train.times.lastSent)});
        return;
    }
    m_unacknowledged.End(train, at);
    Deliver(train, at + m_settings.delay);
}

/// Moves trains through the links' queues.
void
WindowedPair::MoveTrains()
{
    m_there.Advance(Now());
    for (auto& arrivals = m_there.Arrivals(); !arrivals.Empty();)
    {
        const auto [train, passage] = arrivals.PopFront();
        if (train.isFirst)
        {
            Tell(Event::Kind::Begun, m_messages[train.message].number, passage.first);
        }
        m_unacknowledged.Add(train, passage);
        m_trainsWithLosses += train.lost > 0 ? 1 : 0;
        Deliver(train, passage.last);
    }
}

/// Counts the bytes of a train that come to the destination until `arrival`.
void
WindowedPair::Deliver(const Train& train, Instant arrival)
{
    Message& message = m_messages[train.message];
    message.delivered = std::max(message.delivered, arrival);
    message.bytesToDeliver -= train.bytes;
    if (message.bytesToDeliver > 0)
    {
        return;
    }
    if (!message.partsLeft || --*message.partsLeft == 0)
    {
        Tell(Event::Kind::Left, message.number, message.delivered);
    }
    m_freeMessages.push_back(train.message);
}

/// Takes out of a train what has no room in the pair's own queue by the time that it has come.
void
WindowedPair::LoseWhatOverflows(Train& train) const
{
    const double leaves =
        m_queue.Rate() * Nanoseconds(std::max(Duration(), train.times.lastSent - Now()));
    const double over =
        m_queue.Backlog() + static_cast<double>(train.bytes) - leaves - m_settings.queue;
    if (m_settings.queue > 0 && over > 0)
    {
        const auto packets =
            static_cast<std::int64_t>(std::ceil(over / static_cast<double>(m_settings.segment)));
        train.Lose(std::min(train.bytes, packets * m_settings.segment));
    }
}

/// Reduces the window of the connections that have lost bytes, and sends these again.
void
WindowedPair::SendAgain(const UnacknowledgedTrains::Entry& entry)
{
    ConnectionGroup& group = m_groups[entry.group].connections;
    const double packets =
        static_cast<double>(entry.lost) / static_cast<double>(m_settings.segment);
    group.Member().Lose(entry.times, std::min(1.0, packets / group.Members()));
    Train train;
    train.group = entry.group;
    train.message = entry.message;
    train.isLast = true; // so that the end of the message is not missed
    train.bytes = entry.lost;
    train.untilFirst = train.untilLast = train.bytes;
    train.members = group.Members();
    train.times.bytes = entry.times.lost;
    train.times.acknowledgements = entry.times.lost > 0 ? 1 : 0;
    train.times.firstSent = train.times.lastSent = Now();
    train.times.sentUntil = group.Member().Sent();
    NoteRetransmitted(entry.lost);
    LoseWhatOverflows(train);
    m_queue.Push(train);
}

/// Handles the acknowledgements that have come, and those that come in the same moment.
void
WindowedPair::AcknowledgeDue()
{
    Instant until = Now();
    while (!m_unacknowledged.Empty() &&
           Arrival(m_unacknowledged.Front().times.firstAcknowledged) <= until)
    {
        until = Now() + m_settings.moment;
        Acknowledge(m_unacknowledged.PopFront());
    }
}

void
WindowedPair::Acknowledge(UnacknowledgedTrains::Entry entry)
{
    AcknowledgedTrain& times = entry.times;
    const Duration length = times.lastAcknowledged - times.firstAcknowledged;
    times.firstAcknowledged = Arrival(times.firstAcknowledged);
    times.lastAcknowledged = Arrival(times.lastAcknowledged);
    const Duration arrived = times.lastAcknowledged - times.firstAcknowledged;
    times.pause = std::max(Duration(), arrived - length);
    Group& group = m_groups[entry.group];
    if (times.bytes > 0)
    {
        group.connections.Member().Acknowledge(times);
    }
    if (entry.lost > 0)
    {
        --m_trainsWithLosses;
        SendAgain(entry);
    }
    group.answersUntil = times.lastAcknowledged;
    if (!group.isAcknowledged)
    {
        group.isAcknowledged = true;
        group.answersSince = times.firstAcknowledged;
        m_acknowledged.push_back(entry.group);
    }
}

/// Returns when an acknowledgement that leaves the receiver at `acknowledgement` arrives, as far as
/// that is known.
Instant
WindowedPair::Arrival(Instant acknowledgement) const
{
    return m_back.Arrives(m_reverse ? m_reverse->LeavesAfter(acknowledgement) : acknowledgement);
}

} // namespace geotrain
