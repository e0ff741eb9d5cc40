// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/tcp-prague.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

using ns3::TcpSocketState;

namespace
{

constexpr double alphaGain = 1.0 / 16;         // PRAGUE_SHIFT_G
constexpr std::uint32_t leastPragueWindow = 2; // segments (MIN_CWND)
constexpr std::uint32_t roundsOfReno = 4;      // DEFAULT_RTT_TRANSITION, after slow start
constexpr double smoothedRttGain = 1.0 / 8;    // RFC 6298
constexpr double firstRtt = 1e-3;              // seconds, for the pace before a sample, as in Linux

} // namespace

NS_OBJECT_ENSURE_REGISTERED(TcpPrague);

ns3::TypeId
TcpPrague::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("geotrain::TcpPrague")
            .SetParent<ns3::TcpCongestionOps>()
            .AddConstructor<TcpPrague>()
            .SetGroupName("Internet")
            .AddAttribute("VirtualRtt",
                          "Round trip as of which flows with shorter ones grow and reduce; 0: each "
                          "grows by its own",
                          ns3::TimeValue(ns3::MilliSeconds(25)),
                          ns3::MakeTimeAccessor(&TcpPrague::m_virtualRtt),
                          ns3::MakeTimeChecker(ns3::Time(0), ns3::Seconds(1)));
    return tid;
}

std::string
TcpPrague::GetName() const
{
    return "TcpPrague";
}

void
TcpPrague::Init(ns3::Ptr<TcpSocketState> tcb)
{
    tcb->m_useEcn = TcpSocketState::On;
    tcb->m_pacing = true;
    UpdatePace(*tcb);
}

void
TcpPrague::OnFeedback(const ns3::AccurateEcnFeedback& feedback)
{
    m_feedback = feedback;
}

void
TcpPrague::CongControl(ns3::Ptr<TcpSocketState> tcb,
                       const ns3::TcpRateOps::TcpRateConnection& /*connection*/,
                       const ns3::TcpRateOps::TcpRateSample& sample)
{
    const double delivered = sample.m_ackedSacked;
    const double marked = std::min(delivered, 1.0 * m_feedback.markedPackets * tcb->m_segmentSize);
    MeasureRtt(*tcb);
    m_roundDelivered += delivered;
    m_roundMarked += marked;
    if (m_feedback.markedPackets > 0)
    {
        ReduceForMarks(*tcb);
    }
    if (m_feedback.isWindowLimit && tcb->m_congState != TcpSocketState::CA_RECOVERY)
    {
        Grow(*tcb, delivered - marked);
    }
    ApplyCarry(*tcb, delivered);
    EndRound(*tcb);
    UpdatePace(*tcb);
    m_feedback = {};
}

void
TcpPrague::MeasureRtt(const TcpSocketState& tcb)
{
    const double sample = tcb.m_lastRtt.Get().GetSeconds();
    m_smoothedRtt =
        m_smoothedRtt > 0 ? m_smoothedRtt + smoothedRttGain * (sample - m_smoothedRtt) : sample;
}

/// Flows with shorter round trips than the virtual one behave as if they had it, a few round trips
/// after slow start.
bool
TcpPrague::IsRttIndependent(const TcpSocketState& tcb) const
{
    return m_smoothedRtt < m_virtualRtt.GetSeconds() && m_rounds >= roundsOfReno &&
           tcb.m_cWnd >= tcb.m_ssThresh;
}

/// Returns by how much less than a segment per round trip the window grows: so that the rate, a window
/// per round trip, grows in a virtual round trip by a segment per virtual round trip.
double
TcpPrague::IncreaseFactor(const TcpSocketState& tcb) const
{
    const double share = m_smoothedRtt / m_virtualRtt.GetSeconds();
    return IsRttIndependent(tcb) ? share * share : 1;
}

void
TcpPrague::ReduceForMarks(TcpSocketState& tcb)
{
    m_hasSeenMark = true;
    tcb.m_ssThresh = std::min(tcb.m_ssThresh.Get(), tcb.m_cWnd.Get()); // slow start is over
    const ns3::Time now = ns3::Simulator::Now();
    const bool isTooSoon = IsRttIndependent(tcb) && now - m_reduced < m_virtualRtt;
    if (tcb.m_lastAckedSeq < m_reducedUntil || isTooSoon)
    {
        return;
    }
    m_reduced = now;
    m_reducedUntil = tcb.m_highTxMark.Get();
    m_carry -= m_alpha / 2 * tcb.m_cWnd.Get();
}

