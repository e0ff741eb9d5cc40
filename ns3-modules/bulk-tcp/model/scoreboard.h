// What a sender knows of the segments it has sent: which are SACKed, lost, and on the way again. Losses are found by
// RACK (RFC 8985, section 6.2): a segment is lost when one that was sent later has been delivered and the reordering
// window is over. Amortised O(1) an acknowledgement and O(log n) a SACK block: originals are looked at in the order of
// the stream, which is that of their times, and retransmissions in a FIFO of their own.
#pragma once

#include "bulk-tcp/model/byte-ranges.h"
#include "bulk-tcp/model/delivery-rate.h"
#include "bulk-tcp/model/express-link.h"
#include "bulk-tcp/model/packet-record.h"

#include <array>
#include <cstdint>
#include <optional>

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
        bool counted : 1;       ///< in m_retransmittedBytes
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

    /// With `stockCompatible` it does as ns-3 3.37's TcpTxBuffer: an original is lost when three segments behind it are
    /// SACKed (RFC 6675), a lost retransmission is not noticed, and a retransmission is in flight until it is
    /// acknowledged cumulatively, SACKed or not.
    Scoreboard(DeliveryRate& rate, bool stockCompatible);

    /// New data.
    void Append(std::int64_t now, std::uint32_t length, const DeliverySnapshot& snapshot)
    {
        m_segments.push_back({m_highTx, now, snapshot, length, false, false, false, false, false});
        m_highTx += length;
        m_inFlight += length;
    }

    Progress OnAck(std::int64_t now, const PacketRecord& ack);

    /// Marks what is lost at `now` and returns how many bytes; `inRecovery` closes the reordering window (RFC 8985, 6.2
    /// step 4). NextDetectionNs() says when to look again.
    std::uint64_t DetectLosses(std::int64_t now, bool inRecovery, std::int64_t minRttNs);
    std::optional<std::int64_t> NextDetectionNs() const
    {
        return m_nextDetectionNs < 0 ? std::nullopt
                                     : std::optional<std::int64_t>(m_nextDetectionNs);
    }

    /// The first segment is lost, whatever is known of it.
    void MarkHeadLost();

    /// After a retransmission timeout: everything that is not SACKed is lost.
    void MarkAllLost();

    /// The lost segment that is to be sent next, null if there is none.
    Segment* NextLost()
    {
        return m_toRetransmit.empty() ? nullptr : FindLost();
    }

    /// The first segment that is neither SACKed nor was sent again (RFC 6675, NextSeg's rule 3, as ns-3 3.37 has it); null
    /// if there is none.
    Segment* NextDoubtful();

    /// The segment sent last that is not SACKed; null if nothing is outstanding.
    Segment* Last();

    void OnRetransmitted(Segment& segment, std::int64_t now, const DeliverySnapshot& snapshot);

    /// The receiver has seen a retransmission twice (DSACK): reordering was taken for loss.
    void WidenReorderingWindow();

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

    std::uint64_t InFlight() const
    {
        return m_stock ? m_highTx - m_una - m_sackedBytes - m_notRepaired + m_retransmittedBytes
                       : m_inFlight;
    }

    bool HasLost() const
    {
        return m_lostBytes > 0;
    }

    bool HasLostBehindHead() const;

    /// Bytes found lost that were not acknowledged since, sent again or not.
    std::uint64_t NotRepaired() const
    {
        return m_notRepaired;
    }

    bool HasSacked() const
    {
        return m_sackedSegments > 0;
    }

    bool HeadRetransmitted() const;

  private:
    static constexpr std::size_t s_duplicateThreshold =
        3; ///< segments (RFC 5681, RFC 8985's DupThresh)

    struct Retransmission
    {
        std::uint64_t number;
        std::int64_t sentNs;
    };

    Segment& At(std::uint64_t number)
    {
        return m_segments[number - m_first];
    }

    std::uint64_t End() const
    {
        return m_first + m_segments.size();
    }

    std::uint64_t NumberOf(std::uint64_t offset) const;
    Segment* FindLost();
    void Deliver(std::int64_t now, Segment& segment, Progress& progress);
    void Sack(std::int64_t now, std::uint64_t begin, std::uint64_t end, Progress& progress);
    void AckUpTo(std::int64_t now, std::uint64_t ack, Progress& progress);
    void MarkLost(std::uint64_t number);
    void NoteFoundLost(Segment& segment);
    void NoteHighestSacked(std::uint64_t number);
    void DetectOriginals(std::int64_t now, std::int64_t windowNs);
    void DetectByCount();
    void DetectRetransmissions(std::int64_t now, std::int64_t windowNs);
    std::int64_t ReorderingWindowNs(bool inRecovery, std::int64_t minRttNs) const;
    bool SentBeforeRack(const Segment& segment) const;

    /// True when the segment is lost now; otherwise notes when it will be.
    bool Expired(const Segment& segment, std::int64_t now, std::int64_t windowNs);

    DeliveryRate& m_rate;
    bool m_stock;
    BlockDeque<Segment> m_segments;
    std::uint64_t m_first = 0; ///< number of the segment at the front
    std::uint64_t m_una = 0;
    std::uint64_t m_highTx = 0;
    std::uint64_t m_inFlight = 0;
    std::uint64_t m_lostBytes = 0;
    std::uint64_t m_notRepaired = 0;
    std::uint64_t m_sackedBytes = 0;
    std::uint64_t m_retransmittedBytes = 0; ///< on the way as ns-3 3.37 counts
    std::uint64_t m_doubtful = 0; ///< no segment below this number is one for NextDoubtful
    std::uint64_t m_sackedSegments = 0;
    ByteRanges m_sacked;
    std::array<ByteRanges::Range, PacketRecord::s_maxSackBlocks>
        m_told{};                  ///< runs that held the latest SACK blocks: all of them is SACKed
    std::uint64_t m_sackEnd = 0;   ///< of the bytes that were SACKed last
    std::uint64_t m_afterSack = 0; ///< number of the segment that begins there
    std::array<std::uint64_t, s_duplicateThreshold>
        m_highestSacked{}; ///< numbers + 1, descending; 0: none

    std::uint64_t m_scan = 0; ///< number of the first original that may still be found lost
    BlockDeque<Retransmission> m_retransmissions; ///< on the way, in the order of sending
    BlockDeque<std::uint64_t> m_toRetransmit;

    std::int64_t m_rackSentNs = -1;
    std::uint64_t m_rackEnd = 0;
    std::int64_t m_rackRttNs = 0;
    std::uint64_t m_forwardAck = 0;      ///< RACK.fack: the highest byte delivered
    std::uint64_t m_priorForwardAck = 0; ///< before the acknowledgement in work
    std::int64_t m_minRttNs = INT64_MAX;
    bool m_reorderingSeen = false;
    std::int64_t m_windowFactor = 1;
    std::int64_t m_nextDetectionNs = -1;
};

} // namespace ns3
