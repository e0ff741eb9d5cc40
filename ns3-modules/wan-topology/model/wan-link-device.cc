// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/wan-link-device.h"

#include <ns3/channel.h>
#include <ns3/ipv4-header.h>
#include <ns3/ipv4-l3-protocol.h>
#include <ns3/make-event.h>
#include <ns3/net-device-queue-interface.h>
#include <ns3/node.h>
#include <ns3/simulator.h>
#include <ns3/uinteger.h>

#include <array>
#include <utility>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

NS_OBJECT_ENSURE_REGISTERED(WanLinkDevice);

namespace
{

/// Packets that the device holds with flow control: the packet being sent and one behind it, so
/// that the link never idles.
constexpr std::uint32_t heldWithFlowControl = 2;

Instant
SimulatedNow()
{
    return Instant::FromNanoseconds(Simulator::Now().GetTimeStep());
}

Time
From(Instant now, Instant at)
{
    return TimeStep(static_cast<std::uint64_t>((at - now).ToNanoseconds()));
}

/// Returns a copy that has experienced congestion (RFC 3168).
Ptr<Packet>
MarkedCopy(const Packet& packet)
{
    const Ptr<Packet> copy = packet.Copy();
    Ipv4Header header;
    copy->RemoveHeader(header);
    header.SetEcn(Ipv4Header::ECN_CE);
    if (Node::ChecksumEnabled())
    {
        header.EnableChecksum();
    }
    copy->AddHeader(header);
    return copy;
}

} // namespace

