// SPDX-License-Identifier: GPL-2.0-only
// What the socket does with segments from the network (RFC 9293, section 3.10.7), and what its
// engines tell.
#include "bulk-tcp/model/bulk-tcp-socket.h"

#include <ns3/simulator.h>

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::uint32_t optionBytes = 12; ///< timestamps and padding, in every data segment

bool
Has(const TcpWireHeader& header, std::uint8_t flag)
{
    return (header.flags & flag) != 0;
}

} // namespace

void
BulkTcpSocket::ForwardUp(Ptr<Packet> packet,
                         Ipv4Header ip,
                         uint16_t /*port*/,
                         Ptr<Ipv4Interface> /*interface*/)
{
    OnPacket(packet, ip);
}

bool
BulkTcpSocket::OnPacket(Ptr<Packet> packet, const Ipv4Header& ip)
{
    const Ptr<BulkTcpSocket> alive(this); // whatever the application does
    TcpWireHeader tcp;
    if (m_checksums)
    {
        tcp.UseChecksum(ip.GetSource(), ip.GetDestination());
    }
    const std::uint32_t size = tcp.PeekFrom(*packet);
    if (!tcp.IsChecksumRight())
    {
        return false;
    }
    Trace(m_rxTrace, packet);
    packet->RemoveAtStart(size);
    switch (m_state)
    {
    case TcpSocket::CLOSED:
        break;
    case TcpSocket::LISTEN:
        OnListening(InetSocketAddress(ip.GetSource(), tcp.sourcePort), ip, tcp);
        break;
    case TcpSocket::SYN_SENT:
        OnSynSent(tcp);
        break;
    default:
        OnSynchronized(packet, tcp, ip.GetEcn() == Ipv4Header::ECN_CE);
        break;
    }
    return true;
}

void
BulkTcpSocket::OnListening(const InetSocketAddress& from,
                           const Ipv4Header& ip,
                           const TcpWireHeader& tcp)
{
    const bool opens = Has(tcp, TcpHeader::SYN) && !Has(tcp, TcpHeader::ACK | TcpHeader::RST);
    if (opens && NotifyConnectionRequest(from))
    {
        CopyObject<BulkTcpSocket>(Ptr<BulkTcpSocket>(this))->Accept(from, ip, tcp);
    }
}

void
BulkTcpSocket::Accept(const InetSocketAddress& from, const Ipv4Header& ip, const TcpWireHeader& syn)
{
    Ipv4EndPoint* endPoint = m_tcp->Allocate(GetBoundNetDevice(),
                                             ip.GetDestination(),
                                             syn.destinationPort,
                                             from.GetIpv4(),
                                             from.GetPort());
    if (!endPoint)
    {
        return;
    }
    UseEndPoint(endPoint);
    if (!Prepare(from.GetIpv4(), from.GetPort()))
    {
        ReleaseEndPoint();
        return;
    }
    m_accepted = true;
    m_answersSyn = true;
    LearnSyn(syn);
    m_state = TcpSocket::SYN_RCVD;
    m_sender->Connect();
}

void
BulkTcpSocket::LearnSyn(const TcpWireHeader& tcp)
{
    m_codec->OnPeerSyn(tcp);
    const Ptr<TcpSocketState> state = m_sender->State();
    const bool isAnswer = Has(tcp, TcpHeader::ACK);
    m_echoesInSyn = Has(tcp, TcpHeader::ECE) && Has(tcp, TcpHeader::CWR) != isAnswer;
    const bool dctcp = state->m_ecnMode == TcpSocketState::DctcpEcn;
    if (!m_echoesInSyn)
    {
        state->m_useEcn = TcpSocketState::Off;
    }
    if (m_codec->PeerMss() > optionBytes)
    {
        const std::uint32_t most = m_codec->PeerMss() - optionBytes;
        if (most < state->m_segmentSize)
        {
            state->m_segmentSize = most;
            state->m_cWnd = m_options.initialWindow * most;
            state->m_cWndInfl = state->m_cWnd;
        }
    }
    PacketRecord syn{};
    syn.kind = PacketRecord::Kind::Syn;
    syn.flags = dctcp ? PacketRecord::Dctcp : 0;
    syn.timestampMs = m_codec->PeerTimestampMs();
    m_receiver->Receive(syn);
}

