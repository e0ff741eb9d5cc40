// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/tcp-wire-header.h"

#include <ns3/packet.h>
#include <ns3/tcp-header.h>

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;

NS_OBJECT_ENSURE_REGISTERED(TcpWireHeader);

namespace
{

constexpr std::uint32_t fixedBytes = 20;
constexpr std::uint8_t tcp = 6; ///< IP's protocol number
constexpr std::uint8_t endOfOptions = 0;
constexpr std::uint8_t noOperation = 1;

} // namespace

TypeId
TcpWireHeader::GetTypeId()
{
    static TypeId id = TypeId("geotrain::TcpWireHeader")
                           .SetParent<Header>()
                           .SetGroupName("BulkTcp")
                           .AddConstructor<TcpWireHeader>();
    return id;
}

TypeId
TcpWireHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
TcpWireHeader::Print(std::ostream& os) const
{
    os << sourcePort << " > " << destinationPort << " [" << TcpHeader::FlagsToString(flags)
       << "] Seq=" << sequence << " Ack=" << acknowledgement << " Win=" << window;
}

uint32_t
TcpWireHeader::GetSerializedSize() const
{
    return fixedBytes + (m_optionBytes + 3U) / 4U * 4U;
}

void
TcpWireHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    const std::uint32_t size = GetSerializedSize();
    i.WriteHtonU16(sourcePort);
    i.WriteHtonU16(destinationPort);
    i.WriteHtonU32(sequence);
    i.WriteHtonU32(acknowledgement);
    i.WriteU8(static_cast<std::uint8_t>(size / 4 << 4));
    i.WriteU8(flags);
    i.WriteHtonU16(window);
    i.WriteU16(0); // checksum
    i.WriteU16(0); // urgent pointer
    i.Write(m_options.data(), m_optionBytes);
    i.WriteU8(endOfOptions, size - fixedBytes - m_optionBytes);
    if (m_pseudoHeader)
    {
        i = start;
        i.Next(16);
        i.WriteU16(Checksum(start));
    }
}

std::uint16_t
TcpWireHeader::Checksum(Buffer::Iterator start) const
{
    const auto size = static_cast<std::uint16_t>(start.GetRemainingSize());
    Buffer pseudo;
    pseudo.AddAtStart(12);
    Buffer::Iterator i = pseudo.Begin();
    i.WriteHtonU32(m_pseudoHeader->source.Get());
    i.WriteHtonU32(m_pseudoHeader->destination.Get());
    i.WriteU8(0);
    i.WriteU8(tcp);
    i.WriteHtonU16(size);
    i = pseudo.Begin();
    const auto initial = static_cast<std::uint16_t>(~i.CalculateIpChecksum(12));
    return start.CalculateIpChecksum(size, initial);
}

uint32_t
TcpWireHeader::Deserialize(Buffer::Iterator start)
{
    std::array<std::uint8_t, s_maxSize> bytes;
    const std::uint32_t here = std::min<std::uint32_t>(start.GetRemainingSize(), s_maxSize);
    Buffer::Iterator i = start;
    i.Read(bytes.data(), here);
    const std::uint32_t size = Parse(bytes, here);
    m_checksumRight = m_checksumRight && (!m_pseudoHeader || Checksum(start) == 0);
    return size;
}

std::uint32_t
TcpWireHeader::PeekFrom(const Packet& packet)
{
    if (m_pseudoHeader)
    {
        return packet.PeekHeader(*this);
    }
    std::array<std::uint8_t, s_maxSize> bytes;
    return Parse(bytes, packet.CopyData(bytes.data(), s_maxSize));
}

/// Reads the first `here` bytes of a segment. Returns the header's size in bytes; 0 if there is no
/// header.
std::uint32_t
TcpWireHeader::Parse(const std::array<std::uint8_t, s_maxSize>& bytes, std::uint32_t here)
{
    const std::uint32_t size = here < fixedBytes ? 0 : (bytes[12] >> 4) * 4U;
    m_checksumRight = size >= fixedBytes && size <= here;
    if (!m_checksumRight)
    {
        return 0; // not a TCP segment
    }
    sourcePort = load_big_u16(&bytes[0]);
    destinationPort = load_big_u16(&bytes[2]);
    sequence = load_big_u32(&bytes[4]);
    acknowledgement = load_big_u32(&bytes[8]);
    flags = bytes[13];
    window = load_big_u16(&bytes[14]);
    m_optionBytes = static_cast<std::uint8_t>(size - fixedBytes);
    std::copy_n(bytes.begin() + fixedBytes, m_optionBytes, m_options.begin());
    return size;
}

void
TcpWireHeader::UseChecksum(Ipv4Address source, Ipv4Address destination)
{
    m_pseudoHeader = {source, destination};
}

bool
TcpWireHeader::IsChecksumRight() const
{
    return m_checksumRight;
}

void
TcpWireHeader::AddOptionBytes(std::initializer_list<std::uint8_t> bytes)
{
    NS_ASSERT(m_optionBytes + bytes.size() <= s_maxOptions);
    std::copy(bytes.begin(), bytes.end(), m_options.begin() + m_optionBytes);
    m_optionBytes = static_cast<std::uint8_t>(m_optionBytes + bytes.size());
}

void
TcpWireHeader::AddOptionWord(std::uint32_t value)
{
    NS_ASSERT(m_optionBytes + 4U <= s_maxOptions);
    boost::endian::store_big_u32(&m_options[m_optionBytes], value);
    m_optionBytes = static_cast<std::uint8_t>(m_optionBytes + 4);
}

const std::uint8_t*
TcpWireHeader::FindOption(std::uint8_t kind, std::size_t& size) const
{
    for (std::size_t i = 0; i < m_optionBytes && m_options[i] != endOfOptions;)
    {
        if (m_options[i] == noOperation)
        {
            ++i;
            continue;
        }
        if (i + 1 >= m_optionBytes || m_options[i + 1] < 2 || i + m_options[i + 1] > m_optionBytes)
        {
            return nullptr; // malformed: nothing behind it is read
        }
        if (m_options[i] == kind)
        {
            size = m_options[i + 1] - 2U;
            return &m_options[i + 2];
        }
        i += m_options[i + 1];
    }
    return nullptr;
}

} // namespace ns3
