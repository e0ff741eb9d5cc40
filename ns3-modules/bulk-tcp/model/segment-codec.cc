// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/segment-codec.h"

#include <ns3/tcp-header.h>
#include <ns3/tcp-option.h>

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3
{

using boost::endian::load_big_u32;

namespace
{

constexpr std::uint32_t largestField = 65535; ///< largest value of the window's 16 bits
constexpr std::uint8_t largestShift = 14;     ///< RFC 7323, 2.3

std::uint8_t
ShiftFor(std::uint32_t window)
{
    std::uint8_t shift = 0;
    while (shift < largestShift && (window >> shift) > largestField)
    {
        ++shift;
    }
    return shift;
}

std::uint16_t
WindowField(std::uint32_t window, std::uint8_t shift)
{
    return static_cast<std::uint16_t>(std::min(window >> shift, largestField));
}

/// Returns the content of an option; null unless it has `bytes` bytes.
const std::uint8_t*
Find(const TcpWireHeader& header, std::uint8_t kind, std::size_t bytes)
{
    std::size_t size = 0;
    const std::uint8_t* content = header.FindOption(kind, size);
    return size == bytes ? content : nullptr;
}

void
AddTimestamps(TcpWireHeader& header, std::uint32_t valueMs, std::uint32_t echoMs)
{
    header.AddOptionBytes({TcpOption::TS, 10});
    header.AddOptionWord(valueMs);
    header.AddOptionWord(echoMs);
}

} // namespace

std::int64_t
StreamOffset(std::uint32_t sequence, std::uint32_t first, std::uint64_t near)
{
    const std::uint32_t expected = first + static_cast<std::uint32_t>(near);
    return static_cast<std::int64_t>(near) + static_cast<std::int32_t>(sequence - expected);
}

SegmentCodec::SegmentCodec(std::uint32_t initialSequence, std::uint32_t largestWindow)
    : m_first(initialSequence + 1),
      m_shift(ShiftFor(largestWindow))
{
}

void
SegmentCodec::SetPorts(std::uint16_t own, std::uint16_t peer)
{
    m_port = own;
    m_peerPort = peer;
}

SegmentTimestamps
TimestampsOf(const TcpWireHeader& header)
{
    const std::uint8_t* content = Find(header, TcpOption::TS, 8);
    return content ? SegmentTimestamps{true, load_big_u32(content), load_big_u32(content + 4)}
                   : SegmentTimestamps{};
}

TcpWireHeader
ResetOf(const TcpWireHeader& cause, std::uint32_t length)
{
    TcpWireHeader header;
    header.sourcePort = cause.destinationPort;
    header.destinationPort = cause.sourcePort;
    if (cause.Has(TcpHeader::ACK))
    {
        header.flags = TcpHeader::RST;
        header.sequence = cause.acknowledgement;
    }
    else
    {
        header.flags = TcpHeader::RST | TcpHeader::ACK;
        header.acknowledgement = cause.sequence + length + (cause.Has(TcpHeader::SYN) ? 1U : 0U);
    }
    return header;
}

void
SegmentCodec::OnPeerSyn(const TcpWireHeader& syn)
{
    m_peerSynKnown = true;
    m_peerFirst = syn.sequence + 1;
    m_sack = Find(syn, TcpOption::SACKPERMITTED, 0) != nullptr;
    const SegmentTimestamps timestamps = TimestampsOf(syn);
    m_timestamps = timestamps.present;
    m_peerTimestampMs = timestamps.valueMs;
    const std::uint8_t* shift = Find(syn, TcpOption::WINSCALE, 1);
    m_scaling = shift != nullptr;
    m_peerShift = shift ? std::min(*shift, largestShift) : std::uint8_t{0};
    const std::uint8_t* mss = Find(syn, TcpOption::MSS, 2);
    m_peerMss = mss ? boost::endian::load_big_u16(mss) : std::uint16_t{0};
}

void
SegmentCodec::OnPeerFin(std::uint64_t offset)
{
    m_peerEnd = offset;
}

TcpWireHeader
SegmentCodec::Syn(std::uint16_t mss, std::uint32_t window, std::uint32_t timestampMs) const
{
    TcpWireHeader header;
    header.sourcePort = m_port;
    header.destinationPort = m_peerPort;
    header.sequence = m_first - 1;
    header.acknowledgement = m_peerSynKnown ? m_peerFirst : 0;
    header.flags = m_peerSynKnown ? TcpHeader::SYN | TcpHeader::ACK : TcpHeader::SYN;
    header.window = WindowField(window, 0); // never scaled (RFC 7323, 2.2)
    header.AddOptionBytes(
        {TcpOption::MSS, 4, static_cast<std::uint8_t>(mss >> 8), static_cast<std::uint8_t>(mss)});
    if (m_scaling)
    {
        header.AddOptionBytes({TcpOption::WINSCALE, 3, m_shift});
    }
    if (m_sack)
    {
        header.AddOptionBytes({TcpOption::SACKPERMITTED, 2});
    }
    if (m_timestamps)
    {
        AddTimestamps(header, timestampMs, m_peerTimestampMs);
    }
    return header;
}

TcpWireHeader
SegmentCodec::Segment(std::uint8_t flags,
                      std::uint64_t offset,
                      std::uint32_t timestampMs,
                      const PacketRecord& ack) const
{
    const bool finHere = m_peerEnd && ack.offset >= *m_peerEnd;
    const bool echo = (ack.flags & PacketRecord::EcnEcho) != 0;
    TcpWireHeader header;
    header.sourcePort = m_port;
    header.destinationPort = m_peerPort;
    header.sequence = m_first + static_cast<std::uint32_t>(offset);
    header.acknowledgement =
        m_peerFirst + static_cast<std::uint32_t>(ack.offset) + (finHere ? 1U : 0U);
    header.flags = static_cast<std::uint8_t>(flags | TcpHeader::ACK | (echo ? TcpHeader::ECE : 0));
    header.window = WindowField(ack.window, m_scaling ? m_shift : std::uint8_t{0});
    if (m_timestamps)
    {
        AddTimestamps(header, timestampMs, ack.echoMs);
    }
    if (m_sack && ack.sackBlocks > 0)
    {
        AddSackBlocks(header, ack);
    }
    return header;
}

void
SegmentCodec::AddSackBlocks(TcpWireHeader& header, const PacketRecord& ack) const
{
    header.AddOptionBytes({TcpOption::SACK, static_cast<std::uint8_t>(2 + 8 * ack.sackBlocks)});
    const std::uint32_t acked = m_peerFirst + static_cast<std::uint32_t>(ack.offset);
    for (std::size_t i = 0; i < ack.sackBlocks; ++i)
    {
        header.AddOptionWord(acked + ack.sack[i].begin);
        header.AddOptionWord(acked + ack.sack[i].end);
    }
}

std::optional<PacketRecord>
SegmentCodec::Acknowledgement(const TcpWireHeader& header, std::uint64_t una) const
{
    const std::int64_t offset = StreamOffset(header.acknowledgement, m_first, una);
    if (offset < 0)
    {
        return std::nullopt;
    }
    PacketRecord ack{};
    ack.kind = PacketRecord::Kind::Ack;
    ack.offset = static_cast<std::uint64_t>(offset);
    const bool scaled = (header.flags & TcpHeader::SYN) == 0;
    ack.window = static_cast<std::uint32_t>(header.window) << (scaled ? m_peerShift : 0);
    const SegmentTimestamps timestamps = TimestampsOf(header);
    ack.timestampMs = timestamps.valueMs;
    ack.echoMs = timestamps.echoMs;
    if ((header.flags & TcpHeader::ECE) != 0)
    {
        ack.flags = PacketRecord::EcnEcho;
    }
    if (m_sack)
    {
        ReadSackBlocks(header, ack);
    }
    return ack;
}

void
SegmentCodec::ReadSackBlocks(const TcpWireHeader& header, PacketRecord& ack) const
{
    std::size_t size = 0;
    const std::uint8_t* content = header.FindOption(TcpOption::SACK, size);
    std::int64_t previousBegin = 0;
    std::int64_t previousEnd = 0;
    bool first = true;
    const auto acked = static_cast<std::int64_t>(ack.offset);
    for (std::size_t at = 0; content && at + 8 <= size; at += 8)
    {
        const std::int64_t begin = StreamOffset(load_big_u32(content + at), m_first, ack.offset);
        const std::int64_t end = StreamOffset(load_big_u32(content + at + 4), m_first, ack.offset);
        const bool isDuplicate = first && end <= acked && begin >= 0; // RFC 2883, 4.1
        const bool isBlock = isDuplicate || begin >= acked;
        if (isBlock && begin < end && ack.sackBlocks < PacketRecord::s_maxSackBlocks)
        {
            // The first block may be part of the second (RFC 2883, 4.2).
            const bool isInside =
                ack.sackBlocks == 1 && begin <= previousBegin && previousEnd <= end;
            if (isDuplicate || isInside)
            {
                ack.flags |= PacketRecord::Duplicate;
            }
            ack.sack[ack.sackBlocks++] = {static_cast<std::uint32_t>(begin - acked),
                                          static_cast<std::uint32_t>(end - acked)};
            previousBegin = begin;
            previousEnd = end;
        }
        first = false;
    }
}

std::int64_t
SegmentCodec::PeerOffset(const TcpWireHeader& header, std::uint64_t next) const
{
    return StreamOffset(header.sequence, m_peerFirst, next);
}

std::uint32_t
SegmentCodec::InitialSequence() const
{
    return m_first - 1;
}

std::uint32_t
SegmentCodec::PeerTimestampMs() const
{
    return m_peerTimestampMs;
}

std::uint16_t
SegmentCodec::PeerMss() const
{
    return m_peerMss;
}

bool
SegmentCodec::Sack() const
{
    return m_sack;
}

} // namespace ns3
