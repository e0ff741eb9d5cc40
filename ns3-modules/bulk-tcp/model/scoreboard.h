// SPDX-License-Identifier: GPL-2.0-only
// Records which of a sender's unacknowledged segments are SACKed, found lost or sent again. A
// LossRecovery decides what is lost and how much is in flight. An acknowledgement takes amortised
// O(1), and a SACK block O(log n).
#pragma once

#include "bulk-tcp/model/byte-ranges.h"
#include "bulk-tcp/model/delivery-rate.h"
#include "wan-topology/model/block-deque.h"
#include "wan-topology/model/packet-record.h"

#include <array>
#include <cstdint>

namespace ns3
{

/// Scoreboard holds the segments of one sender.
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
        bool lost : 1;          ///< found lost and not sent again yet
        bool retransmitted : 1; ///< sent again at least once
        bool foundLost : 1;     ///< found lost at least once, and not delivered
        bool repeated : 1;      ///< sent again, and counted in RepeatedBytes()
        bool repeatOut : 1;     ///< sent again to repair a loss, and on the way

        /// Returns whether the segment was sent once, and nothing more is known of it.
        bool IsPlain() const
        {
            return !sacked && !lost && !retransmitted && !foundLost && !repeated && !repeatOut;
        }
    };

    /// Progress is what an acknowledgement reports.
    struct Progress
    {
        std::uint64_t ackedBytes = 0;  ///< bytes acknowledged cumulatively, SACKed before or not
        std::uint64_t sackedBytes = 0; ///< bytes newly acknowledged by SACK blocks
        /// Round trip of the last newly delivered segment that was sent once; -1: there is none.
        std::int64_t rttNs = -1;
        /// Sending time of the segment that began at the old Una(); -1: retransmitted or nothing
        /// acknowledged.
        std::int64_t firstSentNs = -1;
        bool retransmissionAcked = false;
        /// Lowest end of the newly delivered segments that were sent once.
        std::uint64_t originalEnd = UINT64_MAX;
    };

    /// A Listener is told of each segment at its first acknowledgement, cumulative or selective. One
    /// that takes runs may be told of segments that were sent in one burst as one, with the number of
    /// the first.
    class Listener
    {
      public:
        virtual ~Listener() = default;
        virtual void
        OnDelivered(std::int64_t nowNs, std::uint64_t number, const Segment& segment) = 0;
    };

    /// `listener` outlives the scoreboard.
    explicit Scoreboard(Listener& listener, bool takesRuns = false)
        : m_listener(listener),
          m_takesRuns(takesRuns)
    {
    }

    /// Adds `length` bytes of new data.
    void Append(std::int64_t now, std::uint32_t length, const DeliverySnapshot& snapshot)
    {
        m_segments.push_back(
            {m_highTx, now, snapshot, length, false, false, false, false, false, false});
        m_highTx += length;
        m_outstanding += length;
    }

    /// Adds `count` segments of `length` bytes that are sent at once.
    void AppendBurst(std::int64_t now,
                     std::uint64_t count,
                     std::uint32_t length,
                     const DeliverySnapshot& snapshot)
    {
        const std::uint64_t end = m_highTx + count * length;
        for (std::uint64_t offset = m_highTx; offset < end; offset += length)
        {
            m_segments.push_back(
                {offset, now, snapshot, length, false, false, false, false, false, false});
        }
        m_highTx = end;
        m_outstanding += count * length;
    }

    Progress OnAck(std::int64_t now, const PacketRecord& ack);

    /// Marks the segment as lost. It is sent again after those that were found lost earlier.
    void MarkLost(std::uint64_t number);

    /// Counts the segment as not repaired: it was found lost again while it is on the way.
    void NoteFoundLost(Segment& segment);

    /// Marks everything that is not SACKed as lost, and nothing as sent again.
    void MarkAllLost();

    /// Takes the marks of MarkLost() and MarkAllLost() away. What was sent again stays so.
    void UnmarkLost();

    /// Notes that the segment was sent again, to repair a loss or as a tail loss probe.
    void OnRetransmitted(Segment& segment,
                         std::int64_t now,
                         const DeliverySnapshot& snapshot,
                         bool isProbe);

    /// Takes the segment out of RepeatedBytes().
    void ForgetRepeat(Segment& segment);

    /// Returns the lost segment to be sent next; null if there is none.
    Segment* NextLost()
    {
        return m_toRetransmit.empty() ? nullptr : FindLost();
    }

    /// Returns the segment sent last that is not SACKed; null if nothing is outstanding.
    Segment* Last();

    /// Segments are numbered in the order of the stream. Those from First() to End() - 1 are not
    /// acknowledged.
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

    /// Returns the number of the segment that holds the byte at `offset`, from Una() to HighTx() -
    /// 1.
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

    /// Bytes sent again to repair a loss and not delivered or found lost since.
    std::uint64_t RepeatsOut() const
    {
        return m_repeatsOut;
    }

    bool HeadRetransmitted() const;

    /// Returns when the first segment that is not acknowledged was sent last. There must be one.
    std::int64_t FirstSentNs() const
    {
        return m_segments.front().sentNs;
    }

  private:
    void EndRepeat(Segment& segment);
    Segment* FindLost();
    void Deliver(std::int64_t now, std::uint64_t number, Segment& segment, Progress& progress);
    void Sack(std::int64_t now, std::uint64_t begin, std::uint64_t end, Progress& progress);
    void AckUpTo(std::int64_t now, std::uint64_t ack, Progress& progress);
    void DeliverRun(std::int64_t now, std::uint64_t end, Progress& progress);

    Listener& m_listener;
    bool m_takesRuns;
    BlockDeque<Segment> m_segments;
    std::uint64_t m_first = 0; ///< number of the segment at the front
    std::uint64_t m_una = 0;
    std::uint64_t m_highTx = 0;
    std::uint64_t m_outstanding = 0;
    std::uint64_t m_lostBytes = 0;
    std::uint64_t m_notRepaired = 0;
    std::uint64_t m_sackedBytes = 0;
    std::uint64_t m_repeatedBytes = 0;
    std::uint64_t m_repeatsOut = 0;
    std::uint64_t m_sackedSegments = 0;
    ByteRanges m_sacked;
    std::array<ByteRanges::Range, PacketRecord::s_maxSackBlocks>
        m_told{}; ///< runs that held the latest SACK blocks; all their bytes are SACKed
    std::uint64_t m_sackEnd = 0;              ///< end of the bytes that were SACKed last
    std::uint64_t m_afterSack = 0;            ///< number of the segment that begins at m_sackEnd
    BlockDeque<std::uint64_t> m_toRetransmit; ///< numbers of lost segments
};

} // namespace ns3
