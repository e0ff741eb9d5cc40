// SPDX-License-Identifier: GPL-2.0-only
// Follows draft-ietf-ccwg-bbr-06, 5.5, with the constants of 2.8, 2.11 and 2.12.
#include "bulk-tcp/model/bbr3-path-model.h"

#include <ns3/simulator.h>

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::uint32_t extraAckedFilterRounds = 10;
constexpr double modelBitNsPerByteSecond = 8e9;

std::uint64_t
ShareOf(double share, std::uint64_t value)
{
    return static_cast<std::uint64_t>(share * static_cast<double>(value));
}

} // namespace

Bbr3PathModel::Bbr3PathModel()
    : m_extraAckedFilter(1, 0, 0)
{
}

void
Bbr3PathModel::Init(std::int64_t nowNs)
{
    m_minRttStampNs = nowNs;
    m_probeRttMinStampNs = nowNs;
    m_extraAckedStartNs = nowNs;
}

void
Bbr3PathModel::Take(const TcpSocketState& tcb,
                    const TcpRateOps::TcpRateConnection& connection,
                    const TcpRateOps::TcpRateSample& sample)
{
    m_history.Note({m_delivered, sample.m_priorInFlight, m_lost});
    NoteUseOfWindow(tcb, sample.m_priorInFlight);
    m_delivered = connection.m_delivered;
    m_lost += sample.m_bytesLoss;
    // The sample has only the lower 32 bits of the counter.
    rs.priorDelivered =
        m_delivered - static_cast<std::uint32_t>(static_cast<std::uint32_t>(m_delivered) -
                                                 sample.m_priorDelivered);
    const Bbr3SentHistory::Sent& sent = m_history.Find(rs.priorDelivered);
    rs.nowNs = Simulator::Now().GetNanoSeconds();
    rs.rttNs = tcb.m_lastRtt.Get().GetNanoSeconds();
    rs.rate = sample.m_deliveryRate.GetBitRate();
    rs.delivered = static_cast<std::uint64_t>(std::max(sample.m_delivered, 0));
    rs.newlyAcked = sample.m_ackedSacked;
    rs.newlyLost = sample.m_bytesLoss;
    rs.priorInFlight = sample.m_priorInFlight;
    rs.txInFlight = sent.inFlight;
    rs.lost = m_lost - sent.lost;
    rs.marked = tcb.m_ecnState == TcpSocketState::ECN_ECE_RCVD;
    rs.appLimited =
        sample.m_isAppLimited || (rs.priorDelivered >= m_heldFrom && rs.priorDelivered <= m_heldTo);
    rs.windowLimited = rs.priorDelivered < m_limitedUntil;
}

void
Bbr3PathModel::NoteUseOfWindow(const TcpSocketState& tcb, std::uint64_t inFlight)
{
    if (inFlight + tcb.m_segmentSize > tcb.m_cWnd)
    {
        m_limitedUntil = m_delivered + 1;
    }
}

void
Bbr3PathModel::StartRound()
{
    m_nextRoundDelivered = m_delivered;
}

void
Bbr3PathModel::UpdateRound()
{
    m_roundStart = rs.priorDelivered >= m_nextRoundDelivered;
    if (m_roundStart)
    {
        StartRound();
        ++m_roundCount;
    }
}

void
Bbr3PathModel::UpdateMaxBandwidth()
{
    UpdateRound();
    if (rs.rate > 0 && (rs.rate >= MaxBandwidth() || !rs.appLimited))
    {
        m_maxBandwidths[1] = std::max(m_maxBandwidths[1], rs.rate);
    }
}

void
Bbr3PathModel::AdvanceMaxBandwidthFilter()
{
    if (m_maxBandwidths[1] > 0)
    {
        m_maxBandwidths = {m_maxBandwidths[1], 0};
    }
}

std::uint64_t
Bbr3PathModel::MaxBandwidth() const
{
    return std::max(m_maxBandwidths[0], m_maxBandwidths[1]);
}

void
Bbr3PathModel::BoundBandwidth()
{
    m_bandwidth = std::min(MaxBandwidth(), shortTermBandwidth);
}

bool
Bbr3PathModel::UpdateMinRtt()
{
    const bool isOver = rs.nowNs > m_probeRttMinStampNs + constants.probeRttInterval.GetTimeStep();
    if (rs.rttNs > 0 && (rs.rttNs < m_probeRttMinNs || isOver))
    {
        m_probeRttMinNs = rs.rttNs;
        m_probeRttMinStampNs = rs.nowNs;
    }
    const bool expired = rs.nowNs > m_minRttStampNs + constants.minRttFilter.GetTimeStep();
    if (m_probeRttMinNs < m_minRttNs || expired)
    {
        m_minRttNs = m_probeRttMinNs;
        m_minRttStampNs = m_probeRttMinStampNs;
    }
    return isOver;
}

