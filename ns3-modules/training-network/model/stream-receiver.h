// SPDX-License-Identifier: GPL-2.0-only
// The receiving end of one connection over an ns-3 socket: takes the byte stream apart into
// messages. All that it knows of the sender it reads from the stream; a breach of the framing ends
// the program.
#pragma once

#include "training-network/model/frame-header.h"
#include "training-network/model/message-transport.h"

#include "ns3/packet.h"
#include "ns3/socket.h"

namespace ns3
{

class StreamReceiver
{
  public:
    StreamReceiver(Ptr<Socket> socket, TransportObserver& observer);
    ~StreamReceiver();
    StreamReceiver(const StreamReceiver&) = delete;
    StreamReceiver& operator=(const StreamReceiver&) = delete;

    /// What the stream said; meaningful once Stream() > 0.
    ConnectionNumber Connection() const;
    std::uint64_t Stream() const;  ///< bytes received, payload and headers
    std::uint64_t Payload() const; ///< bytes received

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
    FrameHeader m_message;          ///< in progress, or the last one
    std::uint64_t m_payloadLeft = 0;
    std::uint64_t m_stream = 0;
    std::uint64_t m_payload = 0;
    bool m_begun = false; ///< a header has been read
};

} // namespace ns3
