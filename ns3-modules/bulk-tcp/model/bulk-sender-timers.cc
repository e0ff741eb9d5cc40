// SPDX-License-Identifier: GPL-2.0-only
// Defines what a sender does when a timer expires, and which timer expires next.
#include "bulk-tcp/model/bulk-sender.h"

#include "bulk-tcp/model/log-line.h"

#include <algorithm>

namespace ns3
{

namespace
{

const LogComponent senderLog("BulkSender", __FILE__);

} // namespace

void
BulkSender::ArmTimers()
{
    if (m_handshake != Handshake::Done)
    {
        return;
    }
    if (Board().HighTx() == Board().Una())
    {
        m_timeout.Stop();
        AwaitWindow();
        return;
    }
    m_windowProbe.Stop();
    if (!m_timeout.IsSet())
    {
        m_timeout.Restart(m_nowNs);
    }
    const bool mayProbe = m_tailLossProbe.IsReady() && !m_timeout.HasBackedOff() &&
                          m_window.State()->m_congState == TcpSocketState::CA_OPEN &&
                          Board().SackedSegments() == 0 && m_timeout.Rtt().HasSample();
    if (mayProbe)
    {
        m_tailLossProbe.Arm(std::max(m_lastSentNs, m_acks.AdvancedNs()),
                            m_timeout.Rtt().SmoothedNs(),
                            Board().End() - Board().First(),
                            m_timeout.DeadlineNs());
    }
    else
    {
        m_tailLossProbe.Stop();
    }
    m_timer.Set(std::max(m_nowNs, std::min(m_timeout.DeadlineNs(), m_tailLossProbe.DeadlineNs())));
}

void
BulkSender::ArmReorderingTimer()
{
    if (const auto next = m_losses->NextDetectionNs())
    {
        m_reorderingTimer.Set(*next);
    }
    else
    {
        m_reorderingTimer.Stop();
    }
}

void
BulkSender::OnTimer()
{
    m_nowNs = NowNs();
    if (m_handshake == Handshake::SynSent && m_timeout.RetrySyn())
    {
        LogLine(senderLog, LOG_INFO, "flow ", m_exit.flow, " sends its SYN again");
        SendSyn();
    }
    else if (m_handshake == Handshake::SynSent)
    {
        Abort();
    }
    else if (Board().HighTx() == Board().Una())
    {
        OnWindowProbe();
    }
    else if (m_tailLossProbe.DeadlineNs() <= m_timeout.DeadlineNs())
    {
        OnTailLossProbe();
    }
    else
    {
        OnTimeout();
    }
}

void
BulkSender::OnTailLossProbe()
{
    ++m_counters.tailLossProbes;
    LogLine(senderLog, LOG_INFO, "flow ", m_exit.flow, " probes for a loss of its last segments");
    const std::uint32_t length = NextNewLength();
    const bool isRetransmission = length == 0 || Board().HighTx() + length > m_edge;
    if (isRetransmission)
    {
        Repeat(*m_losses->Last(), true);
    }
    else
    {
        SendNew(length);
    }
    m_window.NoteSent(false);
    m_tailLossProbe.OnSent(Board().HighTx(), isRetransmission);
    m_timeout.Restart(m_nowNs);
    ArmTimers();
}

void
BulkSender::OnTimeout()
{
    if (!m_timeout.BackOff())
    {
        Abort();
        return;
    }
    ++m_counters.timeouts;
    LogLine(senderLog, LOG_INFO, "flow ", m_exit.flow, " times out with ", Una(), " acknowledged");
    m_tailLossProbe.Forget();
    m_states.OnTimeout();
    m_pacer.Restart(m_nowNs);
    m_timeout.Restart(m_nowNs);
    m_reorderingTimer.Stop();
    SendPending();
}

void
BulkSender::OnReorderingTimer()
{
    m_nowNs = NowNs();
    m_acks.OnReorderingTimer(m_nowNs);
    ArmReorderingTimer();
    SendPending();
}

void
BulkSender::AwaitWindow()
{
    const std::uint32_t length = NextNewLength();
    if (length > 0 && Board().HighTx() + length > m_edge)
    {
        m_timer.Set(m_windowProbe.Await(m_nowNs, m_timeout.Ns()));
    }
    else
    {
        m_windowProbe.OnOpen();
        m_timer.Stop();
    }
}

void
BulkSender::OnWindowProbe()
{
    // A probe fills the room in the window (RFC 9293, 3.8.6.1 and 3.8.6.2.1). Without room it is
    // one byte, which the receiver answers and which counts as not sent.
    m_windowProbe.OnExpired();
    if (m_edge > Board().HighTx())
    {
        SendNew(static_cast<std::uint32_t>(m_edge - Board().HighTx()));
    }
    else if (m_windowProbe.OnSent())
    {
        Transmit(Board().HighTx(), 1, m_queue.Current(), true);
    }
    else
    {
        Abort();
        return;
    }
    ArmTimers();
}

void
BulkSender::Abort()
{
    const bool isFirst = !m_failed;
    LogLine(senderLog, LOG_WARN, "flow ", m_exit.flow, " gives up with ", Una(), " acknowledged");
    m_failed = true;
    m_timer.Stop();
    m_reorderingTimer.Stop();
    for (const std::uint64_t message : m_queue.TakeAll())
    {
        m_events.OnFailed(m_exit.flow, message);
    }
    if (isFirst)
    {
        m_events.OnAborted(m_exit.flow);
    }
}

} // namespace ns3
