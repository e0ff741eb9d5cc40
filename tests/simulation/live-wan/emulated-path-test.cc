// SPDX-License-Identifier: GPL-2.0-only
// Sends UDP through a live WAN from namespace to namespace, and checks delays, rates and losses
// against the link's own numbers. What a busy machine adds is measured by the WAN itself, and the
// checks allow just that.
#include "live-lab.h"
#include "live-sockets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <vector>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

constexpr std::size_t HEADERS = 28; // IPv4 and UDP

constexpr std::size_t PINGS = 100;

/// PingTimes are round trips in nanoseconds; 0 for those that did not come back.
struct PingTimes
{
    std::array<std::int64_t, PINGS> ns;
};

void
Ping(PingTimes& times)
{
    const int descriptor = LiveUdpSocket(0, 1000);
    std::array<char, 100> bytes = {};
    for (std::int64_t& time : times.ns)
    {
        const std::int64_t begin = LiveClockNs();
        LiveSendTo(descriptor, 1, bytes.data(), bytes.size());
        time = recv(descriptor, bytes.data(), bytes.size(), 0) > 0 ? LiveClockNs() - begin : 0;
    }
}

void
Echo()
{
    const int descriptor = LiveUdpSocket(1, 3000);
    std::array<char, 100> bytes = {};
    while (recv(descriptor, bytes.data(), bytes.size(), 0) > 0)
    {
        LiveSendTo(descriptor, 0, bytes.data(), bytes.size());
    }
}

TEST(LiveWan, RoundTripsTakeTwiceTheDelayAndWhatItSaysOfItself)
{
    Shared<PingTimes> times;
    Shared<LiveWanReport> report;
    const BitRate rate = BitRate::BitsPerSecond(1000000 * 100);
    if (!RunLive(
            LiveTwoNodes(rate, Duration::Milliseconds(5)),
            {{0, [&times] { Ping(*times); }, Urgency::Executor}, {1, &Echo, Urgency::Executor}},
            *report))
    {
        GTEST_SKIP() << "the kernel allows no namespaces here";
    }
    const double sending = 8.0 * (100 + HEADERS) / 100e6 * 1e9;
    const double least = 2 * (5e6 + sending);
    auto sorted = times->ns;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_GE(static_cast<double>(sorted.front()), least);
    // The median: two departures each of which is late by the median at most, half of the time, and
    // 0.25 ms for the two programs to wake up.
    const auto late = static_cast<double>(report->lateness.PercentileNs(0.9));
    EXPECT_LE(static_cast<double>(sorted[PINGS / 2]), least + 2 * late + 0.5e6);
    EXPECT_EQ(report->taken, 2 * PINGS);
    EXPECT_EQ(report->given, 2 * PINGS);
    EXPECT_EQ(report->OwnDrops(), 0U);
}

/// A Flood is what a receiver saw of a sender that offered more than the link's rate.
struct Flood
{
    std::uint64_t sent;
    std::uint64_t received;
    std::int64_t firstNs;
    std::int64_t lastNs;
    std::uint64_t unread; ///< packets for which the receiver's socket had no room
};

/// Sends 1,000-byte packets at a rate for some time. They have a mark, which is their first byte too.
void
SendFlood(Flood& flood, double bitsPerSecond, double seconds, char dscp = 0)
{
    const int descriptor = LiveUdpSocket(0, 1000);
    const int tos = dscp << 2;
    setsockopt(descriptor, IPPROTO_IP, IP_TOS, &tos, sizeof tos);
    std::array<char, 1000 - HEADERS> bytes = {dscp};
    const std::int64_t begin = LiveClockNs();
    for (double elapsed = 0; elapsed < seconds;
         elapsed = static_cast<double>(LiveClockNs() - begin) / 1e9)
    {
        const double due = elapsed * bitsPerSecond / 8000;
        while (static_cast<double>(flood.sent) < due)
        {
            LiveSendTo(descriptor, 1, bytes.data(), bytes.size());
            ++flood.sent;
        }
        usleep(500);
    }
}

