// SPDX-License-Identifier: GPL-2.0-only
// Implements Vegas (Brakmo and Peterson, IEEE JSAC 13(8), 1995) as Linux has it: ns-3's, but a loss
// leaves half of the window, as of Reno, and what is sent after a pause measures the path anew
// (tcp_vegas_cwnd_event). ns-3's takes one segment for a loss, so that it pushes aside whatever
// yields to losses, and keeps the least round trip of its whole life. It works in ns-3's own sockets
// too.
#pragma once

#include <ns3/tcp-vegas.h>

#include <cstdint>
#include <string>

namespace geotrain
{

/// TcpVegas is the congestion control. ns-3 has a class of the same name in its own namespace.
class TcpVegas : public ns3::TcpVegas
{
  public:
    static ns3::TypeId GetTypeId();

    TcpVegas() = default;
    TcpVegas(const TcpVegas& other);

    std::string GetName() const override;
    void Init(ns3::Ptr<ns3::TcpSocketState> tcb) override;
    std::uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb,
                              std::uint32_t bytesInFlight) override;
    void PktsAcked(ns3::Ptr<ns3::TcpSocketState> tcb,
                   std::uint32_t segmentsAcked,
                   const ns3::Time& rtt) override;
    void CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> tcb,
                            const ns3::TcpSocketState::TcpCongState_t newState) override;
    void IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> tcb, std::uint32_t segmentsAcked) override;
    void CwndEvent(ns3::Ptr<ns3::TcpSocketState> tcb,
                   ns3::TcpSocketState::TcpCAEvent_t event) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

  private:
    ns3::Ptr<ns3::TcpVegas> m_measuring; ///< what has measured since the last pause
};

} // namespace geotrain
