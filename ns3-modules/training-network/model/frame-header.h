// SPDX-License-Identifier: GPL-2.0-only
// Defines the header that precedes each message in a connection's byte stream. Integers are
// big-endian. The offset is the place of the header itself in the stream, so that a byte lost or
// carried twice shows at the next header.
#pragma once

#include <array>
#include <cstdint>

namespace ns3
{

/// FrameHeader is the header of one message.
struct FrameHeader
{
    static constexpr std::uint32_t SIZE = 32;          ///< bytes
    static constexpr std::uint32_t MAGIC = 0x67656f74; ///< "geot"
    using Buffer = std::array<std::uint8_t, SIZE>;

    std::uint32_t connection = 0;
    std::uint64_t message = 0;
    std::uint64_t offset = 0; ///< bytes of the stream before this header
    std::uint64_t length = 0; ///< bytes of payload that follow it

    Buffer Serialize() const;

    /// Ends the program if the buffer does not begin with MAGIC.
    static FrameHeader Parse(const Buffer& buffer);
};

} // namespace ns3
