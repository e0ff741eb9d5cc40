// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/flow-hash-filter.h"

#include <ns3/fq-cobalt-queue-disc.h>
#include <ns3/fq-codel-queue-disc.h>
#include <ns3/fq-pie-queue-disc.h>
#include <ns3/hash.h>
#include <ns3/ipv4-queue-disc-item.h>
#include <ns3/uinteger.h>

#include <array>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FlowHashFilter);

namespace
{

constexpr std::uint8_t tcp = 6;
constexpr std::uint8_t udp = 17;

/// The key has Ipv4QueueDiscItem::Hash's layout: source, destination, protocol, ports,
/// perturbation, big-endian.
constexpr std::size_t keySize = 17;
constexpr std::size_t portsAt = 9;
constexpr std::size_t perturbationAt = 13;

} // namespace

TypeId
FlowHashFilter::GetTypeId()
{
    static TypeId id = TypeId("geotrain::FlowHashFilter")
                           .SetParent<Ipv4PacketFilter>()
                           .SetGroupName("WanTopology")
                           .AddConstructor<FlowHashFilter>();
    return id;
}

void
FlowHashFilter::Install(Ptr<QueueDisc> disc)
{
    const bool fair = DynamicCast<FqCoDelQueueDisc>(disc) || DynamicCast<FqPieQueueDisc>(disc) ||
                      DynamicCast<FqCobaltQueueDisc>(disc);
    if (!fair || disc->GetNPacketFilters() > 0)
    {
        return;
    }
    const Ptr<FlowHashFilter> filter = CreateObject<FlowHashFilter>();
    UintegerValue perturbation;
    disc->GetAttribute("Perturbation", perturbation);
    filter->m_perturbation = static_cast<std::uint32_t>(perturbation.Get());
    disc->AddPacketFilter(filter);
}

int32_t
FlowHashFilter::DoClassify(Ptr<QueueDiscItem> item) const
{
    const Ipv4Header& ip = StaticCast<Ipv4QueueDiscItem>(item)->GetHeader();
    std::array<std::uint8_t, keySize> key{};
    ip.GetSource().Serialize(&key[0]);
    ip.GetDestination().Serialize(&key[4]);
    key[8] = ip.GetProtocol();
    if ((key[8] == tcp || key[8] == udp) && ip.GetFragmentOffset() == 0)
    {
        item->GetPacket()->CopyData(&key[portsAt], 4);
    }
    for (std::size_t i = 0; i < 4; ++i)
    {
        key[perturbationAt + i] = static_cast<std::uint8_t>(m_perturbation >> (24 - 8 * i));
    }
    // A filter's -1 would mean that no flow was found.
    const auto hash =
        static_cast<int32_t>(Hash32(reinterpret_cast<const char*>(key.data()), key.size()));
    return hash == PacketFilter::PF_NO_MATCH ? 0 : hash;
}

} // namespace ns3
