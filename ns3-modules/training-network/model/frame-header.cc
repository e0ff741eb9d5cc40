// SPDX-License-Identifier: GPL-2.0-only
#include "training-network/model/frame-header.h"

#include "ns3/abort.h"

#include <boost/endian/conversion.hpp>

namespace ns3
{

using boost::endian::load_big_u32;
using boost::endian::load_big_u64;
using boost::endian::store_big_u32;
using boost::endian::store_big_u64;

FrameHeader::Buffer
FrameHeader::Serialize() const
{
    Buffer buffer;
    store_big_u32(&buffer[0], MAGIC);
    store_big_u32(&buffer[4], connection);
    store_big_u64(&buffer[8], message);
    store_big_u64(&buffer[16], offset);
    store_big_u64(&buffer[24], length);
    return buffer;
}

FrameHeader
FrameHeader::Parse(const Buffer& buffer)
{
    const std::uint32_t magic = load_big_u32(&buffer[0]);
    NS_ABORT_MSG_IF(magic != MAGIC, "a message header was expected in the stream, found " << magic);
    FrameHeader header;
    header.connection = load_big_u32(&buffer[4]);
    header.message = load_big_u64(&buffer[8]);
    header.offset = load_big_u64(&buffer[16]);
    header.length = load_big_u64(&buffer[24]);
    return header;
}

} // namespace ns3