TypeId
WanLinkDevice::GetTypeId()
{
    static TypeId id =
        TypeId("geotrain::WanLinkDevice")
            .SetParent<NetDevice>()
            .SetGroupName("WanTopology")
            .AddConstructor<WanLinkDevice>()
            .AddAttribute("Mtu",
                          "Largest IP packet, in bytes.",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&WanLinkDevice::m_mtu),
                          MakeUintegerChecker<uint16_t>(576))
            .AddTraceSource("MacTx",
                            "A packet was handed to the device to be sent.",
                            MakeTraceSourceAccessor(&WanLinkDevice::m_macTx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A shaper, a policer, the link's queue or its AQM dropped a packet.",
                            MakeTraceSourceAccessor(&WanLinkDevice::m_macTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxDrop",
                            "A packet was lost on the wire, at random or in an outage.",
                            MakeTraceSourceAccessor(&WanLinkDevice::m_phyTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet has arrived and goes up the stack.",
                            MakeTraceSourceAccessor(&WanLinkDevice::m_macRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource(
                "PromiscSniffer",
                "Packets given to the link and packets that arrive, as raw IP (pcap's DLT_RAW).",
                MakeTraceSourceAccessor(&WanLinkDevice::m_sniffer),
                "ns3::Packet::TracedCallback");
    return id;
}

WanLinkDevice::WanLinkDevice()
    : m_arrivalEvent(MakeEvent(&WanLinkDevice::Arrive, this), false),
      m_departureEvent(MakeEvent(&WanLinkDevice::Departed, this), false),
      m_address(Mac48Address::Allocate())
{
}

WanLinkDevice::~WanLinkDevice() = default;

void
WanLinkDevice::Connect(const LinkModel::Settings& settings, Ptr<WanLinkDevice> peer)
{
    m_link = std::make_unique<LinkModel>(settings);
    m_peer = peer;
    m_linkChange();
}

void
WanLinkDevice::SetShaping(std::unique_ptr<NodeShaping> shaping)
{
    m_shaping = std::move(shaping);
}

void
WanLinkDevice::UseFlowControl()
{
    m_txQueue = GetObject<NetDeviceQueueInterface>()->GetTxQueue(0);
}

void
WanLinkDevice::CountSource(Ipv4Address network, Ipv4Mask mask)
{
    m_countsSource = true;
    m_countedNetwork = network;
    m_countedMask = mask;
}

bool
WanLinkDevice::Send(Ptr<Packet> packet, const Address& /*dest*/, uint16_t protocolNumber)
{
    const Frame frame{packet, protocolNumber};
    m_macTx(packet);
    if (!m_shaping)
    {
        return Transmit(frame);
    }
    switch (m_shaping->Offer(SimulatedNow(), frame))
    {
    case NodeShaping::Verdict::Pass:
        return Transmit(frame);
    case NodeShaping::Verdict::Held:
        ScheduleRelease(SimulatedNow());
        return true;
    case NodeShaping::Verdict::Dropped:
        break;
    }
    m_macTxDrop(packet);
    return false;
}

void
WanLinkDevice::ScheduleRelease(Instant now)
{
    const Instant at = *m_shaping->NextRelease(now);
    if (at <= now)
    {
        ReleaseShaped();
    }
    else if (!m_releaseEvent.IsRunning() || at < m_releaseAt)
    {
        m_releaseEvent.Cancel();
        m_releaseAt = at;
        m_releaseEvent = Simulator::Schedule(From(now, at), &WanLinkDevice::ReleaseShaped, this);
    }
}

void
WanLinkDevice::ReleaseShaped()
{
    const Instant now = SimulatedNow();
    while (m_shaping->ReleaseTo(
        now, [this](const Frame& frame, geotrain::Instant /*last*/) { Transmit(frame); }))
    {
    }
    if (m_shaping->NextRelease(now))
    {
        ScheduleRelease(now);
    }
}

bool
WanLinkDevice::Transmit(const Frame& frame)
{
    const Bytes size = Bytes::Of(frame.packet->GetSize());
    const LinkModel::Outcome outcome =
        m_link->Offer(SimulatedNow(), size, m_link->MayMark() && IsEcnCapable(frame));
    if (outcome.verdict == LinkModel::Verdict::QueueFull)
    {
        m_macTxDrop(frame.packet);
        return false;
    }
    m_sniffer(frame.packet);
    CountLocal(*frame.packet);
    if (m_txQueue)
    {
        HoldUntil(outcome.departure);
    }
    if (outcome.verdict == LinkModel::Verdict::Lost)
    {
        m_phyTxDrop(frame.packet);
        return true;
    }
    Launch(outcome, frame);
    return true;
}

bool
WanLinkDevice::IsEcnCapable(const Frame& frame) const
{
    std::array<std::uint8_t, 2> header; // up to RFC 3168's two bits
    return frame.protocol == Ipv4L3Protocol::PROT_NUMBER &&
           frame.packet->CopyData(header.data(), header.size()) == header.size() &&
           (header[1] & 3) != 0;
}

void
WanLinkDevice::CountLocal(const Packet& packet)
{
    if (!m_countsSource)
    {
        return;
    }
    std::array<std::uint8_t, 16> header; // up to the source address of RFC 791's header
    if (packet.CopyData(header.data(), header.size()) == header.size() &&
        m_countedMask.IsMatch(Ipv4Address::Deserialize(&header[12]), m_countedNetwork))
    {
        m_localBytes += packet.GetSize();
    }
}

void
WanLinkDevice::Launch(const LinkModel::Outcome& outcome, const Frame& frame)
{
    if (!m_link->IsImpaired())
    {
        LaunchOne(outcome.arrival, frame);
        return;
    }
    const Frame sent{outcome.marked ? MarkedCopy(*frame.packet) : frame.packet, frame.protocol};
    LaunchOne(outcome.arrival, sent);
    if (outcome.duplicated)
    {
        // The duplicate is a packet of its own, since its receiver may change it.
        LaunchOne(outcome.copyArrival, {sent.packet->Copy(), sent.protocol});
    }
}

void
WanLinkDevice::LaunchOne(Instant arrival, const Frame& frame)
{
    if (m_link->MayReorder())
    {
        Simulator::ScheduleWithContext(m_peer->GetNode()->GetId(),
                                       From(SimulatedNow(), arrival),
                                       [peer = m_peer, frame] { peer->Receive(frame); });
        return;
    }
    if (m_inFlight.Empty())
    {
        ScheduleArrival(arrival);
    }
    m_inFlight.PushBack({arrival, frame});
}

void
WanLinkDevice::ScheduleArrival(Instant at)
{
    Simulator::ScheduleWithContext(
        m_peer->GetNode()->GetId(), From(SimulatedNow(), at), GetPointer(m_arrivalEvent));
}

void
WanLinkDevice::Arrive()
{
    const Frame frame = m_inFlight.PopFront().frame;
    if (!m_inFlight.Empty())
    {
        ScheduleArrival(m_inFlight.Front().arrival);
    }
    m_peer->Receive(frame);
}

void
WanLinkDevice::Receive(const Frame& frame)
{
    m_sniffer(frame.packet);
    m_macRx(frame.packet);
    if (!m_promiscCallback.IsNull())
    {
        m_promiscCallback(
            this, frame.packet, frame.protocol, m_peer->m_address, m_address, PACKET_HOST);
    }
    m_receiveCallback(this, frame.packet, frame.protocol, m_peer->m_address);
}

void
WanLinkDevice::HoldUntil(Instant departure)
{
    if (++m_held >= heldWithFlowControl)
    {
        m_txQueue->Stop();
    }
    Simulator::Schedule(From(SimulatedNow(), departure), m_departureEvent);
}

void
WanLinkDevice::Departed()
{
    --m_held;
    m_txQueue->Wake();
}

WanLinkCounters
WanLinkDevice::GetCounters() const
{
    WanLinkCounters counters = CountersOf(*m_link, SimulatedNow());
    counters.localBytes = m_localBytes;
    if (m_shaping)
    {
        counters.queuedBytes += m_shaping->QueuedBytes().Count();
        counters.drops += m_shaping->Drops();
    }
    return counters;
}

const LinkModel&
WanLinkDevice::GetLink() const
{
    return *m_link;
}

void
WanLinkDevice::DoDispose()
{
    m_releaseEvent.Cancel();
    m_peer = nullptr;
    m_node = nullptr;
    m_txQueue = nullptr;
    m_shaping.reset();
    m_inFlight = {};
    m_receiveCallback.Nullify();
    m_promiscCallback.Nullify();
    NetDevice::DoDispose();
}

void
WanLinkDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
WanLinkDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
WanLinkDevice::GetChannel() const
{
    return nullptr;
}

void
WanLinkDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
WanLinkDevice::GetAddress() const
{
    return m_address;
}

bool
WanLinkDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
WanLinkDevice::GetMtu() const
{
    return m_mtu;
}

bool
WanLinkDevice::IsLinkUp() const
{
    return m_peer != nullptr;
}

void
WanLinkDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

bool
WanLinkDevice::IsBroadcast() const
{
    return true; // as PointToPointNetDevice: everything goes to the one other end
}

Address
WanLinkDevice::GetBroadcast() const
{
    static const Address broadcast = Mac48Address::GetBroadcast();
    return broadcast;
}

bool
WanLinkDevice::IsMulticast() const
{
    return true;
}

Address
WanLinkDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
WanLinkDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
WanLinkDevice::IsBridge() const
{
    return false;
}

bool
WanLinkDevice::IsPointToPoint() const
{
    return true;
}

bool
WanLinkDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false;
}

Ptr<Node>
WanLinkDevice::GetNode() const
{
    return m_node;
}

void
WanLinkDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
WanLinkDevice::NeedsArp() const
{
    return false;
}

void
WanLinkDevice::SetReceiveCallback(ReceiveCallback cb)
{
    m_receiveCallback = cb;
}

void
WanLinkDevice::SetPromiscReceiveCallback(PromiscReceiveCallback cb)
{
    m_promiscCallback = cb;
}

bool
WanLinkDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3
