// SPDX-License-Identifier: GPL-2.0-only
// Follows RFC 8985, section 6.2, step by step.
#include "bulk-tcp/model/rack-recovery.h"

#include "bulk-tcp/model/timestamp.h"

#include <algorithm>
#include <vector>

namespace ns3
{

namespace
{

constexpr std::int64_t mostWindowFactor = 255; ///< quarters of the least round trip (Linux)
constexpr int recoveriesUntilReset = 16;       ///< without a DSACK (RFC 8985, 6.2.4)

} // namespace

void
RackRecovery::OnDelivered(std::int64_t nowNs, std::uint64_t /*number*/, const Segment& segment)
{
    m_rate.OnDelivered(nowNs, segment.snapshot, segment.sentNs, segment.length);
    const std::uint64_t end = segment.offset + segment.length;
    const std::int64_t rttNs = nowNs - segment.sentNs;
    if (!segment.retransmitted)
    {
        m_minRttNs = std::min(m_minRttNs, rttNs);
        m_hasSeenReordering = m_hasSeenReordering || end < m_priorForwardAck;
    }
    m_forwardAck = std::max(m_forwardAck, end);
    if (segment.retransmitted && (rttNs < m_minRttNs || IsAckOfOriginal(segment)))
    {
        return; // too early or by the timestamp: the original is acknowledged (6.2, step 2)
    }
    if (segment.sentNs > m_newestSentNs || (segment.sentNs == m_newestSentNs && end > m_newestEnd))
    {
        m_newestSentNs = segment.sentNs;
        m_newestEnd = end;
        m_newestRttNs = rttNs;
    }
}

/// Returns whether the acknowledgement of a segment that was sent again echoes an older timestamp
/// than that of the last retransmission (RFC 8985, 6.2, step 2). In a SACK the echo is that of
/// another segment.
bool
RackRecovery::IsAckOfOriginal(const Segment& segment) const
{
    const std::uint32_t sentMs = TimestampMs(segment.sentNs);
    return segment.offset + segment.length <= m_ack->offset && m_ack->echoMs != 0 &&
           static_cast<std::int32_t>(m_ack->echoMs - sentMs) < 0;
}

void
RackRecovery::AfterAck()
{
    m_priorForwardAck = m_forwardAck;
    SetInFlight(m_board.Outstanding());
}

void
RackRecovery::OnNeedlessRetransmission()
{
    // Reordering was taken for loss. The window grows once per round trip.
    m_hasSeenReordering = true;
    if (m_board.Una() >= m_growsAfter)
    {
        m_growsAfter = m_board.HighTx();
        m_windowFactor = std::min(m_windowFactor + 1, mostWindowFactor);
        m_windowPersists = recoveriesUntilReset;
    }
}

void
RackRecovery::OnRecoveryEnds()
{
    if (m_windowPersists > 0 && --m_windowPersists == 0)
    {
        m_windowFactor = 1;
    }
}

void
RackRecovery::OnReordered()
{
    m_hasSeenReordering = true;
}

std::int64_t
RackRecovery::ReorderingWindowNs(bool inRecovery, const RoundTrips& roundTrips) const
{
    if (!m_hasSeenReordering && (inRecovery || m_board.SackedSegments() >= s_duplicateThreshold))
    {
        return 0;
    }
    const std::int64_t mostNs = roundTrips.smoothedNs > 0 ? roundTrips.smoothedNs : m_newestRttNs;
    return std::min(m_windowFactor * (roundTrips.leastNs / 4), mostNs);
}

bool
RackRecovery::WasSentBeforeNewest(const Segment& segment) const
{
    return segment.sentNs < m_newestSentNs ||
           (segment.sentNs == m_newestSentNs && segment.offset + segment.length < m_newestEnd);
}

bool
RackRecovery::HasExpired(const Segment& segment, std::int64_t nowNs, std::int64_t windowNs)
{
    const std::int64_t lostNs = segment.sentNs + m_newestRttNs + windowNs;
    if (lostNs <= nowNs)
    {
        return true;
    }
    m_nextDetectionNs = m_nextDetectionNs < 0 ? lostNs : std::min(m_nextDetectionNs, lostNs);
    return false;
}

void
RackRecovery::Detect(std::int64_t nowNs, bool inRecovery, const RoundTrips& roundTrips)
{
    const std::int64_t windowNs = ReorderingWindowNs(inRecovery, roundTrips);
    DetectOriginals(nowNs, windowNs);
    DetectRetransmissions(nowNs, windowNs);
    SetInFlight(m_board.Outstanding());
}

void
RackRecovery::DetectOriginals(std::int64_t nowNs, std::int64_t windowNs)
{
    for (m_scan = std::max(m_scan, m_board.First()); m_scan < m_board.End(); ++m_scan)
    {
        const Segment& segment = m_board.At(m_scan);
        if (segment.sacked || segment.retransmitted || segment.lost)
        {
            continue;
        }
        if (!WasSentBeforeNewest(segment) || !HasExpired(segment, nowNs, windowNs))
        {
            break;
        }
        m_board.MarkLost(m_scan);
    }
}

void
RackRecovery::DetectRetransmissions(std::int64_t nowNs, std::int64_t windowNs)
{
    while (!m_retransmissions.empty())
    {
        const Retransmission again = m_retransmissions.front();
        if (again.number >= m_board.First())
        {
            const Segment& segment = m_board.At(again.number);
            const bool isOut = !segment.sacked && !segment.lost && segment.sentNs == again.sentNs;
            if (isOut && (!WasSentBeforeNewest(segment) || !HasExpired(segment, nowNs, windowNs)))
            {
                break;
            }
            if (isOut)
            {
                m_board.MarkLost(again.number);
            }
        }
        m_retransmissions.pop_front();
    }
}

void
RackRecovery::AfterTimeout()
{
    m_retransmissions.clear();
    m_scan = m_board.End();
    SetInFlight(m_board.Outstanding());
}

void
RackRecovery::AfterUndo()
{
    // All that is on the way is examined again.
    m_scan = m_board.First();
    std::vector<Retransmission> again;
    for (std::uint64_t i = m_board.First(); i < m_board.End(); ++i)
    {
        const Segment& segment = m_board.At(i);
        if (segment.retransmitted && !segment.sacked)
        {
            again.push_back({i, segment.sentNs});
        }
    }
    std::stable_sort(again.begin(),
                     again.end(),
                     [](const Retransmission& a, const Retransmission& b)
                     { return a.sentNs < b.sentNs; });
    m_retransmissions.assign(again.begin(), again.end());
    SetInFlight(m_board.Outstanding());
}

bool
RackRecovery::AfterRetransmission(Segment& segment, std::int64_t nowNs)
{
    SetInFlight(m_board.Outstanding());
    m_retransmissions.push_back({m_board.NumberOf(segment.offset), nowNs});
    // The timeout counts from the last transmission of the first segment (Linux's
    // tcp_rto_delta_us). Otherwise it would expire after two losses of that segment in a row, which
    // RACK repairs.
    return segment.offset == m_board.Una();
}

LossRecovery::Reaction
RackRecovery::React(const Situation& situation)
{
    if (situation.state == TcpSocketState::CA_LOSS)
    {
        return Reaction::None;
    }
    const bool inRecovery = situation.state == TcpSocketState::CA_RECOVERY;
    if (m_board.LostBytes() > 0 && !inRecovery)
    {
        return Reaction::Enter;
    }
    const bool isReducing = inRecovery || situation.state == TcpSocketState::CA_CWR;
    const bool goesOn = isReducing && !situation.hasEntered && situation.delivered > 0 &&
                        m_board.Una() < situation.recover;
    return goesOn ? Reaction::Reduce : Reaction::None;
}

/// Where packets are often reordered, their order says nothing (Linux's tcp_may_raise_cwnd).
bool
RackRecovery::GrowsInDisorder(bool advances) const
{
    return advances || m_hasSeenReordering;
}

} // namespace ns3
