// SPDX-License-Identifier: GPL-2.0-only
// Holds the bytes of a stream at its two ends: those not acknowledged yet, and those that have
// arrived. They are kept as the ns-3 packets that carried them, so that zero-filled payload costs
// no memory. Offsets count from the first byte of the stream.
#pragma once

#include <ns3/packet.h>

#include <cstdint>
#include <deque>
#include <map>

namespace ns3
{

/// SendBuffer holds the bytes that are not acknowledged yet.
class SendBuffer
{
  public:
    /// Adds a packet of at least one byte at the end of the stream.
    void Append(Ptr<Packet> packet);

    /// Returns a copy of `length` bytes from `offset`, all of which must be in the buffer.
    Ptr<Packet> Copy(std::uint64_t offset, std::uint32_t length) const;

    /// Drops the packets that lie wholly below `offset`.
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

/// ReceiveBuffer puts the bytes that have arrived in order.
class ReceiveBuffer
{
  public:
    /// Takes in the new bytes of a packet that begins at `offset`. The first copy of a byte counts.
    void Insert(std::uint64_t offset, Ptr<Packet> packet);

    /// Returns at most `most` of the bytes that are in order and not read; null if there are none.
    Ptr<Packet> Take(std::uint32_t most);

    std::uint64_t Next() const;   ///< the first byte that is missing
    std::uint64_t Unread() const; ///< bytes in order and not read

  private:
    void Deliver(std::uint64_t offset, Ptr<Packet> packet);
    void Keep(std::uint64_t offset, Ptr<Packet> packet);

    std::deque<Ptr<Packet>> m_inOrder;
    std::map<std::uint64_t, Ptr<Packet>> m_outOfOrder; ///< disjoint, by offset
    std::uint64_t m_next = 0;
    std::uint64_t m_unread = 0;
};

} // namespace ns3