/// Receives packets of two floods.
void
ReceiveFloods(Flood& unmarked, Flood& marked)
{
    const int descriptor = LiveUdpSocket(1, 2000);
    std::array<char, 1000> bytes = {};
    timespec came = {}; // by the kernel, which notes times from the first question on
    ioctl(descriptor, SIOCGSTAMPNS, &came);
    while (recv(descriptor, bytes.data(), bytes.size(), 0) > 0)
    {
        Flood& flood = bytes[0] == 0 ? unmarked : marked;
        ioctl(descriptor, SIOCGSTAMPNS, &came);
        flood.lastNs = std::int64_t(came.tv_sec) * 1000000000 + came.tv_nsec;
        flood.firstNs = flood.received == 0 ? flood.lastNs : flood.firstNs;
        ++flood.received;
    }
    unmarked.unread = LiveUdpDrops();
}

void
ReceiveFlood(Flood& flood)
{
    Flood none = {};
    ReceiveFloods(flood, none);
}

TEST(LiveWan, AFloodGetsTheRateOfTheLink)
{
    Shared<Flood> flood;
    Shared<LiveWanReport> report;
    const BitRate rate = BitRate::BitsPerSecond(1000000 * 40);
    geotrain::WanTopology topology = LiveTwoNodes(rate, Duration::Milliseconds(2));
    // 100 ms of sending, so that the link is busy also while the sender waits for a core.
    topology.links[0].queue = geotrain::WanQueueSize::OfBytes(Bytes::Of(500000));
    if (!RunLive(topology,
                 {{0, [&flood] { SendFlood(*flood, 60e6, 1.0); }, Urgency::Executor},
                  {1, [&flood] { ReceiveFlood(*flood); }, Urgency::Executor}},
                 *report))
    {
        GTEST_SKIP() << "the kernel allows no namespaces here";
    }
    if (flood->unread > 0)
    {
        GTEST_SKIP() << "the receiver had no processor for " << flood->unread << " packets";
    }
    const double seconds = static_cast<double>(flood->lastNs - flood->firstNs) / 1e9;
    const double got = 8000.0 * static_cast<double>(flood->received - 1) / seconds;
    EXPECT_NEAR(got, 40e6, 0.01 * 40e6);
    EXPECT_EQ(report->OwnDrops(), 0U);
}

// Of a link of 40 Mbit/s that two floods of 60 share, one of which is marked EF, policed to 10 Mbit/s, and
// served first: a router knows whose a packet is by its mark alone.
TEST(LiveWan, LinksTellClassesByTheMarksOfFrames)
{
    Shared<Flood> flood;
    Shared<Flood> marked;
    Shared<LiveWanReport> report;
    auto topology = LiveTwoNodes(BitRate::BitsPerSecond(40000000), Duration::Milliseconds(2));
    topology.links[0].queue = geotrain::WanQueueSize::OfBytes(Bytes::Of(500000));
    topology.classes.resize(2);
    geotrain::TrafficClass& urgent = topology.classes[1];
    urgent.priority = 1;
    urgent.rate = BitRate::BitsPerSecond(10000000);
    urgent.police = true;
    urgent.burst = Bytes::Of(15000);
    urgent.dscp = 46;
    if (!RunLive(topology,
                 {{0, [&flood] { SendFlood(*flood, 60e6, 1.0); }, Urgency::Executor},
                  {0, [&marked] { SendFlood(*marked, 60e6, 1.0, 46); }, Urgency::Executor},
                  {1, [&] { ReceiveFloods(*flood, *marked); }, Urgency::Executor}},
                 *report))
    {
        GTEST_SKIP() << "the kernel allows no namespaces here";
    }
    if (flood->unread > 0)
    {
        GTEST_SKIP() << "the receiver had no processor for " << flood->unread << " packets";
    }
    const auto rateOf = [](const Flood& of)
    {
        return 8000.0 * static_cast<double>(of.received) /
               (static_cast<double>(of.lastNs - of.firstNs) / 1e9);
    };
    // The bucket has 15 packets of 1,250 a second beside the rate, and the link is busy for 100 ms more
    // than the marked flood lasts.
    EXPECT_NEAR(rateOf(*marked), 10e6, 0.05 * 10e6);
    EXPECT_NEAR(rateOf(*flood), 30e6, 0.05 * 30e6);
    EXPECT_EQ(report->OwnDrops(), 0U);
}

