// The life of a sender: handshake, messages, sending. What an acknowledgement does is in bulk-sender-acks.cc, timers are in
// bulk-sender-timers.cc.
#include "bulk-tcp/model/bulk-sender.h"

#include "bulk-tcp/model/proportional-rate-reduction.h"

#include <ns3/abort.h>
#include <ns3/boolean.h>
#include <ns3/tcp-cubic.h>
#include <ns3/tcp-prr-recovery.h>

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::int64_t nsPerMs = 1000000;
constexpr std::int64_t synTimeoutNs = 1000000000; ///< RFC 6298
constexpr double largestBurst = 65536; ///< bytes: a paced burst is a millisecond's, as Linux's GSO
constexpr std::uint64_t unlimitedPacing = 10000000000000ULL; ///< bit/s: more than any link

} // namespace

BulkSender::BulkSender(FlowNumber flow,
                       std::uint32_t peer,
                       const BulkTcpOptions& options,
                       Ptr<TcpCongestionOps> control,
                       PacketElement& out,
                       BulkSenderEvents& events)
    : m_flow(flow),
      m_peer(peer),
      m_options(options),
      m_control(control),
      m_tcb(CreateObject<TcpSocketState>()),
      m_out(out),
      m_events(events),
      m_hasCongControl(control->HasCongControl()),
      m_keepsEpoch(DynamicCast<TcpCubic>(control) != nullptr),
      m_rate(options.stockCompatible),
      m_board(m_rate, options.stockCompatible),
      m_timer([this] { OnTimer(); }),
      m_reorderingTimer([this] { OnReorderingTimer(); }),
      m_pacingTimer(
          [this]
          {
              m_nowNs = NowNs();
              SendPending();
          })
{
    options.Validate();
    const bool stock = options.stockCompatible;
    m_recovery = stock ? Ptr<TcpRecoveryOps>(CreateObject<TcpPrrRecovery>())
                       : Ptr<TcpRecoveryOps>(CreateObject<ProportionalRateReduction>());
    if (options.hyStartPlusPlus && m_keepsEpoch)
    {
        m_control->SetAttribute("HyStart", BooleanValue(false));
    }
    m_tcb->m_segmentSize = options.SegmentSize();
    m_tcb->m_initialCWnd = options.initialWindow;
    m_tcb->m_initialSsThresh = UINT32_MAX;
    m_tcb->m_useEcn = options.ecn ? TcpSocketState::On : TcpSocketState::Off;
    if (!stock)
    {
        m_tcb->m_maxPacingRate = DataRate(unlimitedPacing);
    }
    m_tcb->m_pacing = options.pacing && !m_hasCongControl; // which decide for themselves in Init
    m_control->Init(m_tcb);
    m_tcb->m_cWnd = options.initialWindow * m_tcb->m_segmentSize;
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    m_tcb->m_ssThresh = UINT32_MAX;
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
    if (m_sending == m_messages.size())
    {
        Add(0, size);
        return;
    }
    m_streamEnd += size;
    m_messages.back().end = m_streamEnd;
}

