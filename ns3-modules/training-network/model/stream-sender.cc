// SPDX-License-Identifier: GPL-2.0-only
// Frames messages into the byte stream of a StreamSocket.
#include "training-network/model/stream-sender.h"

#include "training-network/model/frame-header.h"
#include "wan-topology/model/reusable-event.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

StreamSender::StreamSender(ConnectionNumber connection,
                           std::unique_ptr<StreamSocket> socket,
                           const Address& remote,
                           TransportObserver& observer)
    : m_connection(connection),
      m_observer(observer),
      m_socket(std::move(socket))
{
    Socket& tcp = m_socket->Get();
    tcp.SetConnectCallback(MakeCallback(&StreamSender::OnConnected, this),
                           MakeCallback(&StreamSender::OnConnectionFailed, this));
    tcp.SetCloseCallbacks(MakeCallback(&StreamSender::OnClosed, this),
                          MakeCallback(&StreamSender::OnError, this));
    tcp.SetSendCallback(MakeCallback(&StreamSender::OnSendPossible, this));
    m_socket->SetCarriedCallback(MakeCallback(&StreamSender::OnCarried, this));
    NS_ABORT_MSG_IF(tcp.Connect(remote) != 0, "no route for connection " << connection);
    m_wholeSegment = Create<Packet>(m_socket->SegmentSize());
}

StreamSender::~StreamSender()
{
    m_reportSent.Cancel();
    m_socket->SetCarriedCallback(MakeNullCallback<void>());
    Socket& tcp = m_socket->Get();
    const auto null = MakeNullCallback<void, Ptr<Socket>>();
    tcp.SetConnectCallback(null, null);
    tcp.SetCloseCallbacks(null, null);
    tcp.SetSendCallback(MakeNullCallback<void, Ptr<Socket>, std::uint32_t>());
}

void
StreamSender::Send(MessageNumber message, geotrain::Bytes size)
{
    const AtSite site(m_socket->Get().GetNode()->GetId());
    if (!m_failure.empty())
    {
        Simulator::ScheduleNow(&StreamSender::ReportFailure, this, message);
        return;
    }
    const auto payload = static_cast<std::uint64_t>(size.Count());
    m_payload += payload;
    m_stream += FrameHeader::SIZE + payload;
    m_messages.push_back({message, payload, 0, m_stream});
    m_outstanding = true;
    FillSocket();
}

FlowState
StreamSender::State() const
{
    FlowState flow = m_socket->State();
    flow.acknowledgedBytes =
        geotrain::Bytes::Of(static_cast<std::int64_t>(m_socket->Acknowledged(m_written)));
    flow.outstanding = m_outstanding;
    flow.failed = !m_failure.empty();
    return flow;
}

StreamSender::Totals
StreamSender::GetTotals() const
{
    return {m_payload, m_stream, m_socket->Carried()};
}

void
StreamSender::FillSocket()
{
    if (!m_connected)
    {
        return;
    }
    while (m_nextToWrite < m_messages.size() && WriteChunk(m_messages[m_nextToWrite]))
    {
        if (m_messages[m_nextToWrite].written == m_messages[m_nextToWrite].size)
        {
            ++m_nextToWrite;
        }
    }
}

// Writes the next chunk of a message. Chunks end where segments will end, so that the socket need
// not split and join packets. Returns false if the socket has no room for it.
bool
StreamSender::WriteChunk(Message& message)
{
    const std::uint64_t segment = m_wholeSegment->GetSize();
    const std::uint64_t room = segment - (m_written - m_socket->Carried()) % segment;
    const bool atStart = m_written + FrameHeader::SIZE + message.size == message.end;
    const std::uint64_t header = atStart ? FrameHeader::SIZE : 0;
    const std::uint64_t payload =
        std::min(message.size - message.written, room > header ? room - header : 0);
    if (m_socket->Get().GetTxAvailable() < header + payload)
    {
        return false;
    }
    const Ptr<Packet> chunk = MakeChunk(message, atStart, payload);
    m_written += header + payload;
    message.written += payload;
    NS_ABORT_MSG_IF(m_socket->Get().Send(chunk, 0) < 0,
                    "the send buffer of connection " << m_connection
                                                     << " refused what it has room for");
    return true;
}

Ptr<Packet>
StreamSender::MakeChunk(const Message& message, bool withHeader, std::uint64_t payload) const
{
    if (!withHeader && payload == m_wholeSegment->GetSize())
    {
        return m_wholeSegment;
    }
    const auto body = Create<Packet>(static_cast<std::uint32_t>(payload));
    if (!withHeader)
    {
        return body;
    }
    const auto bytes =
        FrameHeader{m_connection, message.number, m_written, message.size}.Serialize();
    const auto chunk = Create<Packet>(bytes.data(), FrameHeader::SIZE);
    chunk->AddAtEnd(body);
    return chunk;
}

bool
StreamSender::NextIsCarried() const
{
    return m_nextToReport < m_messages.size() &&
           m_messages[m_nextToReport].end <= m_socket->Carried();
}

void
StreamSender::ReportSent()
{
    while (NextIsCarried())
    {
        m_observer.OnSent(m_messages[m_nextToReport++].number);
    }
}

void
StreamSender::ReportFailure(MessageNumber message)
{
    m_observer.OnFailed(m_connection, message, m_failure);
}

void
StreamSender::ForgetAcknowledged()
{
    const std::uint64_t acknowledged = m_socket->Acknowledged(m_written);
    while (m_nextToReport > 0 && m_messages.front().end <= acknowledged)
    {
        m_messages.pop_front();
        --m_nextToReport;
        --m_nextToWrite;
    }
}

void
StreamSender::Fail(const std::string& reason)
{
    if (!m_failure.empty())
    {
        return;
    }
    m_failure = reason;
    m_connected = false;
    m_outstanding = false;
    m_reportSent.Cancel();
    const auto lost = std::exchange(m_messages, {});
    m_nextToWrite = 0;
    m_nextToReport = 0;
    for (const Message& message : lost)
    {
        ReportFailure(message.number);
    }
}

void
StreamSender::OnConnected(Ptr<Socket> /*socket*/)
{
    m_connected = true;
    FillSocket();
}

void
StreamSender::OnConnectionFailed(Ptr<Socket> /*socket*/)
{
    Fail("the connection could not be opened");
}

void
StreamSender::OnClosed(Ptr<Socket> /*socket*/)
{
    Fail("the connection was closed");
}

void
StreamSender::OnError(Ptr<Socket> /*socket*/)
{
    Fail("the other end does not answer");
}

void
StreamSender::OnSendPossible(Ptr<Socket> /*socket*/, std::uint32_t /*available*/)
{
    ForgetAcknowledged();
    FillSocket();
    if (m_outstanding && m_messages.empty())
    {
        m_outstanding = false;
        m_observer.OnDrained(m_connection);
    }
}

void
StreamSender::OnCarried()
{
    if (NextIsCarried() && !m_reportSent.IsRunning())
    {
        // The observer may hand over messages, which the socket can't take while it sends.
        m_reportSent = Simulator::ScheduleNow(&StreamSender::ReportSent, this);
    }
}

} // namespace ns3
