// SPDX-License-Identifier: GPL-2.0-only
// Implements loss recovery by RACK (RFC 8985, section 6): a segment is lost when one that was sent
// later has been delivered and the reordering window is over. Originals are examined in the order
// of the stream, which is that of their times, and retransmissions in a queue of their own. The
// tail loss probe is in TailLossProbe.
#pragma once

#include "bulk-tcp/model/loss-recovery.h"

namespace ns3
{

/// RackRecovery is the loss recovery of a modern TCP.
class RackRecovery final : public LossRecovery
{
  public:
    RackRecovery()
        : LossRecovery(m_rate, true)
    {
    }

    Reaction React(const Situation& situation) override;
    void OnRecoveryEnds() override;
    void OnReordered() override;
    bool GrowsInDisorder(bool advances) const override;

  private:
    static constexpr std::size_t s_duplicateThreshold = 3; ///< segments: RFC 8985's DupThresh

    struct Retransmission
    {
        std::uint64_t number;
        std::int64_t sentNs;
    };

    void OnDelivered(std::int64_t nowNs, std::uint64_t number, const Segment& segment) override;
    void AfterAck() override;
    void Detect(std::int64_t nowNs, bool inRecovery, const RoundTrips& roundTrips) override;
    void AfterTimeout() override;
    void AfterUndo() override;
    bool AfterRetransmission(Segment& segment, std::int64_t nowNs) override;
    void OnNeedlessRetransmission() override;

    void DetectOriginals(std::int64_t nowNs, std::int64_t windowNs);
    void DetectRetransmissions(std::int64_t nowNs, std::int64_t windowNs);
    std::int64_t ReorderingWindowNs(bool inRecovery, const RoundTrips& roundTrips) const;
    bool IsAckOfOriginal(const Segment& segment) const;
    bool WasSentBeforeNewest(const Segment& segment) const;

    /// Returns true when the segment is lost at `nowNs`; otherwise notes when it will be.
    bool HasExpired(const Segment& segment, std::int64_t nowNs, std::int64_t windowNs);

    DeliveryRate m_rate;
    std::uint64_t m_scan = 0; ///< number of the first original that may still be found lost
    /// Retransmissions on the way, in the order of sending.
    BlockDeque<Retransmission> m_retransmissions;

    // These describe the segment sent last of those delivered: RACK.xmit_ts, RACK.end_seq,
    // RACK.rtt.
    std::int64_t m_newestSentNs = -1;
    std::uint64_t m_newestEnd = 0;
    std::int64_t m_newestRttNs = 0;

    std::uint64_t m_forwardAck = 0;      ///< RACK.fack: the highest byte delivered
    std::uint64_t m_priorForwardAck = 0; ///< m_forwardAck before the current acknowledgement
    std::int64_t m_minRttNs = INT64_MAX;
    bool m_hasSeenReordering = false;
    std::int64_t m_windowFactor = 1; ///< RACK.reo_wnd_mult: quarters of the least round trip
    int m_windowPersists = 0;        ///< RACK.reo_wnd_persist: recoveries until the factor is 1
    std::uint64_t m_growsAfter =
        0; ///< RACK.dsack_round: the factor grows when this is acknowledged
};

} // namespace ns3
