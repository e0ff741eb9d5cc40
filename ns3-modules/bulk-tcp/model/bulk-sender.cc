// SPDX-License-Identifier: GPL-2.0-only
// Implements handshake and acknowledgements. What is sent is in bulk-sender-output.cc, and what happens
// without an acknowledgement in bulk-sender-timers.cc.
#include "bulk-tcp/model/bulk-sender.h"

#include "bulk-tcp/model/rule-sets.h"

#include <ns3/abort.h>

#include <algorithm>

namespace ns3
{

namespace
{

/// Without offloads, ns-3's sockets and controls that pace by themselves send without waiting for a
/// burst.
std::optional<OffloadBurst>
MakeOffloadBurst(const BulkTcpOptions& options, const CongestionWindow& window)
{
    const bool waits = options.offloads || (SendsInBursts(options) && !window.HasCongControl());
    return waits ? std::optional<OffloadBurst>(std::in_place) : std::nullopt;
}

} // namespace

BulkSender::BulkSender(const FlowExit& exit,
                       const BulkTcpOptions& options,
                       Ptr<TcpCongestionOps> control,
                       BulkSenderEvents& events)
    : m_exit(exit),
      m_events(events),
      m_losses(MakeLossRecovery(options.Validated())),
      m_window(options, control, *m_losses, MakeWindowRules(options)),
      m_states(m_window, *m_losses),
      m_pacer(options.leastBurst * options.SegmentSize()),
      m_burst(MakeOffloadBurst(options, m_window)),
      m_offloads(options.offloads),
      m_timeout(MakeRetransmissionTimeout(options)),
      m_tailLossProbe(options.tailLossProbe,
                      options.minRto.ToNanoseconds(),
                      std::max<std::uint32_t>(2, options.delayedAckCount)),
      m_acks(m_states, m_timeout, m_tailLossProbe, *this),
      m_timer([this] { OnTimer(); }),
      m_reorderingTimer([this] { OnReorderingTimer(); }),
      m_pacingTimer(
          [this]
          {
              m_nowNs = NowNs();
              SendPending();
          })
{
}

void
BulkSender::Send(std::uint64_t message, std::uint64_t size)
{
    Add(message, size);
    if (!m_failed)
    {
        Connect();
    }
}

void
BulkSender::Append(std::uint64_t size)
{
    if (!m_queue.Extend(size))
    {
        Add(0, size);
    }
}

void
BulkSender::Add(std::uint64_t message, std::uint64_t size)
{
    NS_ABORT_MSG_IF(size < 1, "message " << message << " is empty");
    m_nowNs = NowNs();
    m_queue.Add(message, size);
    if (m_failed)
    {
        m_pacingTimer.Set(m_nowNs); // the failure is told after this returns
    }
    else if (m_handshake == Handshake::Done)
    {
        m_pacingTimer.Set(std::max(m_nowNs, m_pacer.NextNs()));
    }
}

void
BulkSender::Connect()
{
    if (m_handshake == Handshake::NotStarted)
    {
        m_handshake = Handshake::SynSent;
        SendSyn();
    }
}

void
BulkSender::Receive(const PacketRecord& record)
{
    m_nowNs = NowNs();
    if (m_failed)
    {
        return;
    }
    if (record.kind == PacketRecord::Kind::SynAck)
    {
        OnSynAck(record);
    }
    else if (m_handshake == Handshake::Done)
    {
        OnAck(record);
    }
}

void
BulkSender::SendSyn()
{
    m_nowNs = NowNs();
    m_synSentNs = m_nowNs;
    PacketRecord syn = MakePacket(PacketRecord::Kind::Syn, BulkTcpOptions::s_synSize);
    if (m_window.State()->m_ecnMode == TcpSocketState::DctcpEcn)
    {
        syn.flags = PacketRecord::Dctcp;
    }
    syn.ace = m_window.AccurateEcn() ? PacketRecord::s_asksAccurateEcn : 0;
    m_timeout.AwaitSynAck(m_synSentNs);
    m_timer.Set(m_timeout.DeadlineNs());
    m_exit.out.Receive(syn);
}

void
BulkSender::OnSynAck(const PacketRecord& answer)
{
    if (m_handshake == Handshake::Done)
    {
        m_exit.out.Receive(MakePacket(PacketRecord::Kind::Ack, BulkTcpOptions::s_dataHeaderSize));
        return;
    }
    m_handshake = Handshake::Done;
    m_timeout.Stop();
    m_edge = answer.window;
    m_largestWindow = answer.window;
    if (m_timeout.HasRetriedSyn())
    {
        m_timeout.OnLostSyn();
        m_window.OnLostSyn();
    }
    else
    {
        Scoreboard::Progress progress;
        progress.rttNs = m_nowNs - m_synSentNs;
        progress.firstSentNs = m_synSentNs;
        m_window.MeasureRtt(m_nowNs, progress, answer.echoMs, m_timeout.Rtt());
    }
    m_states.Establish(answer.ace == PacketRecord::s_agreesAccurateEcn);
    UpdatePace();
    m_exit.out.Receive(MakePacket(PacketRecord::Kind::Ack, BulkTcpOptions::s_dataHeaderSize));
    SendPending();
}

void
BulkSender::OnAck(const PacketRecord& record)
{
    m_windowProbe.OnAnswer();
    if (record.offset < Board().Una())
    {
        OnOldAck(record);
        return;
    }
    m_edge = std::max(m_edge, record.offset + record.window);
    m_largestWindow = std::max(m_largestWindow, record.window);
    m_acks.OnAck(m_nowNs, record);
    UpdatePace();
    ArmReorderingTimer();
    if (m_queue.OnAcked(Board().Una()))
    {
        m_events.OnDrained(m_exit.flow);
    }
    SendPending();
}

void
BulkSender::OnOldAck(const PacketRecord& record)
{
    // One that is older than a window may be forged (RFC 5961, 5.2).
    if (record.sackBlocks == 0 || record.offset + m_largestWindow < Board().Una() ||
        m_window.Rules().ignoresOldAcks)
    {
        return;
    }
    m_acks.OnOldAck(m_nowNs, record);
    UpdatePace();
    ArmReorderingTimer();
    SendPending();
}

Ptr<TcpSocketState>
BulkSender::State() const
{
    return m_window.State();
}

Time
BulkSender::SmoothedRtt() const
{
    return TimeStep(static_cast<uint64_t>(m_timeout.Rtt().SmoothedNs()));
}

Time
BulkSender::RetransmissionTimeoutNow() const
{
    return TimeStep(static_cast<uint64_t>(m_timeout.Ns()));
}

BulkSender::Counters
BulkSender::GetCounters() const
{
    Counters counters = m_counters;
    counters.recoveries = m_states.Recoveries();
    counters.undos = m_states.Undos();
    return counters;
}

bool
BulkSender::Outstanding() const
{
    return !m_failed && Board().Una() != m_queue.End();
}

bool
BulkSender::Failed() const
{
    return m_failed;
}

std::uint64_t
BulkSender::Una() const
{
    return Board().Una();
}

std::uint64_t
BulkSender::HighTx() const
{
    return Board().HighTx();
}

} // namespace ns3
