// What an acknowledgement does: the congestion state machine of ns-3's TcpSocketBase (that of Linux), with losses found
// by RACK. The controls are called in the order in which TcpSocketBase calls them.
#include "bulk-tcp/model/bulk-sender.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr std::int64_t nsPerUs = 1000;
constexpr std::int64_t nsPerMs = 1000000;
constexpr std::uint32_t duplicateThreshold = 3;     ///< acknowledgements (RFC 5681)
constexpr std::uint32_t largestWindow = 2147483647; ///< bytes: the window's 32 bits never wrap

} // namespace

void
BulkSender::OnAck(const PacketRecord& ack)
{
    m_unansweredProbes = 0;
    const std::uint64_t una = m_board.Una();
    if (ack.offset < una)
    {
        return;
    }
    const std::int64_t now = m_nowNs;
    const std::uint64_t inFlightBefore = m_board.InFlight();
    const std::uint64_t deliveredBefore = m_rate.Delivered();
    const std::uint64_t notRepairedBefore = m_board.NotRepaired();
    const std::uint32_t dupAcksBefore = m_dupAcks;
    const Progress progress = m_board.OnAck(now, ack);
    const auto delivered = static_cast<std::uint32_t>(m_rate.Delivered() - deliveredBefore);
    UpdateFromAck(ack, progress);
    m_tcb->m_lastAckedSackedBytes = delivered;
    m_enteredNow = false;
    NoteInFlight();
    EndTailLossProbe(ack, progress.ackedBytes > 0, delivered);
    HandleEcn(ack, progress.ackedBytes > 0, delivered);
    m_tcb->m_lastAckedSeq = SequenceNumber32(static_cast<uint32_t>(ack.offset + 1));
    const bool inRecovery = m_tcb->m_congState == TcpSocketState::CA_RECOVERY ||
                            m_tcb->m_congState == TcpSocketState::CA_LOSS;
    std::uint64_t lost = std::exchange(m_lostByTimer, 0);
    if (delivered > 0)
    {
        lost += m_board.DetectLosses(now, inRecovery, m_tcb->m_minRtt.GetTimeStep());
    }
    NoteInFlight();
    HandleLosses(progress, delivered);
    if (progress.ackedBytes > 0)
    {
        m_advancedNs = now;
        OnAdvance(progress, delivered, dupAcksBefore);
        RestartTimeout();
    }
    else if (ack.offset != m_board.HighTx())
    {
        m_control->PktsAcked(m_tcb, 1, m_tcb->m_lastRtt);
    }
    m_tcb->m_isRetransDataAcked = false;
    if (m_hasCongControl)
    {
        if (m_options.stockCompatible)
        {
            // 3.37 takes every change of what is lost for a loss.
            const std::uint64_t notRepaired = m_board.NotRepaired();
            lost =
                std::max(notRepaired, notRepairedBefore) - std::min(notRepaired, notRepairedBefore);
        }
        const TcpRateOps::TcpRateSample& sample =
            m_rate.Sample(delivered, lost, inFlightBefore, m_tcb->m_minRtt.GetTimeStep());
        m_control->CongControl(m_tcb, m_rate.Connection(), sample);
    }
    LimitWindow();
    UpdatePacingRate();
    if (const auto next = m_board.NextDetectionNs())
    {
        m_reorderingTimer.Set(*next);
    }
    else
    {
        m_reorderingTimer.Stop();
    }
    CompleteMessages();
    SendPending();
}

void
BulkSender::UpdateFromAck(const PacketRecord& ack, const Progress& progress)
{
    m_tcb->m_rcvTimestampValue = ack.timestampMs;
    m_tcb->m_rcvTimestampEchoReply = ack.echoMs;
    m_window = std::max(m_window, ack.offset + ack.window);
    MeasureRtt(progress, ack.echoMs);
    if (progress.ackedBytes > 0)
    {
        m_backoff = 0;
        m_nextTx = std::max(m_nextTx, m_board.Una());
        m_tcb->m_isRetransDataAcked =
            progress.retransmissionAcked && m_tcb->m_congState == TcpSocketState::CA_RECOVERY;
    }
    if ((ack.flags & PacketRecord::Duplicate) != 0)
    {
        m_board.WidenReorderingWindow();
    }
}

