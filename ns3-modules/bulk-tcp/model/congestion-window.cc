// SPDX-License-Identifier: GPL-2.0-only
// Puts Linux's tcp_is_cwnd_limited, tcp_cwnd_restart and tcp_update_pacing_rate around a control of
// ns-3.
#include "bulk-tcp/model/congestion-window.h"

#include "bulk-tcp/model/congestion-control-types.h"
#include "bulk-tcp/model/geotrain-cubic.h"
#include "bulk-tcp/model/rule-sets.h"
#include "wan-topology/model/reusable-event.h"

#include <ns3/boolean.h>
#include <ns3/enum.h>
#include <ns3/tcp-bbr.h>
#include <ns3/tcp-cubic.h>

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::uint32_t largestWindow = 2147483647; ///< bytes: the window's 32 bits never wrap
constexpr std::uint64_t unlimitedPacing = 10000000000000ULL; ///< bit/s: more than any link
constexpr std::uint64_t marginOfBbr = 100; ///< a hundredth (bbr_pacing_margin_percent)

} // namespace

CongestionWindow::CongestionWindow(const BulkTcpOptions& options,
                                   Ptr<TcpCongestionOps> control,
                                   const LossRecovery& losses,
                                   const WindowRules& rules)
    : m_control(control),
      m_accurateEcn(dynamic_cast<AccurateEcnListener*>(PeekPointer(control))),
      m_tcb(CreateObject<TcpSocketState>()),
      m_losses(losses),
      m_rules(rules),
      m_hyStart(options.hyStart),
      m_initialWindow(options.initialWindow),
      m_usesHyStart(options.hyStartPlusPlus &&
                    (options.hyStartForAll || HasHyStartInLinux(control->GetInstanceTypeId()))),
      m_usesClassicHyStart(options.classicHyStart),
      m_pacesSinglePackets(options.pacesSinglePackets ||
                           (control->HasCongControl() && !options.offloads)),
      m_restartsAfterIdle(options.slowStartAfterIdle),
      m_hasCongControl(control->HasCongControl()),
      m_isBbr(DynamicCast<TcpBbr>(control) != nullptr),
      m_keepsEpoch(DynamicCast<TcpCubic>(control) != nullptr)
{
    const Ptr<geotrain::TcpCubic> ourCubic = DynamicCast<geotrain::TcpCubic>(control);
    const bool isOurCubic = ourCubic != nullptr;
    m_growsBySegment = options.offloads && !isOurCubic && !m_hasCongControl;
    if (isOurCubic && !m_rules.growsUnused)
    {
        ourCubic->LeaveLimitToHost();
    }
    if ((m_usesHyStart && m_keepsEpoch) || (isOurCubic && EndsSlowStartOfCubic(options)))
    {
        m_control->SetAttribute("HyStart", BooleanValue(false));
    }
    if (isOurCubic && options.cubicAsLinux)
    {
        m_control->SetAttribute("Rules", EnumValue(geotrain::TcpCubic::LINUX));
    }
    m_tcb->m_segmentSize = options.SegmentSize();
    m_tcb->m_initialCWnd = m_initialWindow;
    m_tcb->m_initialSsThresh = UINT32_MAX;
    m_tcb->m_useEcn = options.ecn ? TcpSocketState::On : TcpSocketState::Off;
    if (!m_rules.boundsPacing)
    {
        m_tcb->m_maxPacingRate = DataRate(unlimitedPacing);
    }
    if (options.mostPacingRate)
    {
        m_tcb->m_maxPacingRate =
            DataRate(static_cast<std::uint64_t>(options.mostPacingRate->ToBitsPerSecond()));
    }
    // A control with HasCongControl sets it in Init.
    m_tcb->m_pacing = (options.pacing || options.mostPacingRate) && !m_hasCongControl;
    m_control->Init(m_tcb);
    m_tcb->m_cWnd = InitialBytes();
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    m_tcb->m_ssThresh = UINT32_MAX;
}

void
CongestionWindow::OnLostSyn()
{
    m_tcb->m_cWnd = (m_rules.keepsInitialWindow ? m_initialWindow : 1) * m_tcb->m_segmentSize;
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
}

