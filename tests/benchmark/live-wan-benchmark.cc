// SPDX-License-Identifier: GPL-2.0-only
// Measures what a live WAN carries beside the programs that send and receive: UDP at an offered
// rate of packets, and one TCP connection over a round trip of 40 ms. Items are packets. A rate is
// carried where `late_p99_ms` is below 1 and nothing was dropped (`own_drops`).
#include "live-lab.h"
#include "live-sockets.h"

#include <benchmark/benchmark.h>

#include <ns3/fd-net-device.h>
#include <ns3/global-value.h>
#include <ns3/realtime-simulator-impl.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>

#include <array>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/tcp.h>

namespace
{

using geotrain::BitRate;
using geotrain::Duration;
using ns3::LiveWanReport;
using ns3::Shared;

constexpr double SECONDS = 3;
constexpr std::size_t BURST = 16; ///< datagrams of a system call

double
LiveSeconds()
{
    return static_cast<double>(ns3::LiveClockNs()) * 1e-9;
}

void
SendDatagrams(std::size_t size, double perSecond)
{
    const int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
    const sockaddr_in to = ns3::LiveEndpoint(1);
    static_cast<void>(connect(descriptor, reinterpret_cast<const sockaddr*>(&to), sizeof to));
    std::vector<char> bytes(size);
    iovec piece = {bytes.data(), bytes.size()};
    std::array<mmsghdr, BURST> burst = {};
    for (mmsghdr& message : burst)
    {
        message.msg_hdr.msg_iov = &piece;
        message.msg_hdr.msg_iovlen = 1;
    }
    const double begin = LiveSeconds();
    double sent = 0;
    for (double elapsed = 0; elapsed < SECONDS; elapsed = LiveSeconds() - begin)
    {
        while (sent + BURST <= elapsed * perSecond)
        {
            sent += sendmmsg(descriptor, burst.data(), BURST, 0);
        }
        usleep(100);
    }
}

void
ReceiveDatagrams(std::size_t size)
{
    const int descriptor = ns3::LiveUdpSocket(1, 1000);
    std::vector<char> bytes(size);
    iovec piece = {bytes.data(), bytes.size()};
    std::array<mmsghdr, 64> burst = {};
    for (mmsghdr& message : burst)
    {
        message.msg_hdr.msg_iov = &piece;
        message.msg_hdr.msg_iovlen = 1;
    }
    while (recvmmsg(descriptor, burst.data(), burst.size(), MSG_WAITFORONE, nullptr) > 0)
    {
        usleep(100); // a wake for each packet would take a core
    }
}

void
Tell(benchmark::State& state, const LiveWanReport& report)
{
    const double seconds = static_cast<double>(report.processorNs) / 1e9;
    state.SetItemsProcessed(static_cast<std::int64_t>(report.given));
    state.counters["late_p99_ms"] = static_cast<double>(report.lateness.PercentileNs(0.99)) / 1e6;
    state.counters["late_max_ms"] = static_cast<double>(report.lateness.MaxNs()) / 1e6;
    state.counters["own_drops"] = static_cast<double>(report.OwnDrops());
    state.counters["wan_processor_s"] = seconds;
}

/// Carries frames between two ports as ns-3 does: FdNetDevice under its real-time simulator. Each
/// frame only waits for the link's delay; there is no queue, rate or loss.
void
CarryWithFdNetDevice(const geotrain::WanTopology& topology,
                     LiveWanReport& report,
                     const std::function<bool()>& isOver)
{
    using namespace ns3;
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RealtimeSimulatorImpl"));
    const Time delay = NanoSeconds(topology.links[0].delay.ToNanoseconds());
    std::vector<Ptr<FdNetDevice>> devices;
    for (std::uint32_t number = 0; number < 2; ++number)
    {
        const Ptr<Node> node = CreateObject<Node>();
        const Ptr<FdNetDevice> device = CreateObject<FdNetDevice>();
        const int descriptor = socket(AF_PACKET, SOCK_RAW, 0);
        sockaddr_ll address = {};
        address.sll_family = AF_PACKET;
        address.sll_protocol = htons(ETH_P_IP);
        address.sll_ifindex =
            static_cast<int>(if_nametoindex(NodeNamespaces::PortOf(number).c_str()));
        const int on = 1;
        setsockopt(descriptor, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on);
        const int buffer = 1 << 24;
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
        static_cast<void>(
            bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address));
        device->SetFileDescriptor(descriptor);
        device->SetMtu(static_cast<std::uint16_t>(topology.mtu.Count()));
        device->SetAttribute("RxQueueSize", UintegerValue(1000000));
        node->AddDevice(device);
        devices.push_back(device);
    }
    const auto simulator = DynamicCast<RealtimeSimulatorImpl>(Simulator::GetImplementation());
    for (std::uint32_t number = 0; number < 2; ++number)
    {
        const Ptr<FdNetDevice> other = devices[1 - number];
        const auto give = [=, &report](Ptr<const Packet> packet, std::uint16_t protocol)
        {
            std::array<std::uint8_t, 6> bytes = {};
            const auto to = LiveAddresses::EthernetOf(1 - number);
            std::copy(to.begin(), to.end(), bytes.begin());
            Mac48Address address;
            address.CopyFrom(bytes.data());
            other->Send(packet->Copy(), address, protocol);
            report.lateness.Add((simulator->RealtimeNow() - Simulator::Now()).GetNanoSeconds());
            ++report.given;
        };
        devices[number]->SetReceiveCallback(NetDevice::ReceiveCallback());
        devices[number]->SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback(
            [=](Ptr<NetDevice>,
                Ptr<const Packet> packet,
                std::uint16_t protocol,
                const Address&,
                const Address&,
                NetDevice::PacketType)
            {
                Simulator::Schedule(delay, [=] { give(packet, protocol); });
                return true;
            }));
        devices[number]->Start(Seconds(0));
    }
    std::function<void()> ask = [&]
    {
        if (isOver())
        {
            Simulator::Stop();
            return;
        }
        Simulator::Schedule(MilliSeconds(10), [&ask] { ask(); });
    };
    ask();
    Simulator::Run();
    report.processorNs = LiveClockNs(CLOCK_PROCESS_CPUTIME_ID);
    _exit(0); // FdNetDevice's threads have no end
}

