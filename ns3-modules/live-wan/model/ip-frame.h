// SPDX-License-Identifier: GPL-2.0-only
// Reads and changes the headers of an Ethernet frame with an IPv4 packet (RFC 791).
#pragma once

#include "live-wan/model/live-addresses.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ns3
{

/// An IpFrame is what a WAN has to know of a packet.
struct IpFrame
{
    static constexpr std::size_t s_ethernetBytes = 14;

    std::uint32_t destination; ///< in host byte order
    std::uint16_t size;        ///< bytes of the IP packet
    std::uint8_t protocol;
    std::uint8_t ecn;  ///< RFC 3168: 0 is not capable, 1 is ECT(1), 3 is marked
    std::uint8_t dscp; ///< RFC 2474

    bool IsEcnCapable() const
    {
        return ecn != 0;
    }

    bool IsEct1() const
    {
        return ecn == 1;
    }

    /// Returns nothing where the frame holds no whole IPv4 packet.
    static std::optional<IpFrame> Parse(const std::uint8_t* bytes, std::size_t size)
    {
        constexpr std::size_t least = s_ethernetBytes + 20;
        if (size < least || bytes[12] != 0x08 || bytes[13] != 0x00 || bytes[14] >> 4 != 4)
        {
            return std::nullopt;
        }
        const std::uint8_t* ip = bytes + s_ethernetBytes;
        const std::uint16_t length = SizeOf(bytes);
        if (length < 20 || length + s_ethernetBytes > size)
        {
            return std::nullopt;
        }
        const std::uint32_t destination = std::uint32_t(ip[16]) << 24 | std::uint32_t(ip[17]) << 16 |
                                          std::uint32_t(ip[18]) << 8 | ip[19];
        return IpFrame{destination,
                       length,
                       ip[9],
                       static_cast<std::uint8_t>(ip[1] & 3),
                       static_cast<std::uint8_t>(ip[1] >> 2)};
    }

    /// Returns the bytes of the IP packet in the frame.
    static std::uint16_t SizeOf(const std::uint8_t* bytes)
    {
        return static_cast<std::uint16_t>(bytes[16] << 8 | bytes[17]);
    }

    /// Sets the mark of RFC 3168, and corrects the header's checksum by what has changed (RFC 1624,
    /// equation 3).
    static void MarkCongestion(std::uint8_t* bytes)
    {
        std::uint8_t* ip = bytes + s_ethernetBytes;
        const auto before = static_cast<std::uint32_t>(ip[0] << 8 | ip[1]);
        ip[1] |= 3;
        const auto after = static_cast<std::uint32_t>(ip[0] << 8 | ip[1]);
        const auto old = static_cast<std::uint32_t>(ip[10] << 8 | ip[11]);
        std::uint32_t sum = (~old & 0xffff) + (~before & 0xffff) + after;
        sum = (sum & 0xffff) + (sum >> 16);
        sum = (sum & 0xffff) + (sum >> 16);
        ip[10] = static_cast<std::uint8_t>(~sum >> 8);
        ip[11] = static_cast<std::uint8_t>(~sum);
    }

    /// Addresses the frame to `to`.
    static void Address(std::uint8_t* bytes, const EthernetAddress& to)
    {
        std::copy(to.begin(), to.end(), bytes);
    }
};

} // namespace ns3
