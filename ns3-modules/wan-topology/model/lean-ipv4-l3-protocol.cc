// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/lean-ipv4-l3-protocol.h"

#include "wan-topology/model/sized-queue-disc-item.h"

#include <ns3/arp-cache.h>
#include <ns3/ip-l4-protocol.h>
#include <ns3/ipv4-interface.h>
#include <ns3/ipv4-list-routing.h>
#include <ns3/ipv4-route.h>
#include <ns3/ipv4-static-routing.h>
#include <ns3/node.h>
#include <ns3/socket.h>
#include <ns3/trace-source-accessor.h>
#include <ns3/uinteger.h>

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LeanIpv4L3Protocol);

namespace
{

constexpr std::uint8_t tcpProtocol = 6; ///< in the IP header
constexpr std::int32_t loopbackInterface = 0;

/// These describe RFC 791's header without options.
constexpr std::size_t headerSize = 20;
constexpr std::uint8_t versionAndLength = 0x45;
constexpr std::uint8_t fragmentBits = 0x3f; ///< more fragments, and the high bits of the offset

/// WatchedSource is Ipv4L3Protocol's trace source of a name; it tells its object when somebody
/// connects.
class WatchedSource : public TraceSourceAccessor
{
  public:
    explicit WatchedSource(const std::string& name)
        : m_source(Ipv4L3Protocol::GetTypeId().LookupTraceSourceByName(name))
    {
    }

    bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        Watch(object);
        return m_source->ConnectWithoutContext(object, callback);
    }

    bool
    Connect(ObjectBase* object, std::string context, const CallbackBase& callback) const override
    {
        Watch(object);
        return m_source->Connect(object, context, callback);
    }

    bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        return m_source->DisconnectWithoutContext(object, callback);
    }

    bool
    Disconnect(ObjectBase* object, std::string context, const CallbackBase& callback) const override
    {
        return m_source->Disconnect(object, context, callback);
    }

  private:
    static void Watch(ObjectBase* object)
    {
        if (auto* protocol = dynamic_cast<LeanIpv4L3Protocol*>(object))
        {
            protocol->Watch();
        }
    }

    Ptr<const TraceSourceAccessor> m_source;
};

/// Puts a watched source in front of the parent's trace source.
void
WatchSource(TypeId id, const std::string& name, const std::string& signature)
{
    id.AddTraceSource(name, "As in Ipv4L3Protocol.", Create<WatchedSource>(name), signature);
}

bool
IsOwn(const Ipv4Interface& interface, Ipv4Address address)
{
    for (std::uint32_t i = 0; i < interface.GetNAddresses(); ++i)
    {
        if (interface.GetAddress(i).GetLocal() == address)
        {
            return true;
        }
    }
    return false;
}

/// Returns whether the packet is a whole TCP segment without IP options for an address of
/// `interface`.
bool
IsForTcp(const Packet& packet, const Ipv4Interface& interface)
{
    std::array<std::uint8_t, headerSize> header;
    return packet.CopyData(header.data(), headerSize) == headerSize &&
           header[0] == versionAndLength && (header[6] & fragmentBits) == 0 && header[7] == 0 &&
           header[9] == tcpProtocol && IsOwn(interface, Ipv4Address::Deserialize(&header[16]));
}

/// Takes the TTL or TOS that a socket has tagged a packet with, and removes the tag.
template <typename Tag, typename Get>
std::uint8_t
Take(Packet& packet, Get get, std::uint8_t otherwise)
{
    Tag tag;
    return packet.RemovePacketTag(tag) ? (tag.*get)() : otherwise;
}

} // namespace

TypeId
LeanIpv4L3Protocol::GetTypeId()
{
    static const TypeId id = []
    {
        TypeId made("geotrain::LeanIpv4L3Protocol");
        // ns-3 refuses a trace source whose name the parent has, so the parent is set after them.
        // Until then the type is its own parent, which is how ns-3 writes that there is none.
        made.SetParent(made);
        WatchSource(made, "Tx", "ns3::Ipv4L3Protocol::TxRxTracedCallback");
        WatchSource(made, "Rx", "ns3::Ipv4L3Protocol::TxRxTracedCallback");
        WatchSource(made, "SendOutgoing", "ns3::Ipv4L3Protocol::SentTracedCallback");
        WatchSource(made, "LocalDeliver", "ns3::Ipv4L3Protocol::SentTracedCallback");
        return made.SetParent<Ipv4L3Protocol>()
            .SetGroupName("WanTopology")
            .AddConstructor<LeanIpv4L3Protocol>();
    }();
    return id;
}