void
BulkSender::MeasureRtt(const Progress& progress, std::uint32_t echoMs)
{
    const std::int64_t now = m_nowNs;
    if (m_options.stockCompatible)
    {
        if (progress.firstSentNs >= 0)
        {
            // Timestamps in milliseconds; a sample of zero becomes a microsecond, and what the control sees is smoothed.
            const std::int64_t ms = now / nsPerMs - echoMs;
            m_rtt.Measure(ms == 0 ? nsPerUs : ms * nsPerMs);
            m_tcb->m_lastRtt = TimeStep(static_cast<uint64_t>(m_rtt.SmoothedNs()));
            m_tcb->m_minRtt = std::min(m_tcb->m_lastRtt.Get(), m_tcb->m_minRtt);
        }
        return;
    }
    // The acknowledgement of a lone segment waits for another: of a path of microseconds, 40 ms more would leave little
    // of a pacing rate.
    const std::int64_t leastNs = m_tcb->m_minRtt.GetTimeStep();
    const bool waited = progress.ackedBytes > 0 && progress.ackedBytes <= m_tcb->m_segmentSize &&
                        progress.rttNs - leastNs >= m_options.delayedAckTimeout.ToNanoseconds();
    if (waited && m_rtt.HasSample())
    {
        return;
    }
    if (progress.firstSentNs >= 0)
    {
        m_rtt.Measure(now - progress.firstSentNs);
    }
    if (progress.rttNs >= 0)
    {
        m_tcb->m_lastRtt.Set(TimeStep(static_cast<uint64_t>(progress.rttNs)));
        if (progress.rttNs < leastNs)
        {
            m_tcb->m_minRtt = m_tcb->m_lastRtt.Get();
        }
    }
}

void
BulkSender::HandleEcn(const PacketRecord& ack, bool advanced, std::uint32_t delivered)
{
    if (m_tcb->m_congState == TcpSocketState::CA_CWR && ack.offset > m_recover)
    {
        m_tcb->m_congState = TcpSocketState::CA_OPEN;
        if (!m_hasCongControl)
        {
            m_tcb->m_cWnd = m_tcb->m_ssThresh.Get();
            m_recovery->ExitRecovery(m_tcb);
            m_control->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_COMPLETE_CWR);
        }
    }
    const bool echo = (ack.flags & PacketRecord::EcnEcho) != 0;
    if (m_tcb->m_ecnState == TcpSocketState::ECN_DISABLED)
    {
        return;
    }
    if (advanced && echo && m_echoedUntil < ack.offset)
    {
        m_echoedUntil = ack.offset;
        m_tcb->m_ecnState = TcpSocketState::ECN_ECE_RCVD;
        m_announceReduction = m_announceReduction || m_options.stockCompatible;
        if (m_tcb->m_congState == TcpSocketState::CA_OPEN ||
            m_tcb->m_congState == TcpSocketState::CA_DISORDER)
        {
            EnterCwr(delivered);
        }
    }
    else if (m_tcb->m_ecnState == TcpSocketState::ECN_ECE_RCVD && !echo)
    {
        m_tcb->m_ecnState = TcpSocketState::ECN_IDLE;
    }
}

void
BulkSender::HandleLosses(const Progress& progress, std::uint32_t delivered)
{
    if (m_options.stockCompatible)
    {
        HandleLossesAsStock(progress, delivered);
        return;
    }
    const TcpSocketState::TcpCongState_t state = m_tcb->m_congState;
    if (progress.sackedBytes > 0 && state != TcpSocketState::CA_LOSS &&
        state != TcpSocketState::CA_RECOVERY)
    {
        OnDuplicate();
    }
    if (state == TcpSocketState::CA_LOSS)
    {
        return;
    }
    if (m_board.HasLost() && state != TcpSocketState::CA_RECOVERY)
    {
        EnterRecovery(delivered);
    }
    else if (!m_hasCongControl && !m_enteredNow && delivered > 0 &&
             (state == TcpSocketState::CA_RECOVERY || state == TcpSocketState::CA_CWR) &&
             m_board.Una() < m_recover)
    {
        m_recovery->DoRecovery(m_tcb, delivered);
    }
}

