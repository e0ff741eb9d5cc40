// SPDX-License-Identifier: GPL-2.0-only
// Defines what a light link carries instead of a Packet: a trivially copyable record of the fields
// of IPv4 and TCP that matter to a bulk transfer. Sequence numbers are 64-bit offsets of the
// connection's byte stream. Sizes on the wire are those of IPv4 (20 bytes), TCP (20), timestamps
// (10) and SACK blocks (2 + 8 each), padded to 4 bytes. A record of data may also be a burst: packets of
// equal size that a host sends at once, as segmentation offload does. So one event serves them all.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace ns3
{

using FlowNumber = std::uint32_t;

/// PacketRecord is one packet, or one burst.
struct PacketRecord
{
    enum class Kind : std::uint8_t
    {
        Syn,
        SynAck,
        Data,
        Ack
    };

    enum Flag : std::uint8_t
    {
        EctCapable = 1, ///< IP: ECN-capable transport (RFC 3168)
        CongestionExperienced = 2,
        EcnEcho = 4,
        WindowReduced = 8, ///< TCP's CWR
        Duplicate = 16,    ///< `sack[0]` is data that had arrived before (DSACK, RFC 2883)
        Dctcp = 32,        ///< on a SYN: the receiver echoes marks as RFC 8257 says
        Ect1 = 64          ///< IP, beside EctCapable: ECT(1), as L4S sends (RFC 9331), not ECT(0)
    };

    /// A SackBlock is a range of bytes relative to the cumulative acknowledgement. That of a
    /// duplicate may lie before it, and its fields then wrap.
    struct SackBlock
    {
        std::uint32_t begin;
        std::uint32_t end;
    };

    static constexpr std::size_t s_maxSackBlocks = 3; ///< as many as fit beside timestamps

    static constexpr std::uint8_t s_tcp = 6; ///< TCP's protocol number (IANA)

    /// A MessageTag names the message that the payload belongs to, and its place in the byte
    /// stream. The payload's place in the message is `offset - begin`.
    struct MessageTag
    {
        std::uint64_t number;
        std::uint64_t begin;
        std::uint64_t end;
    };

    static constexpr std::uint8_t s_aggregation = 253; ///< for experiments (RFC 3692, section 2.1)

    /// An Aggregation is what a packet of an in-network optimizer carries. The first integers of
    /// the payload stand for all of it: a switch adds them as it would add the others.
    struct Aggregation
    {
        std::array<std::int32_t, 4> lanes;
        std::uint32_t child; ///< number of the sender below the switch
    };

    FlowNumber flow;
    std::uint32_t destination; ///< node
    std::uint64_t offset;      ///< first byte; in an acknowledgement: the next byte expected
    std::uint32_t length;      ///< bytes of payload, of a burst of all its packets

    union
    {
        std::uint32_t window; ///< in an acknowledgement: bytes that may follow `offset`
        /// Of a burst: the time from its first packet to its last one. The gaps between are equal.
        std::uint32_t spreadNs;
    };

    std::uint32_t timestampMs; ///< the sender's clock (RFC 7323)
    std::uint32_t echoMs;      ///< the timestamp that is echoed
    std::uint16_t wireSize;    ///< bytes of the IP packet, of a burst of each
    Kind kind;
    std::uint8_t flags;

    union
    {
        std::uint8_t sackBlocks; ///< in an acknowledgement: number of valid blocks in `sack`
        std::uint8_t followers;  ///< in data: packets of a burst behind the first one
    };

    /// IPv4's protocol field. Links, routers and shapers read `flow`, `destination`, `wireSize` and
    /// IP's flags of a record of any protocol; the other fields mean what its protocol says.
    std::uint8_t protocol;
    /// TCP's bits AE, CWR and ECE as AccECN has them (RFC 9768): s_asksAccurateEcn on a SYN,
    /// s_agreesAccurateEcn on its answer, and then in acknowledgements the count of marks modulo 8.
    /// 0 on connections without it.
    std::uint8_t ace;
    std::uint8_t dscp; ///< IP: the mark of a class of traffic (RFC 2474), 0 to 63

    static constexpr std::uint8_t s_asksAccurateEcn = 7;
    static constexpr std::uint8_t s_agreesAccurateEcn = 2; ///< after a SYN that is not ECN-capable

    union
    {
        /// SACK blocks of an acknowledgement, the most recent first.
        std::array<SackBlock, s_maxSackBlocks> sack;
        MessageTag message; ///< message of a data packet
        Aggregation aggregation;
    };

    static constexpr std::uint32_t s_mostPackets = 256; ///< of a burst

    std::uint32_t Packets() const
    {
        return kind == Kind::Data ? followers + 1U : 1U;
    }

    /// Returns the bytes of all its packets.
    std::int64_t WireBytes() const
    {
        return std::int64_t{wireSize} * Packets();
    }

    /// Returns how long after a burst's first packet the packet `number`, counted from 0, comes.
    std::int64_t LagNs(std::uint32_t number) const
    {
        return number == 0 ? 0 : std::int64_t{spreadNs} * number / followers;
    }

    /// Returns `count` packets of a burst, from `first` on. They come LagNs(first) after the burst.
    PacketRecord Part(std::uint32_t first, std::uint32_t count) const
    {
        PacketRecord part = *this;
        const std::uint32_t each = length / Packets();
        part.offset += std::uint64_t{first} * each;
        part.length = count * each;
        part.followers = static_cast<std::uint8_t>(count - 1);
        part.spreadNs = static_cast<std::uint32_t>(LagNs(first + count - 1) - LagNs(first));
        return part;
    }
};

static_assert(std::is_trivially_copyable_v<PacketRecord>);
static_assert(sizeof(PacketRecord) <= 64); // a line of the caches

/// PacketElement is a thing that packets come to: a link, a host, a router.
class PacketElement
{
  public:
    virtual ~PacketElement() = default;
    virtual void Receive(const PacketRecord& record) = 0;
};

} // namespace ns3
