// SPDX-License-Identifier: GPL-2.0-only
#include "udp-flow.h"

#include <ns3/inet-socket-address.h>
#include <ns3/udp-socket-factory.h>

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::uint32_t udpHeaderBytes = 28; // IPv4 and UDP

} // namespace

UdpFlow::UdpFlow(const BuiltWan& wan,
                 std::uint32_t from,
                 std::uint32_t to,
                 geotrain::BitRate rate,
                 std::uint32_t packetBytes,
                 Time start,
                 Time stop)
    : m_packetBytes(packetBytes),
      m_interval(
          NanoSeconds(rate.TransmissionTime(geotrain::Bytes::Of(packetBytes)).ToNanoseconds())),
      m_stop(stop)
{
    const auto port = static_cast<std::uint16_t>(1000 + from);
    m_receiver = Socket::CreateSocket(wan.NodeAt(to), UdpSocketFactory::GetTypeId());
    m_receiver->SetAttribute("RcvBufSize", UintegerValue(1 << 30));
    m_receiver->Bind(InetSocketAddress(wan.AddressOf(to), port));
    m_receiver->SetRecvCallback(MakeCallback(&UdpFlow::Receive, this));
    m_sender = Socket::CreateSocket(wan.NodeAt(from), UdpSocketFactory::GetTypeId());
    m_sender->Bind();
    m_sender->Connect(InetSocketAddress(wan.AddressOf(to), port));
    Simulator::Schedule(start, &UdpFlow::Send, this);
}

void
UdpFlow::Send()
{
    if (Simulator::Now() >= m_stop)
    {
        return;
    }
    m_sender->Send(Create<Packet>(m_packetBytes - udpHeaderBytes));
    ++m_sent;
    Simulator::Schedule(m_interval, &UdpFlow::Send, this);
}

void
UdpFlow::Receive(Ptr<Socket> socket)
{
    while (socket->Recv())
    {
        m_arrivalsNs.push_back(Simulator::Now().GetNanoSeconds());
    }
}

std::uint64_t
UdpFlow::Sent() const
{
    return m_sent;
}

std::uint64_t
UdpFlow::Received() const
{
    return m_arrivalsNs.size();
}

Time
UdpFlow::FirstArrival() const
{
    return NanoSeconds(m_arrivalsNs.at(0));
}

double
UdpFlow::ReceivedGbps(Time from, Time to) const
{
    const auto begin =
        std::lower_bound(m_arrivalsNs.begin(), m_arrivalsNs.end(), from.GetNanoSeconds());
    const auto end = std::lower_bound(begin, m_arrivalsNs.end(), to.GetNanoSeconds());
    return static_cast<double>(end - begin) * m_packetBytes * 8e-9 / (to - from).GetSeconds();
}

geotrain::WanTopology
Chain(std::uint32_t sites, std::uint32_t nodes)
{
    geotrain::WanTopology topology;
    topology.mtu = geotrain::Bytes::Of(9000);
    for (std::uint32_t i = 0; i < sites; ++i)
    {
        geotrain::WanTopology::Site site;
        site.name = "dc-" + std::to_string(i);
        site.nodes = nodes;
        site.nicRate = geotrain::BitRate::GigabitsPerSecond(100);
        site.intraRate = site.nicRate;
        site.intraDelay = geotrain::Duration::Microseconds(10);
        topology.sites.push_back(site);
        if (i > 0)
        {
            geotrain::WanTopology::Link link;
            link.from = i - 1;
            link.to = i;
            link.rate = geotrain::BitRate::GigabitsPerSecond(100);
            link.delay = geotrain::Duration::Milliseconds(20);
            topology.links.push_back(link);
        }
    }
    return topology;
}

} // namespace ns3