void
LeanIpv4L3Protocol::DoInitialize()
{
    Ipv4L3Protocol::DoInitialize();
    UintegerValue ttl;
    GetAttribute("DefaultTtl", ttl);
    m_ttl = static_cast<std::uint8_t>(ttl.Get());
    m_traffic = GetObject<TrafficControlLayer>();
    m_isReady = m_traffic && !Node::ChecksumEnabled();
}

void
LeanIpv4L3Protocol::SetRoutingProtocol(Ptr<Ipv4RoutingProtocol> routingProtocol)
{
    Ipv4L3Protocol::SetRoutingProtocol(routingProtocol);
    const TypeId type = routingProtocol->GetInstanceTypeId();
    m_routesPlainly =
        type == Ipv4ListRouting::GetTypeId() || type == Ipv4StaticRouting::GetTypeId();
}

Ptr<Socket>
LeanIpv4L3Protocol::CreateRawSocket()
{
    Watch();
    return Ipv4L3Protocol::CreateRawSocket();
}

void
LeanIpv4L3Protocol::Watch()
{
    m_isWatched = true;
}

bool
LeanIpv4L3Protocol::IsLean() const
{
    return m_isReady && !m_isWatched;
}

bool
LeanIpv4L3Protocol::Deliver(Ptr<NetDevice> device, Ptr<const Packet> packet)
{
    const std::int32_t index =
        IsLean() && m_routesPlainly ? GetInterfaceForDevice(device) : std::int32_t{-1};
    if (index < 0)
    {
        return false;
    }
    const Ptr<Ipv4Interface> interface = GetInterface(static_cast<std::uint32_t>(index));
    if (!interface->IsUp() || interface->GetArpCache() || !IsForTcp(*packet, *interface))
    {
        return false;
    }
    const Ptr<IpL4Protocol> protocol = GetProtocol(tcpProtocol, index);
    if (!protocol)
    {
        return false;
    }
    const Ptr<Packet> segment = packet->Copy();
    Ipv4Header header;
    segment->RemoveHeader(header);
    if (header.GetPayloadSize() < segment->GetSize()) // the padding of a device
    {
        segment->RemoveAtEnd(segment->GetSize() - header.GetPayloadSize());
    }
    protocol->Receive(segment, header, interface); // TCP answers by itself what it can't take
    return true;
}

void
LeanIpv4L3Protocol::Send(Ptr<Packet> packet,
                         Ipv4Address source,
                         Ipv4Address destination,
                         uint8_t protocol,
                         Ptr<Ipv4Route> route)
{
    if (IsLean() && protocol == tcpProtocol && route &&
        MaySendByDevice(*packet, destination, *route))
    {
        const Ipv4Header header = MakeHeader(*packet, source, destination);
        const Ptr<NetDevice> device = route->GetOutputDevice();
        m_traffic->Send(
            device,
            Create<SizedQueueDiscItem>(packet, device->GetBroadcast(), PROT_NUMBER, header));
        return;
    }
    Ipv4L3Protocol::Send(packet, source, destination, protocol, route);
}

/// Returns whether all that is left to do for a packet is to hand it to the device of its route: it
/// needs no fragments and no address resolution, and does not go back to this node.
bool
LeanIpv4L3Protocol::MaySendByDevice(const Packet& packet,
                                    Ipv4Address destination,
                                    const Ipv4Route& route) const
{
    const Ptr<NetDevice> device = route.GetOutputDevice();
    const std::int32_t index = GetInterfaceForDevice(device);
    if (index <= loopbackInterface || packet.GetSize() + headerSize > device->GetMtu() ||
        device->NeedsArp())
    {
        return false;
    }
    const Ipv4Address gateway = route.GetGateway();
    const Ptr<Ipv4Interface> interface = GetInterface(static_cast<std::uint32_t>(index));
    return interface->IsUp() && gateway.IsInitialized() &&
           !IsOwn(*interface, gateway.IsAny() ? destination : gateway);
}

Ipv4Header
LeanIpv4L3Protocol::MakeHeader(Packet& packet, Ipv4Address source, Ipv4Address destination)
{
    Ipv4Header header;
    header.SetSource(source);
    header.SetDestination(destination);
    header.SetProtocol(tcpProtocol);
    header.SetPayloadSize(static_cast<std::uint16_t>(packet.GetSize()));
    header.SetTtl(m_ttl);
    if (packet.GetPacketTagIterator().HasNext())
    {
        header.SetTtl(Take<SocketIpTtlTag>(packet, &SocketIpTtlTag::GetTtl, m_ttl));
        header.SetTos(Take<SocketIpTosTag>(packet, &SocketIpTosTag::GetTos, 0));
    }
    header.SetMayFragment();
    header.SetIdentification(m_identification++);
    return header;
}

void
LeanIpv4L3Protocol::DoDispose()
{
    m_traffic = nullptr;
    Ipv4L3Protocol::DoDispose();
}

} // namespace ns3
