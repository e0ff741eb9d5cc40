// SPDX-License-Identifier: GPL-2.0-only
// Holds the states and the arrival of segments; what goes to the peer is in
// bulk-tcp-connection-output.cc.
#include "bulk-tcp/model/bulk-tcp-connection.h"

#include "bulk-tcp/model/log-line.h"

#include <ns3/tcp-header.h>

namespace ns3
{

namespace
{

const LogComponent connectionLog("BulkTcpConnection", __FILE__);

// ns-3's sockets begin at 0 and take it for granted: one does not answer to marks of a peer that
// begins above 2^31.
constexpr std::uint32_t initialSequence = 0;
constexpr std::uint32_t optionBytes = 12; ///< timestamps and padding, in every data segment

} // namespace

BulkTcpConnection::BulkTcpConnection(const BulkTcpOptions& options,
                                     const BulkTcpProtocol::Connection& ends,
                                     Ptr<TcpCongestionOps> control,
                                     Traced traced,
                                     BulkTcpConnectionEvents& events)
    : m_options(options),
      m_traced(traced),
      m_events(events),
      m_codec(initialSequence, static_cast<std::uint32_t>(options.window.Count())),
      m_sender({0, 0, m_fromSender}, options, control, *this),
      m_incoming(options, m_fromReceiver, [&events] { events.OnReadable(); }),
      m_closing(traced.state, m_sender, options.minRto, *this)
{
    m_codec.SetPorts(ends.port, ends.peerPort);
    m_traced.rto = m_sender.RetransmissionTimeoutNow();
}

void
BulkTcpConnection::Open()
{
    m_sender.Connect();
}

void
BulkTcpConnection::Accept(const TcpWireHeader& syn)
{
    m_answersSyn = true;
    LearnSyn(syn);
    m_traced.state = TcpSocket::SYN_RCVD;
    m_sender.Connect();
}

void
BulkTcpConnection::Receive(Ptr<Packet> payload, const TcpWireHeader& tcp, bool marked)
{
    if (m_traced.state == TcpSocket::SYN_SENT)
    {
        OnSynSent(tcp);
    }
    else if (m_traced.state != TcpSocket::CLOSED)
    {
        OnSynchronized(payload, tcp, marked);
    }
}

void
BulkTcpConnection::LearnSyn(const TcpWireHeader& tcp)
{
    m_codec.OnPeerSyn(tcp);
    const Ptr<TcpSocketState> state = m_sender.State();
    const bool isAnswer = tcp.Has(TcpHeader::ACK);
    m_echoesInSyn = tcp.Has(TcpHeader::ECE) && tcp.Has(TcpHeader::CWR) != isAnswer;
    const bool dctcp = state->m_ecnMode == TcpSocketState::DctcpEcn;
    if (!m_echoesInSyn)
    {
        state->m_useEcn = TcpSocketState::Off;
    }
    if (m_codec.PeerMss() > optionBytes)
    {
        LimitSegments(m_codec.PeerMss() - optionBytes);
    }
    PacketRecord syn{};
    syn.kind = PacketRecord::Kind::Syn;
    syn.flags = dctcp ? PacketRecord::Dctcp : 0;
    syn.timestampMs = m_codec.PeerTimestampMs();
    m_incoming.Engine().Receive(syn);
}

void
BulkTcpConnection::LimitSegments(std::uint32_t most)
{
    const Ptr<TcpSocketState> state = m_sender.State();
    if (most < state->m_segmentSize)
    {
        state->m_segmentSize = most;
        state->m_cWnd = m_options.initialWindow * most;
        state->m_cWndInfl = state->m_cWnd;
    }
}

void
BulkTcpConnection::OnSynSent(const TcpWireHeader& tcp)
{
    const bool acknowledges = tcp.Has(TcpHeader::ACK);
    if (acknowledges && tcp.acknowledgement != m_codec.InitialSequence() + 1)
    {
        SendReset(tcp, 0);
    }
    else if (tcp.Has(TcpHeader::RST))
    {
        if (acknowledges)
        {
            m_events.OnReset(); // refused
            m_sender.Abort();
        }
    }
    else if (tcp.Has(TcpHeader::SYN) && acknowledges)
    {
        LearnSyn(tcp);
        Establish(tcp);
    }
    else if (tcp.Has(TcpHeader::SYN))
    {
        m_answersSyn = true; // both ends have opened
        LearnSyn(tcp);
        m_traced.state = TcpSocket::SYN_RCVD;
        SendSyn();
    }
}

void
BulkTcpConnection::Establish(const TcpWireHeader& tcp)
{
    m_traced.state = TcpSocket::ESTABLISHED;
    PacketRecord answer = m_codec.Acknowledgement(tcp, 0).value_or(PacketRecord{});
    answer.kind = PacketRecord::Kind::SynAck;
    m_sender.Receive(answer);
    m_incoming.Engine().OnHandshake(m_sender.SmoothedRtt().GetNanoSeconds(),
                                    m_sender.RetransmissionTimeoutNow().GetNanoSeconds());
    m_events.OnEstablished();
    m_closing.SendFinBehind(m_toSend.End());
}

void
BulkTcpConnection::OnReset(const TcpWireHeader& tcp)
{
    const BulkReceiver& receiver = m_incoming.Engine();
    const std::int64_t offset = m_codec.PeerOffset(tcp, receiver.Next());
    if (offset < static_cast<std::int64_t>(receiver.Next()) ||
        offset > static_cast<std::int64_t>(receiver.Edge()))
    {
        LogLine(connectionLog, LOG_LOGIC, "ignores a reset at ", offset);
        return; // blind (RFC 9293, 3.10.7.4)
    }
    m_events.OnReset();
    m_sender.Abort();
}

void
BulkTcpConnection::OnSynchronized(Ptr<Packet> payload, const TcpWireHeader& tcp, bool marked)
{
    const std::uint32_t length = payload->GetSize();
    if (tcp.Has(TcpHeader::RST))
    {
        OnReset(tcp);
        return;
    }
    if (!IsOfStreams(tcp, length))
    {
        return;
    }
    if (m_traced.state == TcpSocket::SYN_RCVD)
    {
        if (StreamOffset(tcp.acknowledgement, m_codec.InitialSequence() + 1, 0) != 0)
        {
            SendReset(tcp, length);
            return;
        }
        Establish(tcp);
    }
    else if (!OnAcknowledgement(tcp, length > 0))
    {
        return;
    }
    if (m_traced.state != TcpSocket::CLOSED && (length > 0 || tcp.Has(TcpHeader::FIN)))
    {
        OnData(payload, tcp, marked);
    }
}

/// Answers a segment that is of the handshake, or of no connection, and is false for it.
bool
BulkTcpConnection::IsOfStreams(const TcpWireHeader& tcp, std::uint32_t length)
{
    const bool isOpening = m_traced.state == TcpSocket::SYN_RCVD;
    if (tcp.Has(TcpHeader::SYN) && isOpening && !tcp.Has(TcpHeader::ACK))
    {
        SendSyn(); // the answer was lost
        return false;
    }
    if (tcp.Has(TcpHeader::SYN) && !isOpening)
    {
        m_incoming.Engine().Acknowledge(); // the end of the handshake was lost
        return false;
    }
    if (!tcp.Has(TcpHeader::ACK) && length > 0 && !isOpening)
    {
        m_incoming.Engine().Acknowledge(); // ns-3 3.37's probe of a zero window has no flag
    }
    return tcp.Has(TcpHeader::ACK);
}

/// False where the segment acknowledges what was never sent.
bool
BulkTcpConnection::OnAcknowledgement(const TcpWireHeader& tcp, bool carriesData)
{
    const std::uint64_t una = m_sender.Una();
    std::optional<PacketRecord> ack = m_codec.Acknowledgement(tcp, una);
    if (!ack)
    {
        return true;
    }
    const std::uint64_t highTx = m_sender.HighTx();
    if (ack->offset > highTx + 1) // a FIN's or a window probe's byte
    {
        m_incoming.Engine().Acknowledge();
        return false;
    }
    const bool more = ack->offset > highTx;
    if (more)
    {
        ack->offset = highTx;
        ++ack->window;
    }
    if (m_sender.Outstanding() || !carriesData)
    {
        m_sender.Receive(*ack);
        m_traced.rto = m_sender.RetransmissionTimeoutNow();
    }
    if (more && m_closing.HasSentFin())
    {
        m_closing.OnFinAcked();
    }
    if (m_sender.Una() > una)
    {
        m_toSend.Release(m_sender.Una());
        m_events.OnDataAcked();
    }
    return true;
}

void
BulkTcpConnection::OnData(Ptr<Packet> payload, const TcpWireHeader& tcp, bool marked)
{
    const std::int64_t begin = m_codec.PeerOffset(tcp, m_incoming.Engine().Next());
    const bool fin = m_incoming.Receive(begin, payload, tcp, marked);
    if (m_traced.state == TcpSocket::CLOSED)
    {
        return;
    }
    if (m_incoming.HasJustEnded())
    {
        OnPeerFin();
    }
    else if (fin)
    {
        m_incoming.Engine().Acknowledge();
    }
}

void
BulkTcpConnection::OnPeerFin()
{
    m_codec.OnPeerFin(m_incoming.End());
    m_incoming.Engine().Acknowledge();
    m_closing.OnPeerFin();
    m_events.OnPeerClosed();
    m_closing.SendFinBehind(m_toSend.End());
}

void
BulkTcpConnection::SendReset(const TcpWireHeader& cause, std::uint32_t length)
{
    if (!cause.Has(TcpHeader::RST))
    {
        LogLine(connectionLog, LOG_LOGIC, "resets ", cause.acknowledgement);
        m_events.OnSegment(Create<Packet>(), ResetOf(cause, length), false);
    }
}

void
BulkTcpConnection::OnSent(std::uint64_t /*message*/)
{
    m_closing.SendFinBehind(m_toSend.End());
}

void
BulkTcpConnection::OnAborted(FlowNumber /*flow*/)
{
    const TcpSocket::TcpStates_t before = m_traced.state;
    if (before != TcpSocket::CLOSED)
    {
        BecomeClosed();
        m_events.OnBroken(before);
    }
}

void
BulkTcpConnection::BecomeClosed()
{
    const TcpSocket::TcpStates_t before = m_traced.state;
    m_traced.state = TcpSocket::CLOSED;
    m_closing.Stop();
    if (!m_sender.Failed())
    {
        m_sender.Abort();
    }
    m_events.OnClosed(before);
}

void
BulkTcpConnection::Append(Ptr<Packet> data)
{
    m_toSend.Append(data);
    m_sender.Append(data->GetSize());
}

Ptr<Packet>
BulkTcpConnection::Read(std::uint32_t most)
{
    return m_incoming.Read(most, m_traced.state != TcpSocket::CLOSED);
}

void
BulkTcpConnection::CloseSending()
{
    m_closing.Begin();
    m_closing.SendFinBehind(m_toSend.End());
}

} // namespace ns3