void
BulkSender::HandleLossesAsStock(const Progress& progress, std::uint32_t delivered)
{
    const TcpSocketState::TcpCongState_t state = m_tcb->m_congState;
    if (progress.sackedBytes == 0 || state == TcpSocketState::CA_LOSS)
    {
        return;
    }
    if (state == TcpSocketState::CA_RECOVERY)
    {
        if (!m_hasCongControl)
        {
            m_recovery->DoRecovery(m_tcb, delivered);
        }
        return;
    }
    OnDuplicate();
    const bool third = m_dupAcks == duplicateThreshold && m_board.Una() >= m_recover;
    if (m_tcb->m_congState == TcpSocketState::CA_DISORDER && (third || m_board.HasLostBehindHead()))
    {
        m_board.MarkHeadLost();
        NoteInFlight();
        EnterRecovery(delivered);
    }
}

void
BulkSender::OnDuplicate()
{
    ++m_dupAcks;
    if (m_tcb->m_congState == TcpSocketState::CA_OPEN)
    {
        SetState(TcpSocketState::CA_DISORDER);
    }
}

void
BulkSender::EnterRecovery(std::uint32_t delivered)
{
    ++m_counters.recoveries;
    m_enteredNow = true;
    m_announceReduction = m_announceReduction || !m_options.stockCompatible;
    m_recover = m_board.HighTx();
    ReduceFromFlight();
    SetState(TcpSocketState::CA_RECOVERY);
    m_tcb->m_ssThresh = m_control->GetSsThresh(m_tcb, static_cast<uint32_t>(m_board.InFlight()));
    if (!m_hasCongControl)
    {
        m_recovery->EnterRecovery(
            m_tcb, m_dupAcks, static_cast<uint32_t>(m_board.HighTx() - m_board.Una()), delivered);
    }
    if (Segment* lost = m_board.NextLost())
    {
        Retransmit(*lost); // whatever the window says (RFC 6675, 4.3)
        if (!m_options.stockCompatible)
        {
            NoteInFlight();
        }
        m_tcb->m_nextTxSequence = SequenceNumber32(static_cast<uint32_t>(m_nextTx + 1));
    }
}

void
BulkSender::ReduceFromFlight()
{
    if (m_options.stockCompatible || m_hasCongControl || IsWindowLimited())
    {
        return;
    }
    // A window that was not in use says nothing about the path, and a short flight little: halfway between them, as RFC
    // 2861 (section 3.2) and Linux do for a sender that its application limits. RFC 7661 would take the most that was in
    // flight within a second.
    const std::uint64_t flight = m_board.HighTx() - m_board.Una();
    const std::uint64_t least = m_options.initialWindow * m_tcb->m_segmentSize;
    const std::uint64_t window = m_tcb->m_cWnd.Get();
    m_tcb->m_cWnd =
        static_cast<std::uint32_t>(std::min(window, (window + std::max(flight, least)) / 2));
}

void
BulkSender::EnterCwr(std::uint32_t delivered)
{
    ++m_counters.recoveries;
    m_enteredNow = true;
    m_announceReduction = true; // once, with the next new data (RFC 3168, 6.1.2)
    ReduceFromFlight();
    m_tcb->m_ssThresh = m_control->GetSsThresh(m_tcb, static_cast<uint32_t>(m_board.InFlight()));
    m_tcb->m_cWndInfl = m_tcb->m_ssThresh;
    m_tcb->m_congState = TcpSocketState::CA_CWR;
    m_recover = m_board.HighTx();
    if (!m_hasCongControl)
    {
        m_recovery->EnterRecovery(
            m_tcb, m_dupAcks, static_cast<uint32_t>(m_board.HighTx() - m_board.Una()), delivered);
    }
}

void
BulkSender::OnPartialAckAsStock(std::uint32_t segments, std::uint32_t delivered)
{
    if (!m_hasCongControl && segments >= 1)
    {
        m_recovery->DoRecovery(m_tcb, delivered);
    }
    if (!m_board.HeadRetransmitted())
    {
        if (Segment* lost = m_board.NextLost())
        {
            Retransmit(*lost);
        }
    }
}

