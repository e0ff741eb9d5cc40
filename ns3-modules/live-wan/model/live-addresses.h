// SPDX-License-Identifier: GPL-2.0-only
// Plans the addresses of nodes on a live WAN. They come from the three blocks of IPv4 addresses
// that are kept for documentation (RFC 5737), so that none of them is anybody's, and from locally
// administered Ethernet addresses (IEEE 802, second bit of the first byte).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

using EthernetAddress = std::array<std::uint8_t, 6>;

/// LiveAddresses maps nodes to addresses and back.
class LiveAddresses
{
  public:
    static constexpr std::uint32_t s_nodesPerBlock = 250;
    static constexpr std::array<std::uint32_t, 3> s_blocks = {
        0xC0000200,  // 192.0.2.0/24
        0xC6336400,  // 198.51.100.0/24
        0xCB007100}; // 203.0.113.0/24
    static constexpr std::uint32_t s_mostNodes = s_nodesPerBlock * s_blocks.size();

    /// Returns an IPv4 address in host byte order. `node` is below s_mostNodes.
    static std::uint32_t OfNode(std::uint32_t node)
    {
        return s_blocks[node / s_nodesPerBlock] + 1 + node % s_nodesPerBlock;
    }

    /// Returns the node with an address in host byte order, if it may be one.
    static std::optional<std::uint32_t> NodeOf(std::uint32_t address)
    {
        for (std::uint32_t block = 0; block < s_blocks.size(); ++block)
        {
            const std::uint32_t host = address - s_blocks[block];
            if (host >= 1 && host <= s_nodesPerBlock)
            {
                return block * s_nodesPerBlock + host - 1;
            }
        }
        return std::nullopt;
    }

    /// Returns the address in dotted form.
    static std::string TextOf(std::uint32_t node)
    {
        const std::uint32_t address = OfNode(node);
        return std::to_string(address >> 24) + "." + std::to_string(address >> 16 & 0xff) + "." +
               std::to_string(address >> 8 & 0xff) + "." + std::to_string(address & 0xff);
    }

    /// Returns the Ethernet address of the node's end of its link.
    static EthernetAddress EthernetOf(std::uint32_t node)
    {
        return {0x02, 0, 0, 0, static_cast<std::uint8_t>(node >> 8), static_cast<std::uint8_t>(node)};
    }
};

} // namespace ns3
