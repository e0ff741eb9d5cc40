// SPDX-License-Identifier: GPL-2.0-only
// Keeps the record of a sender's segments.
#include "bulk-tcp/model/scoreboard.h"

#include <algorithm>

namespace ns3
{

Scoreboard::Progress
Scoreboard::OnAck(std::int64_t now, const PacketRecord& ack)
{
    Progress progress;
    const std::size_t first = (ack.flags & PacketRecord::Duplicate) != 0 ? 1 : 0;
    for (std::size_t i = first; i < ack.sackBlocks; ++i)
    {
        const std::uint64_t begin = std::max(ack.offset + ack.sack[i].begin, m_una);
        const std::uint64_t end = std::min(ack.offset + ack.sack[i].end, m_highTx);
        const bool isKnown = m_told[i].first <= begin && end <= m_told[i].second;
        if (begin < end && !isKnown)
        {
            m_told[i] = m_sacked.Insert(begin,
                                        end,
                                        [&](std::uint64_t from, std::uint64_t to)
                                        { Sack(now, from, to, progress); });
        }
    }
    if (ack.offset > m_una)
    {
        AckUpTo(now, ack.offset, progress);
    }
    return progress;
}

void
Scoreboard::Sack(std::int64_t now, std::uint64_t begin, std::uint64_t end, Progress& progress)
{
    // Usually the run that was SACKed last grows.
    std::uint64_t i = begin == m_sackEnd && m_afterSack >= m_first ? m_afterSack : NumberOf(begin);
    for (; i < End() && At(i).offset < end; ++i)
    {
        Segment& segment = At(i);
        if (!segment.sacked)
        {
            Deliver(now, i, segment, progress);
            segment.sacked = true;
            m_sackedBytes += segment.length;
            ++m_sackedSegments;
            progress.sackedBytes += segment.length;
        }
    }
    m_sackEnd = end;
    m_afterSack = i;
    FetchAhead(m_segments, i - m_first);
}

void
Scoreboard::AckUpTo(std::int64_t now, std::uint64_t ack, Progress& progress)
{
    const std::uint64_t end = std::min(ack, m_highTx);
    progress.ackedBytes = end - m_una;
    bool first = true;
    while (!m_segments.empty() && m_segments.front().offset + m_segments.front().length <= end)
    {
        Segment& segment = m_segments.front();
        if (first && !segment.retransmitted)
        {
            progress.firstSentNs = segment.sentNs;
        }
        first = false;
        if (m_takesRuns && m_sackedSegments == 0 && segment.IsPlain())
        {
            DeliverRun(now, end, progress);
            continue;
        }
        if (segment.sacked)
        {
            --m_sackedSegments;
            m_sackedBytes -= segment.length;
        }
        else
        {
            Deliver(now, m_first, segment, progress);
        }
        m_repeatedBytes -= segment.repeated ? segment.length : 0;
        m_segments.pop_front();
        ++m_first;
    }
    FetchAhead(m_segments);
    m_una = end;
    m_sacked.EraseBelow(m_una);
}

/// Delivers the first segments up to `end` that were sent in one burst and nothing more is known of.
/// Nothing behind them is delivered.
void
Scoreboard::DeliverRun(std::int64_t now, std::uint64_t end, Progress& progress)
{
    Segment run = m_segments.front();
    const std::uint64_t number = m_first;
    progress.rttNs = now - run.sentNs;
    progress.originalEnd = std::min(progress.originalEnd, run.offset + run.length);
    for (;;)
    {
        m_segments.pop_front();
        ++m_first;
        if (m_segments.empty())
        {
            break;
        }
        const Segment& next = m_segments.front();
        if (next.sentNs != run.sentNs || next.snapshot.delivered != run.snapshot.delivered ||
            !next.IsPlain() || next.offset + next.length > end)
        {
            break;
        }
        run.length += next.length;
    }
    m_listener.OnDelivered(now, number, run);
    m_outstanding -= run.length;
}

void
Scoreboard::Deliver(std::int64_t now, std::uint64_t number, Segment& segment, Progress& progress)
{
    m_listener.OnDelivered(now, number, segment);
    if (segment.lost)
    {
        segment.lost = false;
        m_lostBytes -= segment.length;
    }
    else
    {
        m_outstanding -= segment.length;
    }
    if (segment.foundLost)
    {
        segment.foundLost = false;
        m_notRepaired -= segment.length;
    }
    progress.retransmissionAcked = progress.retransmissionAcked || segment.retransmitted;
    if (!segment.retransmitted)
    {
        progress.rttNs = now - segment.sentNs;
        progress.originalEnd = std::min(progress.originalEnd, segment.offset + segment.length);
    }
    EndRepeat(segment);
}

void
Scoreboard::EndRepeat(Segment& segment)
{
    m_repeatsOut -= segment.repeatOut ? segment.length : 0;
    segment.repeatOut = false;
}

void
Scoreboard::MarkLost(std::uint64_t number)
{
    Segment& segment = At(number);
    segment.lost = true;
    EndRepeat(segment);
    NoteFoundLost(segment);
    m_outstanding -= segment.length;
    m_lostBytes += segment.length;
    m_toRetransmit.push_back(number);
}

void
Scoreboard::NoteFoundLost(Segment& segment)
{
    if (!segment.foundLost && !segment.sacked)
    {
        segment.foundLost = true;
        m_notRepaired += segment.length;
    }
}

void
Scoreboard::MarkAllLost()
{
    m_toRetransmit.clear();
    for (std::uint64_t i = m_first; i < End(); ++i)
    {
        Segment& segment = At(i);
        segment.repeated = false;
        if (!segment.sacked && !segment.lost)
        {
            MarkLost(i);
        }
        else if (segment.lost)
        {
            m_toRetransmit.push_back(i);
        }
    }
    m_repeatedBytes = 0;
}

void
Scoreboard::UnmarkLost()
{
    m_toRetransmit.clear();
    for (Segment& segment : m_segments)
    {
        if (segment.lost)
        {
            segment.lost = false;
            m_lostBytes -= segment.length;
            m_outstanding += segment.length;
        }
        segment.foundLost = false;
    }
    m_notRepaired = 0;
}

void
Scoreboard::OnRetransmitted(Segment& segment,
                            std::int64_t now,
                            const DeliverySnapshot& snapshot,
                            bool isProbe)
{
    if (segment.lost)
    {
        segment.lost = false;
        m_lostBytes -= segment.length;
        m_outstanding += segment.length;
    }
    if (!segment.repeated)
    {
        segment.repeated = true;
        m_repeatedBytes += segment.length;
    }
    if (!isProbe && !segment.repeatOut)
    {
        segment.repeatOut = true;
        m_repeatsOut += segment.length;
    }
    segment.retransmitted = true;
    segment.sentNs = now;
    segment.snapshot = snapshot;
}

void
Scoreboard::ForgetRepeat(Segment& segment)
{
    m_repeatedBytes -= segment.repeated ? segment.length : 0;
    segment.repeated = false;
}

Scoreboard::Segment*
Scoreboard::FindLost()
{
    while (!m_toRetransmit.empty())
    {
        const std::uint64_t number = m_toRetransmit.front();
        if (number >= m_first && At(number).lost)
        {
            return &At(number);
        }
        m_toRetransmit.pop_front();
    }
    return nullptr;
}

Scoreboard::Segment*
Scoreboard::Last()
{
    for (std::uint64_t i = End(); i > m_first; --i)
    {
        if (!At(i - 1).sacked)
        {
            return &At(i - 1);
        }
    }
    return nullptr;
}

std::uint64_t
Scoreboard::NumberOf(std::uint64_t offset) const
{
    // All segments but the last of each message have one length, so the position usually gives the
    // number.
    const Segment& head = m_segments.front();
    const std::uint64_t guess = (offset - head.offset) / head.length;
    if (guess < m_segments.size())
    {
        const Segment& segment = m_segments[guess];
        if (segment.offset <= offset && offset < segment.offset + segment.length)
        {
            return m_first + guess;
        }
    }
    const auto found = std::upper_bound(m_segments.begin(),
                                        m_segments.end(),
                                        offset,
                                        [](std::uint64_t value, const Segment& segment)
                                        { return value < segment.offset; });
    return m_first + static_cast<std::uint64_t>(found - m_segments.begin()) - 1;
}

bool
Scoreboard::HeadRetransmitted() const
{
    return !m_segments.empty() && m_segments.front().retransmitted;
}

} // namespace ns3