void
BulkSender::OnAdvance(const Progress& progress, std::uint32_t delivered, std::uint32_t dupAcks)
{
    const std::uint32_t segment = m_tcb->m_segmentSize;
    const auto bytes = static_cast<std::uint32_t>(progress.ackedBytes);
    std::uint32_t segments = bytes / segment;
    m_bytesNotCounted += bytes % segment;
    if (m_bytesNotCounted >= segment)
    {
        ++segments;
        m_bytesNotCounted -= segment;
    }
    const bool isDuplicate = progress.sackedBytes > 0;
    m_dupAcks = isDuplicate ? m_dupAcks : 0;
    const bool complete = m_board.Una() >= m_recover;
    switch (m_tcb->m_congState.Get())
    {
    case TcpSocketState::CA_RECOVERY:
        if (m_options.stockCompatible && !complete)
        {
            OnPartialAckAsStock(segments, delivered);
        }
        m_control->PktsAcked(m_tcb, complete ? bytes / segment : 1, m_tcb->m_lastRtt);
        if (complete)
        {
            LeaveRecovery();
            Grow(bytes / segment, progress.rttNs);
        }
        return;
    case TcpSocketState::CA_LOSS:
        if (complete)
        {
            segments = static_cast<std::uint32_t>(m_board.Una() - m_recover) / segment;
            m_control->PktsAcked(m_tcb, segments, m_tcb->m_lastRtt);
            SetState(TcpSocketState::CA_OPEN);
        }
        else
        {
            m_control->PktsAcked(m_tcb, segments, m_tcb->m_lastRtt);
        }
        Grow(segments, progress.rttNs);
        return;
    case TcpSocketState::CA_DISORDER:
        if (segments >= dupAcks)
        {
            m_control->PktsAcked(m_tcb, segments - dupAcks, m_tcb->m_lastRtt);
        }
        if (!isDuplicate)
        {
            SetState(TcpSocketState::CA_OPEN);
            Grow(segments, progress.rttNs);
        }
        return;
    case TcpSocketState::CA_CWR:
        m_control->PktsAcked(m_tcb, segments, m_tcb->m_lastRtt);
        if (m_options.stockCompatible && !m_hasCongControl && segments >= 1)
        {
            m_recovery->DoRecovery(m_tcb, delivered);
        }
        return;
    default:
        m_control->PktsAcked(m_tcb, segments, m_tcb->m_lastRtt);
        Grow(segments, progress.rttNs);
        return;
    }
}

void
BulkSender::RestartTimeout()
{
    const bool inRecovery = m_tcb->m_congState == TcpSocketState::CA_RECOVERY;
    const bool stockKeeps =
        m_tcb->m_congState == TcpSocketState::CA_DISORDER || (inRecovery && m_partiallyAcked);
    if (!m_options.stockCompatible || !stockKeeps)
    {
        m_rtoDeadlineNs = m_nowNs + RtoNs();
    }
    m_partiallyAcked = inRecovery;
}

void
BulkSender::LeaveRecovery()
{
    m_control->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_COMPLETE_CWR);
    SetState(TcpSocketState::CA_OPEN);
    m_dupAcks = 0;
    if (!m_hasCongControl || m_options.stockCompatible)
    {
        m_tcb->m_cWnd = m_tcb->m_ssThresh.Get();
    }
    m_recovery->ExitRecovery(m_tcb);
}

bool
BulkSender::IsWindowLimited() const
{
    // As Linux's tcp_is_cwnd_limited: in slow start the window may be twice of what is used.
    const std::uint32_t window = m_tcb->m_cWnd;
    return m_board.Una() <= m_limitedUntil ||
           (window < m_tcb->m_ssThresh && window < 2 * m_board.InFlight());
}