void
BulkSender::Add(std::uint64_t message, std::uint64_t size)
{
    NS_ABORT_MSG_IF(size < 1, "message " << message << " is empty");
    m_nowNs = NowNs();
    m_streamEnd += size;
    m_messages.push_back({message, m_streamEnd});
    if (m_failed)
    {
        m_pacingTimer.Set(m_nowNs); // told after this returns
    }
    else if (m_handshake == Handshake::Done)
    {
        m_pacingTimer.Set(std::max(m_nowNs, m_burstEndNs));
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

PacketRecord
BulkSender::Record(PacketRecord::Kind kind, std::uint32_t wireSize) const
{
    PacketRecord record{};
    record.flow = m_flow;
    record.destination = m_peer;
    record.kind = kind;
    record.wireSize = static_cast<std::uint16_t>(wireSize);
    record.timestampMs = static_cast<std::uint32_t>(m_nowNs / nsPerMs);
    return record;
}

void
BulkSender::SendSyn()
{
    m_nowNs = NowNs();
    m_synSentNs = m_nowNs;
    PacketRecord syn = Record(PacketRecord::Kind::Syn, BulkTcpOptions::s_synSize);
    if (m_tcb->m_ecnMode == TcpSocketState::DctcpEcn)
    {
        syn.flags = PacketRecord::Dctcp;
    }
    m_rtoDeadlineNs = m_synSentNs + (synTimeoutNs << m_synRetries);
    m_timer.Set(m_rtoDeadlineNs);
    m_out.Receive(syn);
}

void
BulkSender::OnSynAck(const PacketRecord& answer)
{
    if (m_handshake == Handshake::Done)
    {
        m_out.Receive(Record(PacketRecord::Kind::Ack, BulkTcpOptions::s_dataHeaderSize));
        return;
    }
    m_handshake = Handshake::Done;
    m_rtoDeadlineNs = LazyTimer::s_never;
    m_window = answer.window;
    if (m_synRetries == 0)
    {
        Progress progress;
        progress.rttNs = m_nowNs - m_synSentNs;
        progress.firstSentNs = m_synSentNs;
        MeasureRtt(progress, answer.echoMs);
    }
    SetState(TcpSocketState::CA_OPEN);
    m_tcb->m_nextTxSequence = SequenceNumber32(1);
    m_tcb->m_highTxMark = SequenceNumber32(1);
    m_tcb->m_ecnState = m_tcb->m_useEcn == TcpSocketState::Off ? TcpSocketState::ECN_DISABLED
                                                               : TcpSocketState::ECN_IDLE;
    UpdatePacingRate();
    m_out.Receive(Record(PacketRecord::Kind::Ack, BulkTcpOptions::s_dataHeaderSize));
    SendPending();
}

bool
BulkSender::IsPaced() const
{
    return m_tcb->m_pacing && (m_tcb->m_paceInitialWindow ||
                               m_board.HighTx() >= m_options.initialWindow * m_tcb->m_segmentSize);
}

void
BulkSender::SendPending()
{
    if (m_failed)
    {
        Fail();
        return;
    }
    RestartAfterIdle();
    while (SendOne())
    {
    }
    NoteSent();
    ArmTimers();
}

bool
BulkSender::SendOne()
{
    if (IsPaced() && m_nowNs < m_burstEndNs)
    {
        m_pacingTimer.Set(m_burstEndNs);
        return false;
    }
    const std::uint64_t inFlight = m_board.InFlight();
    const std::uint64_t window = m_tcb->m_cWnd.Get();
    const std::uint64_t room = window > inFlight ? window - inFlight : 0;
    if (Segment* lost = m_board.NextLost())
    {
        return SendAgain(*lost, room);
    }
    const std::uint32_t length = NextNewLength();
    if (length == 0)
    {
        const bool inRecovery = m_tcb->m_congState == TcpSocketState::CA_RECOVERY;
        Segment* doubtful =
            m_options.stockCompatible && inRecovery ? m_board.NextDoubtful() : nullptr;
        if (doubtful)
        {
            return SendAgain(*doubtful, room);
        }
        m_rate.OnAppLimited(inFlight);
        return false;
    }
    if (m_board.HighTx() + length > m_window)
    {
        return false;
    }
    if (room < length)
    {
        return false;
    }
    BeginIfIdle();
    SendNew(length);
    return true;
}

void
BulkSender::NoteSent()
{
    NoteInFlight();
    if (m_board.InFlight() + m_tcb->m_segmentSize > m_tcb->m_cWnd)
    {
        m_limitedUntil = m_board.HighTx(); // also where pacing will hold the next segment back (Linux's tcp_write_xmit)
    }
    m_tcb->m_highTxMark = SequenceNumber32(static_cast<uint32_t>(m_board.HighTx() + 1));
    m_tcb->m_nextTxSequence = SequenceNumber32(static_cast<uint32_t>(m_nextTx + 1));
}

void
BulkSender::BeginIfIdle()
{
    if (m_board.InFlight() == 0)
    {
        m_control->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_TX_START);
    }
}

bool
BulkSender::SendAgain(Segment& segment, std::uint64_t room)
{
    if (room < segment.length)
    {
        return false;
    }
    BeginIfIdle();
    Retransmit(segment);
    m_nextTx = m_options.stockCompatible ? segment.offset + segment.length : m_nextTx;
    return true;
}

void
BulkSender::NoteInFlight()
{
    m_tcb->m_bytesInFlight = static_cast<uint32_t>(m_board.InFlight());
}

std::uint32_t
BulkSender::NextNewLength() const
{
    if (m_sending == m_messages.size())
    {
        return 0;
    }
    const std::uint64_t left = m_messages[m_sending].end - m_board.HighTx();
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(left, m_tcb->m_segmentSize));
}