void
CongestionWindow::NoteSent(bool isSomeWaiting)
{
    const std::uint64_t highTx = m_losses.Board().HighTx();
    const SequenceNumber32 mark(static_cast<uint32_t>(highTx + 1));
    NoteInFlight();
    if (isSomeWaiting || mark != m_tcb->m_highTxMark.Get())
    {
        NoteUse(highTx, isSomeWaiting);
    }
    m_tcb->m_highTxMark.Set(mark);
    m_tcb->m_nextTxSequence.Set(SequenceNumber32(static_cast<uint32_t>(m_losses.NextTx() + 1)));
}

/// Keeps the strongest sign, within a window of data, that the window is in use. New data was sent,
/// or waits for a larger burst (Linux's tcp_cwnd_validate).
void
CongestionWindow::NoteUse(std::uint64_t highTx, bool isSomeWaiting)
{
    const std::uint64_t una = m_losses.Board().Una();
    const std::uint64_t out = highTx - una;
    // Also if pacing will hold the next segment back (Linux's tcp_write_xmit).
    const bool isLimited =
        isSomeWaiting || m_losses.InFlight() + m_tcb->m_segmentSize > m_tcb->m_cWnd;
    if (isLimited || una >= m_usageEnd || (!m_isLimited && out > m_mostOut))
    {
        m_isLimited = isLimited;
        m_mostOut = out;
        m_usageEnd = highTx;
    }
}

bool
CongestionWindow::IsLimit() const
{
    // As in Linux's tcp_is_cwnd_limited, the window may be twice the most bytes that were out in
    // slow start.
    const std::uint32_t window = m_tcb->m_cWnd;
    return m_isLimited || (window < m_tcb->m_ssThresh && window < 2 * m_mostOut);
}

/// RFC 9406, 4.3: later slow starts end at the threshold that the first loss has set.
bool
CongestionWindow::IsInFirstSlowStart() const
{
    return m_tcb->m_ssThresh == m_tcb->m_initialSsThresh && m_tcb->m_cWnd < m_tcb->m_ssThresh;
}

/// Returns by how many of `segments` the window may grow, and ends slow start where that is due.
std::uint32_t
CongestionWindow::GrowthByHyStart(std::uint32_t segments, std::int64_t rttNs)
{
    const Scoreboard& board = m_losses.Board();
    const bool isOver =
        m_usesClassicHyStart
            ? m_classicHyStart.OnAck({NowNs(),
                                      rttNs,
                                      board.Una(),
                                      board.HighTx(),
                                      m_tcb->m_cWnd / m_tcb->m_segmentSize,
                                      m_tcb->m_pacing})
            : m_hyStart.OnAck(rttNs, board.Una(), board.HighTx()) == HyStartPlusPlus::Phase::Done;
    if (isOver)
    {
        m_tcb->m_ssThresh = m_tcb->m_cWnd.Get();
    }
    return m_hyStart.Growth(segments);
}

void
CongestionWindow::Grow(std::uint32_t segments, std::int64_t rttNs)
{
    if (!m_hasCongControl && !IsLimit() && !m_rules.growsUnused)
    {
        return;
    }
    if (m_usesHyStart && !m_hasCongControl && IsInFirstSlowStart())
    {
        segments = GrowthByHyStart(segments, rttNs);
    }
    if (!m_rules.countsSackedAgain)
    {
        const std::uint32_t length = m_tcb->m_segmentSize;
        segments = std::min(segments, (m_tcb->m_lastAckedSackedBytes + length - 1) / length);
    }
    for (; m_growsBySegment && segments > 1; --segments)
    {
        m_control->IncreaseWindow(m_tcb, 1);
    }
    m_control->IncreaseWindow(m_tcb, segments);
    m_tcb->m_cWndInfl.Set(m_tcb->m_cWnd.Get());
}

void
CongestionWindow::RunControl(const TcpRateOps::TcpRateConnection& connection,
                             const TcpRateOps::TcpRateSample& sample)
{
    const std::uint32_t before = m_tcb->m_cWnd;
    m_control->CongControl(m_tcb, connection, sample);
    if (m_isBbr)
    {
        GrowBesideBbr(m_tcb->m_cWnd == before);
    }
}

