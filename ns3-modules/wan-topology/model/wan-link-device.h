// SPDX-License-Identifier: GPL-2.0-only
// A NetDevice at one end of a point-to-point link. It has a LinkModel for what it sends and, where
// a node has caps, a NodeShaping stage in front of it. A direction has one pending event for all
// its packets in flight (one per packet where they may overtake each other). There are no bytes of
// framing: a packet is handed over as it is, with its protocol number beside it. It ignores
// negotiation, addresses (there is one other end) and jumbo checks: IP sees the MTU.
#pragma once

#include "wan-topology/model/link-model.h"
#include "wan-topology/model/node-shaping.h"
#include "wan-topology/model/wan-links.h"

#include "units/growing-ring.h"

#include <ns3/event-id.h>
#include <ns3/event-impl.h>
#include <ns3/mac48-address.h>
#include <ns3/net-device.h>
#include <ns3/traced-callback.h>

#include <memory>

namespace ns3
{

class NetDeviceQueue;

/// WanLinkDevice is one end of a link of a built WAN.
class WanLinkDevice : public NetDevice
{
  public:
    static TypeId GetTypeId();
    WanLinkDevice();
    ~WanLinkDevice() override;

    /// Makes packets cross a link of these settings and come out of `peer`. Call it once, before
    /// the first packet.
    void Connect(const LinkModel::Settings& settings, Ptr<WanLinkDevice> peer);

    /// Puts a shaping stage before the link. A device that has one ignores queue discs.
    void SetShaping(std::unique_ptr<NodeShaping> shaping);

    /// Keeps at most two packets in the device, and stops and wakes the aggregated
    /// NetDeviceQueueInterface, so that packets wait in the queue disc above. Call it after
    /// Connect() and the aggregation.
    void UseFlowControl();

    /// Sets which packets count as localBytes: those from this network.
    void CountSource(Ipv4Address network, Ipv4Mask mask);

    WanLinkCounters GetCounters() const;
    const LinkModel& GetLink() const;

    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override; ///< returns null: the two devices hold each other
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    /// Returns false where a queue, a shaper or a policer dropped the packet.
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

  private:
    using Frame = NodeShaping::Frame;

    struct InFlight
    {
        geotrain::Instant arrival;
        Frame frame;
    };

    bool Transmit(const Frame& frame);
    void CountLocal(const Packet& packet);
    bool IsEcnCapable(const Frame& frame) const;
    void Launch(const LinkModel::Outcome& outcome, const Frame& frame);
    void LaunchOne(geotrain::Instant arrival, const Frame& frame);
    void Arrive();
    void ScheduleArrival(geotrain::Instant at);
    void Receive(const Frame& frame);

    void ReleaseShaped();
    void ScheduleRelease(geotrain::Instant now);

    void HoldUntil(geotrain::Instant departure);
    void Departed();

    Ptr<Node> m_node;
    Ptr<WanLinkDevice> m_peer;
    std::unique_ptr<LinkModel> m_link;
    geotrain::GrowingRing<InFlight> m_inFlight;
    Ptr<EventImpl> m_arrivalEvent; ///< one object, scheduled again and again
    Ptr<EventImpl> m_departureEvent;

    std::unique_ptr<NodeShaping> m_shaping;
    EventId m_releaseEvent;
    geotrain::Instant m_releaseAt;

    Ptr<NetDeviceQueue> m_txQueue; ///< only with flow control
    std::uint32_t m_held = 0;

    Ipv4Address m_countedNetwork;
    Ipv4Mask m_countedMask;
    bool m_countsSource = false;
    std::int64_t m_localBytes = 0;

    Address m_address; ///< a Mac48Address, made into this once and not for each packet
    uint32_t m_ifIndex = 0;
    uint16_t m_mtu = 1500;
    ReceiveCallback m_receiveCallback;
    PromiscReceiveCallback m_promiscCallback;
    TracedCallback<> m_linkChange;
    TracedCallback<Ptr<const Packet>> m_macTx;
    TracedCallback<Ptr<const Packet>> m_macTxDrop;
    TracedCallback<Ptr<const Packet>> m_macRx;
    TracedCallback<Ptr<const Packet>> m_phyTxDrop;
    TracedCallback<Ptr<const Packet>> m_sniffer;
};

} // namespace ns3