PacketRecord::MessageTag
BulkSender::TagOf(std::size_t message) const
{
    const std::uint64_t begin = message == 0 ? m_ackedMessageEnd : m_messages[message - 1].end;
    return {m_messages[message].number, begin, m_messages[message].end};
}

std::size_t
BulkSender::MessageAt(std::uint64_t offset) const
{
    const auto found =
        std::upper_bound(m_messages.begin(),
                         m_messages.end(),
                         offset,
                         [](std::uint64_t value, const Message& m) { return value < m.end; });
    return static_cast<std::size_t>(found - m_messages.begin());
}

void
BulkSender::SendNew(std::uint32_t length)
{
    const std::int64_t now = m_nowNs;
    const Segment segment{m_board.HighTx(), now, {}, length, false, false, false, false, false};
    m_board.Append(now, length, m_rate.OnSent(now, m_board.InFlight() == 0));
    m_counters.sentBytes += length;
    m_nextTx = m_board.HighTx();
    const std::size_t message = m_sending;
    Transmit(segment, TagOf(message), false);
    if (m_board.HighTx() == m_messages[message].end)
    {
        const std::uint64_t number = m_messages[message].number;
        ++m_sending;
        m_events.OnSent(number);
    }
}

void
BulkSender::Retransmit(Segment& segment)
{
    const std::int64_t now = m_nowNs;
    m_board.OnRetransmitted(segment, now, m_rate.OnSent(now, m_board.InFlight() == 0));
    m_counters.retransmittedBytes += segment.length;
    ++m_counters.retransmittedPackets;
    if (m_options.stockCompatible)
    {
        m_nextTx = segment.offset;
    }
    else if (segment.offset == m_board.Una())
    {
        // The timeout counts from the last transmission of the first segment (Linux's tcp_rto_delta_us): else two
        // losses of it in a row, which RACK repairs, would expire it.
        m_rtoDeadlineNs = now + RtoNs();
    }
    Transmit(segment, TagOf(MessageAt(segment.offset)), true);
}

void
BulkSender::Transmit(const Segment& segment, const PacketRecord::MessageTag& tag, bool again)
{
    PacketRecord data =
        Record(PacketRecord::Kind::Data, segment.length + BulkTcpOptions::s_dataHeaderSize);
    data.offset = segment.offset;
    data.length = segment.length;
    data.message = tag;
    const bool dctcp = m_tcb->m_ecnMode == TcpSocketState::DctcpEcn;
    if (m_tcb->m_ecnState != TcpSocketState::ECN_DISABLED && (!again || dctcp))
    {
        data.flags = PacketRecord::EctCapable;
        if (m_announceReduction && !again)
        {
            m_announceReduction = false;
            data.flags |= PacketRecord::WindowReduced;
            m_tcb->m_ecnState = TcpSocketState::ECN_CWR_SENT;
        }
    }
    const TcpSocketState::TcpCongState_t state = m_tcb->m_congState;
    if (state == TcpSocketState::CA_RECOVERY || state == TcpSocketState::CA_CWR)
    {
        m_recovery->UpdateBytesSent(segment.length);
    }
    const std::int64_t now = m_nowNs;
    m_lastSentNs = now;
    if (IsPaced())
    {
        Pace(segment.length);
    }
    ++m_counters.dataPackets;
    m_out.Receive(data);
}

