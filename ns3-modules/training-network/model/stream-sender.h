// SPDX-License-Identifier: GPL-2.0-only
// Implements the sending end of a connection that carries messages as frames of a byte stream. It
// puts a FrameHeader before each message, keeps the socket supplied with whole segments, and tells
// when a message was carried and when all data was acknowledged.
#pragma once

#include "training-network/model/stream-sockets.h"

#include "ns3/event-id.h"

#include <deque>
#include <memory>
#include <string>

namespace ns3
{

/// A StreamSender is the sending end of one connection.
class StreamSender
{
  public:
    /// Connects `socket` to `remote`. The observer outlives the sender.
    StreamSender(ConnectionNumber connection,
                 std::unique_ptr<StreamSocket> socket,
                 const Address& remote,
                 TransportObserver& observer);
    ~StreamSender();
    StreamSender(const StreamSender&) = delete;
    StreamSender& operator=(const StreamSender&) = delete;

    void Send(MessageNumber message, geotrain::Bytes size);
    FlowState State() const;

    /// Totals are bytes since the connection was opened.
    struct Totals
    {
        std::uint64_t payload = 0; ///< of all messages handed over
        std::uint64_t stream = 0;  ///< bytes of all messages with their headers
        std::uint64_t carried = 0; ///< bytes of the stream given to the network for the first time
    };

    Totals GetTotals() const;

  private:
    struct Message
    {
        MessageNumber number;
        std::uint64_t size;    ///< payload
        std::uint64_t written; ///< payload given to the socket
        std::uint64_t end;     ///< end of the message in the stream
    };

    void FillSocket();
    bool WriteChunk(Message& message);
    Ptr<Packet> MakeChunk(const Message& message, bool withHeader, std::uint64_t payload) const;
    bool NextIsCarried() const;
    void ReportSent();
    void ReportFailure(MessageNumber message);
    void ForgetAcknowledged();
    void Fail(const std::string& reason);

    void OnConnected(Ptr<Socket> socket);
    void OnConnectionFailed(Ptr<Socket> socket);
    void OnClosed(Ptr<Socket> socket);
    void OnError(Ptr<Socket> socket);
    void OnSendPossible(Ptr<Socket> socket, std::uint32_t available);
    void OnCarried();

    const ConnectionNumber m_connection;
    TransportObserver& m_observer;
    const std::unique_ptr<StreamSocket> m_socket;
    Ptr<Packet> m_wholeSegment; ///< a segment of zero payload; the socket copies it

    bool m_connected = false;
    bool m_outstanding = false;
    std::string m_failure; ///< empty while the connection is well

    std::deque<Message> m_messages; ///< messages that are not acknowledged as a whole
    std::size_t m_nextToWrite = 0;  ///< index into m_messages
    std::size_t m_nextToReport = 0; ///< index of the first message that is not reported as sent
    EventId m_reportSent;

    std::uint64_t m_payload = 0; ///< of all messages handed over
    std::uint64_t m_stream = 0;  ///< bytes of all messages with their headers
    std::uint64_t m_written = 0; ///< bytes of the stream that were given to the socket
};

} // namespace ns3