void
BulkSender::Grow(std::uint32_t segments, std::int64_t rttNs)
{
    if (!m_options.stockCompatible && !m_hasCongControl && !IsWindowLimited())
    {
        return;
    }
    if (m_options.hyStartPlusPlus && !m_hasCongControl && m_tcb->m_cWnd < m_tcb->m_ssThresh)
    {
        if (m_hyStart.OnAck(rttNs, m_board.Una(), m_board.HighTx()) == HyStartPlusPlus::Phase::Done)
        {
            m_tcb->m_ssThresh = m_tcb->m_cWnd.Get();
        }
        segments = m_hyStart.Growth(segments);
    }
    if (!m_options.stockCompatible)
    {
        // What was SACKed before does not count again (Linux: tcp_cong_avoid's acked_sacked).
        const std::uint32_t length = m_tcb->m_segmentSize;
        segments = std::min(segments, (m_tcb->m_lastAckedSackedBytes + length - 1) / length);
    }
    m_control->IncreaseWindow(m_tcb, segments);
    m_tcb->m_cWndInfl.Set(m_tcb->m_cWnd.Get());
}

void
BulkSender::EndTailLossProbe(const PacketRecord& ack, bool advanced, std::uint32_t delivered)
{
    if (m_probeEnd == 0 || ack.offset < m_probeEnd)
    {
        return;
    }
    // RFC 8985, section 7.4.2. A repeated probe is told of by a DSACK, or by a duplicate where the peer has none; an
    // acknowledgement of what was out may still be that of the original. One of later data without a DSACK says that
    // the probe has repaired a loss, which is congestion.
    const bool told = (ack.flags & PacketRecord::Duplicate) != 0;
    const bool bare = !advanced && ack.sackBlocks == 0;
    const bool repaired = m_probeRetransmitted && !told && ack.offset > m_probeEnd;
    if (m_probeRetransmitted && !told && !repaired && !bare)
    {
        return;
    }
    m_probeEnd = 0;
    if (repaired && m_tcb->m_congState == TcpSocketState::CA_OPEN)
    {
        EnterCwr(delivered);
    }
}

void
BulkSender::OnReorderingTimer()
{
    m_nowNs = NowNs();
    const bool inRecovery = m_tcb->m_congState == TcpSocketState::CA_RECOVERY ||
                            m_tcb->m_congState == TcpSocketState::CA_LOSS;
    m_lostByTimer += m_board.DetectLosses(m_nowNs, inRecovery, m_tcb->m_minRtt.GetTimeStep());
    NoteInFlight();
    if (m_board.HasLost() && !inRecovery)
    {
        EnterRecovery(0);
    }
    if (const auto next = m_board.NextDetectionNs())
    {
        m_reorderingTimer.Set(*next);
    }
    SendPending();
}

void
BulkSender::SetState(TcpSocketState::TcpCongState_t state)
{
    m_control->CongestionStateSet(m_tcb, state);
    m_tcb->m_congState = state;
}

void
BulkSender::LimitWindow()
{
    if (m_tcb->m_cWnd > largestWindow)
    {
        m_tcb->m_cWnd = largestWindow;
    }
}

void
BulkSender::UpdatePacingRate()
{
    if (m_hasCongControl || !m_tcb->m_pacing)
    {
        return;
    }
    const bool early = m_tcb->m_cWnd < m_tcb->m_ssThresh / 2;
    const double factor = (early ? m_tcb->m_pacingSsRatio : m_tcb->m_pacingCaRatio) / 100.0;
    const double bits = 8.0 * std::max(m_tcb->m_cWnd.Get(), m_tcb->m_bytesInFlight.Get());
    const std::int64_t rttNs =
        m_options.stockCompatible ? m_tcb->m_lastRtt.Get().GetTimeStep() : m_rtt.SmoothedNs();
    const double seconds = std::max(static_cast<double>(rttNs), 1e3) / 1e9;
    const auto wanted = static_cast<std::uint64_t>(bits * factor / seconds);
    const std::uint64_t rate = std::min(wanted, m_tcb->m_maxPacingRate.GetBitRate());
    m_tcb->m_pacingRate.Set(DataRate(rate));
    m_bytesPerNs = static_cast<double>(rate) / 8e9;
    m_nsPerByte = 1 / m_bytesPerNs;
}

void
BulkSender::CompleteMessages()
{
    bool completed = false;
    while (!m_messages.empty() && m_messages.front().end <= m_board.Una())
    {
        m_ackedMessageEnd = m_messages.front().end;
        m_messages.pop_front();
        --m_sending;
        completed = true;
    }
    if (completed && m_messages.empty())
    {
        m_events.OnDrained(m_flow);
    }
}

} // namespace ns3
