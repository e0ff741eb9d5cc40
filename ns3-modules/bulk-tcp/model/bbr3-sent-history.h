// SPDX-License-Identifier: GPL-2.0-only
// What was in flight and what had been lost when a packet was sent: P.tx_in_flight and P.lost of
// draft-ietf-ccwg-bbr, which ns-3's rate samples don't have. A packet is named by what had been
// delivered when it was sent (P.delivered), so packets that were sent between two acknowledgements
// are one: the last of them counts.
#pragma once

#include <cstdint>
#include <deque>

namespace ns3
{

class Bbr3SentHistory
{
  public:
    struct Sent
    {
        std::uint64_t delivered; ///< bytes delivered before it was sent
        std::uint64_t inFlight;  ///< bytes, itself included
        std::uint64_t lost;      ///< bytes lost before it was sent, since the connection began
    };

    /// `sent` is not older than what was noted before; amortised O(1).
    void Note(const Sent& sent);

    /// Of the packet that was sent when `delivered` bytes had been delivered. Forgets what is
    /// older; the oldest one that is left answers for a packet that is forgotten. There must have
    /// been a Note.
    const Sent& Find(std::uint64_t delivered);

  private:
    std::deque<Sent> m_sent; ///< by `delivered`, ascending
};

} // namespace ns3
