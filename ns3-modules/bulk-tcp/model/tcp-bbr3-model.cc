// BBR's model of the path: draft-ietf-ccwg-bbr-05, 5.5.
#include "bulk-tcp/model/tcp-bbr3.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

// Of draft-ietf-ccwg-bbr-05, 2.4 to 2.9.
constexpr double lossThreshold = 0.02;
constexpr double beta = 0.7;
constexpr std::uint32_t extraAckedFilterRounds = 10;
constexpr std::uint32_t maxProbeUpRounds = 30;
constexpr std::int64_t minRttFilterNs = 10000000000;
constexpr std::int64_t probeRttIntervalNs = 5000000000;
constexpr double bitNsPerByteSecond = 8e9;

std::uint64_t
Scaled(double factor, std::uint64_t value)
{
    return static_cast<std::uint64_t>(factor * static_cast<double>(value));
}

} // namespace

void
TcpBbr3::StartRound()
{
    m_nextRoundDelivered = m_delivered;
}

void
TcpBbr3::UpdateRound()
{
    m_roundStart = m_rs.priorDelivered >= m_nextRoundDelivered;
    if (m_roundStart)
    {
        StartRound();
        ++m_roundCount;
        ++m_roundsSinceProbe;
    }
}

void
TcpBbr3::UpdateMaxBandwidth()
{
    UpdateRound();
    if (m_rs.rate > 0 && (m_rs.rate >= MaxBandwidth() || !m_rs.appLimited))
    {
        m_maxBandwidths[1] = std::max(m_maxBandwidths[1], m_rs.rate);
    }
}

void
TcpBbr3::AdvanceMaxBandwidthFilter()
{
    if (m_maxBandwidths[1] > 0)
    {
        m_maxBandwidths = {m_maxBandwidths[1], 0};
    }
}

void
TcpBbr3::UpdateMinRtt()
{
    m_probeRttExpired = m_rs.nowNs > m_probeRttMinStampNs + probeRttIntervalNs;
    if (m_rs.rttNs > 0 && (m_rs.rttNs < m_probeRttMinNs || m_probeRttExpired))
    {
        m_probeRttMinNs = m_rs.rttNs;
        m_probeRttMinStampNs = m_rs.nowNs;
    }
    const bool expired = m_rs.nowNs > m_minRttStampNs + minRttFilterNs;
    if (m_probeRttMinNs < m_minRttNs || expired)
    {
        m_minRttNs = m_probeRttMinNs;
        m_minRttStampNs = m_probeRttMinStampNs;
    }
}

void
TcpBbr3::UpdateAckAggregation(const TcpSocketState& tcb)
{
    const auto interval = static_cast<double>(m_rs.nowNs - m_extraAckedStartNs);
    auto expected = static_cast<std::uint64_t>(static_cast<double>(m_bandwidth) * interval /
                                               bitNsPerByteSecond);
    if (m_extraAckedDelivered <= expected)
    {
        m_extraAckedDelivered = 0;
        m_extraAckedStartNs = m_rs.nowNs;
        expected = 0;
    }
    m_extraAckedDelivered += m_rs.newlyAcked;
    const std::uint64_t extra =
        std::min<std::uint64_t>(m_extraAckedDelivered - expected, tcb.m_cWnd);
    m_extraAckedFilter.SetWindowLength(m_fullReached ? extraAckedFilterRounds : 1);
    m_extraAckedFilter.Update(extra, static_cast<std::uint32_t>(m_roundCount));
}

void
TcpBbr3::UpdateLatestDeliverySignals()
{
    m_lossRoundStart = m_rs.priorDelivered >= m_lossRoundDelivered;
    m_latestBandwidth = std::max(m_latestBandwidth, m_rs.rate);
    m_latestInflight = std::max(m_latestInflight, m_rs.delivered);
    if (m_lossRoundStart)
    {
        m_lossRoundDelivered = m_delivered;
    }
}

void
TcpBbr3::AdvanceLatestDeliverySignals()
{
    if (m_lossRoundStart)
    {
        m_latestBandwidth = m_rs.rate;
        m_latestInflight = m_rs.delivered;
    }
}

void
TcpBbr3::ResetCongestionSignals()
{
    m_lossInRound = false;
    m_latestBandwidth = 0;
    m_latestInflight = 0;
}

