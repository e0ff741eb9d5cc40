// SPDX-License-Identifier: GPL-2.0-only
// Holds the messages of a sender that are not acknowledged as a whole: consecutive ranges of one
// byte stream. It says which message a byte belongs to, and which new data comes next. It knows
// nothing of time or of the network.
#pragma once

#include "wan-topology/model/packet-record.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3
{

/// SendQueue holds the messages of one sender.
class SendQueue
{
  public:
    /// Adds a message of `size` bytes, at least 1, at the end of the stream.
    void Add(std::uint64_t message, std::uint64_t size);

    /// Makes the last message longer. Returns false, with nothing done, if all of it was sent.
    bool Extend(std::uint64_t size);

    /// Returns the message that new data belongs to; if there is none, one that ends at the last
    /// byte sent.
    const PacketRecord::MessageTag& Current() const
    {
        return m_current;
    }

    /// Returns the message of the byte at `offset`, which must be sent and not acknowledged.
    PacketRecord::MessageTag At(std::uint64_t offset) const;

    /// Notes that new data was sent up to `end`. Returns the number of the message that ends there,
    /// if one does.
    std::optional<std::uint64_t> OnSent(std::uint64_t end)
    {
        return end == m_current.end ? std::optional(FinishCurrent()) : std::nullopt;
    }

    /// Forgets the messages that end at `una` or below. Returns true if that was the last message.
    bool OnAcked(std::uint64_t una);

    /// Returns the numbers of all messages that are not acknowledged, and forgets them.
    std::vector<std::uint64_t> TakeAll();

    /// Returns the end of the stream, which is the sum of all sizes.
    std::uint64_t End() const
    {
        return m_end;
    }

  private:
    struct Message
    {
        std::uint64_t number;
        std::uint64_t end;
    };

    std::uint64_t FinishCurrent();
    void NoteCurrent();
    PacketRecord::MessageTag TagOf(std::size_t message) const;

    std::deque<Message> m_messages;       ///< in order
    std::size_t m_sending = 0;            ///< index of the message that new data belongs to
    PacketRecord::MessageTag m_current{}; ///< that message
    std::uint64_t m_ackedEnd = 0; ///< end of the last message that was acknowledged as a whole
    std::uint64_t m_end = 0;
};

} // namespace ns3
