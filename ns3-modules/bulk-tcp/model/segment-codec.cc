#include "bulk-tcp/model/segment-codec.h"

#include <ns3/tcp-option-rfc793.h>
#include <ns3/tcp-option-sack-permitted.h>
#include <ns3/tcp-option-winscale.h>

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::uint32_t largestField = 65535; ///< of the window's 16 bits
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

template <typename Option>
Ptr<const Option>
Find(const TcpHeader& header, std::uint8_t kind)
{
    return DynamicCast<const Option>(header.GetOption(kind));
}

} // namespace

std::int64_t
StreamOffset(SequenceNumber32 sequence, std::uint32_t first, std::uint64_t near)
{
    const std::uint32_t expected = first + static_cast<std::uint32_t>(near);
    return static_cast<std::int64_t>(near) +
           static_cast<std::int32_t>(sequence.GetValue() - expected);
}

SegmentCodec::SegmentCodec(std::uint32_t initialSequence, std::uint32_t largestWindow)
    : m_first(initialSequence + 1),
      m_shift(ShiftFor(largestWindow)),
      m_timestampOption(CreateObject<TcpOptionTS>()),
      m_sackOption(CreateObject<TcpOptionSack>())
{
}

void
SegmentCodec::SetPorts(std::uint16_t own, std::uint16_t peer)
{
    m_port = own;
    m_peerPort = peer;
}

void
SegmentCodec::OnPeerSyn(const TcpHeader& syn)
{
    m_peerSynKnown = true;
    m_peerFirst = syn.GetSequenceNumber().GetValue() + 1;
    m_sack = syn.HasOption(TcpOption::SACKPERMITTED);
    const auto timestamps = Find<TcpOptionTS>(syn, TcpOption::TS);
    m_timestamps = timestamps != nullptr;
    m_peerTimestampMs = timestamps ? timestamps->GetTimestamp() : 0;
    const auto scale = Find<TcpOptionWinScale>(syn, TcpOption::WINSCALE);
    m_scaling = scale != nullptr;
    m_peerShift = scale ? std::min(scale->GetScale(), largestShift) : std::uint8_t{0};
    const auto mss = Find<TcpOptionMSS>(syn, TcpOption::MSS);
    m_peerMss = mss ? mss->GetMSS() : std::uint16_t{0};
}

void
SegmentCodec::OnPeerFin(std::uint64_t offset)
{
    m_peerEnd = offset;
}

TcpHeader
SegmentCodec::Syn(std::uint16_t mss, std::uint32_t window, std::uint32_t timestampMs) const
{
    TcpHeader header;
    header.SetSourcePort(m_port);
    header.SetDestinationPort(m_peerPort);
    header.SetSequenceNumber(SequenceNumber32(m_first - 1));
    header.SetAckNumber(SequenceNumber32(m_peerSynKnown ? m_peerFirst : 0));
    header.SetFlags(m_peerSynKnown ? TcpHeader::SYN | TcpHeader::ACK : TcpHeader::SYN);
    header.SetWindowSize(WindowField(window, 0)); // never scaled (RFC 7323, 2.2)
    const Ptr<TcpOptionMSS> mssOption = CreateObject<TcpOptionMSS>();
    mssOption->SetMSS(mss);
    header.AppendOption(mssOption);
    if (m_scaling)
    {
        const Ptr<TcpOptionWinScale> scale = CreateObject<TcpOptionWinScale>();
        scale->SetScale(m_shift);
        header.AppendOption(scale);
    }
    if (m_sack)
    {
        header.AppendOption(CreateObject<TcpOptionSackPermitted>());
    }
    if (m_timestamps)
    {
        const Ptr<TcpOptionTS> timestamps = CreateObject<TcpOptionTS>();
        timestamps->SetTimestamp(timestampMs);
        timestamps->SetEcho(m_peerTimestampMs);
        header.AppendOption(timestamps);
    }
    return header;
}

