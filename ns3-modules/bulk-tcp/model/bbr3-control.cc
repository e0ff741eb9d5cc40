// SPDX-License-Identifier: GPL-2.0-only
// Follows draft-ietf-ccwg-bbr-06, 5.6, with the constants of 2.5 to 2.8.
#include "bulk-tcp/model/bbr3-control.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr double pacingMargin = 0.01;
constexpr double probeRttGain = 0.5;
constexpr std::uint64_t minPipeSegments = 4;
constexpr double bitNsPerByteSecond = 8e9;
constexpr std::int64_t nominalRttNs = 1000000;  ///< round trip before the first measurement
constexpr std::uint64_t largestQuantum = 65536; ///< bytes
constexpr std::uint64_t offloadQuanta = 3;
constexpr std::uint64_t quantaPerByteSecond = 8000; ///< bit/s per byte per millisecond
constexpr std::uint64_t largestBbrWindow = UINT32_MAX;

std::uint64_t
MinPipe(const TcpSocketState& tcb)
{
    return minPipeSegments * tcb.m_segmentSize;
}

void
PutWindow(TcpSocketState& tcb, std::uint64_t window)
{
    tcb.m_cWnd = static_cast<std::uint32_t>(std::min(window, largestBbrWindow));
    tcb.m_cWndInfl = tcb.m_cWnd;
}

std::uint64_t
QuantizationBudget(const TcpSocketState& tcb, std::uint64_t inflight, bool isUp)
{
    const std::uint64_t rate = tcb.m_pacingRate.Get().GetBitRate();
    const std::uint64_t quantum = std::max<std::uint64_t>(
        std::min(rate / quantaPerByteSecond, largestQuantum), 2 * tcb.m_segmentSize);
    inflight = std::max({inflight, offloadQuanta * quantum, MinPipe(tcb)});
    return isUp ? inflight + 2 * tcb.m_segmentSize : inflight;
}

void
BoundWindowForModel(TcpSocketState& tcb, const Bbr3PathModel& model, const Bbr3Phase& phase)
{
    std::uint64_t cap = Bbr3PathModel::s_infinite;
    if (phase.Is(Bbr3PhaseName::ProbeRtt) || phase.Is(Bbr3PhaseName::ProbeBwCruise))
    {
        cap = Bbr3Control::InflightWithHeadroom(tcb, model);
    }
    else if (phase.IsProbeBw())
    {
        cap = model.longTermInflight;
    }
    cap = std::max(std::min(cap, model.shortTermInflight), MinPipe(tcb));
    PutWindow(tcb, std::min<std::uint64_t>(tcb.m_cWnd, cap));
}

} // namespace

void
Bbr3Control::InitPacingRate(TcpSocketState& tcb, const Bbr3Phase& phase)
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
    tcb.m_pacingRate = std::min(DataRate(static_cast<std::uint64_t>(phase.PacingGain() * rate)),
                                tcb.m_maxPacingRate);
}

void
Bbr3Control::SetPacingRate(TcpSocketState& tcb,
                           const Bbr3PathModel& model,
                           double gain,
                           bool isFull) const
{
    const double rate = gain * static_cast<double>(model.Bandwidth()) * (1 - pacingMargin);
    const DataRate paced =
        std::min(DataRate(static_cast<std::uint64_t>(rate)), tcb.m_maxPacingRate);
    if (model.Bandwidth() > 0 && (isFull || paced > tcb.m_pacingRate))
    {
        tcb.m_pacingRate = paced;
    }
}

void
Bbr3Control::SetWindow(TcpSocketState& tcb,
                       const Bbr3PathModel& model,
                       const Bbr3Phase& phase,
                       bool isFull) const
{
    const std::uint64_t wanted =
        BdpMultiple(tcb, model, model.Bandwidth(), phase.CwndGain()) + model.ExtraAcked();
    const std::uint64_t most = QuantizationBudget(tcb, wanted, phase.Is(Bbr3PhaseName::ProbeBwUp));
    std::uint64_t window = tcb.m_cWnd;
    if (isFull)
    {
        window = std::min(window + model.rs.newlyAcked, most);
    }
    else if (window < most || model.Delivered() < tcb.m_initialCWnd * tcb.m_segmentSize)
    {
        window += model.rs.newlyAcked;
    }
    window = std::max(window, MinPipe(tcb));
    if (phase.Is(Bbr3PhaseName::ProbeRtt))
    {
        window = std::min(window, ProbeRttWindow(tcb, model));
    }
    PutWindow(tcb, window);
    BoundWindowForModel(tcb, model, phase);
}

void
Bbr3Control::SaveWindow(const TcpSocketState& tcb, const Bbr3Phase& phase)
{
    const bool modulated = IsRecovering(tcb) || phase.Is(Bbr3PhaseName::ProbeRtt);
    m_priorWindow = std::max<std::uint64_t>(modulated ? m_priorWindow : 0, tcb.m_cWnd);
}

void
Bbr3Control::RestoreWindow(TcpSocketState& tcb) const
{
    PutWindow(tcb, std::max<std::uint64_t>(tcb.m_cWnd, m_priorWindow));
}

std::uint64_t
Bbr3Control::BdpMultiple(const TcpSocketState& tcb,
                         const Bbr3PathModel& model,
                         std::uint64_t bandwidth,
                         double gain)
{
    if (model.MinRttNs() == INT64_MAX)
    {
        return static_cast<std::uint64_t>(tcb.m_initialCWnd) * tcb.m_segmentSize;
    }
    const double bdp =
        static_cast<double>(bandwidth) * static_cast<double>(model.MinRttNs()) / bitNsPerByteSecond;
    return static_cast<std::uint64_t>(gain * bdp);
}

std::uint64_t
Bbr3Control::Inflight(const TcpSocketState& tcb,
                      const Bbr3PathModel& model,
                      std::uint64_t bandwidth)
{
    return QuantizationBudget(tcb, BdpMultiple(tcb, model, bandwidth, 1), false);
}

std::uint64_t
Bbr3Control::InflightWithHeadroom(const TcpSocketState& tcb, const Bbr3PathModel& model)
{
    const std::uint64_t most = model.longTermInflight;
    if (most == Bbr3PathModel::s_infinite)
    {
        return Bbr3PathModel::s_infinite;
    }
    const auto share =
        static_cast<std::uint64_t>(model.constants.headroom * static_cast<double>(most));
    const std::uint64_t left = std::max<std::uint64_t>(tcb.m_segmentSize, share);
    return std::max(most - std::min(left, most), MinPipe(tcb));
}

std::uint64_t
Bbr3Control::TargetInflight(const TcpSocketState& tcb, const Bbr3PathModel& model)
{
    return std::min<std::uint64_t>(BdpMultiple(tcb, model, model.Bandwidth(), 1), tcb.m_cWnd);
}

std::uint64_t
Bbr3Control::ProbeRttWindow(const TcpSocketState& tcb, const Bbr3PathModel& model)
{
    return std::max(BdpMultiple(tcb, model, model.Bandwidth(), probeRttGain), MinPipe(tcb));
}

} // namespace ns3
