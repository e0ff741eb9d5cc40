// SPDX-License-Identifier: GPL-2.0-only
// Hosts a congestion control of ns-3 and keeps its congestion window at or below a bound, as
// Linux's snd_cwnd_clamp does. ns-3 3.37 lets the window grow while the receiver's window is the
// limit, and on a long transfer its 32 bits wrap. With a bound of twice the receiver's window, the
// network sees no difference while the receiver's window is the limit. The class also gives access
// to the socket's state.
#pragma once

#include "ns3/tcp-congestion-ops.h"

namespace ns3
{

/// BoundedCongestionOps forwards every call to the hosted control and then bounds the window.
class BoundedCongestionOps : public TcpCongestionOps
{
  public:
    static TypeId GetTypeId();

    /// `hosted` is the control, and `bound` is in bytes.
    BoundedCongestionOps(Ptr<TcpCongestionOps> hosted, std::uint32_t bound);

    /// Hosts a copy of the control that `other` hosts.
    BoundedCongestionOps(const BoundedCongestionOps& other);

    /// Returns the state of the socket that this was installed on; null before.
    Ptr<TcpSocketState> State() const;

    std::string GetName() const override;
    void Init(Ptr<TcpSocketState> tcb) override;
    std::uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, std::uint32_t bytesInFlight) override;
    void IncreaseWindow(Ptr<TcpSocketState> tcb, std::uint32_t segmentsAcked) override;
    void PktsAcked(Ptr<TcpSocketState> tcb, std::uint32_t segmentsAcked, const Time& rtt) override;
    void CongestionStateSet(Ptr<TcpSocketState> tcb,
                            const TcpSocketState::TcpCongState_t newState) override;
    void CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event) override;
    bool HasCongControl() const override;
    void CongControl(Ptr<TcpSocketState> tcb,
                     const TcpRateOps::TcpRateConnection& rc,
                     const TcpRateOps::TcpRateSample& rs) override;
    Ptr<TcpCongestionOps> Fork() override;

  private:
    void Bound(TcpSocketState& tcb) const;

    Ptr<TcpCongestionOps> m_hosted;
    Ptr<TcpSocketState> m_state;
    std::uint32_t m_bound = 0;
};

} // namespace ns3