/// A Stream is what a receiver of TCP saw.
struct Stream
{
    std::uint64_t received;  ///< bytes
    std::uint64_t overtaken; ///< segments that came after a later one
};

/// Sends `bytes` over TCP.
void
SendStream(std::uint64_t bytes)
{
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in to = LiveEndpoint(1);
    for (int attempt = 0; attempt < 100; ++attempt) // until the other end listens
    {
        if (connect(descriptor, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0)
        {
            break;
        }
        usleep(20000);
    }
    const std::vector<char> piece(1 << 16);
    for (std::uint64_t sent = 0; sent < bytes;)
    {
        const ssize_t taken = send(descriptor, piece.data(), piece.size(), MSG_NOSIGNAL);
        if (taken <= 0)
        {
            return;
        }
        sent += static_cast<std::uint64_t>(taken);
    }
    shutdown(descriptor, SHUT_WR);
    char end = 0;
    static_cast<void>(recv(descriptor, &end, 1, 0)); // until the other end closes
}

void
ReceiveStream(Stream& stream)
{
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in own = LiveEndpoint(1);
    static_cast<void>(bind(listener, reinterpret_cast<const sockaddr*>(&own), sizeof own));
    listen(listener, 1);
    const int descriptor = accept(listener, nullptr, nullptr);
    std::vector<char> piece(1 << 16);
    ssize_t taken = 0;
    while ((taken = recv(descriptor, piece.data(), piece.size(), 0)) > 0)
    {
        stream.received += static_cast<std::uint64_t>(taken);
    }
    stream.overtaken = LiveCounter("/proc/net/netstat", "TCPOFOQueue");
}

// Segments that two processors hand on shortly after each other must not change places, on their way
// to the WAN nor on their way from it: TCP takes them for lost. Nothing is lost here.
TEST(LiveWan, SegmentsOfAConnectionKeepTheirOrder)
{
    if (!std::ifstream("/proc/sys/net/core/rps_default_mask"))
    {
        GTEST_SKIP() << "a kernel before Linux 6.3";
    }
    Shared<Stream> stream;
    Shared<LiveWanReport> report;
    auto topology = LiveTwoNodes(BitRate::BitsPerSecond(400000000), Duration::Milliseconds(5));
    topology.links[0].queue = geotrain::WanQueueSize::OfBytes(Bytes::Of(100000000));
    constexpr std::uint64_t bytes = 200000000;
    if (!RunLive(topology,
                 {{0, [] { SendStream(bytes); }, Urgency::Executor},
                  {1, [&stream] { ReceiveStream(*stream); }, Urgency::Executor}},
                 *report))
    {
        GTEST_SKIP() << "the kernel allows no namespaces here";
    }
    if (report->OwnDrops() > 0)
    {
        GTEST_SKIP() << "the machine dropped packets";
    }
    EXPECT_GE(stream->received, bytes);
    EXPECT_EQ(stream->overtaken, 0U);
}

TEST(LiveWan, LossesAreBinomial)
{
    Shared<Flood> flood;
    Shared<LiveWanReport> report;
    geotrain::WanTopology topology =
        LiveTwoNodes(BitRate::BitsPerSecond(1000000 * 1000), Duration::Milliseconds(1));
    topology.links[0].lossRate = 0.02;
    if (!RunLive(topology,
                 {{0, [&flood] { SendFlood(*flood, 80e6, 1.0); }, Urgency::Executor},
                  {1, [&flood] { ReceiveFlood(*flood); }, Urgency::Executor}},
                 *report))
    {
        GTEST_SKIP() << "the kernel allows no namespaces here";
    }
    if (flood->unread > 0)
    {
        GTEST_SKIP() << "the receiver had no processor for " << flood->unread << " packets";
    }
    const auto sent = static_cast<double>(flood->sent);
    const double lost = sent - static_cast<double>(flood->received);
    const double deviation = std::sqrt(sent * 0.02 * 0.98);
    EXPECT_NEAR(lost, 0.02 * sent, 4 * deviation); // 6 of 100,000 runs lie outside
    EXPECT_EQ(report->OwnDrops(), 0U);
}

} // namespace
} // namespace ns3
