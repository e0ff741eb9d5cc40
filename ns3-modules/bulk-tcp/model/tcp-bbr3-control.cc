// BBR's pacing rate and congestion window: draft-ietf-ccwg-bbr-05, 5.6.
#include "bulk-tcp/model/tcp-bbr3.h"

#include <algorithm>

namespace ns3
{

namespace
{

// Of draft-ietf-ccwg-bbr-05, 2.4 to 2.9.
constexpr double headroom = 0.15;
constexpr double pacingMargin = 0.01;
constexpr double probeRttCwndGain = 0.5;
constexpr std::uint64_t minPipeSegments = 4;
constexpr double bitNsPerByteSecond = 8e9;
constexpr std::int64_t nominalRttNs = 1000000;  ///< before the first measurement
constexpr std::uint64_t largestQuantum = 65536; ///< bytes
constexpr std::uint64_t offloadQuanta = 3;
constexpr std::uint64_t quantaPerByteSecond = 8000; ///< bit/s to bytes in a millisecond
constexpr std::uint64_t largestWindow = UINT32_MAX;

std::uint64_t
MinPipe(const TcpSocketState& tcb)
{
    return minPipeSegments * tcb.m_segmentSize;
}

void
PutWindow(TcpSocketState& tcb, std::uint64_t window)
{
    tcb.m_cWnd = static_cast<std::uint32_t>(std::min(window, largestWindow));
    tcb.m_cWndInfl = tcb.m_cWnd;
}

} // namespace

void
TcpBbr3::InitPacingRate(TcpSocketState& tcb)
{
    const std::int64_t rtt = tcb.m_lastRtt.Get().GetNanoSeconds();
    if (m_rttSeen)
    {
        return;
    }
    m_rttSeen = rtt > 0;
    const double window = static_cast<double>(tcb.m_initialCWnd) * tcb.m_segmentSize;
    const double rate =
        window * bitNsPerByteSecond / static_cast<double>(rtt > 0 ? rtt : nominalRttNs);
    tcb.m_pacingRate =
        std::min(DataRate(static_cast<std::uint64_t>(m_pacingGain * rate)), tcb.m_maxPacingRate);
}

void
TcpBbr3::SetPacingRate(TcpSocketState& tcb, double gain)
{
    const double rate = gain * static_cast<double>(m_bandwidth) * (1 - pacingMargin);
    const DataRate paced =
        std::min(DataRate(static_cast<std::uint64_t>(rate)), tcb.m_maxPacingRate);
    if (m_bandwidth > 0 && (m_fullReached || paced > tcb.m_pacingRate))
    {
        tcb.m_pacingRate = paced;
    }
}

void
TcpBbr3::SetWindow(TcpSocketState& tcb)
{
    const std::uint64_t most = QuantizationBudget(
        tcb, BdpMultiple(tcb, m_bandwidth, m_cwndGain) + m_extraAckedFilter.GetBest());
    std::uint64_t window = tcb.m_cWnd;
    if (m_fullReached)
    {
        window = std::min(window + m_rs.newlyAcked, most);
    }
    else if (window < most || m_delivered < tcb.m_initialCWnd * tcb.m_segmentSize)
    {
        window += m_rs.newlyAcked;
    }
    window = std::max(window, MinPipe(tcb));
    if (m_phase == Phase::ProbeRtt)
    {
        window = std::min(window, ProbeRttWindow(tcb));
    }
    PutWindow(tcb, window);
    BoundWindowForModel(tcb);
}

void
TcpBbr3::BoundWindowForModel(TcpSocketState& tcb) const
{
    std::uint64_t cap = s_infinite;
    if (m_phase == Phase::ProbeRtt || m_phase == Phase::ProbeBwCruise)
    {
        cap = InflightWithHeadroom(tcb);
    }
    else if (IsInProbeBw())
    {
        cap = m_longTermInflight;
    }
    cap = std::max(std::min(cap, m_shortTermInflight), MinPipe(tcb));
    PutWindow(tcb, std::min<std::uint64_t>(tcb.m_cWnd, cap));
}

void
TcpBbr3::SaveWindow(const TcpSocketState& tcb)
{
    const TcpSocketState::TcpCongState_t state = tcb.m_congState;
    const bool modulated = state == TcpSocketState::CA_RECOVERY ||
                           state == TcpSocketState::CA_LOSS || m_phase == Phase::ProbeRtt;
    m_priorWindow = std::max<std::uint64_t>(modulated ? m_priorWindow : 0, tcb.m_cWnd);
}

void
TcpBbr3::RestoreWindow(TcpSocketState& tcb) const
{
    PutWindow(tcb, std::max<std::uint64_t>(tcb.m_cWnd, m_priorWindow));
}

std::uint64_t
TcpBbr3::BdpMultiple(const TcpSocketState& tcb, std::uint64_t bandwidth, double gain) const
{
    if (m_minRttNs == INT64_MAX)
    {
        return static_cast<std::uint64_t>(tcb.m_initialCWnd) * tcb.m_segmentSize;
    }
    const double bdp =
        static_cast<double>(bandwidth) * static_cast<double>(m_minRttNs) / bitNsPerByteSecond;
    return static_cast<std::uint64_t>(gain * bdp);
}

std::uint64_t
TcpBbr3::QuantizationBudget(const TcpSocketState& tcb, std::uint64_t inflight) const
{
    const std::uint64_t rate = tcb.m_pacingRate.Get().GetBitRate();
    const std::uint64_t quantum = std::max<std::uint64_t>(
        std::min(rate / quantaPerByteSecond, largestQuantum), 2 * tcb.m_segmentSize);
    inflight = std::max({inflight, offloadQuanta * quantum, MinPipe(tcb)});
    return m_phase == Phase::ProbeBwUp ? inflight + 2 * tcb.m_segmentSize : inflight;
}

std::uint64_t
TcpBbr3::Inflight(const TcpSocketState& tcb, std::uint64_t bandwidth, double gain) const
{
    return QuantizationBudget(tcb, BdpMultiple(tcb, bandwidth, gain));
}

std::uint64_t
TcpBbr3::InflightWithHeadroom(const TcpSocketState& tcb) const
{
    if (m_longTermInflight == s_infinite)
    {
        return s_infinite;
    }
    const auto share =
        static_cast<std::uint64_t>(headroom * static_cast<double>(m_longTermInflight));
    const std::uint64_t left = std::max<std::uint64_t>(tcb.m_segmentSize, share);
    return std::max(m_longTermInflight - std::min(left, m_longTermInflight), MinPipe(tcb));
}

std::uint64_t
TcpBbr3::TargetInflight(const TcpSocketState& tcb) const
{
    return std::min<std::uint64_t>(BdpMultiple(tcb, m_bandwidth, 1), tcb.m_cWnd);
}

std::uint64_t
TcpBbr3::ProbeRttWindow(const TcpSocketState& tcb) const
{
    return std::max(BdpMultiple(tcb, m_bandwidth, probeRttCwndGain), MinPipe(tcb));
}

} // namespace ns3
