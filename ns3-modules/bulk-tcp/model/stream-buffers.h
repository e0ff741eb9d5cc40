// SPDX-License-Identifier: GPL-2.0-only
// The bytes of a stream at its two ends: what is sent and not acknowledged yet, and what has
// arrived. They are kept as the ns-3 packets that carried them, so that zero-filled payload costs
// no memory. Offsets count from the first byte of the stream.
#pragma once

#include <ns3/packet.h>

#include <cstdint>
#include <deque>
#include <map>

namespace ns3
{

class SendBuffer
{
  public:
    /// At least one byte.
    void Append(Ptr<Packet> packet);

    /// A copy of `length` bytes from `offset`, all of which are in the buffer.
    Ptr<Packet> Copy(std::uint64_t offset, std::uint32_t length) const;

    /// Drops what lies below `offset`, in whole packets.
    void Release(std::uint64_t offset);

    std::uint64_t End() const;

  private:
    struct Chunk
    {
        std::uint64_t begin;
        Ptr<Packet> packet;
    };

    std::deque<Chunk> m_chunks;
    std::uint64_t m_end = 0;
};

class ReceiveBuffer
{
  public:
    /// Takes in what is new of bytes that begin at `offset`; each byte counts as it came first.
    void Insert(std::uint64_t offset, Ptr<Packet> packet);

    /// At most `most` of the bytes that are in order and not read; null if there is none.
    Ptr<Packet> Take(std::uint32_t most);

    std::uint64_t Next() const;   ///< the first byte that is missing
    std::uint64_t Unread() const; ///< in order and not read

  private:
    void Deliver(std::uint64_t offset, Ptr<Packet> packet);
    void Keep(std::uint64_t offset, Ptr<Packet> packet);

    std::deque<Ptr<Packet>> m_inOrder;
    std::map<std::uint64_t, Ptr<Packet>> m_outOfOrder; ///< disjoint, by offset
    std::uint64_t m_next = 0;
    std::uint64_t m_unread = 0;
};

} // namespace ns3