void
BulkSender::Pace(std::uint32_t length)
{
    const double bytesPerNs = static_cast<double>(m_tcb->m_pacingRate.Get().GetBitRate()) / 8e9;
    const auto lengthNs = static_cast<std::int64_t>(length / bytesPerNs + 0.5);
    const bool passed = m_nowNs >= m_nextPacedNs;
    if (m_hasCongControl) // as ns-3 does it: packet by packet, and what is sent in between delays nothing
    {
        m_nextPacedNs = passed ? m_nowNs + lengthNs : m_nextPacedNs;
        m_burstEndNs = m_nextPacedNs;
        return;
    }
    m_nextPacedNs = std::max(m_nowNs, m_nextPacedNs) + lengthNs;
    m_burstBytes = (passed ? 0 : m_burstBytes) + length;
    if (m_burstBytes >= std::min(bytesPerNs * nsPerMs, largestBurst))
    {
        m_burstEndNs = m_nextPacedNs;
        m_burstBytes = 0;
    }
}

void
BulkSender::RestartAfterIdle()
{
    if (!m_options.slowStartAfterIdle || m_hasCongControl || m_board.HighTx() != m_board.Una() ||
        m_board.HighTx() == 0 || NextNewLength() == 0)
    {
        return;
    }
    const std::int64_t periods = (m_nowNs - m_lastSentNs) / RtoNs();
    const std::uint32_t restart = m_options.initialWindow * m_tcb->m_segmentSize;
    const std::uint32_t before = m_tcb->m_cWnd;
    if (periods < 1 || before <= restart)
    {
        return;
    }
    m_tcb->m_ssThresh = std::max(m_tcb->m_ssThresh.Get(), before / 4 * 3);
    m_tcb->m_cWnd = std::max(restart, before >> std::min<std::int64_t>(periods, 31));
    m_hyStart.Restart(m_board.HighTx());
    if (m_keepsEpoch)
    {
        // 3.37's Cubic would count the idle time as growth: it forgets its epoch after a loss.
        m_control->CongestionStateSet(m_tcb, TcpSocketState::CA_LOSS);
        m_control->CongestionStateSet(m_tcb, TcpSocketState::CA_OPEN);
    }
    m_control->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_CWND_RESTART);
    UpdatePacingRate();
}

void
BulkSender::Abort()
{
    Fail();
}

void
BulkSender::Fail()
{
    const bool again = m_failed;
    m_failed = true;
    m_timer.Stop();
    m_reorderingTimer.Stop();
    std::deque<Message> lost;
    lost.swap(m_messages);
    for (const Message& message : lost)
    {
        m_events.OnFailed(m_flow, message.number);
    }
    if (!again)
    {
        m_events.OnAborted(m_flow);
    }
}

Ptr<TcpSocketState>
BulkSender::State() const
{
    return m_tcb;
}

Time
BulkSender::SmoothedRtt() const
{
    return TimeStep(static_cast<uint64_t>(m_rtt.SmoothedNs()));
}

const BulkSender::Counters&
BulkSender::GetCounters() const
{
    return m_counters;
}

bool
BulkSender::Outstanding() const
{
    return !m_failed && m_board.Una() != m_streamEnd;
}

bool
BulkSender::Failed() const
{
    return m_failed;
}

std::uint64_t
BulkSender::Una() const
{
    return m_board.Una();
}

std::uint64_t
BulkSender::HighTx() const
{
    return m_board.HighTx();
}

} // namespace ns3
