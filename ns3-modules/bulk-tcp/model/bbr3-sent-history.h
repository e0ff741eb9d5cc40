// SPDX-License-Identifier: GPL-2.0-only
// Remembers how many bytes were in flight and how many had been lost when a packet was sent
// (P.tx_in_flight and P.lost of draft-ietf-ccwg-bbr), which ns-3's rate samples don't have. A
// packet is identified by the bytes that had been delivered when it was sent (P.delivered). So all
// packets sent between two acknowledgements share one entry, that of the last of them.
#pragma once

#include <cstdint>
#include <deque>

namespace ns3
{

/// Bbr3SentHistory holds one entry per value of P.delivered.
class Bbr3SentHistory
{
  public:
    struct Sent
    {
        std::uint64_t delivered; ///< bytes delivered before it was sent
        std::uint64_t inFlight;  ///< bytes, itself included
        std::uint64_t lost;      ///< bytes lost before it was sent, since the connection began
    };

    /// Adds `sent`, which must not be older than earlier entries. Takes amortised O(1).
    void Note(const Sent& sent);

    /// Returns the entry of the packet that was sent when `delivered` bytes had been delivered, and
    /// forgets older entries. For a forgotten packet it returns the oldest entry left. There must
    /// be an entry.
    const Sent& Find(std::uint64_t delivered);

  private:
    std::deque<Sent> m_sent; ///< by `delivered`, ascending
};

} // namespace ns3