/// The bursts are a part of what the window grows to. In startup, before ns3::TcpBbr has set the
/// threshold, Linux's window goes on growing by what is acknowledged where that of ns-3 is at its goal.
void
CongestionWindow::GrowBesideBbr(bool isStuck)
{
    const bool isInStartup = m_tcb->m_ssThresh == m_tcb->m_initialSsThresh;
    const std::uint64_t grown = m_beside + (isStuck ? m_tcb->m_lastAckedSackedBytes : 0);
    m_beside = isInStartup ? std::min(grown, m_budget) : m_budget;
}

void
CongestionWindow::Limit()
{
    if (m_tcb->m_cWnd > largestWindow)
    {
        m_tcb->m_cWnd = largestWindow;
    }
}

void
CongestionWindow::ReduceToUse()
{
    if (m_hasCongControl || m_rules.reducesUnused || IsLimit())
    {
        return;
    }
    const std::uint64_t out = m_losses.Board().HighTx() - m_losses.Board().Una();
    const std::uint64_t flight = std::max<std::uint64_t>(out, InitialBytes());
    const std::uint32_t window = m_tcb->m_cWnd;
    m_tcb->m_cWnd =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(window, (window + flight) / 2));
}

void
CongestionWindow::Collapse()
{
    m_tcb->m_cWnd = m_tcb->m_segmentSize;
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    m_tcb->m_bytesInFlight = 0;
}

bool
CongestionWindow::RestartAfterIdle(std::int64_t periods)
{
    const std::uint32_t restart = InitialBytes();
    const std::uint32_t before = m_tcb->m_cWnd;
    if (!m_restartsAfterIdle || m_hasCongControl || periods < 1 || before <= restart)
    {
        return false;
    }
    m_tcb->m_ssThresh = std::max(m_tcb->m_ssThresh.Get(), before / 4 * 3);
    m_tcb->m_cWnd = std::max(restart, before >> std::min<std::int64_t>(periods, 31));
    m_hyStart.Restart(m_losses.Board().HighTx());
    if (m_keepsEpoch)
    {
        // ns-3 3.37's Cubic would count the idle time as time of growth. A loss makes it forget its
        // epoch.
        m_control->CongestionStateSet(m_tcb, TcpSocketState::CA_LOSS);
        m_control->CongestionStateSet(m_tcb, TcpSocketState::CA_OPEN);
    }
    m_control->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_CWND_RESTART);
    return true;
}

std::optional<std::uint64_t>
CongestionWindow::UpdatePacingRate(const RoundTripEstimator& rtt)
{
    if (m_hasCongControl || !m_tcb->m_pacing)
    {
        return std::nullopt;
    }
    const std::uint64_t rate = PacingRateWanted(rtt);
    m_tcb->m_pacingRate.Set(DataRate(rate));
    return rate;
}

std::uint64_t
CongestionWindow::RateOfBursts(const RoundTripEstimator& rtt) const
{
    if (!m_hasCongControl)
    {
        return PacingRateWanted(rtt);
    }
    const std::uint64_t rate = m_tcb->m_pacingRate.Get().GetBitRate();
    return m_isBbr ? rate - rate / marginOfBbr : rate;
}

std::uint64_t
CongestionWindow::PacingRateWanted(const RoundTripEstimator& rtt) const
{
    const bool isEarly = m_tcb->m_cWnd < m_tcb->m_ssThresh / 2;
    const double factor = (isEarly ? m_tcb->m_pacingSsRatio : m_tcb->m_pacingCaRatio) / 100.0;
    const std::uint64_t out = m_rules.pacesByFlight
                                  ? m_tcb->m_bytesInFlight.Get()
                                  : m_losses.Board().HighTx() - m_losses.Board().Una();
    const double bits = 8.0 * static_cast<double>(std::max<std::uint64_t>(m_tcb->m_cWnd, out));
    const double seconds = std::max(static_cast<double>(rtt.SmoothedNs()), 1e3) / 1e9;
    const auto wanted = static_cast<std::uint64_t>(bits * factor / seconds);
    return std::min(wanted, m_tcb->m_maxPacingRate.GetBitRate());
}

} // namespace ns3
