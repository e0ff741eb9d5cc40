// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/helper/wan-builder.h"

#include "wan/wan-validation.h"

#include "units/config-error.h"
#include "units/random-stream.h"

#include <ns3/boolean.h>
#include <ns3/cobalt-queue-disc.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-l3-protocol.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/ipv4-static-routing.h>
#include <ns3/net-device-queue-interface.h>
#include <ns3/pie-queue-disc.h>
#include <ns3/red-queue-disc.h>
#include <ns3/string.h>
#include <ns3/traffic-control-helper.h>

#include <algorithm>

namespace ns3
{

using geotrain::Bytes;
using geotrain::ConfigError;

namespace
{

Ptr<Ipv4StaticRouting>
RoutingOf(Ptr<Node> node)
{
    return Ipv4StaticRoutingHelper().GetStaticRouting(node->GetObject<Ipv4>());
}

/// Sets the disc's limit in packets of the MTU; other attributes keep ns-3's defaults.
void
LimitQueueDisc(Ptr<QueueDisc> disc, const QueueLimit& limit, Bytes mtu)
{
    const std::int64_t packets = std::clamp<std::int64_t>(
        std::min(limit.packets, limit.bytes.Count() / mtu.Count()), 1, UINT32_MAX);
    disc->SetAttributeFailSafe(
        "MaxSize",
        QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, static_cast<uint32_t>(packets))));
}

void
AddWait(const std::shared_ptr<Time>& sum, Time wait)
{
    *sum += wait;
}

void
NameStreams(Ptr<QueueDisc> disc, const std::string& linkName)
{
    const std::int64_t stream = geotrain::StreamNumber("wan-queue-disc", linkName);
    if (const auto red = DynamicCast<RedQueueDisc>(disc))
    {
        red->AssignStreams(stream);
    }
    if (const auto pie = DynamicCast<PieQueueDisc>(disc))
    {
        pie->AssignStreams(stream);
    }
    if (const auto cobalt = DynamicCast<CobaltQueueDisc>(disc))
    {
        cobalt->AssignStreams(stream);
    }
}

void
CheckQueueDiscs(const geotrain::WanTopology& topology, const std::string& file)
{
    for (std::size_t i = 0; i < topology.links.size(); ++i)
    {
        const std::string& name = topology.links[i].queueDisc;
        TypeId id;
        if (!name.empty() && (!TypeId::LookupByNameFailSafe(name, &id) ||
                              !id.IsChildOf(QueueDisc::GetTypeId()) || !id.HasConstructor()))
        {
            throw ConfigError(file,
                              "wan_link[" + std::to_string(i) + "].queue_disc",
                              name,
                              "is not a queue disc of ns-3, such as ns3::FqCoDelQueueDisc");
        }
    }
}

const geotrain::WanTopology&
Checked(const geotrain::WanTopology& topology, const std::string& file)
{
    geotrain::Validate(topology, file);
    CheckQueueDiscs(topology, file);
    return topology;
}

} // namespace

WanBuilder::WanBuilder(const geotrain::WanTopology& topology, const std::string& file)
    : m_wan(Checked(topology, file)),
      m_plan(std::make_shared<WanAddressPlan>(topology)),
      m_settings(m_wan.m_topology, m_wan.m_paths, m_plan, m_wan.ScheduleBegin())
{
}

BuiltWan
WanBuilder::Build()
{
    MakeNodes();
    MakeWanLinks();
    MakeNics();
    AddRoutes();
    return m_wan;
}

void
WanBuilder::MakeNodes()
{
    InternetStackHelper stack;
    stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
    stack.SetIpv6StackInstall(false);
    const auto make = [&stack](std::size_t count, std::vector<Ptr<Node>>& nodes)
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            nodes.push_back(CreateObject<Node>());
            stack.Install(nodes.back());
            // A path may have more than the default of 64 links.
            nodes.back()->GetObject<Ipv4L3Protocol>()->SetDefaultTtl(255);
        }
    };
    make(m_wan.m_topology.NodeCount(), m_wan.m_nodes);
    make(m_wan.m_topology.sites.size(), m_wan.m_routers);
    for (const Ptr<Node>& router : m_wan.m_routers)
    {
        // The router need not search all its ports for the destination of a packet that it
        // forwards.
        router->GetObject<Ipv4>()->SetAttribute("WeakEsModel", BooleanValue(false));
    }
}

WanBuilder::Ends
WanBuilder::Join(Ptr<Node> a, Ptr<Node> b)
{
    const auto mtu = static_cast<uint16_t>(m_wan.m_topology.mtu.Count());
    const Ends ends{CreateObject<WanLinkDevice>(), CreateObject<WanLinkDevice>()};
    a->AddDevice(ends.a);
    b->AddDevice(ends.b);
    ends.a->SetMtu(mtu);
    ends.b->SetMtu(mtu);
    return ends;
}

std::uint32_t
WanBuilder::AddInterface(Ptr<WanLinkDevice> device, Ipv4Address address)
{
    const Ptr<Ipv4> ipv4 = device->GetNode()->GetObject<Ipv4>();
    const std::uint32_t interface = ipv4->AddInterface(device);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask::GetOnes()));
    ipv4->SetUp(interface);
    return interface;
}