void
BulkTcpSocket::OnSynSent(const TcpWireHeader& tcp)
{
    const bool acknowledges = Has(tcp, TcpHeader::ACK);
    if (acknowledges && tcp.acknowledgement != m_codec->InitialSequence() + 1)
    {
        SendReset(tcp, 0);
    }
    else if (Has(tcp, TcpHeader::RST))
    {
        if (acknowledges)
        {
            m_errno = ERROR_NOTCONN; // refused
            m_sender->Abort();
        }
    }
    else if (Has(tcp, TcpHeader::SYN) && acknowledges)
    {
        LearnSyn(tcp);
        Establish(tcp);
    }
    else if (Has(tcp, TcpHeader::SYN))
    {
        m_answersSyn = true; // both ends have opened
        LearnSyn(tcp);
        m_state = TcpSocket::SYN_RCVD;
        SendSyn();
    }
}

void
BulkTcpSocket::Establish(const TcpWireHeader& tcp)
{
    m_state = TcpSocket::ESTABLISHED;
    PacketRecord answer = m_codec->Acknowledgement(tcp, 0).value_or(PacketRecord{});
    answer.kind = PacketRecord::Kind::SynAck;
    m_sender->Receive(answer);
    if (m_accepted)
    {
        NotifyNewConnectionCreated(this, *m_peer);
    }
    else
    {
        NotifyConnectionSucceeded();
    }
    if (GetTxAvailable() > 0)
    {
        NotifySend(GetTxAvailable());
    }
    SendFinWhenDone();
}

void
BulkTcpSocket::OnReset(const TcpWireHeader& tcp)
{
    const std::int64_t offset = m_codec->PeerOffset(tcp, m_receiver->Next());
    const auto next = static_cast<std::int64_t>(m_receiver->Next());
    const auto edge = static_cast<std::int64_t>(m_receiver->Edge());
    if (offset < next || offset > edge)
    {
        return; // blind (RFC 9293, 3.10.7.4)
    }
    m_errno = ERROR_NOTCONN;
    m_sender->Abort();
}

void
BulkTcpSocket::OnSynchronized(Ptr<Packet> packet, const TcpWireHeader& tcp, bool marked)
{
    if (Has(tcp, TcpHeader::RST))
    {
        OnReset(tcp);
        return;
    }
    if (m_state == TcpSocket::SYN_RCVD && Has(tcp, TcpHeader::SYN) && !Has(tcp, TcpHeader::ACK))
    {
        SendSyn(); // the answer was lost
        return;
    }
    if (Has(tcp, TcpHeader::SYN) && m_state != TcpSocket::SYN_RCVD)
    {
        m_receiver->Acknowledge(); // the end of the handshake was lost
        return;
    }
    if (!Has(tcp, TcpHeader::ACK))
    {
        if (packet->GetSize() > 0 && m_state != TcpSocket::SYN_RCVD)
        {
            m_receiver->Acknowledge(); // ns-3 3.37's probe of a zero window has no flag
        }
        return;
    }
    if (m_state == TcpSocket::SYN_RCVD)
    {
        const std::int64_t acked =
            StreamOffset(tcp.acknowledgement, m_codec->InitialSequence() + 1, 0);
        if (acked != 0)
        {
            SendReset(tcp, packet->GetSize());
            return;
        }
        Establish(tcp);
    }
    else if (!OnAcknowledgement(tcp, packet->GetSize() > 0))
    {
        return;
    }
    if (m_state == TcpSocket::CLOSED)
    {
        return;
    }
    if (packet->GetSize() > 0 || Has(tcp, TcpHeader::FIN))
    {
        OnData(packet, tcp, marked);
    }
}

