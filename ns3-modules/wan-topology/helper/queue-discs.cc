// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/helper/queue-discs.h"

#include "units/child-process.h"
#include "wan-topology/helper/wan-builder.h"

#include <ns3/inet-socket-address.h>
#include <ns3/simulator.h>
#include <ns3/socket.h>
#include <ns3/udp-socket-factory.h>

#include <fcntl.h>
#include <map>
#include <unistd.h>

namespace ns3
{

namespace
{

/// Sends a datagram over a link with the queue disc. Returns whether it comes.
bool
SendOver(const std::string& queueDisc)
{
    geotrain::WanTopology topology;
    for (const char* name : {"a", "b"})
    {
        const auto rate = geotrain::BitRate::GigabitsPerSecond(1);
        topology.sites.push_back({name, 1, rate, rate, {}, {}, {}});
    }
    topology.links.emplace_back();
    auto& link = topology.links.back();
    link.to = 1;
    link.rate = geotrain::BitRate::GigabitsPerSecond(1);
    link.queue = {geotrain::WanQueueSize::Unit::Packets, 100};
    link.queueDisc = queueDisc;
    const BuiltWan wan = WanBuilder(topology).Build();
    const auto socketOf = [&wan](std::uint32_t node)
    { return Socket::CreateSocket(wan.NodeAt(node), UdpSocketFactory::GetTypeId()); };
    constexpr std::uint16_t port = 9;
    const auto receiver = socketOf(1);
    receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    const auto sender = socketOf(0);
    sender->Connect(InetSocketAddress(wan.AddressOf(1), port));
    Simulator::ScheduleNow([sender] { sender->Send(Create<Packet>(1000)); });
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    return receiver->GetRxAvailable() > 0;
}

} // namespace

bool
CanCrossQueueDisc(const std::string& name)
{
    static std::map<std::string, bool> known;
    const auto [found, isNew] = known.try_emplace(name);
    if (isNew)
    {
        geotrain::ChildProcess attempt(
            [&name]
            {
                const int nowhere = open("/dev/null", O_WRONLY);
                dup2(nowhere, STDOUT_FILENO);
                dup2(nowhere, STDERR_FILENO);
                Simulator::Destroy();
                return SendOver(name) ? 0 : 1;
            });
        found->second = attempt.Wait() == 0;
    }
    return found->second;
}

} // namespace ns3
