// SPDX-License-Identifier: GPL-2.0-only
// Implements Vegas (Brakmo and Peterson, IEEE JSAC 13(8), 1995) as Linux has it: ns-3's, but a loss
// leaves half of the window, as of Reno. ns-3's takes one segment, so that it pushes aside whatever
// yields to losses. It works in ns-3's own sockets too.
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

    std::string GetName() const override;
    std::uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb,
                              std::uint32_t bytesInFlight) override;
    void IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> tcb, std::uint32_t segmentsAcked) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

  private:
    bool m_isIncreasing = false; ///< ns-3's asks for a threshold where there is no loss
};

} // namespace geotrain
