// The sending end of one connection over bulk-tcp's device bearer: frames messages into the byte stream and sees from
// the socket what was carried and acknowledged.
#pragma once

#include "bulk-tcp/model/bulk-tcp-socket.h"
#include "training-network/model/stream-sender.h"

#include "ns3/event-id.h"

#include <deque>
#include <string>

namespace ns3
{

class DeviceSender : public StreamSender
{
  public:
    /// Connects to `remote`.
    DeviceSender(ConnectionNumber connection,
                 Ptr<BulkTcpSocket> socket,
                 const Address& remote,
                 TransportObserver& observer);
    ~DeviceSender() override;
    DeviceSender(const DeviceSender&) = delete;
    DeviceSender& operator=(const DeviceSender&) = delete;

    void Send(MessageNumber message, geotrain::Bytes size) override;
    FlowState State() const override;
    Totals GetTotals() const override;

  private:
    struct Message
    {
        MessageNumber number;
        std::uint64_t left; ///< payload that is not in the socket
        std::uint64_t size; ///< payload
        std::uint64_t end;  ///< of its last byte in the stream
        bool begun;         ///< its header is in the socket
    };

    void FillSocket();
    bool Write(Message& message);
    void WritePacket(Ptr<Packet> packet);
    void ReportSent();
    void ReportFailure(MessageNumber message);
    void ForgetAcknowledged();
    void Fail(const std::string& reason);

    void OnConnected(Ptr<Socket> socket);
    void OnConnectionFailed(Ptr<Socket> socket);
    void OnClosed(Ptr<Socket> socket);
    void OnError(Ptr<Socket> socket);
    void OnCarried(Ptr<Socket> socket, std::uint32_t bytes);
    void OnSendPossible(Ptr<Socket> socket, std::uint32_t available);

    const ConnectionNumber m_connection;
    TransportObserver& m_observer;
    Ptr<BulkTcpSocket> m_socket;

    bool m_connected = false;
    bool m_outstanding = false;
    std::string m_failure; ///< empty while the connection is well

    std::deque<Message> m_messages; ///< not acknowledged as a whole
    std::size_t m_nextToWrite = 0;  ///< index into m_messages
    std::size_t m_nextToReport = 0; ///< the first that is not reported as sent
    EventId m_reportSent;

    std::uint64_t m_payload = 0; ///< of all messages handed over
    std::uint64_t m_stream = 0;  ///< with the headers
    std::uint64_t m_written = 0; ///< of the stream, to the socket
};

} // namespace ns3
