// SPDX-License-Identifier: GPL-2.0-only
// Implements the functions that ns-3 calls. Section numbers are those of RFC 9438.
#include "bulk-tcp/model/geotrain-cubic.h"

#include "wan-topology/model/reusable-event.h"

#include <ns3/boolean.h>
#include <ns3/double.h>
#include <ns3/enum.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

using ns3::MakeBooleanAccessor;
using ns3::MakeBooleanChecker;
using ns3::MakeDoubleAccessor;
using ns3::MakeDoubleChecker;
using ns3::TcpSocketState;

NS_OBJECT_ENSURE_REGISTERED(TcpCubic);

namespace
{

constexpr double largestGrowth = 1.5;             ///< of the window in a round trip (4.2)
constexpr std::uint64_t largestCwnd = 2147483647; ///< bytes: the window's 32 bits never wrap
constexpr std::uint32_t leastSegments = 2;        ///< of ssthresh (4.6)
// Segments that are acknowledged for each by which the window grows, in Linux:
constexpr std::int64_t fastest = 2;           ///< at least
constexpr std::int64_t withoutPriorLoss = 20; ///< at most, while no loss has told a window
constexpr std::int64_t standingStill = 100;   ///< windows, at the target

double
Segments(const TcpSocketState& tcb)
{
    return static_cast<double>(tcb.m_cWnd.Get()) / tcb.m_segmentSize;
}

} // namespace