TcpHeader
SegmentCodec::Segment(std::uint8_t flags,
                      std::uint64_t offset,
                      std::uint32_t timestampMs,
                      const PacketRecord& ack,
                      const ByteRanges::Range* duplicate)
{
    const bool finHere = m_peerEnd && ack.offset >= *m_peerEnd;
    const auto acked = static_cast<std::uint32_t>(ack.offset + (finHere ? 1 : 0));
    const bool echo = (ack.flags & PacketRecord::EcnEcho) != 0;
    TcpHeader header;
    header.SetSourcePort(m_port);
    header.SetDestinationPort(m_peerPort);
    header.SetSequenceNumber(SequenceNumber32(m_first + static_cast<std::uint32_t>(offset)));
    header.SetAckNumber(SequenceNumber32(m_peerFirst + acked));
    header.SetFlags(
        static_cast<std::uint8_t>(flags | TcpHeader::ACK | (echo ? TcpHeader::ECE : 0)));
    header.SetWindowSize(WindowField(ack.window, m_scaling ? m_shift : std::uint8_t{0}));
    if (m_timestamps)
    {
        m_timestampOption->SetTimestamp(timestampMs);
        m_timestampOption->SetEcho(ack.echoMs);
        header.AppendOption(m_timestampOption);
    }
    if (m_sack && (ack.sackBlocks > 0 || duplicate))
    {
        AddSackBlocks(header, ack, duplicate);
    }
    return header;
}

void
SegmentCodec::AddSackBlocks(TcpHeader& header,
                            const PacketRecord& ack,
                            const ByteRanges::Range* duplicate)
{
    m_sackOption->ClearSackList();
    const auto add = [this](std::uint64_t begin, std::uint64_t end)
    {
        m_sackOption->AddSackBlock(
            {SequenceNumber32(m_peerFirst + static_cast<std::uint32_t>(begin)),
             SequenceNumber32(m_peerFirst + static_cast<std::uint32_t>(end))});
    };
    std::size_t room = PacketRecord::s_maxSackBlocks;
    if (duplicate)
    {
        add(duplicate->first, duplicate->second); // before all others (RFC 2883, 4)
        --room;
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(room, ack.sackBlocks); ++i)
    {
        add(ack.offset + ack.sack[i].begin, ack.offset + ack.sack[i].end);
    }
    header.AppendOption(m_sackOption);
}

std::optional<PacketRecord>
SegmentCodec::Acknowledgement(const TcpHeader& header, std::uint64_t una) const
{
    const std::int64_t offset = StreamOffset(header.GetAckNumber(), m_first, una);
    if (offset < 0)
    {
        return std::nullopt;
    }
    PacketRecord ack{};
    ack.kind = PacketRecord::Kind::Ack;
    ack.offset = static_cast<std::uint64_t>(offset);
    const bool scaled = (header.GetFlags() & TcpHeader::SYN) == 0;
    ack.window = static_cast<std::uint32_t>(header.GetWindowSize()) << (scaled ? m_peerShift : 0);
    if (const auto timestamps = Find<TcpOptionTS>(header, TcpOption::TS))
    {
        ack.timestampMs = timestamps->GetTimestamp();
        ack.echoMs = timestamps->GetEcho();
    }
    if ((header.GetFlags() & TcpHeader::ECE) != 0)
    {
        ack.flags = PacketRecord::EcnEcho;
    }
    if (m_sack && header.HasOption(TcpOption::SACK))
    {
        ReadSackBlocks(header, ack);
    }
    return ack;
}

void
SegmentCodec::ReadSackBlocks(const TcpHeader& header, PacketRecord& ack) const
{
    std::int64_t previousBegin = 0;
    std::int64_t previousEnd = 0;
    bool first = true;
    const auto acked = static_cast<std::int64_t>(ack.offset);
    for (const auto& [left, right] : Find<TcpOptionSack>(header, TcpOption::SACK)->GetSackList())
    {
        const std::int64_t begin = StreamOffset(left, m_first, ack.offset);
        const std::int64_t end = StreamOffset(right, m_first, ack.offset);
        if (first && end <= acked)
        {
            ack.flags |= PacketRecord::Duplicate; // RFC 2883, 4.1
        }
        else if (begin >= acked && begin < end && ack.sackBlocks < PacketRecord::s_maxSackBlocks)
        {
            if (ack.sackBlocks == 1 && begin <= previousBegin && previousEnd <= end)
            {
                ack.flags |= PacketRecord::Duplicate; // the first is part of the second: 4.2
                ack.sackBlocks = 0;
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
SegmentCodec::PeerOffset(const TcpHeader& header, std::uint64_t next) const
{
    return StreamOffset(header.GetSequenceNumber(), m_peerFirst, next);
}

std::uint32_t
SegmentCodec::InitialSequence() const
{
    return m_first - 1;
}

std::uint32_t
SegmentCodec::PeerInitialSequence() const
{
    return m_peerFirst - 1;
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