void
TcpBbr3::UpdateCongestionSignals(const TcpSocketState& tcb)
{
    UpdateMaxBandwidth();
    if (!m_lossRoundStart)
    {
        return;
    }
    AdaptLowerBounds(tcb);
    m_lossInRound = false;
}

void
TcpBbr3::AdaptLowerBounds(const TcpSocketState& tcb)
{
    if (IsProbingBandwidth() || !m_lossInRound)
    {
        return;
    }
    if (m_shortTermBandwidth == s_infinite)
    {
        m_shortTermBandwidth = MaxBandwidth();
    }
    if (m_shortTermInflight == s_infinite)
    {
        m_shortTermInflight = tcb.m_cWnd;
    }
    m_shortTermBandwidth = std::max(m_latestBandwidth, Scaled(beta, m_shortTermBandwidth));
    m_shortTermInflight = std::max(m_latestInflight, Scaled(beta, m_shortTermInflight));
}

void
TcpBbr3::ResetShortTermModel()
{
    m_shortTermBandwidth = s_infinite;
    m_shortTermInflight = s_infinite;
}

void
TcpBbr3::AdaptLongTermModel(const TcpSocketState& tcb)
{
    if (m_ackPhase == AckPhase::ProbeStarting && m_roundStart)
    {
        m_ackPhase = AckPhase::ProbeFeedback;
    }
    if (m_ackPhase == AckPhase::ProbeStopping && m_roundStart)
    {
        m_probeSamples = false; // what was sent while probing is judged
        m_ackPhase = AckPhase::Init;
        if (IsInProbeBw() && !m_rs.appLimited)
        {
            AdvanceMaxBandwidthFilter();
        }
    }
    if (IsInflightTooHigh() || m_longTermInflight == s_infinite)
    {
        return;
    }
    m_longTermInflight = std::max(m_longTermInflight, m_rs.txInFlight);
    if (m_phase == Phase::ProbeBwUp)
    {
        ProbeInflightUpward(tcb);
    }
}

void
TcpBbr3::RaiseLongTermSlope(const TcpSocketState& tcb)
{
    const std::uint64_t growth = static_cast<std::uint64_t>(tcb.m_segmentSize) << m_probeUpRounds;
    m_probeUpRounds = std::min(m_probeUpRounds + 1, maxProbeUpRounds);
    m_probeUpCount = std::max<std::uint64_t>(tcb.m_cWnd / growth, 1);
}

void
TcpBbr3::ProbeInflightUpward(const TcpSocketState& tcb)
{
    if (!m_rs.windowLimited || tcb.m_cWnd < m_longTermInflight)
    {
        return;
    }
    m_probeUpAcks += m_rs.newlyAcked;
    if (m_probeUpAcks >= m_probeUpCount)
    {
        const std::uint64_t growth = m_probeUpAcks / m_probeUpCount;
        m_probeUpAcks -= growth * m_probeUpCount;
        m_longTermInflight += growth;
    }
    if (m_roundStart)
    {
        RaiseLongTermSlope(tcb);
    }
}

void
TcpBbr3::NoteLoss()
{
    if (!m_lossInRound)
    {
        m_lossRoundDelivered = m_delivered;
    }
    m_lossInRound = true;
}

void
TcpBbr3::HandleLoss(const TcpSocketState& tcb)
{
    if (m_rs.newlyLost == 0)
    {
        return;
    }
    NoteLoss();
    if (!m_probeSamples || !IsInflightTooHigh())
    {
        return;
    }
    m_probeSamples = false; // one reaction a probe
    if (!m_rs.appLimited)
    {
        m_longTermInflight = std::max(InflightAtLoss(), Scaled(beta, TargetInflight(tcb)));
    }
    if (m_phase == Phase::ProbeBwUp)
    {
        StartDown();
    }
}

bool
TcpBbr3::IsInflightTooHigh() const
{
    return static_cast<double>(m_rs.lost) > lossThreshold * static_cast<double>(m_rs.txInFlight);
}

std::uint64_t
TcpBbr3::InflightAtLoss() const
{
    // The acknowledgement's losses stand for the draft's packet.
    const double before =
        static_cast<double>(m_rs.txInFlight) - static_cast<double>(m_rs.newlyLost);
    const double lostBefore = static_cast<double>(m_rs.lost) - static_cast<double>(m_rs.newlyLost);
    const double prefix = (lossThreshold * before - lostBefore) / (1 - lossThreshold);
    return static_cast<std::uint64_t>(std::max(before + prefix, 0.0));
}

} // namespace ns3