void
WanBuilder::MakeWanLinks()
{
    const geotrain::WanTopology& topology = m_wan.m_topology;
    const std::vector<LinkModel::Settings> directions = m_settings.WanDirections();
    for (std::size_t i = 0; i < topology.links.size(); ++i)
    {
        const geotrain::WanTopology::Link& link = topology.links[i];
        const Ends ends = Join(m_wan.m_routers[link.from], m_wan.m_routers[link.to]);
        MakeWanDirection(link, link.from, directions[2 * i], ends);
        MakeWanDirection(link, link.to, directions[2 * i + 1], {ends.b, ends.a});
    }
}

void
WanBuilder::MakeWanDirection(const geotrain::WanTopology::Link& link,
                             std::uint32_t from,
                             LinkModel::Settings settings,
                             const Ends& ends)
{
    const QueueLimit queue = settings.queue;
    if (!link.queueDisc.empty())
    {
        settings.queue = QueueLimit(); // packets wait in the disc
    }
    ends.a->Connect(settings, ends.b);
    ends.a->CountSource(m_plan->NetworkOf(from), WanAddressPlan::NetworkMask());
    m_wanInterfaces.push_back(AddInterface(ends.a, WanAddressPlan::RouterPort(m_routerPorts++)));
    const Ptr<QueueDisc> disc = AddQueueDisc(link, settings.name, queue, ends.a);
    const auto wait = std::make_shared<Time>();
    if (disc)
    {
        disc->TraceConnectWithoutContext("SojournTime", MakeBoundCallback(&AddWait, wait));
    }
    m_wan.m_links.push_back(
        {{settings.name, BuiltWan::LinkClass::Wan, settings.rate}, ends.a, disc, wait});
}

Ptr<QueueDisc>
WanBuilder::AddQueueDisc(const geotrain::WanTopology::Link& link,
                         const std::string& linkName,
                         const QueueLimit& limit,
                         Ptr<WanLinkDevice> device)
{
    if (link.queueDisc.empty())
    {
        return nullptr;
    }
    device->AggregateObject(CreateObject<NetDeviceQueueInterface>());
    device->UseFlowControl();
    TrafficControlHelper helper;
    helper.SetRootQueueDisc(link.queueDisc);
    const Ptr<QueueDisc> disc = helper.Install(device).Get(0);
    LimitQueueDisc(disc, limit, m_wan.m_topology.mtu);
    NameStreams(disc, linkName);
    return disc;
}

void
WanBuilder::MakeNics()
{
    for (std::uint32_t node = 0; node < m_wan.m_topology.NodeCount(); ++node)
    {
        MakeNic(node);
    }
}

void
WanBuilder::MakeNic(std::uint32_t node)
{
    const std::uint32_t siteIndex = m_plan->SiteOf(node);
    const Ends ends = Join(m_wan.m_nodes[node], m_wan.m_routers[siteIndex]);
    ConnectNic(ends, m_settings.FromNode(node));
    ConnectNic({ends.b, ends.a}, m_settings.ToNode(node));
    ends.a->SetShaping(MakeShaping(node, NodeShaping::Remote::Destination));
    ends.b->SetShaping(MakeShaping(node, NodeShaping::Remote::Source));

    const Ipv4Address address = m_plan->AddressOf(node);
    const std::uint32_t nic = AddInterface(ends.a, address);
    const std::uint32_t port = AddInterface(ends.b, WanAddressPlan::RouterPort(m_routerPorts++));
    RoutingOf(m_wan.m_nodes[node])->SetDefaultRoute(Ipv4Address::GetZero(), nic);
    RoutingOf(m_wan.m_routers[siteIndex])->AddHostRouteTo(address, port);
    m_wan.m_addresses.push_back(address);
    m_wan.m_nics.push_back(ends.a);
    m_wan.m_ports.push_back(ends.b);
}

void
WanBuilder::ConnectNic(const Ends& ends, const LinkModel::Settings& settings)
{
    ends.a->Connect(settings, ends.b);
    m_wan.m_links.push_back(
        {{settings.name, BuiltWan::LinkClass::IntraDc, settings.rate}, ends.a, nullptr});
}

std::unique_ptr<NodeShaping>
WanBuilder::MakeShaping(std::uint32_t node, NodeShaping::Remote remote) const
{
    const std::optional<NodeShapingSettings> settings = m_settings.Shaping(node, remote);
    return settings ? std::make_unique<NodeShaping>(*settings) : nullptr;
}

void
WanBuilder::AddRoutes()
{
    const auto& sites = m_wan.m_topology.sites;
    for (std::uint32_t from = 0; from < sites.size(); ++from)
    {
        const Ptr<Ipv4StaticRouting> routing = RoutingOf(m_wan.m_routers[from]);
        for (std::uint32_t to = 0; to < sites.size(); ++to)
        {
            const std::optional<geotrain::WanHop> hop = m_wan.m_paths->NextHop(from, to);
            if (hop && sites[to].nodes > 0)
            {
                routing->AddNetworkRouteTo(m_plan->NetworkOf(to),
                                           WanAddressPlan::NetworkMask(),
                                           m_wanInterfaces[2 * hop->link + (hop->forward ? 0 : 1)]);
            }
        }
    }
}

} // namespace ns3
