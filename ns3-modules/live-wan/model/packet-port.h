// SPDX-License-Identifier: GPL-2.0-only
// Reads and writes the Ethernet frames of a network interface: an AF_PACKET socket whose received
// frames lie in a ring that the kernel shares (TPACKET_V2, packet(7)), and which sends in batches.
// A received frame carries the kernel's time stamp, so that reading late doesn't delay it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/// A PacketPort is one interface of this process's network namespace.
class PacketPort
{
  public:
    /// A Frame is a received frame; its bytes are valid within the call that gives it.
    struct Frame
    {
        const std::uint8_t* bytes;
        std::uint32_t size;      ///< bytes, Ethernet header included
        std::int64_t receivedNs; ///< of CLOCK_REALTIME
    };

    /// Binds to `interface`, whose frames have up to `frameBytes` bytes. Needs CAP_NET_RAW in the
    /// namespace. Throws std::system_error.
    PacketPort(const std::string& interface, std::size_t frameBytes);
    ~PacketPort();
    PacketPort(const PacketPort&) = delete;
    PacketPort& operator=(const PacketPort&) = delete;

    int Descriptor() const;

    /// Calls `take` for each received frame, at most `most` of them. Returns how many there were.
    std::size_t Read(std::size_t most, const std::function<void(const Frame&)>& take);

    /// Adds a frame to the batch. Its bytes stay valid until Flush().
    void Append(const std::uint8_t* bytes, std::size_t size);

    /// Sends the batch. Returns the number of its frames that the kernel refused; they are dropped.
    std::size_t Flush();

    /// Returns the frames that came while the ring was full, since the last call.
    std::uint64_t TakeRingDrops();

  private:
    void MakeRing(std::size_t frameBytes);
    bool MayTryAgain() const;

    int m_socket = -1;
    std::uint8_t* m_ring = nullptr;
    std::size_t m_ringBytes = 0;
    std::size_t m_slotBytes = 0;
    std::size_t m_slots = 0;
    std::size_t m_next = 0; ///< slot that the kernel fills next

    struct Piece
    {
        const std::uint8_t* bytes;
        std::size_t size;
    };

    std::vector<Piece> m_batch;
};

} // namespace ns3