void
Bbr3PathModel::RestartProbeRttInterval(std::int64_t nowNs)
{
    rs.nowNs = nowNs;
    m_probeRttMinStampNs = nowNs;
}

void
Bbr3PathModel::UpdateAckAggregation(const TcpSocketState& tcb, bool isFull)
{
    const auto interval = static_cast<double>(rs.nowNs - m_extraAckedStartNs);
    auto expected = static_cast<std::uint64_t>(static_cast<double>(m_bandwidth) * interval /
                                               modelBitNsPerByteSecond);
    if (m_extraAckedDelivered <= expected)
    {
        m_extraAckedDelivered = 0;
        m_extraAckedStartNs = rs.nowNs;
        expected = 0;
    }
    m_extraAckedDelivered += rs.newlyAcked;
    const std::uint64_t extra =
        std::min<std::uint64_t>(m_extraAckedDelivered - expected, tcb.m_cWnd);
    m_extraAckedFilter.SetWindowLength(isFull ? extraAckedFilterRounds : 1);
    m_extraAckedFilter.Update(extra, static_cast<std::uint32_t>(m_roundCount));
}

void
Bbr3PathModel::RestartAckAggregation(std::int64_t nowNs)
{
    m_extraAckedStartNs = nowNs;
}

void
Bbr3PathModel::UpdateLatestDeliverySignals()
{
    m_lossRoundStart = rs.priorDelivered >= m_lossRoundDelivered;
    m_latestBandwidth = std::max(m_latestBandwidth, rs.rate);
    m_latestInflight = std::max(m_latestInflight, rs.delivered);
    if (m_lossRoundStart)
    {
        m_lossRoundDelivered = m_delivered;
    }
}

void
Bbr3PathModel::AdvanceLatestDeliverySignals()
{
    if (m_lossRoundStart)
    {
        m_latestBandwidth = rs.rate;
        m_latestInflight = rs.delivered;
    }
}

void
Bbr3PathModel::ResetCongestionSignals()
{
    m_lossInRound = false;
    m_latestBandwidth = 0;
    m_latestInflight = 0;
}

void
Bbr3PathModel::UpdateCongestionSignals(const TcpSocketState& tcb, bool isProbing)
{
    UpdateMaxBandwidth();
    if (!m_lossRoundStart)
    {
        return;
    }
    if (!isProbing && m_lossInRound)
    {
        AdaptLowerBounds(tcb);
    }
    m_lossInRound = false;
}

void
Bbr3PathModel::AdaptLowerBounds(const TcpSocketState& tcb)
{
    if (shortTermBandwidth == s_infinite)
    {
        shortTermBandwidth = MaxBandwidth();
    }
    if (shortTermInflight == s_infinite)
    {
        shortTermInflight = tcb.m_cWnd;
    }
    shortTermBandwidth = std::max(m_latestBandwidth, ShareOf(constants.beta, shortTermBandwidth));
    shortTermInflight = std::max(m_latestInflight, ShareOf(constants.beta, shortTermInflight));
}

void
Bbr3PathModel::ResetShortTermModel()
{
    shortTermBandwidth = s_infinite;
    shortTermInflight = s_infinite;
}

void
Bbr3PathModel::NoteLoss()
{
    if (!m_lossInRound)
    {
        m_lossRoundDelivered = m_delivered;
    }
    m_lossInRound = true;
}

bool
Bbr3PathModel::IsInflightTooHigh() const
{
    return static_cast<double>(rs.lost) >
           constants.lossThreshold * static_cast<double>(rs.txInFlight);
}

std::uint64_t
Bbr3PathModel::InflightAtLoss() const
{
    // The bytes that this acknowledgement reports lost take the place of the draft's packet.
    const double before = static_cast<double>(rs.txInFlight) - static_cast<double>(rs.newlyLost);
    const double lostBefore = static_cast<double>(rs.lost) - static_cast<double>(rs.newlyLost);
    const double prefix =
        (constants.lossThreshold * before - lostBefore) / (1 - constants.lossThreshold);
    return static_cast<std::uint64_t>(std::max(before + prefix, 0.0));
}

void
Bbr3PathModel::BeginHoldingBack()
{
    m_heldFrom = m_delivered;
}

void
Bbr3PathModel::HoldBack(std::uint64_t inFlight)
{
    m_heldTo = m_delivered + inFlight;
}

} // namespace ns3
