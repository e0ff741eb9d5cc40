// SPDX-License-Identifier: GPL-2.0-only
// Implements BBR version 3 (draft-ietf-ccwg-bbr-06; section numbers are the draft's). It models the
// path by its bandwidth, its round trip and the data that it carries without loss, and paces by
// that model. It works in ns-3's own sockets too, which never report a spurious recovery.
//
// It infers what ns-3's interface does not tell. The bytes in flight when a packet was sent come
// from the acknowledgements (Bbr3SentHistory). Losses are counted per acknowledgement, so Startup
// counts acknowledgements that report a loss instead of discontiguous ranges (as Linux does). All
// connections are taken to have selective acknowledgements. The draft asks that marks of ECN be taken
// as congestion and does not say how (3.7). A mark counts as a loss in its round, and in a probe as
// too much loss.
#pragma once

#include "bulk-tcp/model/bbr3-control.h"
#include "bulk-tcp/model/bbr3-path-model.h"
#include "bulk-tcp/model/bbr3-phase.h"
#include "bulk-tcp/model/bbr3-probe-bw.h"
#include "bulk-tcp/model/bbr3-probe-rtt.h"
#include "bulk-tcp/model/bbr3-startup.h"
#include "bulk-tcp/model/spurious-loss-listener.h"

#include <ns3/tcp-congestion-ops.h>

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/// TcpBbr3 is the congestion control. The constants are its attributes, which Init() gives to the
/// model.
class TcpBbr3 : public TcpCongestionOps, public SpuriousLossListener, public Bbr3Constants
{
  public:
    using Phase = Bbr3PhaseName;

    static constexpr std::uint64_t s_infinite = Bbr3PathModel::s_infinite;

    static TypeId GetTypeId();

    TcpBbr3();
    TcpBbr3(const TcpBbr3& other) = default;

    /// Sets the number of the random stream from which the times between bandwidth probes are
    /// drawn.
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
    void OnRecoveryBegins(Ptr<TcpSocketState> tcb) override;
    void OnSpuriousRecovery(Ptr<TcpSocketState> tcb) override;

    const Bbr3Phase& GetPhase() const
    {
        return m_phase;
    }

    const Bbr3PathModel& Model() const
    {
        return m_model;
    }

    const Bbr3Startup& FullPipe() const
    {
        return m_startup;
    }

    const Bbr3ProbeBw& ProbeBw() const
    {
        return m_probeBw;
    }

    /// Returns the bounds at the begin of the last recovery: BBR.undo_bw_shortterm and others.
    const Bbr3Bounds& SavedBounds() const
    {
        return m_saved;
    }

    bool IsIdleRestart() const ///< BBR.idle_restart
    {
        return m_isIdleRestart;
    }

  private:
    void HandleCongestion(const TcpSocketState& tcb);
    void ReturnTo(Phase phase);
    void UpdateModelAndState(TcpSocketState& tcb);
    void LeaveStartupWhenFull(const TcpSocketState& tcb);
    void CheckProbeRtt(TcpSocketState& tcb, bool isDue);
    void LeaveProbeRttWhenDone(TcpSocketState& tcb, std::int64_t nowNs);
    void RestartFromIdle(TcpSocketState& tcb);

    Bbr3PathModel m_model;
    Bbr3Phase m_phase;
    Bbr3Startup m_startup;
    Bbr3Drain m_drain;
    Bbr3ProbeBw m_probeBw;
    Bbr3ProbeRtt m_probeRtt;
    Bbr3Control m_control;
    Bbr3Bounds m_saved;
    std::optional<Phase> m_endedByLoss; ///< BBR.undo_state: Startup or ProbeBW_UP, since m_saved
    bool m_isIdleRestart = false;
};

} // namespace ns3
