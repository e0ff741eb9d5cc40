// SPDX-License-Identifier: GPL-2.0-only
// The bytes that a connection's peer sends, up to its FIN: which of a segment's are in the window,
// the engine that acknowledges them and the buffer that the application reads. The application
// reads before the acknowledgement goes out, so that it tells the window behind what was read.
#pragma once

#include "bulk-tcp/model/bulk-receiver.h"
#include "bulk-tcp/model/stream-buffers.h"
#include "bulk-tcp/model/tcp-wire-header.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace ns3
{

class IncomingStream
{
  public:
    /// Acknowledgements go to `out`, which outlives this. `readable` is called when there is more
    /// to read.
    IncomingStream(const BulkTcpOptions& options,
                   PacketElement& out,
                   std::function<void()> readable);

    BulkReceiver& Engine();
    const BulkReceiver& Engine() const;

    /// Takes what is in the window of a segment that begins at `begin`, and answers at once what
    /// lies outside. `marked`: its packet met congestion. Returns whether it has a FIN in the
    /// window.
    bool Receive(std::int64_t begin, Ptr<Packet> packet, const TcpWireHeader& tcp, bool marked);

    /// True once: all that comes before the peer's FIN is here.
    bool HasJustEnded();

    /// Where the stream has ended; the largest number while it has not.
    std::uint64_t End() const;

    /// At most `most` bytes, at most the rest of one segment; null where there are none. While the
    /// connection `isOpen`, the peer is told when that opens the window.
    Ptr<Packet> Read(std::uint32_t most, bool isOpen);

    std::uint64_t Unread() const; ///< bytes in order
    bool IsReadToEnd() const;     ///< up to the peer's FIN

  private:
    void Deliver(std::uint64_t offset, Ptr<Packet> packet, const TcpWireHeader& tcp, bool marked);

    std::function<void()> m_readable;
    BulkReceiverEvents m_noMessages; ///< a stream has none
    BulkReceiver m_engine;
    ReceiveBuffer m_buffer;
    bool m_isDelivering = false;            ///< an acknowledgement follows what is being read
    std::optional<std::uint64_t> m_finAt;   ///< where the peer's FIN is, seen and perhaps early
    std::optional<std::uint64_t> m_endedAt; ///< the same, with all that comes before it here
};

} // namespace ns3
