// SPDX-License-Identifier: GPL-2.0-only
// What is known of the segments that a sender has sent and that are not acknowledged: which are
// SACKed, which were found lost, which were sent again. It only keeps books; what is lost, and how
// much that leaves in flight, is decided by a LossRecovery. Amortised O(1) per acknowledgement and
// O(log n) per SACK block.
#pragma once

#include "bulk-tcp/model/byte-ranges.h"
#include "bulk-tcp/model/delivery-rate.h"
#include "wan-topology/model/block-deque.h"
#include "wan-topology/model/packet-record.h"

#include <array>
#include <cstdint>

namespace ns3
{

class Scoreboard
{
  public:
    struct Segment
    {
        std::uint64_t offset;
        std::int64_t sentNs;
        DeliverySnapshot snapshot;
        std::uint32_t length;
        bool sacked : 1;
        bool lost : 1;          ///< and not sent again yet
        bool retransmitted : 1; ///< at least once
        bool foundLost : 1;     ///< at least once, and not delivered
        bool repeated : 1;      ///< sent again, and counted in RepeatedBytes()
    };

    /// What an acknowledgement has told.
    struct Progress
    {
        std::uint64_t ackedBytes = 0;  ///< cumulatively, SACKed before or not
        std::uint64_t sackedBytes = 0; ///< newly, by blocks
        std::int64_t rttNs = -1; ///< of the segment delivered last, -1: none without retransmission
        std::int64_t firstSentNs =
            -1; ///< of the first segment newly acknowledged cumulatively, as above
        bool retransmissionAcked = false;
    };

    /// Is told of each segment at its first acknowledgement, cumulative or selective.
    class Listener
    {
      public:
        virtual ~Listener() = default;
        virtual void
        OnDelivered(std::int64_t nowNs, std::uint64_t number, const Segment& segment) = 0;
    };

    /// `listener` outlives the scoreboard.
    explicit Scoreboard(Listener& listener)
        : m_listener(listener)
    {
    }

    /// New data.
    void Append(std::int64_t now, std::uint32_t length, const DeliverySnapshot& snapshot)
    {
        m_segments.push_back({m_highTx, now, snapshot, length, false, false, false, false, false});
        m_highTx += length;
        m_outstanding += length;
    }

    Progress OnAck(std::int64_t now, const PacketRecord& ack);

    /// The segment is to be sent again, after those that were found lost before it.
    void MarkLost(std::uint64_t number);

    /// The segment was found lost again while it is on the way: it counts as not repaired.
    void NoteFoundLost(Segment& segment);

    /// Everything that is not SACKed is lost, and nothing was sent again.
    void MarkAllLost();

    /// The segment was sent again.
    void OnRetransmitted(Segment& segment, std::int64_t now, const DeliverySnapshot& snapshot);

    /// The segment no longer counts as sent again.
    void ForgetRepeat(Segment& segment);

    /// The lost segment that is to be sent next, null if there is none.
    Segment* NextLost()
    {
        return m_toRetransmit.empty() ? nullptr : FindLost();
    }

    /// The segment sent last that is not SACKed; null if nothing is outstanding.
    Segment* Last();

    /// Segments are numbered in the order of the stream; First() to End() - 1 are not acknowledged.
    std::uint64_t First() const
    {
        return m_first;
    }

    std::uint64_t End() const
    {
        return m_first + m_segments.size();
    }

    Segment& At(std::uint64_t number)
    {
        return m_segments[number - m_first];
    }

    /// The number of the segment that holds the byte at `offset`, from Una() to HighTx() - 1.
    std::uint64_t NumberOf(std::uint64_t offset) const;

    /// The first byte that is not acknowledged.
    std::uint64_t Una() const
    {
        return m_una;
    }

    /// The first byte that was never sent.
    std::uint64_t HighTx() const
    {
        return m_highTx;
    }

    /// Bytes sent, neither acknowledged nor SACKed nor lost.
    std::uint64_t Outstanding() const
    {
        return m_outstanding;
    }

    /// Bytes found lost and not sent again.
    std::uint64_t LostBytes() const
    {
        return m_lostBytes;
    }

    /// Bytes found lost that were not delivered since, sent again or not.
    std::uint64_t NotRepaired() const
    {
        return m_notRepaired;
    }

    /// Bytes SACKed and not acknowledged.
    std::uint64_t SackedBytes() const
    {
        return m_sackedBytes;
    }

    std::uint64_t SackedSegments() const
    {
        return m_sackedSegments;
    }

    /// Bytes sent again and not acknowledged cumulatively.
    std::uint64_t RepeatedBytes() const
    {
        return m_repeatedBytes;
    }

    bool HeadRetransmitted() const;

  private:
    Segment* FindLost();
    void Deliver(std::int64_t now, std::uint64_t number, Segment& segment, Progress& progress);
    void Sack(std::int64_t now, std::uint64_t begin, std::uint64_t end, Progress& progress);
    void AckUpTo(std::int64_t now, std::uint64_t ack, Progress& progress);

    Listener& m_listener;
    BlockDeque<Segment> m_segments;
    std::uint64_t m_first = 0; ///< number of the segment at the front
    std::uint64_t m_una = 0;
    std::uint64_t m_highTx = 0;
    std::uint64_t m_outstanding = 0;
    std::uint64_t m_lostBytes = 0;
    std::uint64_t m_notRepaired = 0;
    std::uint64_t m_sackedBytes = 0;
    std::uint64_t m_repeatedBytes = 0;
    std::uint64_t m_sackedSegments = 0;
    ByteRanges m_sacked;
    std::array<ByteRanges::Range, PacketRecord::s_maxSackBlocks>
        m_told{};                  ///< runs that held the latest SACK blocks: all of them is SACKed
    std::uint64_t m_sackEnd = 0;   ///< of the bytes that were SACKed last
    std::uint64_t m_afterSack = 0; ///< number of the segment that begins there
    BlockDeque<std::uint64_t> m_toRetransmit; ///< numbers
};

} // namespace ns3
