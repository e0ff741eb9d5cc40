// SPDX-License-Identifier: GPL-2.0-only
// Defines a TCP header as it is on the wire (RFC 9293, 3.1), with the options as bytes.
// ns3::TcpHeader writes and reads the same bytes with one object per option, which costs more than
// the rest of the engine's work per packet.
#pragma once

#include <ns3/header.h>
#include <ns3/ipv4-address.h>

#include <array>
#include <cstdint>
#include <optional>

namespace ns3
{

class Packet;

/// TcpWireHeader is such a header.
class TcpWireHeader : public Header
{
  public:
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

    /// Does what Packet::PeekHeader does, without its iterators. Returns the size in bytes.
    std::uint32_t PeekFrom(const Packet& packet);

    /// Makes Serialize() write a checksum over header and payload, and Deserialize() check it.
    /// Without this call the field is 0 and every checksum is right, as with ns-3's GlobalValue
    /// ChecksumEnabled off.
    void UseChecksum(Ipv4Address source, Ipv4Address destination);
    bool IsChecksumRight() const;

    /// Whether any of these flags of ns3::TcpHeader is set.
    bool Has(std::uint8_t anyOf) const
    {
        return (flags & anyOf) != 0;
    }

    void AddOptionBytes(std::initializer_list<std::uint8_t> bytes);
    void AddOptionWord(std::uint32_t value); ///< adds a word in big-endian order

    /// Returns the bytes behind kind and length of the first option of this kind; `size` is their
    /// number.
    const std::uint8_t* FindOption(std::uint8_t kind, std::size_t& size) const;

    static constexpr std::size_t s_maxOptions = 40; ///< bytes
    static constexpr std::size_t s_maxSize = 60;    ///< bytes, with options

    std::uint16_t sourcePort = 0;
    std::uint16_t destinationPort = 0;
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint16_t window = 0;
    std::uint8_t flags = 0; ///< flags as in ns3::TcpHeader

  private:
    std::uint16_t Checksum(Buffer::Iterator start) const;
    std::uint32_t Parse(const std::array<std::uint8_t, s_maxSize>& bytes, std::uint32_t here);

    std::array<std::uint8_t, s_maxOptions> m_options{};
    std::uint8_t m_optionBytes = 0; ///< bytes of options without padding
    bool m_checksumRight = true;

    struct PseudoHeader
    {
        Ipv4Address source;
        Ipv4Address destination;
    };

    std::optional<PseudoHeader> m_pseudoHeader; ///< none: no checksum
};

} // namespace ns3
