#include "training-network/model/stock-sender.h"

#include "training-network/model/frame-header.h"

#include "ns3/simulator.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <utility>

namespace ns3
{

StockSender::StockSender(ConnectionNumber connection,
                         const StockSockets& sockets,
                         StockSockets::Sender sender,
                         const Address& remote,
                         TransportObserver& observer)
    : m_connection(connection),
      m_observer(observer),
      m_socket(sender.socket),
      m_control(sender.control),
      m_segmentSize(sockets.SegmentSize()),
      m_wholeSegment(Create<Packet>(m_segmentSize))
{
    m_socket->SetConnectCallback(MakeCallback(&StockSender::OnConnected, this),
                                 MakeCallback(&StockSender::OnConnectionFailed, this));
    m_socket->SetCloseCallbacks(MakeCallback(&StockSender::OnClosed, this),
                                MakeCallback(&StockSender::OnError, this));
    m_socket->SetSendCallback(MakeCallback(&StockSender::OnSendPossible, this));
    m_socket->TraceConnectWithoutContext("Tx", MakeCallback(&StockSender::OnTransmit, this));
    NS_ABORT_MSG_IF(m_socket->Connect(remote) != 0, "no route for connection " << connection);
}

StockSender::~StockSender()
{
    m_reportSent.Cancel();
    m_socket->TraceDisconnectWithoutContext("Tx", MakeCallback(&StockSender::OnTransmit, this));
    const auto null = MakeNullCallback<void, Ptr<Socket>>();
    m_socket->SetConnectCallback(null, null);
    m_socket->SetCloseCallbacks(null, null);
    m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, std::uint32_t>());
}

void
StockSender::Send(MessageNumber message, geotrain::Bytes size)
{
    if (!m_failure.empty())
    {
        Simulator::ScheduleNow(&StockSender::ReportFailure, this, message);
        return;
    }
    const auto payload = static_cast<std::uint64_t>(size.Count());
    m_totals.payload += payload;
    m_totals.stream += FrameHeader::SIZE + payload;
    m_messages.push_back({message, payload, 0, m_totals.stream});
    m_outstanding = true;
    FillSocket();
}

FlowState
StockSender::State() const
{
    const auto state = m_control->State();
    FlowState flow;
    flow.congestionWindow = geotrain::Bytes::Of(state->m_cWnd);
    flow.roundTripTime = state->m_lastRtt;
    flow.inFlight = geotrain::Bytes::Of(state->m_bytesInFlight);
    flow.retransmittedBytes = geotrain::Bytes::Of(static_cast<std::int64_t>(m_retransmitted));
    flow.outstanding = m_outstanding;
    flow.failed = !m_failure.empty();
    return flow;
}

StreamSender::Totals
StockSender::GetTotals() const
{
    return m_totals;
}

void
StockSender::FillSocket()
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

// Chunks end where segments will end, so that the socket need not split and join packets. False if the socket has no
// room for the next one.
bool
StockSender::WriteChunk(Message& message)
{
    const std::uint64_t room = m_segmentSize - (m_written - m_totals.carried) % m_segmentSize;
    const bool atStart = m_written + FrameHeader::SIZE + message.size == message.end;
    const std::uint64_t header = atStart ? FrameHeader::SIZE : 0;
    const std::uint64_t payload =
        std::min(message.size - message.written, room > header ? room - header : 0);
    if (m_socket->GetTxAvailable() < header + payload)
    {
        return false;
    }
    Ptr<Packet> chunk = m_wholeSegment;
    if (atStart)
    {
        const FrameHeader frame{m_connection, message.number, m_written, message.size};
        const auto bytes = frame.Serialize();
        chunk = Create<Packet>(bytes.data(), FrameHeader::SIZE);
        chunk->AddAtEnd(Create<Packet>(static_cast<std::uint32_t>(payload)));
    }
    else if (payload != m_segmentSize)
    {
        chunk = Create<Packet>(static_cast<std::uint32_t>(payload));
    }
    m_written += header + payload;
    message.written += payload;
    NS_ABORT_MSG_IF(m_socket->Send(chunk, 0) < 0,
                    "the send buffer of connection " << m_connection
                                                     << " refused what it has room for");
    return true;
}

void
StockSender::ReportSent()
{
    while (m_nextToReport < m_messages.size() && m_messages[m_nextToReport].end <= m_totals.carried)
    {
        m_observer.OnSent(m_messages[m_nextToReport++].number);
    }
}

void
StockSender::ReportFailure(MessageNumber message)
{
    m_observer.OnFailed(m_connection, message, m_failure);
}

void
StockSender::ForgetAcknowledged()
{
    const std::uint64_t acknowledged = m_written - m_socket->GetTxBuffer()->Size();
    while (m_nextToReport > 0 && m_messages.front().end <= acknowledged)
    {
        m_messages.pop_front();
        --m_nextToReport;
        --m_nextToWrite;
    }
}

void
StockSender::Fail(const std::string& reason)
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
StockSender::OnConnected(Ptr<Socket> /*socket*/)
{
    m_connected = true;
    FillSocket();
}

void
StockSender::OnConnectionFailed(Ptr<Socket> /*socket*/)
{
    Fail("the connection could not be opened");
}

void
StockSender::OnClosed(Ptr<Socket> /*socket*/)
{
    Fail("the connection was closed");
}

void
StockSender::OnError(Ptr<Socket> /*socket*/)
{
    Fail("the connection was given up after its last retransmission");
}

void
StockSender::OnSendPossible(Ptr<Socket> /*socket*/, std::uint32_t /*available*/)
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
StockSender::OnTransmit(Ptr<const Packet> packet,
                        const TcpHeader& header,
                        Ptr<const TcpSocketBase> /*socket*/)
{
    const std::uint32_t size = packet->GetSize();
    if (size == 0)
    {
        return;
    }
    const SequenceNumber32 first = header.GetSequenceNumber();
    if (m_totals.carried == 0)
    {
        m_highMark = first;
    }
    const SequenceNumber32 end = first + size;
    const std::int32_t fresh = std::max(end - m_highMark, 0);
    m_totals.carried += static_cast<std::uint32_t>(fresh);
    m_retransmitted += size - static_cast<std::uint32_t>(fresh);
    m_highMark = m_highMark + fresh;
    if (m_nextToReport < m_messages.size() && m_messages[m_nextToReport].end <= m_totals.carried &&
        !m_reportSent.IsRunning())
    {
        // The observer may hand over messages, which the socket can't take while it sends.
        m_reportSent = Simulator::ScheduleNow(&StockSender::ReportSent, this);
    }
}

} // namespace ns3
