// SPDX-License-Identifier: GPL-2.0-only
#include "training-network/model/frame-header.h"

#include "ns3/abort.h"

namespace ns3
{

namespace
{

std::uint8_t*
Put(std::uint8_t* to, std::uint64_t value, int bytes)
{
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
    {
        *to++ = static_cast<std::uint8_t>(value >> shift);
    }
    return to;
}

std::uint64_t
Take(const std::uint8_t*& from, int bytes)
{
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i)
    {
        value = (value << 8) | *from++;
    }
    return value;
}

} // namespace

FrameHeader::Buffer
FrameHeader::Serialize() const
{
    Buffer buffer;
    std::uint8_t* to = Put(buffer.data(), MAGIC, 4);
    to = Put(to, connection, 4);
    to = Put(to, message, 8);
    to = Put(to, offset, 8);
    Put(to, length, 8);
    return buffer;
}

FrameHeader
FrameHeader::Parse(const Buffer& buffer)
{
    const std::uint8_t* from = buffer.data();
    const std::uint64_t magic = Take(from, 4);
    NS_ABORT_MSG_IF(magic != MAGIC, "a message header was expected in the stream, found " << magic);
    FrameHeader header;
    header.connection = static_cast<std::uint32_t>(Take(from, 4));
    header.message = Take(from, 8);
    header.offset = Take(from, 8);
    header.length = Take(from, 8);
    return header;
}

} // namespace ns3
