// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/lean-traffic-control-layer.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LeanTrafficControlLayer);

TypeId
LeanTrafficControlLayer::GetTypeId()
{
    static TypeId id = TypeId("geotrain::LeanTrafficControlLayer")
                           .SetParent<TrafficControlLayer>()
                           .SetGroupName("WanTopology")
                           .AddConstructor<LeanTrafficControlLayer>();
    return id;
}

TypeId
LeanTrafficControlLayer::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
LeanTrafficControlLayer::NotifyNewAggregate()
{
    m_ipv4 = GetObject<LeanIpv4L3Protocol>();
    TrafficControlLayer::NotifyNewAggregate();
}

void
LeanTrafficControlLayer::Receive(Ptr<NetDevice> device,
                                 Ptr<const Packet> packet,
                                 uint16_t protocol,
                                 const Address& from,
                                 const Address& to,
                                 NetDevice::PacketType packetType)
{
    const bool isDelivered =
        m_ipv4 && protocol == Ipv4L3Protocol::PROT_NUMBER && m_ipv4->Deliver(device, packet);
    if (!isDelivered)
    {
        TrafficControlLayer::Receive(device, packet, protocol, from, to, packetType);
    }
}

void
LeanTrafficControlLayer::DoDispose()
{
    m_ipv4 = nullptr;
    TrafficControlLayer::DoDispose();
}

} // namespace ns3
