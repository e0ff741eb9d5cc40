// A sender's timers: retransmission timeout (RFC 6298), tail loss probe (RFC 8985, section 7) and probe of a closed window
// (RFC 9293, 3.8.6.1).
#include "bulk-tcp/model/bulk-sender.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::int64_t nsPerMs = 1000000;
constexpr std::int64_t synTimeoutNs = 1000000000; ///< RFC 6298
constexpr std::uint32_t maxSynRetries = 6;        ///< Linux's tcp_syn_retries
constexpr std::uint32_t maxTimeouts = 15;         ///< in a row: Linux's tcp_retries2
constexpr std::int64_t maxRtoNs = 60000000000;    ///< RFC 6298, 2.5

} // namespace

std::int64_t
BulkSender::RtoNs() const
{
    std::int64_t rto = synTimeoutNs;
    if (m_rtt.HasSample())
    {
        rto = std::max(m_rtt.SmoothedNs() + std::max(nsPerMs, 4 * m_rtt.VariationNs()),
                       m_options.minRto.ToNanoseconds());
    }
    return std::min(rto << std::min(m_backoff, 9U), maxRtoNs);
}

std::int64_t
BulkSender::ProbeNs() const
{
    // RFC 8985, section 7.2
    const std::int64_t ofRtt = 2 * m_rtt.SmoothedNs();
    const bool one = m_board.InFlight() <= m_tcb->m_segmentSize;
    return ofRtt + (one ? m_options.delayedAckTimeout.ToNanoseconds() : 0);
}

void
BulkSender::ArmTimers()
{
    if (m_handshake != Handshake::Done)
    {
        return;
    }
    if (m_board.HighTx() == m_board.Una())
    {
        m_rtoDeadlineNs = LazyTimer::s_never;
        AwaitWindow();
        return;
    }
    m_persistDeadlineNs = LazyTimer::s_never;
    const std::int64_t now = m_nowNs;
    if (m_rtoDeadlineNs == LazyTimer::s_never)
    {
        m_rtoDeadlineNs = now + RtoNs();
    }
    const bool probe = m_options.tailLossProbe && m_probeEnd == 0 && m_backoff == 0 &&
                       m_tcb->m_congState == TcpSocketState::CA_OPEN && !m_board.HasSacked() &&
                       m_rtt.HasSample();
    // From the last new data or cumulative acknowledgement, and instead of the timeout where that would come first
    // (RFC 8985, section 7.2).
    const std::int64_t probeNs = std::max(m_lastSentNs, m_advancedNs) + ProbeNs();
    m_probeDeadlineNs = probe ? std::min(probeNs, m_rtoDeadlineNs) : LazyTimer::s_never;
    m_timer.Set(std::max(now, std::min(m_rtoDeadlineNs, m_probeDeadlineNs)));
}

void
BulkSender::OnTimer()
{
    m_nowNs = NowNs();
    if (m_handshake == Handshake::SynSent)
    {
        if (++m_synRetries > maxSynRetries)
        {
            Fail();
            return;
        }
        SendSyn();
        return;
    }
    if (m_board.HighTx() == m_board.Una())
    {
        OnPersist();
    }
    else if (m_probeDeadlineNs <= m_rtoDeadlineNs)
    {
        OnProbe();
    }
    else
    {
        OnRto();
    }
}

void
BulkSender::OnProbe()
{
    ++m_counters.tailLossProbes;
    const std::uint32_t length = NextNewLength();
    m_probeRetransmitted = length == 0 || m_board.HighTx() + length > m_window;
    if (m_probeRetransmitted)
    {
        Retransmit(*m_board.Last());
    }
    else
    {
        SendNew(length);
    }
    NoteSent();
    m_probeEnd = m_board.HighTx();
    m_rtoDeadlineNs = m_nowNs + RtoNs();
    ArmTimers();
}

void
BulkSender::OnRto()
{
    if (++m_backoff > maxTimeouts)
    {
        Fail();
        return;
    }
    ++m_counters.timeouts;
    const auto inFlight = static_cast<uint32_t>(m_board.InFlight());
    // 3.37 forgets what was retransmitted before it asks.
    const bool first = m_tcb->m_congState != TcpSocketState::CA_LOSS ||
                       !m_board.HeadRetransmitted() || m_options.stockCompatible;
    m_board.MarkAllLost();
    m_dupAcks = 0;
    m_probeEnd = 0;
    m_recover = m_board.HighTx();
    if (first)
    {
        ReduceFromFlight();
        m_tcb->m_ssThresh = m_control->GetSsThresh(m_tcb, inFlight);
    }
    m_control->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_LOSS);
    SetState(TcpSocketState::CA_LOSS);
    m_tcb->m_cWnd = m_tcb->m_segmentSize;
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    m_tcb->m_bytesInFlight = 0;
    m_hyStart.Restart(m_board.HighTx());
    m_nextPacedNs = m_nowNs;
    m_burstEndNs = m_nowNs;
    m_rtoDeadlineNs = m_nowNs + RtoNs();
    m_reorderingTimer.Stop();
    SendPending();
}

bool
BulkSender::IsWindowClosed() const
{
    const std::uint32_t length = NextNewLength();
    return length > 0 && m_board.HighTx() + length > m_window;
}

void
BulkSender::AwaitWindow()
{
    if (!IsWindowClosed())
    {
        m_persistDeadlineNs = LazyTimer::s_never;
        m_persistBackoff = 0;
        m_timer.Stop();
        return;
    }
    if (m_persistDeadlineNs == LazyTimer::s_never)
    {
        m_persistDeadlineNs =
            m_nowNs + std::min(RtoNs() << std::min(m_persistBackoff, 9U), maxRtoNs);
    }
    m_timer.Set(m_persistDeadlineNs);
}

void
BulkSender::OnPersist()
{
    // RFC 9293, 3.8.6.1 and 3.8.6.2.1: what there is room for; without room a byte that the receiver answers. The
    // byte counts as not sent.
    m_persistDeadlineNs = LazyTimer::s_never;
    ++m_persistBackoff;
    if (m_window > m_board.HighTx())
    {
        SendNew(static_cast<std::uint32_t>(m_window - m_board.HighTx()));
    }
    else if (++m_unansweredProbes > maxTimeouts)
    {
        Fail();
        return;
    }
    else
    {
        Transmit(m_board.HighTx(), 1, m_current, true);
    }
    ArmTimers();
}

} // namespace ns3
