// The sending end of one connection over ns-3's TCP socket: frames messages into the byte stream, keeps the
// socket supplied with whole segments, and sees from the socket's own trace what is carried for the first
// time and what again.
#pragma once

#include "training-network/model/stock-sockets.h"
#include "training-network/model/stream-sender.h"

#include "ns3/event-id.h"

#include <deque>

namespace ns3
{

class StockSender : public StreamSender
{
  public:
    /// Connects to `remote`.
    StockSender(ConnectionNumber connection,
                const StockSockets& sockets,
                StockSockets::Sender sender,
                const Address& remote,
                TransportObserver& observer);
    ~StockSender() override;
    StockSender(const StockSender&) = delete;
    StockSender& operator=(const StockSender&) = delete;

    void Send(MessageNumber message, geotrain::Bytes size) override;
    FlowState State() const override;
    Totals GetTotals() const override;

  private:
    struct Message
    {
        MessageNumber number;
        std::uint64_t size;    ///< payload
        std::uint64_t written; ///< payload that is in the socket
        std::uint64_t end;     ///< of its last byte in the stream
    };

    void FillSocket();
    bool WriteChunk(Message& message);
    void ReportSent();
    void ReportFailure(MessageNumber message);
    void ForgetAcknowledged();
    void Fail(const std::string& reason);

    void OnConnected(Ptr<Socket> socket);
    void OnConnectionFailed(Ptr<Socket> socket);
    void OnClosed(Ptr<Socket> socket);
    void OnError(Ptr<Socket> socket);
    void OnSendPossible(Ptr<Socket> socket, std::uint32_t available);
    void
    OnTransmit(Ptr<const Packet> packet, const TcpHeader& header, Ptr<const TcpSocketBase> socket);

    const ConnectionNumber m_connection;
    TransportObserver& m_observer;
    Ptr<TcpSocketBase> m_socket;
    Ptr<BoundedCongestionOps> m_control;
    const std::uint32_t m_segmentSize;
    Ptr<Packet> m_wholeSegment; ///< of payload; the socket copies it

    bool m_connected = false;
    bool m_outstanding = false;
    std::string m_failure; ///< empty while the connection is well

    std::deque<Message> m_messages; ///< not acknowledged as a whole
    std::size_t m_nextToWrite = 0;  ///< index into m_messages
    std::size_t m_nextToReport = 0; ///< the first that is not reported as sent
    EventId m_reportSent;

    Totals m_totals;
    std::uint64_t m_written = 0; ///< bytes of the stream that were given to the socket
    std::uint64_t m_retransmitted = 0;
    SequenceNumber32 m_highMark; ///< the sequence number after the highest byte carried
};

} // namespace ns3