/// Marked bytes grow nothing, and those that come while the window is reduced do.
void
TcpPrague::Grow(TcpSocketState& tcb, double unmarkedBytes)
{
    if (tcb.m_cWnd < tcb.m_ssThresh)
    {
        const std::uint32_t room = tcb.m_ssThresh - tcb.m_cWnd;
        const auto growth =
            static_cast<std::uint32_t>(std::min<double>(room, std::max(0.0, unmarkedBytes)));
        tcb.m_cWnd += growth;
        unmarkedBytes -= growth;
    }
    m_carry += unmarkedBytes * IncreaseFactor(tcb) * tcb.m_segmentSize / tcb.m_cWnd.Get();
}

/// Changes the window by whole segments, by no more of them than were delivered.
void
TcpPrague::ApplyCarry(TcpSocketState& tcb, double deliveredBytes)
{
    const double segment = tcb.m_segmentSize;
    const double most = std::ceil(deliveredBytes / segment);
    const double segments = std::clamp(std::trunc(m_carry / segment), -most, most);
    if (segments == 0)
    {
        return;
    }
    m_carry -= segments * segment;
    const double least = leastPragueWindow * segment;
    const double window = std::max(least, tcb.m_cWnd.Get() + segments * segment);
    tcb.m_cWnd = static_cast<std::uint32_t>(std::min<double>(window, INT32_MAX));
    if (segments < 0)
    {
        m_carry = window > least ? m_carry : 0;
        tcb.m_ssThresh = tcb.m_cWnd.Get();
    }
}

/// Updates alpha once per round trip, or per virtual round trip, as soon as a mark has shown that the
/// bottleneck marks.
void
TcpPrague::EndRound(const TcpSocketState& tcb)
{
    const ns3::Time now = ns3::Simulator::Now();
    const bool isTooSoon = IsRttIndependent(tcb) && now - m_alphaUpdated < m_virtualRtt;
    if (tcb.m_lastAckedSeq < m_roundEnd || isTooSoon)
    {
        return;
    }
    if (m_hasSeenMark && m_roundDelivered > 0)
    {
        m_alpha += alphaGain * (m_roundMarked / m_roundDelivered - m_alpha);
        m_alphaUpdated = now;
    }
    m_roundEnd = tcb.m_highTxMark.Get();
    m_roundDelivered = 0;
    m_roundMarked = 0;
    m_rounds += tcb.m_cWnd >= tcb.m_ssThresh ? 1 : 0;
}

/// Paces at a window per round trip, and at two in slow start.
void
TcpPrague::UpdatePace(TcpSocketState& tcb) const
{
    const double factor = tcb.m_cWnd < tcb.m_ssThresh / 2 ? 2 : 1;
    const double bytes = std::max({tcb.m_cWnd.Get(), tcb.m_bytesInFlight.Get(), tcb.m_segmentSize});
    const double rate = 8 * bytes * factor / (m_smoothedRtt > 0 ? m_smoothedRtt : firstRtt);
    const auto most = static_cast<double>(tcb.m_maxPacingRate.GetBitRate());
    tcb.m_pacingRate = ns3::DataRate(static_cast<std::uint64_t>(std::min(rate, most)));
}

/// A loss takes half of the window, as in Linux.
std::uint32_t
TcpPrague::GetSsThresh(ns3::Ptr<const TcpSocketState> tcb, std::uint32_t /*bytesInFlight*/)
{
    const std::uint32_t half = tcb->m_cWnd / 2;
    m_carry -= half;
    return std::max(leastPragueWindow * tcb->m_segmentSize, half);
}

void
TcpPrague::IncreaseWindow(ns3::Ptr<TcpSocketState> /*tcb*/, std::uint32_t /*segmentsAcked*/)
{
    // CongControl() does it.
}

void
TcpPrague::CongestionStateSet(ns3::Ptr<TcpSocketState> tcb, TcpSocketState::TcpCongState_t newState)
{
    if (newState == TcpSocketState::CA_OPEN && m_smoothedRtt == 0 && !tcb->m_lastRtt.Get().IsZero())
    {
        MeasureRtt(*tcb); // the handshake's
        UpdatePace(*tcb);
    }
}

void
TcpPrague::CwndEvent(ns3::Ptr<TcpSocketState> /*tcb*/, TcpSocketState::TcpCAEvent_t event)
{
    if (event == TcpSocketState::CA_EVENT_LOSS)
    {
        m_carry = 0; // the window begins with one segment
    }
}

ns3::Ptr<ns3::TcpCongestionOps>
TcpPrague::Fork()
{
    return ns3::CopyObject<TcpPrague>(this);
}

void
TcpPrague::OnRecoveryBegins(ns3::Ptr<TcpSocketState> /*tcb*/)
{
    m_carryBeforeRecovery = m_carry;
}

void
TcpPrague::OnSpuriousRecovery(ns3::Ptr<TcpSocketState> /*tcb*/)
{
    m_carry = m_carryBeforeRecovery;
}

} // namespace geotrain
