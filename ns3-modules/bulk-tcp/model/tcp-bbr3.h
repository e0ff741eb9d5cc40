// BBR version 3 (draft-ietf-ccwg-bbr-05; the section beside each part is the draft's): it models the path by its
// bandwidth, its round trip and what it carries without loss, and paces by that. It works in ns-3's own sockets too.
//
// What ns-3's interface does not tell is inferred: what was in flight when a packet was sent from the acknowledgements
// (Bbr3SentHistory), losses an acknowledgement at a time, so that Startup's discontiguous ranges are acknowledgements
// that report a loss (as in Linux). Left out: undoing a spurious recovery (5.5.11), of which nothing tells.
#pragma once

#include "bulk-tcp/model/bbr3-sent-history.h"

#include <ns3/random-variable-stream.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/windowed-filter.h>

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{

class TcpBbr3 : public TcpCongestionOps
{
  public:
    enum class Phase
    {
        Startup,
        Drain,
        ProbeBwDown,
        ProbeBwCruise,
        ProbeBwRefill,
        ProbeBwUp,
        ProbeRtt
    };

    static constexpr std::uint64_t s_infinite = UINT64_MAX;

    static TypeId GetTypeId();

    TcpBbr3();
    TcpBbr3(const TcpBbr3& other) = default;

    /// Numbers the stream that the times between bandwidth probes are drawn from.
    void SetStream(std::int64_t stream);

    std::string GetName() const override;
    void Init(Ptr<TcpSocketState> tcb) override;
    std::uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, std::uint32_t bytesInFlight) override;
    void IncreaseWindow(Ptr<TcpSocketState> tcb, std::uint32_t segmentsAcked) override;
    void CongestionStateSet(Ptr<TcpSocketState> tcb,
                            TcpSocketState::TcpCongState_t newState) override;
    void CwndEvent(Ptr<TcpSocketState> tcb, TcpSocketState::TcpCAEvent_t event) override;
    bool HasCongControl() const override;
    void CongControl(Ptr<TcpSocketState> tcb,
                     const TcpRateOps::TcpRateConnection& connection,
                     const TcpRateOps::TcpRateSample& sample) override;
    Ptr<TcpCongestionOps> Fork() override;

    Phase GetPhase() const;
    double PacingGain() const;
    double CwndGain() const;
    std::uint64_t MaxBandwidth() const;       ///< BBR.max_bw, bit/s
    std::uint64_t ShortTermBandwidth() const; ///< BBR.bw_shortterm, bit/s, or s_infinite
    std::uint64_t ShortTermInflight() const;  ///< BBR.inflight_shortterm, bytes, or s_infinite
    std::uint64_t LongTermInflight() const;   ///< BBR.inflight_longterm, bytes, or s_infinite

  private:
    enum class AckPhase
    {
        Init,
        Refilling,
        ProbeStarting,
        ProbeFeedback,
        ProbeStopping
    };

    /// RS and C of the draft at the acknowledgement in work.
    struct Sample
    {
        std::int64_t nowNs;
        std::int64_t rttNs;
        std::uint64_t rate;           ///< RS.delivery_rate, bit/s
        std::uint64_t delivered;      ///< RS.delivered, bytes
        std::uint64_t priorDelivered; ///< RS.prior_delivered, bytes
        std::uint64_t newlyAcked;     ///< bytes
        std::uint64_t newlyLost;      ///< bytes
        std::uint64_t txInFlight;     ///< bytes
        std::uint64_t lost;           ///< bytes, since the packet was sent
        bool appLimited;
        bool windowLimited; ///< C.is_cwnd_limited
    };

    // The state machine, 5.3 and 5.4 (tcp-bbr3.cc)
    void Take(TcpSocketState& tcb,
              const TcpRateOps::TcpRateConnection& connection,
              const TcpRateOps::TcpRateSample& sample);
    void UpdateModelAndState(TcpSocketState& tcb);
    void Enter(Phase phase);
    void EnterStartup();
    void ResetFullBandwidth();
    void CheckFullBandwidthReached();
    void CheckStartupHighLoss(const TcpSocketState& tcb);
    void CheckStartupDone(const TcpSocketState& tcb);
    void CheckDrainDone(const TcpSocketState& tcb);
    void UpdateProbeBwCycle(const TcpSocketState& tcb);
    bool IsInProbeBw() const;
    bool IsProbingBandwidth() const;
    bool IsTimeToProbe(const TcpSocketState& tcb);
    bool IsTimeToCruise(const TcpSocketState& tcb) const;
    bool IsTimeToGoDown(const TcpSocketState& tcb);
    void StartDown();
    void StartRefill();
    void StartUp(const TcpSocketState& tcb);
    void PickProbeWait();
    void CheckProbeRtt(TcpSocketState& tcb);
    void HandleProbeRtt(TcpSocketState& tcb);
    void CheckProbeRttDone(TcpSocketState& tcb, std::int64_t nowNs);
    void HandleRestartFromIdle(TcpSocketState& tcb);

    // The model of the path, 5.5 (tcp-bbr3-model.cc)
    void StartRound();
    void UpdateRound();
    void UpdateMaxBandwidth();
    void AdvanceMaxBandwidthFilter();
    void UpdateMinRtt();
    void UpdateAckAggregation(const TcpSocketState& tcb);
    void UpdateLatestDeliverySignals();
    void AdvanceLatestDeliverySignals();
    void ResetCongestionSignals();
    void UpdateCongestionSignals(const TcpSocketState& tcb);
    void AdaptLowerBounds(const TcpSocketState& tcb);
    void ResetShortTermModel();
    void AdaptLongTermModel(const TcpSocketState& tcb);
    void RaiseLongTermSlope(const TcpSocketState& tcb);
    void ProbeInflightUpward(const TcpSocketState& tcb);
    void NoteLoss();
    void HandleLoss(const TcpSocketState& tcb);
    bool IsInflightTooHigh() const;
    std::uint64_t InflightAtLoss() const;

    // Pacing rate and window, 5.6 (tcp-bbr3-control.cc)
    void InitPacingRate(TcpSocketState& tcb);
    void SetPacingRate(TcpSocketState& tcb, double gain);
    void SetWindow(TcpSocketState& tcb);
    void BoundWindowForModel(TcpSocketState& tcb) const;
    void SaveWindow(const TcpSocketState& tcb);
    void RestoreWindow(TcpSocketState& tcb) const;
    std::uint64_t
    BdpMultiple(const TcpSocketState& tcb, std::uint64_t bandwidth, double gain) const;
    std::uint64_t QuantizationBudget(const TcpSocketState& tcb, std::uint64_t inflight) const;
    std::uint64_t Inflight(const TcpSocketState& tcb, std::uint64_t bandwidth, double gain) const;
    std::uint64_t InflightWithHeadroom(const TcpSocketState& tcb) const;
    std::uint64_t TargetInflight(const TcpSocketState& tcb) const;
    std::uint64_t ProbeRttWindow(const TcpSocketState& tcb) const;

    using ExtraAckedFilter =
        WindowedFilter<std::uint64_t, MaxFilter<std::uint64_t>, std::uint32_t, std::uint32_t>;

    Ptr<UniformRandomVariable> m_random;
    Sample m_rs{};
    Bbr3SentHistory m_history;
    std::uint64_t m_delivered = 0; ///< C.delivered, bytes
    std::uint64_t m_lost = 0;      ///< C.lost, bytes

    Phase m_phase = Phase::Startup;
    double m_pacingGain = 0;
    double m_cwndGain = 0;
    bool m_rttSeen = false; ///< the pacing rate is of a measured round trip

    std::uint64_t m_nextRoundDelivered = 0;
    std::uint64_t m_roundCount = 0;
    bool m_roundStart = false;

    bool m_fullReached = false; ///< BBR.full_bw_reached
    bool m_fullNow = false;     ///< BBR.full_bw_now
    std::uint64_t m_fullBandwidth = 0;
    std::uint32_t m_fullCount = 0;
    std::uint32_t m_lossEventsInRound = 0;
    std::uint64_t m_drainStartRound = 0;

    std::uint64_t m_bandwidth = 0; ///< BBR.bw, bit/s
    std::array<std::uint64_t, 2>
        m_maxBandwidths{}; ///< of the ProbeBW cycle before and of this one, bit/s
    std::int64_t m_minRttNs = INT64_MAX;
    std::int64_t m_minRttStampNs = 0;
    ExtraAckedFilter m_extraAckedFilter;
    std::int64_t m_extraAckedStartNs = 0;
    std::uint64_t m_extraAckedDelivered = 0;

    bool m_lossRoundStart = false;
    bool m_lossInRound = false;
    std::uint64_t m_lossRoundDelivered = 0;
    std::uint64_t m_latestBandwidth = 0;
    std::uint64_t m_latestInflight = 0;
    std::uint64_t m_shortTermBandwidth = s_infinite;
    std::uint64_t m_shortTermInflight = s_infinite;
    std::uint64_t m_longTermInflight = s_infinite;

    AckPhase m_ackPhase = AckPhase::Init;
    bool m_probeSamples = false; ///< BBR.bw_probe_samples
    std::int64_t m_cycleStampNs = 0;
    std::int64_t m_probeWaitNs = 0;
    std::uint64_t m_roundsSinceProbe = 0;
    std::uint32_t m_probeUpRounds = 0;
    std::uint64_t m_probeUpAcks = 0;           ///< bytes
    std::uint64_t m_probeUpCount = s_infinite; ///< bytes acknowledged for one byte of growth

    std::int64_t m_probeRttMinNs = INT64_MAX;
    std::int64_t m_probeRttMinStampNs = 0;
    std::int64_t m_probeRttDoneNs = 0; ///< 0: not known yet
    bool m_probeRttExpired = false;
    bool m_probeRttRoundDone = false;
    std::uint64_t m_lowFrom =
        s_infinite; ///< packets sent from here on, in delivered bytes, up to m_lowTo were held back
    std::uint64_t m_lowTo = 0; ///< by ProbeRTT and tell nothing of the bandwidth
    bool m_idleRestart = false;
    std::uint64_t m_priorWindow = 0;
};

} // namespace ns3