ns3::TypeId
TcpCubic::GetTypeId()
{
    static ns3::TypeId id =
        ns3::TypeId("geotrain::TcpCubic")
            .SetParent<ns3::TcpCongestionOps>()
            .SetGroupName("BulkTcp")
            .AddConstructor<TcpCubic>()
            .AddAttribute("FastConvergence",
                          "Whether a window that falls twice leaves room to others (section 4.7).",
                          ns3::BooleanValue(true),
                          MakeBooleanAccessor(&TcpCubic::m_fastConvergence),
                          MakeBooleanChecker())
            .AddAttribute("Beta",
                          "What is left of the window after a loss.",
                          ns3::DoubleValue(0.7),
                          MakeDoubleAccessor(&TcpCubic::m_beta),
                          MakeDoubleChecker<double>(0.1, 0.99))
            .AddAttribute("C",
                          "Factor of the cubic function, segments per second to the third.",
                          ns3::DoubleValue(0.4),
                          MakeDoubleAccessor(&TcpCubic::m_c),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddAttribute("AlphaAbovePriorWindow",
                          "Growth of the Reno-friendly window in segments per round trip once it "
                          "has reached the window before the last reduction. Linux keeps 0.53.",
                          ns3::DoubleValue(1.0),
                          MakeDoubleAccessor(&TcpCubic::m_alphaAbovePrior),
                          MakeDoubleChecker<double>(0.0, 10.0))
            .AddAttribute("HyStart",
                          "Whether the first slow start may end by HyStart++ (RFC 9406). bulk-tcp "
                          "switches it off, since it has its own.",
                          ns3::BooleanValue(true),
                          MakeBooleanAccessor(&TcpCubic::m_usesHyStart),
                          MakeBooleanChecker())
            .AddAttribute("Rules",
                          "RFC (9438), or LINUX: whole segments, which grow small windows faster, "
                          "and 0.53 segments per round trip at all windows. The presets LINUX and "
                          "LINUX_FQ set it.",
                          ns3::EnumValue(RFC),
                          ns3::MakeEnumAccessor(&TcpCubic::m_rules),
                          ns3::MakeEnumChecker(RFC, "RFC", LINUX, "LINUX"));
    return id;
}

TcpCubic::TcpCubic() = default;

std::string
TcpCubic::GetName() const
{
    return "TcpCubic";
}

std::uint32_t
TcpCubic::GetSsThresh(ns3::Ptr<const TcpSocketState> tcb, std::uint32_t /*bytesInFlight*/)
{
    const double window = Segments(*tcb);
    const bool falls = window < m_epoch.maxWindow && m_fastConvergence;
    m_epoch.maxWindow = falls ? window * (1 + m_beta) / 2 : window;
    m_epoch.priorWindow = window;
    EndEpoch();
    auto reduced = static_cast<std::uint32_t>(std::lround(m_beta * tcb->m_cWnd.Get()));
    if (m_rules == LINUX)
    {
        m_epoch.maxWindow = std::floor(m_epoch.maxWindow);
        reduced -= reduced % tcb->m_segmentSize;
    }
    return std::max(reduced, leastSegments * tcb->m_segmentSize);
}

void
TcpCubic::IncreaseWindow(ns3::Ptr<TcpSocketState> tcb, std::uint32_t segmentsAcked)
{
    m_wasLimit = !m_looksForLimit || IsWindowTheLimit(*tcb);
    if (!m_wasLimit)
    {
        return;
    }
    if (tcb->m_cWnd < tcb->m_ssThresh)
    {
        segmentsAcked = GrowInSlowStart(*tcb, segmentsAcked);
    }
    if (segmentsAcked > 0)
    {
        const auto grow = m_rules == LINUX ? &TcpCubic::GrowAsLinux : &TcpCubic::GrowInAvoidance;
        (this->*grow)(*tcb, segmentsAcked);
    }
}

/// Returns the segments that are left for congestion avoidance.
std::uint32_t
TcpCubic::GrowInSlowStart(TcpSocketState& tcb, std::uint32_t segmentsAcked)
{
    if (RunsHyStart(tcb))
    {
        segmentsAcked = m_hyStart.Growth(segmentsAcked);
    }
    const std::uint64_t wanted = std::uint64_t{segmentsAcked} * tcb.m_segmentSize;
    const std::uint64_t room = tcb.m_ssThresh.Get() - tcb.m_cWnd.Get();
    const std::uint64_t grown = std::min(wanted, room);
    tcb.m_cWnd = static_cast<std::uint32_t>(std::min(tcb.m_cWnd.Get() + grown, largestCwnd));
    return static_cast<std::uint32_t>((wanted - grown) / tcb.m_segmentSize);
}

void
TcpCubic::GrowInAvoidance(TcpSocketState& tcb, std::uint32_t segmentsAcked)
{
    const std::int64_t nowNs = ns3::NowNs();
    const double before = Segments(tcb) + m_epoch.fraction;
    if (m_epoch.startNs == s_none)
    {
        BeginEpoch(before, nowNs);
    }
    const double share = segmentsAcked / before; // of a round trip
    const bool isAbovePrior = m_epoch.friendlyWindow >= m_epoch.priorWindow;
    const double alpha = isAbovePrior ? m_alphaAbovePrior : 3 * (1 - m_beta) / (1 + m_beta); // 4.3
    m_epoch.friendlyWindow += alpha * share;
    const double seconds = static_cast<double>(nowNs - m_epoch.startNs) / 1e9;
    double window = std::max(before, m_epoch.friendlyWindow);
    if (CubicWindow(seconds) >= m_epoch.friendlyWindow)
    {
        const double target = CubicWindow(seconds + tcb.m_lastRtt.Get().GetSeconds());
        window = before + share * (std::clamp(target, before, largestGrowth * before) - before);
    }
    const double whole = std::floor(window - Segments(tcb));
    m_epoch.fraction = window - Segments(tcb) - whole;
    const std::uint64_t grown = static_cast<std::uint64_t>(whole) * tcb.m_segmentSize;
    if (grown > 0)
    {
        tcb.m_cWnd = static_cast<std::uint32_t>(std::min(tcb.m_cWnd.Get() + grown, largestCwnd));
    }
}

/// Grows by one segment for each SegmentsPerGrowth() that are acknowledged (Linux's tcp_cong_avoid_ai).
void
TcpCubic::GrowAsLinux(TcpSocketState& tcb, std::uint32_t segmentsAcked)
{
    const std::int64_t nowNs = ns3::NowNs();
    const std::int64_t window = tcb.m_cWnd.Get() / tcb.m_segmentSize;
    m_epoch.acked += segmentsAcked;
    if (m_epoch.startNs == s_none)
    {
        BeginEpoch(static_cast<double>(window), nowNs);
        m_epoch.acked = segmentsAcked;
    }
    const std::int64_t needed = SegmentsPerGrowth(window, nowNs);
    // A credit from a time when more were needed grows the window by one at most.
    std::int64_t grown = m_credit >= needed ? 1 : 0;
    m_credit = (grown > 0 ? 0 : m_credit) + segmentsAcked;
    grown += m_credit / needed;
    m_credit %= needed;
    const auto bytes = static_cast<std::uint64_t>(grown) * tcb.m_segmentSize;
    tcb.m_cWnd = static_cast<std::uint32_t>(std::min(tcb.m_cWnd.Get() + bytes, largestCwnd));
}

/// Returns how many acknowledged segments grow the window by one (Linux's bictcp_update).
std::int64_t
TcpCubic::SegmentsPerGrowth(std::int64_t window, std::int64_t nowNs)
{
    const std::int64_t ahead = std::max<std::int64_t>(m_leastRttNs, 0);
    const double seconds = static_cast<double>(nowNs - m_epoch.startNs + ahead) / 1e9;
    // The distance from the flat part is cut to whole segments, so that a target below it is rounded up.
    const double flat = m_epoch.origin;
    const auto target = static_cast<std::int64_t>(flat + std::trunc(CubicWindow(seconds) - flat));
    std::int64_t needed = target > window ? window / (target - window) : standingStill * window;
    if (m_epoch.maxWindow == 0)
    {
        needed = std::min(needed, withoutPriorLoss);
    }
    const std::int64_t friendly = CountFriendly(window);
    if (friendly > window)
    {
        needed = std::min(needed, window / (friendly - window));
    }
    return std::max(needed, fastest);
}

/// Returns the window of a Reno with the same mean: 0.53 segments more each round trip.
std::int64_t
TcpCubic::CountFriendly(std::int64_t window)
{
    // Eighths, as in Linux: 15 for a Beta of 0.7.
    const auto eighths = static_cast<std::int64_t>(8 * (1 + m_beta) / 3 / (1 - m_beta));
    const std::int64_t each = std::max<std::int64_t>(window * eighths / 8, 1);
    const std::int64_t grown = (m_epoch.acked - 1) / each;
    m_epoch.acked -= grown * each;
    m_epoch.friendlyWindow += static_cast<double>(grown);
    return static_cast<std::int64_t>(m_epoch.friendlyWindow);
}

void
TcpCubic::BeginEpoch(double window, std::int64_t nowNs)
{
    m_epoch.origin = std::max(m_epoch.maxWindow, window);
    m_epoch.k = std::cbrt((m_epoch.origin - window) / m_c);
    m_epoch.friendlyWindow = window;
    m_epoch.startNs = nowNs;
}

void
TcpCubic::EndEpoch()
{
    m_epoch.startNs = s_none;
    m_epoch.fraction = 0;
    m_credit = 0;
}

/// Returns W_cubic (equation 1) in segments.
double
TcpCubic::CubicWindow(double seconds) const
{
    const double distance = seconds - m_epoch.k;
    return m_epoch.origin + m_c * distance * distance * distance;
}

/// Returns whether a window's worth was in flight within the last round trip. As in Linux's
/// tcp_is_cwnd_limited, the window may be twice the bytes in flight in slow start.
bool
TcpCubic::IsWindowTheLimit(const TcpSocketState& tcb) const
{
    const std::uint64_t flight = std::max(m_flight, m_lastFlight);
    const std::uint64_t window = tcb.m_cWnd.Get();
    return flight + tcb.m_segmentSize > window || (window < tcb.m_ssThresh && window < 2 * flight);
}

void
TcpCubic::PktsAcked(ns3::Ptr<TcpSocketState> tcb, std::uint32_t segmentsAcked, const ns3::Time& rtt)
{
    const std::int64_t nowNs = ns3::NowNs();
    if (rtt.IsStrictlyPositive() && (m_leastRttNs == s_none || rtt.GetNanoSeconds() < m_leastRttNs))
    {
        m_leastRttNs = rtt.GetNanoSeconds();
    }
    const bool isOpen = tcb->m_congState == TcpSocketState::CA_OPEN;
    if (isOpen && !m_wasLimit && m_epoch.startNs != s_none)
    {
        m_epoch.startNs += nowNs - m_ackedNs; // 5.8
    }
    m_ackedNs = nowNs;
    m_wasLimit = !isOpen; // until IncreaseWindow() is called
    const bool beginsRound = NoteFlight(*tcb, segmentsAcked);
    if (RunsHyStart(*tcb))
    {
        // HyStart++ needs only the ends of the round trips, which have been found.
        const auto phase = m_hyStart.OnAck(rtt.GetNanoSeconds(), beginsRound ? 1 : 0, 1);
        if (phase == ns3::HyStartPlusPlus::Phase::Done)
        {
            tcb->m_ssThresh = tcb->m_cWnd.Get();
        }
    }
}

/// Returns whether a round trip begins.
bool
TcpCubic::NoteFlight(const TcpSocketState& tcb, std::uint32_t segmentsAcked)
{
    const bool beginsRound = tcb.m_lastAckedSeq >= m_roundEnd;
    if (beginsRound)
    {
        m_roundEnd = tcb.m_highTxMark;
        m_lastFlight = m_flight;
        m_flight = 0;
    }
    m_flight = std::max(m_flight, tcb.m_bytesInFlight.Get() + segmentsAcked * tcb.m_segmentSize);
    return beginsRound;
}

/// HyStart++ is for the first slow start only (RFC 9406, section 4.3).
bool
TcpCubic::RunsHyStart(const TcpSocketState& tcb) const
{
    return m_usesHyStart && tcb.m_ssThresh >= tcb.m_initialSsThresh;
}

void
TcpCubic::CongestionStateSet(ns3::Ptr<TcpSocketState> /*tcb*/,
                             TcpSocketState::TcpCongState_t newState)
{
    if (newState == TcpSocketState::CA_LOSS)
    {
        m_epoch.maxWindow = 0; // 4.8
        EndEpoch();
    }
}

void
TcpCubic::CwndEvent(ns3::Ptr<TcpSocketState> /*tcb*/, TcpSocketState::TcpCAEvent_t event)
{
    if (event == TcpSocketState::CA_EVENT_CWND_RESTART && m_rules == RFC)
    {
        EndEpoch(); // slow start and another stage of congestion avoidance follow
    }
    else if (event == TcpSocketState::CA_EVENT_TX_START && m_epoch.startNs != s_none)
    {
        const std::int64_t nowNs = ns3::NowNs();
        m_epoch.startNs += nowNs - m_ackedNs; // nothing was in flight since then (5.8)
        m_ackedNs = nowNs;
    }
}

ns3::Ptr<ns3::TcpCongestionOps>
TcpCubic::Fork()
{
    return ns3::CopyObject<TcpCubic>(this);
}

void
TcpCubic::OnRecoveryBegins(ns3::Ptr<TcpSocketState> /*tcb*/)
{
    m_beforeRecovery = m_epoch;
}

void
TcpCubic::OnSpuriousRecovery(ns3::Ptr<TcpSocketState> /*tcb*/)
{
    m_epoch = m_beforeRecovery; // 4.9
}

} // namespace geotrain
