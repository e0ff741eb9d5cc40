// SPDX-License-Identifier: GPL-2.0-only
// The messages that a sender was handed and that are not acknowledged whole: consecutive ranges of
// one byte stream. Says which message a byte belongs to, and what new data comes next; knows
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

class SendQueue
{
  public:
    /// A message of `size` bytes, at least 1, at the end of the stream.
    void Add(std::uint64_t message, std::uint64_t size);

    /// Makes the last message longer; false, and nothing done, where all of it was sent.
    bool Extend(std::uint64_t size);

    /// The message that new data belongs to; where there is none, one that ends at the last byte
    /// sent.
    const PacketRecord::MessageTag& Current() const
    {
        return m_current;
    }

    /// The message of the byte at `offset`, which was sent and not acknowledged.
    PacketRecord::MessageTag At(std::uint64_t offset) const;

    /// New data was sent up to `end`. Gives the number of the message that this was the last byte
    /// of, if it was.
    std::optional<std::uint64_t> OnSent(std::uint64_t end)
    {
        return end == m_current.end ? std::optional(FinishCurrent()) : std::nullopt;
    }

    /// Everything below `una` is acknowledged; true where that was the end of the last message.
    bool OnAcked(std::uint64_t una);

    /// The numbers of the messages that are not acknowledged, which it forgets.
    std::vector<std::uint64_t> TakeAll();

    /// The end of the stream: the sum of all sizes.
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
    std::uint64_t m_ackedEnd = 0;         ///< of the last message that was acknowledged whole
    std::uint64_t m_end = 0;
};

} // namespace ns3
