// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/model/kernel-tcp.h"

#include "live-wan/model/live-addresses.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr int SOCKET_KIND = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

sockaddr_in
EndpointOf(std::uint32_t address, std::uint32_t port)
{
    sockaddr_in endpoint = {};
    endpoint.sin_family = AF_INET;
    endpoint.sin_port = htons(static_cast<std::uint16_t>(port));
    endpoint.sin_addr.s_addr = htonl(address);
    return endpoint;
}

template <typename Value>
int
SetTcpOption(int socket, int name, const Value& value)
{
    return setsockopt(socket, IPPROTO_TCP, name, &value, sizeof value);
}

/// Lets what a socket sends have a mark (ip(7)).
void
Mark(int socket, std::uint8_t dscp)
{
    const int tos = dscp << 2;
    setsockopt(socket, IPPROTO_IP, IP_TOS, &tos, sizeof tos);
}

std::int64_t
SegmentOf(int socket)
{
    int segment = 0;
    socklen_t size = sizeof segment;
    getsockopt(socket, IPPROTO_TCP, TCP_MAXSEG, &segment, &size);
    return segment;
}

} // namespace

int
KernelTcp::Listen(const AgentCommand& command)
{
    const int listener = socket(AF_INET, SOCKET_KIND, 0);
    const sockaddr_in any = EndpointOf(INADDR_ANY, command.port);
    // Accepted connections inherit both: the window is what they offer, and so the most in flight.
    SetWindow(listener, static_cast<int>(command.bytes));
    Mark(listener, command.dscp);
    if (bind(listener, reinterpret_cast<const sockaddr*>(&any), sizeof any) != 0 ||
        listen(listener, 4096) != 0)
    {
        return -1;
    }
    return listener;
}

int
KernelTcp::Open(const AgentCommand& command)
{
    const int opened = socket(AF_INET, SOCKET_KIND, 0);
    if (SetTcpOption(opened, TCP_CONGESTION, command.control) != 0)
    {
        const int error = errno;
        close(opened);
        errno = error;
        return -1;
    }
    SetTcpOption(opened, TCP_NODELAY, 1);
    Mark(opened, command.dscp);
    if (command.pacingRate > 0)
    {
        // Any bound lets TCP pace by itself as it does over sch_fq, by the rate that it sets from
        // its window and round trip (sk_pacing_status of Linux; socket(7) has no word of it).
        setsockopt(opened,
                   SOL_SOCKET,
                   SO_MAX_PACING_RATE,
                   &command.pacingRate,
                   sizeof command.pacingRate);
    }
    return opened;
}

bool
KernelTcp::Connect(int socket, const AgentCommand& command)
{
    const sockaddr_in to = EndpointOf(LiveAddresses::OfNode(command.peer), command.port);
    return connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 ||
           errno == EINPROGRESS;
}

bool
KernelTcp::EndsSegment(int socket, std::int64_t bytes)
{
    const std::int64_t segment = SegmentOf(socket);
    const std::int64_t segments = (bytes + segment - 1) / segment;
    return segments == 1 || 4 * segments * segment <= 5 * bytes;
}

void
KernelTcp::BoundUnsent(int socket, std::int64_t window)
{
    const std::int64_t segment = SegmentOf(socket);
    const std::int64_t least = std::max(s_unsentSegments * segment, window / s_leastUnsentShare);
    const std::int64_t bytes = std::min(least, window / s_unsentShare);
    SetTcpOption(socket, TCP_NOTSENT_LOWAT, static_cast<int>(bytes));
}

void
KernelTcp::SetWindow(int socket, int window)
{
    SetTcpOption(socket, TCP_WINDOW_CLAMP, window);
}

void
KernelTcp::Acknowledge(int socket)
{
    SetTcpOption(socket, TCP_QUICKACK, 1);
}

std::int64_t
KernelTcp::Measure(int socket, std::int64_t written, ConnectionState& state)
{
    tcp_info info = {};
    socklen_t size = sizeof info;
    getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size);
    state.congestionWindow = std::int64_t(info.tcpi_snd_cwnd) * info.tcpi_snd_mss;
    state.roundTripNs = std::int64_t(info.tcpi_rtt) * 1000;
    state.retransmitted = static_cast<std::int64_t>(info.tcpi_bytes_retrans);
    int unacknowledged = 0;
    ioctl(socket, SIOCOUTQ, &unacknowledged);
    state.acknowledged = std::max<std::int64_t>(written - unacknowledged, 0);
    state.inFlight =
        std::max<std::int64_t>(unacknowledged - std::int64_t(info.tcpi_notsent_bytes), 0);
    return unacknowledged;
}

int
KernelTcp::ErrorOf(int socket)
{
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
}

} // namespace ns3
