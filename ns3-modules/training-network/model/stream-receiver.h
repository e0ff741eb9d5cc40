// SPDX-License-Identifier: GPL-2.0-only
// Implements the receiving end of a connection over an ns-3 socket, which splits the byte stream
// into messages. It knows of the sender only what it reads from the stream. An error in the framing
// ends the program.
#pragma once

#include "training-network/model/frame-header.h"
#include "training-network/model/message-transport.h"

#include "ns3/packet.h"
#include "ns3/socket.h"

namespace ns3
{

/// A StreamReceiver is the receiving end of one connection.
class StreamReceiver
{
  public:
    StreamReceiver(Ptr<Socket> socket, TransportObserver& observer);
    ~StreamReceiver();
    StreamReceiver(const StreamReceiver&) = delete;
    StreamReceiver& operator=(const StreamReceiver&) = delete;

    /// Returns the connection that the stream names; meaningful once a header has been read.
    ConnectionNumber Connection() const;
    std::uint64_t Stream() const;  ///< bytes of payload and headers received
    std::uint64_t Payload() const; ///< bytes of payload received

  private:
    void OnReadable(Ptr<Socket> socket);
    void Take(const Packet& packet);
    std::uint32_t TakeHeader(const Packet& packet, std::uint32_t start);
    std::uint32_t TakePayload(std::uint32_t available);
    void BeginMessage();

    Ptr<Socket> m_socket;
    TransportObserver& m_observer;
    FrameHeader::Buffer m_headerBytes{};
    std::uint32_t m_headerFill = 0; ///< bytes of the header that are here
    FrameHeader m_message;          ///< header of the message in progress, or of the last one
    std::uint64_t m_payloadLeft = 0;
    std::uint64_t m_stream = 0;
    std::uint64_t m_payload = 0;
    bool m_begun = false; ///< a header has been read
};

} // namespace ns3
