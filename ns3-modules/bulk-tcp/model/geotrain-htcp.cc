// SPDX-License-Identifier: GPL-2.0-only
// Implements the functions that ns-3 calls.
#include "bulk-tcp/model/geotrain-htcp.h"

#include "wan-topology/model/reusable-event.h"

#include <ns3/boolean.h>
#include <ns3/double.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

NS_OBJECT_ENSURE_REGISTERED(TcpHtcp);

namespace
{

using HtcpState = ns3::TcpSocketState;

constexpr double leastBackoff = 0.5;
constexpr double greatestBackoff = 0.8;
constexpr double referenceRttNs = 1e8; ///< of RTT scaling, as in Linux and FreeBSD
constexpr double leastScale = 0.1;
constexpr double greatestScale = 2;
constexpr double throughputGain = 0.25;                 ///< of a round trip, as in Linux
constexpr std::uint64_t largestHtcpWindow = 2147483647; ///< bytes: its 32 bits never wrap

} // namespace

ns3::TypeId
TcpHtcp::GetTypeId()
{
    static ns3::TypeId id =
        ns3::TypeId("geotrain::TcpHtcp")
            .SetParent<ns3::TcpCongestionOps>()
            .SetGroupName("BulkTcp")
            .AddConstructor<TcpHtcp>()
            .AddAttribute("DefaultBackoff",
                          "What a loss leaves of the window while the throughput changes.",
                          ns3::DoubleValue(leastBackoff),
                          ns3::MakeDoubleAccessor(&TcpHtcp::m_defaultBackoff),
                          ns3::MakeDoubleChecker<double>(0.1, 0.99))
            .AddAttribute("ThroughputRatio",
                          "Change of the throughput from loss to loss that counts as steady.",
                          ns3::DoubleValue(0.2),
                          ns3::MakeDoubleAccessor(&TcpHtcp::m_throughputRatio),
                          ns3::MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("DeltaL",
                          "Time after a loss in which the window grows as Reno's.",
                          ns3::TimeValue(ns3::Seconds(1)),
                          ns3::MakeTimeAccessor(&TcpHtcp::m_deltaL),
                          ns3::MakeTimeChecker(ns3::Seconds(0), ns3::Seconds(3600)))
            .AddAttribute("AdaptiveBackoff",
                          "Whether a loss at a steady throughput leaves the ratio of the least to "
                          "the greatest round trip, 0.5 to 0.8, instead of DefaultBackoff.",
                          ns3::BooleanValue(true),
                          ns3::MakeBooleanAccessor(&TcpHtcp::m_adaptsBackoff),
                          ns3::MakeBooleanChecker())
            .AddAttribute("RttScaling",
                          "Whether alpha is scaled by the least round trip over 100 ms, 0.1 to 2, "
                          "so that round trips of any length give the same growth per second. "
                          "Linux does so.",
                          ns3::BooleanValue(false),
                          ns3::MakeBooleanAccessor(&TcpHtcp::m_scalesWithRtt),
                          ns3::MakeBooleanChecker());
    return id;
}

TcpHtcp::TcpHtcp() = default;

std::string
TcpHtcp::GetName() const
{
    return "TcpHtcp";
}

/// Returns beta.
double
TcpHtcp::Backoff() const
{
    const double change = std::abs(m_epoch.throughput - m_epoch.lastThroughput);
    const bool isSteady =
        m_epoch.lastThroughput > 0 && change <= m_throughputRatio * m_epoch.lastThroughput;
    if (!m_adaptsBackoff || !isSteady || m_epoch.maxRttNs <= 0)
    {
        return m_defaultBackoff;
    }
    const double ratio = static_cast<double>(m_minRttNs) / static_cast<double>(m_epoch.maxRttNs);
    return std::clamp(ratio, leastBackoff, greatestBackoff);
}

std::uint32_t
TcpHtcp::GetSsThresh(ns3::Ptr<const HtcpState> tcb, std::uint32_t /*bytesInFlight*/)
{
    const double beta = Backoff();
    const double throughput = m_epoch.throughput;
    m_epoch = Epoch();
    m_epoch.startNs = ns3::NowNs();
    m_epoch.beta = beta;
    m_epoch.lastThroughput = throughput;
    const auto reduced = static_cast<std::uint32_t>(std::lround(beta * tcb->m_cWnd.Get()));
    return std::max(reduced, 2 * tcb->m_segmentSize);
}

/// Returns the growth in segments per round trip.
double
TcpHtcp::Alpha(std::int64_t nowNs) const
{
    const double late =
        static_cast<double>(nowNs - m_epoch.startNs - m_deltaL.GetNanoSeconds()) / 1e9;
    double alpha = late > 0 ? 1 + 10 * late + late * late / 4 : 1;
    if (m_scalesWithRtt && m_minRttNs != INT64_MAX)
    {
        const double scale = static_cast<double>(m_minRttNs) / referenceRttNs;
        alpha *= std::clamp(scale, leastScale, greatestScale);
    }
    return std::max(1.0, 2 * (1 - m_epoch.beta) * alpha);
}

void
TcpHtcp::IncreaseWindow(ns3::Ptr<HtcpState> tcb, std::uint32_t segmentsAcked)
{
    const std::uint32_t segment = tcb->m_segmentSize;
    std::uint64_t grown = 0;
    if (tcb->m_cWnd < tcb->m_ssThresh)
    {
        const std::uint64_t room = tcb->m_ssThresh.Get() - tcb->m_cWnd.Get();
        grown = std::min(std::uint64_t{segmentsAcked} * segment, room);
        segmentsAcked -= static_cast<std::uint32_t>((grown + segment - 1) / segment);
    }
    if (tcb->m_cWnd + grown >= tcb->m_ssThresh && segmentsAcked > 0)
    {
        const std::int64_t nowNs = ns3::NowNs();
        m_epoch.startNs = m_epoch.startNs == s_none ? nowNs : m_epoch.startNs;
        const double window = static_cast<double>(tcb->m_cWnd.Get()) / segment;
        m_epoch.fraction += Alpha(nowNs) * segmentsAcked / window;
        const double whole = std::floor(m_epoch.fraction);
        m_epoch.fraction -= whole;
        grown += static_cast<std::uint64_t>(whole) * segment;
    }
    if (grown > 0)
    {
        tcb->m_cWnd =
            static_cast<std::uint32_t>(std::min(tcb->m_cWnd.Get() + grown, largestHtcpWindow));
    }
}

void
TcpHtcp::PktsAcked(ns3::Ptr<HtcpState> tcb, std::uint32_t /*segmentsAcked*/, const ns3::Time& rtt)
{
    m_ackedNs = ns3::NowNs();
    const std::int64_t rttNs = rtt.GetNanoSeconds();
    if (rttNs > 0)
    {
        m_minRttNs = std::min(m_minRttNs, rttNs);
        m_epoch.maxRttNs = std::max(m_epoch.maxRttNs, rttNs);
    }
    if (tcb->m_lastAckedSeq >= m_roundEnd)
    {
        MeasureThroughput(*tcb, m_ackedNs);
        m_roundNs = m_ackedNs;
        m_roundBegin = tcb->m_lastAckedSeq;
        m_roundEnd = tcb->m_highTxMark;
    }
}

/// Takes the throughput of the round trip that ends.
void
TcpHtcp::MeasureThroughput(const HtcpState& tcb, std::int64_t nowNs)
{
    if (m_roundNs == s_none || nowNs <= m_roundNs)
    {
        return;
    }
    const double seconds = static_cast<double>(nowNs - m_roundNs) / 1e9;
    const double current = static_cast<double>(tcb.m_lastAckedSeq - m_roundBegin) / seconds;
    const bool isFirst = m_epoch.throughput == 0;
    m_smoothed = isFirst ? current : m_smoothed + throughputGain * (current - m_smoothed);
    m_epoch.throughput = std::max(m_epoch.throughput, m_smoothed);
}

void
TcpHtcp::CwndEvent(ns3::Ptr<HtcpState> /*tcb*/, HtcpState::TcpCAEvent_t event)
{
    if (event == HtcpState::CA_EVENT_TX_START && m_epoch.startNs != s_none && m_ackedNs != s_none)
    {
        const std::int64_t idleNs = ns3::NowNs() - m_ackedNs;
        m_epoch.startNs += idleNs;
        m_ackedNs += idleNs;
        m_roundNs = s_none; // the round trip was idle in part
    }
}

ns3::Ptr<ns3::TcpCongestionOps>
TcpHtcp::Fork()
{
    return ns3::CopyObject<TcpHtcp>(this);
}

void
TcpHtcp::OnRecoveryBegins(ns3::Ptr<HtcpState> /*tcb*/)
{
    m_beforeRecovery = m_epoch;
}

void
TcpHtcp::OnSpuriousRecovery(ns3::Ptr<HtcpState> /*tcb*/)
{
    m_epoch = m_beforeRecovery;
}

} // namespace geotrain
