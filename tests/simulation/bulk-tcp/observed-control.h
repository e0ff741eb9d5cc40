// SPDX-License-Identifier: GPL-2.0-only
// Defines a congestion control that hosts another one and logs how it is called, so that
// TcpSocketBase and bulk-tcp can be compared call by call.
#pragma once

#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

class ObservedControl : public TcpCongestionOps
{
  public:
    struct Call
    {
        std::int64_t ns;
        std::string what;       ///< the function with its argument
        std::uint32_t cwnd;     ///< bytes, before the call
        std::uint32_t ssthresh; ///< bytes
        std::uint32_t inFlight; ///< bytes
        std::int64_t rttNs;
        std::uint32_t ackedUpTo;
        std::uint32_t nextTx;
    };

    using Log = std::vector<Call>;

    static TypeId GetTypeId();

    ObservedControl();
    ObservedControl(const ObservedControl& other);

    /// `hosted` does the work. `log` may be null, and then nothing is logged.
    void Host(Ptr<TcpCongestionOps> hosted, std::shared_ptr<Log> log);

    /// Returns the number of round trips that ended in congestion avoidance (cwnd at least
    /// ssthresh).
    std::uint64_t RoundsInAvoidance() const;

    std::string GetName() const override;
    void Init(Ptr<TcpSocketState> tcb) override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    void IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;
    void PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override;
    void CongestionStateSet(Ptr<TcpSocketState> tcb,
                            const TcpSocketState::TcpCongState_t newState) override;
    void CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event) override;
    bool HasCongControl() const override;
    void CongControl(Ptr<TcpSocketState> tcb,
                     const TcpRateOps::TcpRateConnection& rc,
                     const TcpRateOps::TcpRateSample& rs) override;
    Ptr<TcpCongestionOps> Fork() override;

  private:
    void Note(const TcpSocketState& tcb, const std::string& what) const;

    Ptr<TcpCongestionOps> m_hosted;
    std::shared_ptr<Log> m_log;
    std::uint64_t m_rounds = 0;
    SequenceNumber32 m_roundEnd{0};
};

std::ostream& operator<<(std::ostream& out, const ObservedControl::Call& call);

} // namespace ns3
