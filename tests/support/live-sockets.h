// SPDX-License-Identifier: GPL-2.0-only
// A WAN of two nodes, and the sockets of programs that run in them.
#pragma once

#include "live-wan/model/live-addresses.h"
#include "wan/wan-topology.h"

#include <arpa/inet.h>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <netinet/in.h>
#include <sstream>
#include <string>
#include <sys/socket.h>

namespace ns3
{

/// Returns two sites of one node each with a link between them, and NICs of 100 Gbit/s.
inline geotrain::WanTopology
LiveTwoNodes(geotrain::BitRate rate, geotrain::Duration delay, std::int64_t mtu = 1500)
{
    geotrain::WanTopology topology;
    topology.mtu = geotrain::Bytes::Of(mtu);
    for (const char* name : {"a", "b"})
    {
        geotrain::WanTopology::Site site;
        site.name = name;
        site.nodes = 1;
        site.nicRate = geotrain::BitRate::GigabitsPerSecond(100);
        site.intraRate = site.nicRate;
        topology.sites.push_back(site);
    }
    geotrain::WanTopology::Link link;
    link.from = 0;
    link.to = 1;
    link.rate = rate;
    link.delay = delay;
    topology.links.push_back(link);
    return topology;
}

inline std::int64_t
LiveClockNs(clockid_t clock = CLOCK_MONOTONIC)
{
    timespec now = {};
    clock_gettime(clock, &now);
    return std::int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
}

/// Returns where a program in the node listens.
inline sockaddr_in
LiveEndpoint(std::uint32_t node)
{
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(5001);
    address.sin_addr.s_addr = htonl(LiveAddresses::OfNode(node));
    return address;
}

/// Opens a UDP socket of a node whose reads end after `patienceMs` without data.
inline int
LiveUdpSocket(std::uint32_t node, long patienceMs)
{
    const int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
    const sockaddr_in own = LiveEndpoint(node);
    const timeval patience = {patienceMs / 1000, patienceMs % 1000 * 1000};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const int buffer = 1 << 24;
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    static_cast<void>(bind(descriptor, reinterpret_cast<const sockaddr*>(&own), sizeof own));
    return descriptor;
}

/// Returns a counter of this process's network namespace from a file such as /proc/net/snmp, which has a
/// line of names before each line of numbers; 0 where there is no such counter.
inline std::uint64_t
LiveCounter(const std::string& path, const std::string& name)
{
    std::ifstream file(path);
    std::string names;
    std::string numbers;
    while (std::getline(file, names) && std::getline(file, numbers))
    {
        std::istringstream nameFields(names);
        std::istringstream numberFields(numbers);
        std::string number;
        for (std::string field; nameFields >> field && numberFields >> number;)
        {
            if (field == name)
            {
                return std::stoull(number);
            }
        }
    }
    return 0;
}

/// Returns the packets that came while a UDP socket of this namespace was full, since its reader had
/// no processor.
inline std::uint64_t
LiveUdpDrops()
{
    return LiveCounter("/proc/net/snmp", "RcvbufErrors");
}

inline void
LiveSendTo(int descriptor, std::uint32_t node, const void* bytes, std::size_t size)
{
    const sockaddr_in to = LiveEndpoint(node);
    sendto(descriptor, bytes, size, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

} // namespace ns3
