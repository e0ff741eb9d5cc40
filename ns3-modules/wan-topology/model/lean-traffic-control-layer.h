// SPDX-License-Identifier: GPL-2.0-only
// Extends ns-3's TrafficControlLayer: it first offers each packet to LeanIpv4L3Protocol's short way
// up.
#pragma once

#include "wan-topology/model/lean-ipv4-l3-protocol.h"

#include <ns3/traffic-control-layer.h>

namespace ns3
{

/// LeanTrafficControlLayer is the traffic control of a node in a built WAN.
class LeanTrafficControlLayer : public TrafficControlLayer
{
  public:
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;

    void Receive(Ptr<NetDevice> device,
                 Ptr<const Packet> packet,
                 uint16_t protocol,
                 const Address& from,
                 const Address& to,
                 NetDevice::PacketType packetType) override;

  protected:
    void NotifyNewAggregate() override;
    void DoDispose() override;

  private:
    Ptr<LeanIpv4L3Protocol> m_ipv4; ///< IPv4 of the same node; none: everything goes the long way
};

} // namespace ns3
