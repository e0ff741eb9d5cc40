// SPDX-License-Identifier: GPL-2.0-only
// Follows ns-3 3.37's tcp-tx-buffer.cc, tcp-rate-ops.cc and the part of tcp-socket-base.cc that
// handles losses.
#include "bulk-tcp/model/stock-recovery.h"

#include <algorithm>
#include <utility>

namespace ns3
{

void
StockDeliveryRate::OnDeliveredAsStock(std::int64_t now,
                                      const DeliverySnapshot& snapshot,
                                      std::int64_t sentNs,
                                      std::uint32_t length)
{
    m_delivered += length;
    m_deliveredNs = now;
    if (!m_hasNewest || snapshot.delivered > m_newest.delivered || m_newest.delivered == 0)
    {
        m_ackNs = now - m_newest.deliveredNs;
        m_hasNewest = true;
        m_newest = snapshot;
        m_newestSentNs = sentNs;
        m_firstSentNs = sentNs;
    }
}

void
StockDeliveryRate::Measure(std::int64_t minRttNs)
{
    m_sample.m_priorDelivered = static_cast<std::uint32_t>(m_newest.delivered);
    m_sample.m_priorTime = TimeStep(static_cast<std::uint64_t>(m_newest.deliveredNs));
    m_sample.m_isAppLimited = m_newest.appLimited;
    if (m_newest.deliveredNs == 0)
    {
        m_sample.m_delivered = -1;
        m_sample.m_interval = Time(0);
        return;
    }
    m_sample.m_sendElapsed =
        TimeStep(static_cast<std::uint64_t>(m_newestSentNs - m_newest.firstSentNs));
    m_sample.m_ackElapsed = TimeStep(static_cast<std::uint64_t>(m_ackNs));
    m_sample.m_interval = std::max(m_sample.m_sendElapsed, m_sample.m_ackElapsed);
    m_sample.m_delivered = static_cast<std::int32_t>(m_delivered - m_newest.delivered);
    if (m_sample.m_interval.GetTimeStep() < minRttNs)
    {
        m_sample.m_interval = Time(0);
        m_sample.m_priorTime = Time(0);
        m_newest.deliveredNs = 0;
        return;
    }
    const Time bestInterval = m_connection.m_rateInterval;
    if (!m_sample.m_isAppLimited ||
        m_sample.m_delivered * bestInterval >= m_connection.m_rateDelivered * m_sample.m_interval)
    {
        m_connection.m_rateDelivered = m_sample.m_delivered;
        m_connection.m_rateInterval = m_sample.m_interval;
        m_connection.m_rateAppLimited = m_sample.m_isAppLimited;
        m_sample.m_deliveryRate = DataRate(static_cast<std::uint64_t>(
            m_sample.m_delivered * 8.0 / m_sample.m_interval.GetSeconds()));
    }
}

void
StockRecovery::OnDelivered(std::int64_t nowNs, std::uint64_t number, const Segment& segment)
{
    m_rate.OnDeliveredAsStock(nowNs, segment.snapshot, segment.sentNs, segment.length);
    // Segments below the first outstanding one don't matter in Detect().
    std::uint64_t next = number + 1;
    for (std::uint64_t& highest : m_highestDelivered)
    {
        if (next > highest)
        {
            std::swap(next, highest);
        }
    }
}

void
StockRecovery::AfterAck()
{
    CountInFlight();
}

void
StockRecovery::Detect(std::int64_t /*nowNs*/, bool /*inRecovery*/, const RoundTrips& /*roundTrips*/)
{
    for (m_scan = std::max(m_scan, m_board.First()); m_scan + 1 < m_highestDelivered.back();
         ++m_scan)
    {
        Segment& segment = m_board.At(m_scan);
        if (segment.repeated)
        {
            m_board.NoteFoundLost(segment);
        }
        else if (!segment.sacked && !segment.lost)
        {
            m_board.MarkLost(m_scan);
        }
    }
    CountInFlight();
}

void
StockRecovery::AfterTimeout()
{
    m_scan = m_board.End();
    m_doubtful = m_board.First();
    CountInFlight();
}

bool
StockRecovery::AfterRetransmission(Segment& segment, std::int64_t /*nowNs*/)
{
    m_nextTx = segment.offset;
    CountInFlight();
    return false;
}

void
StockRecovery::OnSentAgain(const Segment& segment)
{
    m_nextTx = segment.offset + segment.length;
}

void
StockRecovery::CountInFlight()
{
    SetInFlight(m_board.HighTx() - m_board.Una() - m_board.SackedBytes() - m_board.NotRepaired() +
                m_board.RepeatedBytes());
}

/// Returns the first segment that is neither SACKed nor sent again (rule 3 of RFC 6675's NextSeg).
LossRecovery::Segment*
StockRecovery::NextDoubtful()
{
    for (m_doubtful = std::max(m_doubtful, m_board.First()); m_doubtful < m_board.End();
         ++m_doubtful)
    {
        Segment& segment = m_board.At(m_doubtful);
        if (!segment.sacked && !segment.repeated)
        {
            return &segment;
        }
    }
    return nullptr;
}

bool
StockRecovery::HasLostBehindHead()
{
    if (m_board.First() == m_board.End())
    {
        return false;
    }
    const Segment& head = m_board.At(m_board.First());
    return m_board.LostBytes() > (head.lost ? head.length : 0);
}

void
StockRecovery::MarkHeadLost()
{
    if (m_board.First() == m_board.End() || m_board.At(m_board.First()).lost)
    {
        return;
    }
    m_board.ForgetRepeat(m_board.At(m_board.First()));
    m_board.MarkLost(m_board.First());
    CountInFlight();
}

LossRecovery::Reaction
StockRecovery::React(const Situation& situation)
{
    if (situation.sackedBytes == 0 || situation.state == TcpSocketState::CA_LOSS)
    {
        return Reaction::None;
    }
    if (situation.state == TcpSocketState::CA_RECOVERY)
    {
        return Reaction::Reduce;
    }
    const bool isThird =
        situation.duplicates == s_duplicateThreshold && m_board.Una() >= situation.recover;
    if (situation.state == TcpSocketState::CA_CWR || (!isThird && !HasLostBehindHead()))
    {
        return Reaction::None;
    }
    MarkHeadLost();
    return Reaction::Enter;
}

/// ns-3 3.37 counts every change of the lost bytes, up or down, as a loss.
std::uint64_t
StockRecovery::LostOfSample(std::uint64_t /*lost*/, std::uint64_t notRepairedBefore) const
{
    const std::uint64_t notRepaired = m_board.NotRepaired();
    return std::max(notRepaired, notRepairedBefore) - std::min(notRepaired, notRepairedBefore);
}

bool
StockRecovery::KeepsTimeout(TcpSocketState::TcpCongState_t state, bool again) const
{
    return state == TcpSocketState::CA_DISORDER || (state == TcpSocketState::CA_RECOVERY && again);
}

bool
StockRecovery::GrowsInDisorder(bool /*advances*/) const
{
    return false;
}

/// ns-3 3.37 forgets what was retransmitted before it asks.
bool
StockRecovery::IsFirstTimeout(TcpSocketState::TcpCongState_t /*state*/) const
{
    return true;
}

} // namespace ns3