/// False where the segment acknowledges what was never sent.
bool
BulkTcpSocket::OnAcknowledgement(const TcpWireHeader& tcp, bool carriesData)
{
    const std::uint64_t una = m_sender->Una();
    std::optional<PacketRecord> ack = m_codec->Acknowledgement(tcp, una);
    if (!ack)
    {
        return true;
    }
    const std::uint64_t highTx = m_sender->HighTx();
    if (ack->offset > highTx + 1) // a FIN's or a window probe's byte
    {
        m_receiver->Acknowledge();
        return false;
    }
    const bool more = ack->offset > highTx;
    if (more)
    {
        ack->offset = highTx;
        ++ack->window;
    }
    if (m_sender->Outstanding() || !carriesData)
    {
        m_sender->Receive(*ack);
        NoteRto();
    }
    if (more && m_finSent)
    {
        OnFinAcked();
    }
    if (m_sender->Una() > una)
    {
        m_toSend.Release(m_sender->Una());
        if (!m_closing && GetTxAvailable() > 0)
        {
            NotifySend(GetTxAvailable());
        }
    }
    return true;
}

void
BulkTcpSocket::OnData(Ptr<Packet> packet, const TcpWireHeader& tcp, bool marked)
{
    const std::int64_t begin = m_codec->PeerOffset(tcp, m_receiver->Next());
    const auto edge = static_cast<std::int64_t>(m_receiver->Edge());
    const std::int64_t end = begin + packet->GetSize();
    if (begin < 0 || begin > edge || (m_peerEnd && end > static_cast<std::int64_t>(*m_peerEnd)) ||
        (packet->GetSize() > 0 && begin == edge))
    {
        m_receiver->Acknowledge(); // outside of the window: a probe, or old
        return;
    }
    const bool fin = Has(tcp, TcpHeader::FIN) && end <= edge;
    if (end > edge)
    {
        packet->RemoveAtEnd(static_cast<std::uint32_t>(end - edge));
    }
    if (fin)
    {
        m_finAt = static_cast<std::uint64_t>(end);
    }
    if (packet->GetSize() > 0)
    {
        Deliver(static_cast<std::uint64_t>(begin), packet, tcp, marked);
    }
    if (m_state == TcpSocket::CLOSED)
    {
        return;
    }
    if (m_finAt && !m_peerEnd && m_receiver->Next() == *m_finAt)
    {
        OnFin(*m_finAt);
    }
    else if (fin)
    {
        m_receiver->Acknowledge();
    }
}

/// The application reads before the acknowledgement goes out, so that it tells the window behind
/// what was read.
void
BulkTcpSocket::Deliver(std::uint64_t offset,
                       Ptr<Packet> packet,
                       const TcpWireHeader& tcp,
                       bool marked)
{
    PacketRecord data{};
    data.kind = PacketRecord::Kind::Data;
    data.offset = offset;
    data.length = packet->GetSize();
    data.flags =
        static_cast<std::uint8_t>((marked ? PacketRecord::CongestionExperienced : 0) |
                                  (Has(tcp, TcpHeader::CWR) ? PacketRecord::WindowReduced : 0));
    data.message.end = UINT64_MAX; // a stream has none
    data.timestampMs = TimestampsOf(tcp).valueMs;
    const std::uint64_t before = m_received.Next();
    m_received.Insert(offset, packet);
    if (m_received.Next() > before)
    {
        m_delivering = true;
        if (m_discards)
        {
            ShutdownRecv();
        }
        else
        {
            NotifyDataRecv();
        }
        m_delivering = false;
    }
    m_receiver->SetUnread(m_received.Unread());
    m_receiver->Receive(data);
}

void
BulkTcpSocket::OnSent(std::uint64_t /*message*/)
{
    SendFinWhenDone();
}

void
BulkTcpSocket::OnDrained(FlowNumber /*flow*/)
{
}

void
BulkTcpSocket::OnFailed(FlowNumber /*flow*/, std::uint64_t /*message*/)
{
}

void
BulkTcpSocket::OnAborted(FlowNumber /*flow*/)
{
    const TcpSocket::TcpStates_t before = m_state;
    if (before == TcpSocket::CLOSED)
    {
        return;
    }
    BecomeClosed();
    if (before == TcpSocket::SYN_SENT)
    {
        NotifyConnectionFailed();
    }
    else if (before != TcpSocket::SYN_RCVD)
    {
        NotifyErrorClose();
    }
}

void
BulkTcpSocket::OnFirstByte(std::uint64_t /*message*/)
{
}

void
BulkTcpSocket::OnDelivered(std::uint64_t /*message*/)
{
}

} // namespace ns3
