// SPDX-License-Identifier: GPL-2.0-only
#include "device-path-helper.h"

#include "bulk-tcp/helper/bulk-tcp-helper.h"
#include "bulk-tcp/model/congestion-control-types.h"
#include "units/random-stream.h"

#include <ns3/abort.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/net-device-queue-interface.h>
#include <ns3/traffic-control-helper.h>

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::uint16_t firstPort = 5000; ///< first port of the far host; each flow has its own
constexpr std::uint32_t largestWrite = 1U << 30;

/// Returns the address of the near (1) or far (2) end of a hop.
Ipv4Address
AddressOf(std::size_t hop, std::uint32_t end)
{
    constexpr std::uint32_t tenNet = 10U << 24;
    return Ipv4Address(tenNet + (static_cast<std::uint32_t>(hop) << 8) + end);
}

Ptr<WanLinkDevice>
AddDevice(Ptr<Node> node, Ipv4Address address, geotrain::Bytes mtu, const std::string& queueDisc)
{
    const Ptr<WanLinkDevice> device = CreateObject<WanLinkDevice>();
    node->AddDevice(device);
    device->SetMtu(static_cast<std::uint16_t>(mtu.Count()));
    if (!queueDisc.empty())
    {
        device->AggregateObject(CreateObject<NetDeviceQueueInterface>());
        TrafficControlHelper traffic;
        traffic.SetRootQueueDisc(queueDisc);
        traffic.Install(device);
        device->UseFlowControl();
    }
    const Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
    const std::uint32_t interface = ipv4->AddInterface(device);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask("/24")));
    ipv4->SetUp(interface);
    return device;
}

void
AddRoute(Ptr<Node> node, Ipv4Address to, Ipv4Address gateway, Ptr<NetDevice> device)
{
    const Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
    const auto interface = static_cast<std::uint32_t>(ipv4->GetInterfaceForDevice(device));
    Ipv4StaticRoutingHelper().GetStaticRouting(ipv4)->AddHostRouteTo(to, gateway, interface);
}

} // namespace

void
DevicePathHelper::AddLink(const LinkModel::Settings& forward, const LinkModel::Settings& backward)
{
    m_forwardSettings.push_back(forward);
    m_backwardSettings.push_back(backward);
}

void
DevicePathHelper::AddLink(const LinkModel::Settings& both)
{
    LinkModel::Settings forward = both;
    LinkModel::Settings backward = both;
    forward.name += ">";
    backward.name += "<";
    AddLink(forward, backward);
}

void
DevicePathHelper::SetQueueDisc(const std::string& type)
{
    m_queueDisc = type;
}

void
DevicePathHelper::Build(geotrain::Bytes mtu)
{
    NS_ABORT_MSG_IF(m_forwardSettings.empty(), "a path needs a link");
    m_nodes.Create(static_cast<std::uint32_t>(m_forwardSettings.size()) + 1);
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(m_nodes);
    for (std::size_t hop = 0; hop < m_forwardSettings.size(); ++hop)
    {
        AddHop(hop, mtu);
    }
}

void
DevicePathHelper::AddHop(std::size_t hop, geotrain::Bytes mtu)
{
    const Ptr<Node> near = m_nodes.Get(static_cast<std::uint32_t>(hop));
    const Ptr<Node> far = m_nodes.Get(static_cast<std::uint32_t>(hop) + 1);
    const Ptr<WanLinkDevice> a = AddDevice(near, AddressOf(hop, 1), mtu, m_queueDisc);
    const Ptr<WanLinkDevice> b = AddDevice(far, AddressOf(hop, 2), mtu, m_queueDisc);
    a->Connect(m_forwardSettings[hop], b);
    b->Connect(m_backwardSettings[hop], a);
    m_forward.push_back(a);
    AddRoute(near, AddressOf(m_forwardSettings.size() - 1, 2), AddressOf(hop, 2), a);
    AddRoute(far, AddressOf(0, 1), AddressOf(hop, 1), b);
}

FlowNumber
DevicePathHelper::AddFlow(const BulkTcpOptions& options, std::uint64_t seed)
{
    const std::string entity = std::to_string(seed) + "/" + std::to_string(m_flows.size());
    return AddFlow(options,
                   MakeCongestionControl(FindCongestionControl(options.congestionControl),
                                         geotrain::StreamNumber("bulk-tcp", entity)));
}

