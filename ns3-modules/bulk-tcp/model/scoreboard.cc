#include "bulk-tcp/model/scoreboard.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::int64_t maxWindowFactor = 20; ///< quarters of the least RTT

} // namespace

Scoreboard::Scoreboard(DeliveryRate& rate, bool stockCompatible)
    : m_rate(rate),
      m_stock(stockCompatible)
{
}

Scoreboard::Progress
Scoreboard::OnAck(std::int64_t now, const PacketRecord& ack)
{
    Progress progress;
    m_priorForwardAck = m_forwardAck;
    for (std::size_t i = 0; i < ack.sackBlocks; ++i)
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
    // Most often the run that was SACKed last grows.
    std::uint64_t i = begin == m_sackEnd && m_afterSack >= m_first ? m_afterSack : NumberOf(begin);
    for (; i < End() && At(i).offset < end; ++i)
    {
        Segment& segment = At(i);
        if (!segment.sacked)
        {
            Deliver(now, segment, progress);
            segment.sacked = true;
            m_sackedBytes += segment.length;
            ++m_sackedSegments;
            NoteHighestSacked(i);
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
        if (segment.sacked)
        {
            --m_sackedSegments;
            m_sackedBytes -= segment.length;
        }
        else
        {
            Deliver(now, segment, progress);
        }
        m_retransmittedBytes -= segment.counted ? segment.length : 0;
        m_segments.pop_front();
        ++m_first;
    }
    FetchAhead(m_segments);
    m_una = end;
    m_scan = std::max(m_scan, m_first);
    m_sacked.EraseBelow(m_una);
}

void
Scoreboard::Deliver(std::int64_t now, Segment& segment, Progress& progress)
{
    m_rate.OnDelivered(now, segment.snapshot, segment.sentNs, segment.length);
    const std::uint64_t end = segment.offset + segment.length;
    if (segment.lost)
    {
        segment.lost = false;
        m_lostBytes -= segment.length;
    }
    else
    {
        m_inFlight -= segment.length;
    }
    if (segment.foundLost)
    {
        segment.foundLost = false;
        m_notRepaired -= segment.length;
    }
    const std::int64_t rttNs = now - segment.sentNs;
    progress.retransmissionAcked = progress.retransmissionAcked || segment.retransmitted;
    if (!segment.retransmitted)
    {
        progress.rttNs = rttNs;
        m_minRttNs = std::min(m_minRttNs, rttNs);
        m_reorderingSeen = m_reorderingSeen || end < m_priorForwardAck;
    }
    m_forwardAck = std::max(m_forwardAck, end);
    if (segment.retransmitted && rttNs < m_minRttNs)
    {
        return; // the acknowledgement is that of the original
    }
    if (segment.sentNs > m_rackSentNs || (segment.sentNs == m_rackSentNs && end > m_rackEnd))
    {
        m_rackSentNs = segment.sentNs;
        m_rackEnd = end;
        m_rackRttNs = rttNs;
    }
}

std::int64_t
Scoreboard::ReorderingWindowNs(bool inRecovery, std::int64_t minRttNs) const
{
    if (!m_reorderingSeen && (inRecovery || m_sackedSegments >= s_duplicateThreshold))
    {
        return 0;
    }
    return std::min(m_windowFactor * (minRttNs / 4), m_rackRttNs);
}

bool
Scoreboard::SentBeforeRack(const Segment& segment) const
{
    return segment.sentNs < m_rackSentNs ||
           (segment.sentNs == m_rackSentNs && segment.offset + segment.length < m_rackEnd);
}

bool
Scoreboard::Expired(const Segment& segment, std::int64_t now, std::int64_t windowNs)
{
    const std::int64_t lostNs = segment.sentNs + m_rackRttNs + windowNs;
    if (lostNs <= now)
    {
        return true;
    }
    m_nextDetectionNs = m_nextDetectionNs < 0 ? lostNs : std::min(m_nextDetectionNs, lostNs);
    return false;
}

std::uint64_t
Scoreboard::DetectLosses(std::int64_t now, bool inRecovery, std::int64_t minRttNs)
{
    const std::uint64_t lostBefore = m_lostBytes;
    const std::int64_t windowNs = ReorderingWindowNs(inRecovery, minRttNs);
    m_nextDetectionNs = -1;
    if (m_stock)
    {
        DetectByCount();
    }
    else
    {
        DetectOriginals(now, windowNs);
        DetectRetransmissions(now, windowNs);
    }
    return m_lostBytes - lostBefore;
}

void
Scoreboard::NoteHighestSacked(std::uint64_t number)
{
    std::uint64_t next = number + 1;
    for (std::uint64_t& highest : m_highestSacked)
    {
        if (next > highest)
        {
            std::swap(next, highest);
        }
    }
}

void
Scoreboard::DetectByCount()
{
    for (; m_scan + 1 < m_highestSacked.back(); ++m_scan)
    {
        Segment& segment = At(m_scan);
        if (segment.counted)
        {
            NoteFoundLost(segment);
        }
        else if (!segment.sacked && !segment.lost)
        {
            MarkLost(m_scan);
        }
    }
}

void
Scoreboard::DetectOriginals(std::int64_t now, std::int64_t windowNs)
{
    for (; m_scan < End(); ++m_scan)
    {
        const Segment& segment = At(m_scan);
        if (segment.sacked || segment.retransmitted || segment.lost)
        {
            continue;
        }
        if (!SentBeforeRack(segment) || !Expired(segment, now, windowNs))
        {
            break;
        }
        MarkLost(m_scan);
    }
}

void
Scoreboard::DetectRetransmissions(std::int64_t now, std::int64_t windowNs)
{
    while (!m_retransmissions.empty())
    {
        const Retransmission again = m_retransmissions.front();
        const bool current = again.number >= m_first && !At(again.number).sacked &&
                             !At(again.number).lost && At(again.number).sentNs == again.sentNs;
        if (current)
        {
            const Segment& segment = At(again.number);
            if (!SentBeforeRack(segment) || !Expired(segment, now, windowNs))
            {
                break;
            }
            MarkLost(again.number);
        }
        m_retransmissions.pop_front();
    }
}

void
Scoreboard::MarkLost(std::uint64_t number)
{
    Segment& segment = At(number);
    segment.lost = true;
    NoteFoundLost(segment);
    m_inFlight -= segment.length;
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
Scoreboard::MarkHeadLost()
{
    if (m_segments.empty() || m_segments.front().lost)
    {
        return;
    }
    Segment& head = m_segments.front();
    m_retransmittedBytes -= head.counted ? head.length : 0;
    head.counted = false;
    MarkLost(m_first);
}

void
Scoreboard::MarkAllLost()
{
    m_toRetransmit.clear();
    m_retransmissions.clear();
    m_nextDetectionNs = -1;
    for (std::uint64_t i = m_first; i < End(); ++i)
    {
        Segment& segment = At(i);
        segment.counted = false;
        if (!segment.sacked && !segment.lost)
        {
            MarkLost(i);
        }
        else if (segment.lost)
        {
            m_toRetransmit.push_back(i);
        }
    }
    m_scan = End();
    m_retransmittedBytes = 0;
    m_doubtful = m_first;
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
Scoreboard::NextDoubtful()
{
    for (m_doubtful = std::max(m_doubtful, m_first); m_doubtful < End(); ++m_doubtful)
    {
        Segment& segment = At(m_doubtful);
        if (!segment.sacked && !segment.counted)
        {
            return &segment;
        }
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

void
Scoreboard::OnRetransmitted(Segment& segment, std::int64_t now, const DeliverySnapshot& snapshot)
{
    if (segment.lost)
    {
        segment.lost = false;
        m_lostBytes -= segment.length;
        m_inFlight += segment.length;
    }
    if (!segment.counted)
    {
        segment.counted = true;
        m_retransmittedBytes += segment.length;
    }
    segment.retransmitted = true;
    segment.sentNs = now;
    segment.snapshot = snapshot;
    if (!m_stock)
    {
        m_retransmissions.push_back({NumberOf(segment.offset), now});
    }
}

void
Scoreboard::WidenReorderingWindow()
{
    m_reorderingSeen = true;
    m_windowFactor = std::min(m_windowFactor + 1, maxWindowFactor);
}

std::uint64_t
Scoreboard::NumberOf(std::uint64_t offset) const
{
    // All but the last segments of messages are of one length: most often the position says the number.
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
Scoreboard::HasLostBehindHead() const
{
    const bool head = !m_segments.empty() && m_segments.front().lost;
    return m_lostBytes > (head ? m_segments.front().length : 0);
}

bool
Scoreboard::HeadRetransmitted() const
{
    return !m_segments.empty() && m_segments.front().retransmitted;
}

} // namespace ns3
