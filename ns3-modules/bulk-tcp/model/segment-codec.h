// SPDX-License-Identifier: GPL-2.0-only
// Converts packet records to TCP headers on the wire and back (RFC 9293; options: RFC 9293 MSS, RFC
// 7323 window scale and timestamps, RFC 2018 SACK, RFC 2883 DSACK). The 64-bit offsets of the two
// streams wrap in 32 bits on the wire. An option is used when both ends have offered it. There are
// no clock and no sockets here.
#pragma once

#include "bulk-tcp/model/tcp-wire-header.h"
#include "wan-topology/model/packet-record.h"

#include <cstdint>
#include <optional>

namespace ns3
{

/// Returns the offset of `sequence` that is nearest to `near`, in a stream whose first byte has the
/// sequence number `first`. It is negative before the stream.
std::int64_t StreamOffset(std::uint32_t sequence, std::uint32_t first, std::uint64_t near);

/// SegmentTimestamps are the values of a segment's timestamps option; zeros without one.
struct SegmentTimestamps
{
    bool present = false;
    std::uint32_t valueMs = 0;
    std::uint32_t echoMs = 0;
};

SegmentTimestamps TimestampsOf(const TcpWireHeader& header);

/// Returns the reset that answers the unacceptable segment `cause`, which has `length` bytes of
/// payload (RFC 9293, 3.10.7.1).
TcpWireHeader ResetOf(const TcpWireHeader& cause, std::uint32_t length);

/// SegmentCodec converts the segments of one end of a connection.
class SegmentCodec
{
  public:
    /// `initialSequence` is that of the own SYN. `largestWindow` is in bytes; at most 65,535 << 14
    /// of it is announced.
    SegmentCodec(std::uint32_t initialSequence, std::uint32_t largestWindow);

    void SetPorts(std::uint16_t own, std::uint16_t peer);

    /// Takes the peer's offers from its SYN or SYN-ACK.
    void OnPeerSyn(const TcpWireHeader& syn);

    /// Notes that the peer's stream ends at `offset`. The FIN is acknowledged together with the
    /// bytes before it.
    void OnPeerFin(std::uint64_t offset);

    /// Returns a SYN, or a SYN-ACK once the peer's SYN is known. `mss` is in bytes, and `window` is
    /// cut to the field's 16 bits.
    TcpWireHeader Syn(std::uint16_t mss, std::uint32_t window, std::uint32_t timestampMs) const;

    /// Returns a segment of the own stream at `offset` that acknowledges what `ack` says.
    TcpWireHeader Segment(std::uint8_t flags,
                          std::uint64_t offset,
                          std::uint32_t timestampMs,
                          const PacketRecord& ack) const;

    /// Returns what a segment from the peer acknowledges; none if that is nothing of the stream.
    /// `una` is the first unacknowledged byte of the own stream. The offset counts a FIN as a byte.
    std::optional<PacketRecord> Acknowledgement(const TcpWireHeader& header,
                                                std::uint64_t una) const;

    /// Returns where a segment of the peer begins in its stream. `next` is the byte that is
    /// expected.
    std::int64_t PeerOffset(const TcpWireHeader& header, std::uint64_t next) const;

    std::uint32_t InitialSequence() const;
    std::uint32_t PeerTimestampMs() const; ///< of its SYN
    std::uint16_t PeerMss() const;         ///< bytes; 0: not offered (ns-3's sockets don't)
    bool Sack() const;

  private:
    void AddSackBlocks(TcpWireHeader& header, const PacketRecord& ack) const;
    void ReadSackBlocks(const TcpWireHeader& header, PacketRecord& ack) const;

    std::uint32_t m_first; ///< sequence number of the first byte
    std::uint32_t m_peerFirst = 0;
    std::optional<std::uint64_t> m_peerEnd;
    std::uint16_t m_port = 0;
    std::uint16_t m_peerPort = 0;
    std::uint16_t m_peerMss = 0;
    std::uint8_t m_shift; ///< window scale of the own window
    std::uint8_t m_peerShift = 0;
    bool m_peerSynKnown = false;
    bool m_scaling = true;
    bool m_sack = true;
    bool m_timestamps = true;
    std::uint32_t m_peerTimestampMs = 0; ///< of its SYN
};

} // namespace ns3
