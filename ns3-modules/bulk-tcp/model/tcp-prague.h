// SPDX-License-Identifier: GPL-2.0-only
// Implements Prague, the scalable control of L4S (RFC 9330): draft-briscoe-iccrg-prague-congestion-
// control-04, with the choices of Linux's tcp_prague.c by the L4S team. It sends ECT(1), hears by
// AccECN how many packets were marked, and reduces by half of their smoothed share, once per round
// trip. It does not look for bottlenecks that mark as RFC 3168 says without a queue for L4S (RFC 9331,
// 4.3), where it takes more than its share.
#pragma once

#include "bulk-tcp/model/accurate-ecn.h"
#include "bulk-tcp/model/spurious-loss-listener.h"

#include <ns3/nstime.h>
#include <ns3/sequence-number.h>
#include <ns3/tcp-congestion-ops.h>

#include <cstdint>
#include <string>

namespace geotrain
{

/// TcpPrague is the congestion control. Without AccECN it is Reno.
class TcpPrague : public ns3::TcpCongestionOps,
                  public ns3::SpuriousLossListener,
                  public ns3::AccurateEcnListener
{
  public:
    static ns3::TypeId GetTypeId();

    std::string GetName() const override;
    void Init(ns3::Ptr<ns3::TcpSocketState> tcb) override;

    bool HasCongControl() const override
    {
        return true;
    }

    void CongControl(ns3::Ptr<ns3::TcpSocketState> tcb,
                     const ns3::TcpRateOps::TcpRateConnection& connection,
                     const ns3::TcpRateOps::TcpRateSample& sample) override;
    std::uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb,
                              std::uint32_t bytesInFlight) override;
    void IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> tcb, std::uint32_t segmentsAcked) override;
    void CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> tcb,
                            ns3::TcpSocketState::TcpCongState_t newState) override;
    void CwndEvent(ns3::Ptr<ns3::TcpSocketState> tcb,
                   ns3::TcpSocketState::TcpCAEvent_t event) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

    void OnFeedback(const ns3::AccurateEcnFeedback& feedback) override;

    void OnRecoveryBegins(ns3::Ptr<ns3::TcpSocketState> tcb) override;
    void OnSpuriousRecovery(ns3::Ptr<ns3::TcpSocketState> tcb) override;

    /// Returns the smoothed share of marked bytes, 0 to 1.
    double Alpha() const
    {
        return m_alpha;
    }

  private:
    bool IsRttIndependent(const ns3::TcpSocketState& tcb) const;
    double IncreaseFactor(const ns3::TcpSocketState& tcb) const;
    void MeasureRtt(const ns3::TcpSocketState& tcb);
    void ReduceForMarks(ns3::TcpSocketState& tcb);
    void Grow(ns3::TcpSocketState& tcb, double unmarkedBytes);
    void ApplyCarry(ns3::TcpSocketState& tcb, double deliveredBytes);
    void EndRound(const ns3::TcpSocketState& tcb);
    void UpdatePace(ns3::TcpSocketState& tcb) const;

    ns3::Time m_virtualRtt; ///< attribute; 0: growth by round trips, as Reno's

    ns3::AccurateEcnFeedback m_feedback; ///< of the acknowledgement in work
    bool m_hasSeenMark = false;
    double m_alpha = 1;
    double m_carry = 0;               ///< bytes by which the window is still to change
    double m_carryBeforeRecovery = 0; ///< the same, before a loss reduced it
    double m_smoothedRtt = 0;         ///< seconds; 0: unknown
    std::uint32_t m_rounds = 0;       ///< round trips outside of slow start

    // This round trip, of which alpha's update is made:
    ns3::SequenceNumber32 m_roundEnd;
    double m_roundDelivered = 0; ///< bytes
    double m_roundMarked = 0;    ///< bytes
    ns3::Time m_alphaUpdated;

    // The last reduction for marks:
    ns3::SequenceNumber32 m_reducedUntil; ///< no other one before this is acknowledged
    ns3::Time m_reduced;
};

} // namespace geotrain