FlowNumber
DevicePathHelper::AddFlow(const BulkTcpOptions& options, Ptr<TcpCongestionOps> control)
{
    NS_ABORT_MSG_IF(m_forward.empty(), "the path is not built yet");
    const auto number = static_cast<FlowNumber>(m_flows.size());
    m_flows.push_back(std::make_unique<Flow>());
    Flow& flow = *m_flows.back();
    const BulkTcpHelper sockets(options);
    const Ptr<BulkTcpSocket> listener = sockets.CreateSocket(m_nodes.Get(m_nodes.GetN() - 1));
    const InetSocketAddress address(AddressOf(m_forward.size() - 1, 2),
                                    static_cast<std::uint16_t>(firstPort + number));
    listener->Bind(address);
    listener->Listen();
    listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                [this, &flow](Ptr<Socket> socket, const Address&)
                                { OnAccepted(flow, socket); });
    flow.sender = sockets.CreateSocket(m_nodes.Get(0));
    flow.sender->SetCongestionControlAlgorithm(control);
    flow.sender->SetSendCallback([this, &flow](Ptr<Socket>, std::uint32_t) { Write(flow); });
    flow.sender->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                   [this, &flow](Ptr<Socket>) { OnError(flow); });
    flow.sender->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                    [this, &flow](Ptr<Socket>) { OnError(flow); });
    flow.sender->Connect(address);
    return number;
}

void
DevicePathHelper::Send(FlowNumber flow, std::uint64_t message, std::uint64_t size)
{
    NS_ABORT_MSG_IF(size < 1, "message " << message << " is empty");
    Flow& target = *m_flows.at(flow);
    target.handedOver += size;
    target.messages.push_back({message, target.handedOver});
    Write(target);
}

void
DevicePathHelper::Write(Flow& flow)
{
    while (flow.written < flow.handedOver)
    {
        const auto part = static_cast<std::uint32_t>(std::min<std::uint64_t>(
            {flow.handedOver - flow.written, flow.sender->GetTxAvailable(), largestWrite}));
        if (part == 0 || flow.sender->Send(Create<Packet>(part)) < 0)
        {
            return;
        }
        flow.written += part;
    }
    if (flow.closing)
    {
        flow.sender->Close();
    }
}

void
DevicePathHelper::Close(FlowNumber flow)
{
    m_flows.at(flow)->closing = true;
    Write(*m_flows.at(flow));
}

void
DevicePathHelper::OnAccepted(Flow& flow, Ptr<Socket> socket)
{
    flow.receiver = DynamicCast<BulkTcpSocket>(socket);
    socket->SetRecvCallback([this, &flow](Ptr<Socket> readable) { OnReadable(flow, readable); });
    socket->SetCloseCallbacks([](Ptr<Socket> closed) { closed->Close(); },
                              MakeNullCallback<void, Ptr<Socket>>());
}

void
DevicePathHelper::OnReadable(Flow& flow, Ptr<Socket> socket)
{
    while (const Ptr<Packet> packet = socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            break;
        }
        flow.read += packet->GetSize();
    }
    while (!flow.messages.empty() && flow.messages.front().end <= flow.read)
    {
        const std::uint64_t number = flow.messages.front().number;
        flow.messages.pop_front();
        m_log.OnDelivered(number);
    }
}

void
DevicePathHelper::OnError(Flow& flow)
{
    for (const Message& message : flow.messages)
    {
        m_log.failed.push_back(message.number);
    }
    flow.messages.clear();
}

const BulkTcpSocket&
DevicePathHelper::Sender(FlowNumber flow) const
{
    return *m_flows.at(flow)->sender;
}

const BulkTcpSocket*
DevicePathHelper::Receiver(FlowNumber flow) const
{
    return PeekPointer(m_flows.at(flow)->receiver);
}

NodeContainer
DevicePathHelper::Nodes() const
{
    return m_nodes;
}

Ptr<WanLinkDevice>
DevicePathHelper::Forward(std::size_t hop) const
{
    return m_forward.at(hop);
}

TransferLog&
DevicePathHelper::Log()
{
    return m_log;
}

void
DevicePathHelper::CheckConservation() const
{
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        const Flow& flow = *m_flows[i];
        const BulkSender& sender = *flow.sender->Sender();
        const std::uint64_t sent = sender.GetCounters().sentBytes;
        NS_ABORT_MSG_IF(flow.read > sent ||
                            (!sender.Outstanding() && !sender.Failed() && flow.read != sent),
                        "connection " << i << ": " << sent << " bytes were sent and " << flow.read
                                      << " received");
    }
}

} // namespace ns3
