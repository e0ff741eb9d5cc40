#include "training-network/model/device-sender.h"

#include "training-network/model/frame-header.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

DeviceSender::DeviceSender(ConnectionNumber connection,
                           Ptr<BulkTcpSocket> socket,
                           const Address& remote,
                           TransportObserver& observer)
    : m_connection(connection),
      m_observer(observer),
      m_socket(socket)
{
    m_socket->SetConnectCallback(MakeCallback(&DeviceSender::OnConnected, this),
                                 MakeCallback(&DeviceSender::OnConnectionFailed, this));
    m_socket->SetCloseCallbacks(MakeCallback(&DeviceSender::OnClosed, this),
                                MakeCallback(&DeviceSender::OnError, this));
    m_socket->SetSendCallback(MakeCallback(&DeviceSender::OnSendPossible, this));
    m_socket->SetDataSentCallback(MakeCallback(&DeviceSender::OnCarried, this));
    NS_ABORT_MSG_IF(m_socket->Connect(remote) != 0, "no route for connection " << connection);
}

DeviceSender::~DeviceSender()
{
    m_reportSent.Cancel();
    const auto null = MakeNullCallback<void, Ptr<Socket>>();
    m_socket->SetConnectCallback(null, null);
    m_socket->SetCloseCallbacks(null, null);
    m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, std::uint32_t>());
    m_socket->SetDataSentCallback(MakeNullCallback<void, Ptr<Socket>, std::uint32_t>());
}

void
DeviceSender::Send(MessageNumber message, geotrain::Bytes size)
{
    if (!m_failure.empty())
    {
        Simulator::ScheduleNow(&DeviceSender::ReportFailure, this, message);
        return;
    }
    const auto payload = static_cast<std::uint64_t>(size.Count());
    m_payload += payload;
    m_stream += FrameHeader::SIZE + payload;
    m_messages.push_back({message, payload, payload, m_stream, false});
    m_outstanding = true;
    FillSocket();
}

FlowState
DeviceSender::State() const
{
    const BulkSender& sender = *m_socket->Sender();
    const Ptr<TcpSocketState> state = sender.State();
    FlowState flow;
    flow.congestionWindow = geotrain::Bytes::Of(state->m_cWnd);
    flow.roundTripTime = sender.SmoothedRtt();
    flow.inFlight = geotrain::Bytes::Of(state->m_bytesInFlight);
    flow.retransmittedBytes =
        geotrain::Bytes::Of(static_cast<std::int64_t>(sender.GetCounters().retransmittedBytes));
    flow.outstanding = m_outstanding;
    flow.failed = !m_failure.empty();
    return flow;
}

StreamSender::Totals
DeviceSender::GetTotals() const
{
    return {m_payload, m_stream, m_socket->Sender()->GetCounters().sentBytes};
}

void
DeviceSender::FillSocket()
{
    while (m_connected && m_nextToWrite < m_messages.size() && Write(m_messages[m_nextToWrite]))
    {
        ++m_nextToWrite;
    }
}

/// False if the socket has no room for all of it.
bool
DeviceSender::Write(Message& message)
{
    if (!message.begun)
    {
        if (m_socket->GetTxAvailable() < FrameHeader::SIZE)
        {
            return false;
        }
        const FrameHeader frame{m_connection, message.number, m_written, message.size};
        message.begun = true;
        WritePacket(Create<Packet>(frame.Serialize().data(), FrameHeader::SIZE));
    }
    const std::uint32_t segment = m_socket->Sender()->State()->m_segmentSize;
    while (message.left > 0)
    {
        const auto length =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(message.left, segment));
        if (m_socket->GetTxAvailable() < length)
        {
            return false;
        }
        message.left -= length;
        WritePacket(Create<Packet>(length));
    }
    return true;
}

void
DeviceSender::WritePacket(Ptr<Packet> packet)
{
    m_written += packet->GetSize();
    NS_ABORT_MSG_IF(m_socket->Send(packet, 0) < 0,
                    "the send buffer of connection " << m_connection
                                                     << " refused what it has room for");
}

void
DeviceSender::ReportSent()
{
    const std::uint64_t carried = m_socket->Sender()->HighTx();
    while (m_nextToReport < m_messages.size() && m_messages[m_nextToReport].end <= carried)
    {
        m_observer.OnSent(m_messages[m_nextToReport++].number);
    }
}

void
DeviceSender::ReportFailure(MessageNumber message)
{
    m_observer.OnFailed(m_connection, message, m_failure);
}

void
DeviceSender::ForgetAcknowledged()
{
    const std::uint64_t acknowledged = m_socket->Sender()->Una();
    while (m_nextToReport > 0 && m_messages.front().end <= acknowledged)
    {
        m_messages.pop_front();
        --m_nextToReport;
        --m_nextToWrite;
    }
}

void
DeviceSender::Fail(const std::string& reason)
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
DeviceSender::OnConnected(Ptr<Socket> /*socket*/)
{
    m_connected = true;
    FillSocket();
}

void
DeviceSender::OnConnectionFailed(Ptr<Socket> /*socket*/)
{
    Fail("the connection could not be opened");
}

void
DeviceSender::OnClosed(Ptr<Socket> /*socket*/)
{
    Fail("the connection was closed");
}

void
DeviceSender::OnError(Ptr<Socket> /*socket*/)
{
    Fail("the other end does not answer");
}

void
DeviceSender::OnCarried(Ptr<Socket> /*socket*/, std::uint32_t /*bytes*/)
{
    if (m_nextToReport < m_messages.size() &&
        m_messages[m_nextToReport].end <= m_socket->Sender()->HighTx() && !m_reportSent.IsRunning())
    {
        // The observer may hand over messages, which the socket can't take while it sends.
        m_reportSent = Simulator::ScheduleNow(&DeviceSender::ReportSent, this);
    }
}

void
DeviceSender::OnSendPossible(Ptr<Socket> /*socket*/, std::uint32_t /*available*/)
{
    ForgetAcknowledged();
    FillSocket();
    if (m_outstanding && m_messages.empty())
    {
        m_outstanding = false;
        m_observer.OnDrained(m_connection);
    }
}

} // namespace ns3