void
CarryDatagrams(benchmark::State& state, const ns3::LiveCarrier& carry)
{
    const std::int64_t mtu = state.range(0);
    const auto perSecond = static_cast<double>(state.range(1));
    const auto payload = static_cast<std::size_t>(mtu - 28);
    for (auto _ : state)
    {
        Shared<LiveWanReport> report;
        if (!RunLive(
                ns3::LiveTwoNodes(BitRate::GigabitsPerSecond(50), Duration::Milliseconds(20), mtu),
                {{1, [payload] { ReceiveDatagrams(payload); }},
                 {0, [payload, perSecond] { SendDatagrams(payload, perSecond); }}},
                *report,
                carry))
        {
            state.SkipWithError("the kernel allows no namespaces here");
        }
        state.SetIterationTime(SECONDS);
        Tell(state, *report);
    }
}

BENCHMARK_CAPTURE(CarryDatagrams, "", CarryWithFdNetDevice)
    ->Name("LiveWan/fd-net-device")
    ->ArgNames({"mtu", "offered"})
    ->Args({1500, 10000})
    ->Args({1500, 20000})
    ->Args({1500, 40000})
    ->Args({1500, 60000})
    ->Args({9000, 20000})
    ->Iterations(1)
    ->UseManualTime();

BENCHMARK_CAPTURE(CarryDatagrams, "", ns3::CarryLive)
    ->Name("LiveWan/udp")
    ->ArgNames({"mtu", "offered"})
    ->Args({1500, 60000})
    ->Args({1500, 100000})
    ->Args({1500, 120000})
    ->Args({1500, 150000})
    ->Args({9000, 40000})
    ->Args({9000, 60000})
    ->Iterations(1)
    ->UseManualTime();

struct TcpGot
{
    std::int64_t bytes;
    double seconds;
};

/// Reads all that comes, and counts from a second after the first byte, when slow start is over. The
/// window is bounded as in a run of a scenario.
void
ReceiveStream(TcpGot& got, int window)
{
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(listener, IPPROTO_TCP, TCP_WINDOW_CLAMP, &window, sizeof window);
    const sockaddr_in own = ns3::LiveEndpoint(1);
    static_cast<void>(bind(listener, reinterpret_cast<const sockaddr*>(&own), sizeof own));
    listen(listener, 1);
    const int descriptor = accept(listener, nullptr, nullptr);
    const double begin = LiveSeconds() + 1;
    for (ssize_t size = 1; size > 0;)
    {
        setsockopt(descriptor, IPPROTO_TCP, TCP_WINDOW_CLAMP, &window, sizeof window);
        size = recv(descriptor, nullptr, std::size_t(1) << 20, MSG_TRUNC);
        const double now = LiveSeconds();
        if (now > begin && size > 0)
        {
            got.bytes += size;
            got.seconds = now - begin;
        }
        usleep(100); // a wake for each packet would take a core
    }
}

void
SendStream()
{
    usleep(100000);
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in to = ns3::LiveEndpoint(1);
    static_cast<void>(connect(descriptor, reinterpret_cast<const sockaddr*>(&to), sizeof to));
    const std::vector<char> bytes(1 << 18);
    for (const double end = LiveSeconds() + 1 + SECONDS; LiveSeconds() < end;)
    {
        static_cast<void>(send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL));
    }
}

void
CarryStream(benchmark::State& state)
{
    for (auto _ : state)
    {
        Shared<LiveWanReport> report;
        Shared<TcpGot> got;
        const BitRate rate = BitRate::BitsPerSecond(state.range(1) * 1000000);
        const auto window = static_cast<int>(state.range(1) * 125000 * 60 / 1000); // of 60 ms
        if (!RunLive(ns3::LiveTwoNodes(rate, Duration::Milliseconds(20), state.range(0)),
                     {{1, [&got, window] { ReceiveStream(*got, window); }}, {0, &SendStream}},
                     *report))
        {
            state.SkipWithError("the kernel allows no namespaces here");
        }
        state.SetIterationTime(1 + SECONDS);
        Tell(state, *report);
        state.counters["goodput_mbps"] =
            static_cast<double>(got->bytes) * 8e-6 / std::max(got->seconds, 1e-9);
    }
}

BENCHMARK(CarryStream)
    ->Name("LiveWan/tcp")
    ->ArgNames({"mtu", "mbps"})
    ->Args({1500, 400})
    ->Args({1500, 600})
    ->Args({1500, 800})
    ->Args({1500, 1000})
    ->Args({1500, 1200})
    ->Args({9000, 2000})
    ->Args({9000, 3000})
    ->Iterations(1)
    ->UseManualTime();

} // namespace
