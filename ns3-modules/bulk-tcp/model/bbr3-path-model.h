// SPDX-License-Identifier: GPL-2.0-only
// Models the path as BBRv3 does (draft-ietf-ccwg-bbr-06, 5.5): rounds, bandwidth, round trip,
// aggregation of acknowledgements, and the data that the path carries without loss in the short and
// in the long term.
#pragma once

#include "bulk-tcp/model/bbr3-constants.h"
#include "bulk-tcp/model/bbr3-sent-history.h"

#include <ns3/tcp-rate-ops.h>
#include <ns3/tcp-socket-state.h>
#include <ns3/windowed-filter.h>

#include <array>
#include <cstdint>

namespace ns3
{

/// Bbr3Sample holds the draft's RS and C at the current acknowledgement.
struct Bbr3Sample
{
    std::int64_t nowNs;
    std::int64_t rttNs;
    std::uint64_t rate;           ///< RS.delivery_rate, bit/s
    std::uint64_t delivered;      ///< RS.delivered, bytes
    std::uint64_t priorDelivered; ///< RS.prior_delivered, bytes
    std::uint64_t newlyAcked;     ///< bytes
    std::uint64_t newlyLost;      ///< bytes
    std::uint64_t priorInFlight;  ///< bytes on the way before this acknowledgement
    std::uint64_t txInFlight;     ///< bytes
    std::uint64_t lost;           ///< bytes, since the packet was sent
    bool marked;                  ///< the receiver echoes a congestion mark (RFC 3168)
    bool appLimited;
    bool windowLimited; ///< C.is_cwnd_limited: at any time in the last round trip
};

/// Bbr3Bounds are what losses have shown of the path; UINT64_MAX: nothing.
struct Bbr3Bounds
{
    std::uint64_t shortTermBandwidth = UINT64_MAX; ///< BBR.bw_shortterm, bit/s
    std::uint64_t shortTermInflight = UINT64_MAX;  ///< BBR.inflight_shortterm, bytes
    std::uint64_t longTermInflight = UINT64_MAX;   ///< BBR.inflight_longterm, bytes
};

/// Bbr3PathModel is the model of one connection. Numbers beside functions are sections of the
/// draft.
class Bbr3PathModel : public Bbr3Bounds
{
  public:
    static constexpr std::uint64_t s_infinite = UINT64_MAX;

    Bbr3PathModel();

    void Init(std::int64_t nowNs);

    /// Takes an acknowledgement and makes `rs` from it.
    void Take(const TcpSocketState& tcb,
              const TcpRateOps::TcpRateConnection& connection,
              const TcpRateOps::TcpRateSample& sample);

    Bbr3Constants constants;
    Bbr3Sample rs{}; ///< sample of the current acknowledgement

    // Rounds (5.5.1).
    void StartRound();
    bool IsRoundStart() const
    {
        return m_roundStart;
    }
    std::uint64_t RoundCount() const
    {
        return m_roundCount;
    }

    // Bandwidth (5.5.5 to 5.5.7).
    std::uint64_t MaxBandwidth() const; ///< BBR.max_bw, bit/s
    std::uint64_t Bandwidth() const
    {
        return m_bandwidth;
    } ///< BBR.bw, bit/s
    void AdvanceMaxBandwidthFilter();
    void BoundBandwidth();

    /// Returns true once the interval since the last smaller round trip is over (5.3.4).
    bool UpdateMinRtt();
    std::int64_t MinRttNs() const
    {
        return m_minRttNs;
    } ///< INT64_MAX: not measured yet
    void RestartProbeRttInterval(std::int64_t nowNs);

    // Aggregation of acknowledgements (5.5.9).
    void UpdateAckAggregation(const TcpSocketState& tcb, bool isFull);
    void RestartAckAggregation(std::int64_t nowNs);
    std::uint64_t ExtraAcked() const
    {
        return m_extraAckedFilter.GetBest();
    }

    // Signals of congestion (5.5.10).
    void UpdateLatestDeliverySignals();
    void AdvanceLatestDeliverySignals();
    void ResetCongestionSignals();
    void UpdateCongestionSignals(const TcpSocketState& tcb, bool isProbing);
    void ResetShortTermModel();
    void NoteLoss();
    void ForgetLossInRound()
    {
        m_lossInRound = false;
    }
    bool IsLossRoundStart() const
    {
        return m_lossRoundStart;
    }
    std::uint64_t LatestInflight() const
    {
        return m_latestInflight;
    }
    bool IsInflightTooHigh() const;
    std::uint64_t InflightAtLoss() const;

    std::uint64_t Delivered() const
    {
        return m_delivered;
    } ///< C.delivered, bytes

    /// Packets that are sent while ProbeRTT keeps few bytes in flight tell nothing of the
    /// bandwidth. BeginHoldingBack() begins such a time. Each HoldBack() moves its end to when the
    /// `inFlight` bytes on the way are delivered.
    void BeginHoldingBack();
    void HoldBack(std::uint64_t inFlight);

  private:
    void NoteUseOfWindow(const TcpSocketState& tcb, std::uint64_t inFlight);
    void UpdateRound();
    void UpdateMaxBandwidth();
    void AdaptLowerBounds(const TcpSocketState& tcb);

    using ExtraAckedFilter =
        WindowedFilter<std::uint64_t, MaxFilter<std::uint64_t>, std::uint32_t, std::uint32_t>;

    Bbr3SentHistory m_history;
    std::uint64_t m_delivered = 0;
    std::uint64_t m_lost = 0; ///< C.lost, bytes
    /// Packets that were sent with fewer bytes delivered were on the way when the window was last
    /// full.
    std::uint64_t m_limitedUntil = 0;

    std::uint64_t m_nextRoundDelivered = 0;
    std::uint64_t m_roundCount = 0;
    bool m_roundStart = false;

    std::uint64_t m_bandwidth = 0;
    std::array<std::uint64_t, 2>
        m_maxBandwidths{}; ///< maximum of the last ProbeBW cycle and of the current one, bit/s
    std::int64_t m_minRttNs = INT64_MAX;
    std::int64_t m_minRttStampNs = 0;
    std::int64_t m_probeRttMinNs = INT64_MAX;
    std::int64_t m_probeRttMinStampNs = 0;
    ExtraAckedFilter m_extraAckedFilter;
    std::int64_t m_extraAckedStartNs = 0;
    std::uint64_t m_extraAckedDelivered = 0;

    bool m_lossRoundStart = false;
    bool m_lossInRound = false;
    std::uint64_t m_lossRoundDelivered = 0;
    std::uint64_t m_latestBandwidth = 0;
    std::uint64_t m_latestInflight = 0;
    std::uint64_t m_heldFrom = s_infinite; ///< C.delivered when holding back began, bytes
    /// C.delivered at its end, bytes; samples between the two count as application-limited.
    std::uint64_t m_heldTo = 0;
};

} // namespace ns3
