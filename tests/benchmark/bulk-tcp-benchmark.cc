// SPDX-License-Identifier: GPL-2.0-only
// Measures the cost of a data packet in bulk-tcp over both bearers. Items are data packets. Take the
// medians of 5 repetitions:
//   geotrain-benchmark --benchmark_filter=BulkTcp --benchmark_repetitions=5
//       --benchmark_report_aggregates_only=true
// Labels name hops, loss, seed and whether traces are connected.
#include "device-path-helper.h"
#include "express-path-helper.h"
#include "stock-oracle.h"
#include "wan-topology/model/heap-simulator-impl.h"

#include <benchmark/benchmark.h>

#include <ns3/simulator.h>
#include <ns3/tcp-congestion-ops.h>

#include <sys/resource.h>

#include <algorithm>
#include <string>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

constexpr std::uint64_t seed = 1;

/// FixedWindow holds its window whatever happens, so that the cost of a packet is measured at one
/// window.
class FixedWindow : public TcpNewReno
{
  public:
    explicit FixedWindow(std::uint32_t window)
        : m_window(window)
    {
    }

    void Init(Ptr<TcpSocketState> tcb) override
    {
        tcb->m_cWnd = m_window;
    }

    bool HasCongControl() const override
    {
        return true;
    }

    void CongControl(Ptr<TcpSocketState> tcb,
                     const TcpRateOps::TcpRateConnection& /*rc*/,
                     const TcpRateOps::TcpRateSample& /*rs*/) override
    {
        tcb->m_cWnd = m_window;
    }

    uint32_t GetSsThresh(Ptr<const TcpSocketState> /*tcb*/, uint32_t /*bytesInFlight*/) override
    {
        return m_window;
    }

  private:
    std::uint32_t m_window;
};

LinkModel::Settings
Link(std::int64_t gbps, std::int64_t rttMs, double lossRate, int hops)
{
    LinkModel::Settings link;
    link.rate = BitRate::GigabitsPerSecond(gbps);
    link.delay = Duration::Nanoseconds(rttMs * 500000 / hops);
    link.lossRate = lossRate;
    link.seed = seed;
    link.name = "benchmark";
    return link;
}

void
Label(benchmark::State& state, int hops, double loss, bool tracing = false)
{
    state.SetLabel("hops=" + std::to_string(hops) + " loss=" + std::to_string(loss) +
                   " seed=" + std::to_string(seed) + " tracing=" + (tracing ? "on" : "off"));
}

/// Connects the traces of the window, the round trip and the bytes in flight to a sum.
void
Trace(const BulkSender& sender, double& sum)
{
    const Callback<void, uint32_t, uint32_t> bytes([&sum](uint32_t /*before*/, uint32_t after)
                                                   { sum += after; });
    sender.State()->TraceConnectWithoutContext("CongestionWindow", bytes);
    sender.State()->TraceConnectWithoutContext("BytesInFlight", bytes);
    sender.State()->TraceConnectWithoutContext(
        "RTT",
        Callback<void, Time, Time>([&sum](Time /*before*/, Time after)
                                   { sum += after.GetSeconds(); }));
}

std::int64_t
DataPackets(ExpressPathHelper& path, FlowNumber flows)
{
    std::int64_t packets = 0;
    for (FlowNumber flow = 0; flow < flows; ++flow)
    {
        packets += static_cast<std::int64_t>(path.Sender(flow).GetCounters().dataPackets);
    }
    return packets;
}

/// Sends 200 MB over 5 Gbit/s and 40 ms at MTU 1500 with TcpCubic. Arguments: hops, tracing.
void
Express(benchmark::State& state, bool offloads)
{
    const int hops = static_cast<int>(state.range(0));
    const bool tracing = state.range(1) != 0;
    std::int64_t packets = 0;
    double traced = 0;
    UseHeapSimulator();
    for (auto _ : state)
    {
        ExpressPathHelper path;
        for (int i = 0; i < hops; ++i)
        {
            path.AddLink(Link(5, 40, 0, hops));
        }
        path.Build();
        BulkTcpOptions options;
        options.offloads = offloads;
        BulkSender& sender = path.Sender(path.AddFlow(options));
        if (tracing)
        {
            Trace(sender, traced);
        }
        sender.Send(1, 200000000);
        Simulator::Run();
        packets += DataPackets(path, 1);
        Simulator::Destroy();
    }
    benchmark::DoNotOptimize(traced);
    state.SetItemsProcessed(packets);
    Label(state, hops, 0, tracing);
}

/// Sends the bytes of Express over headers, Ipv4L3Protocol, ns-3's default queue disc and devices.
/// Arguments: hops.
void
Device(benchmark::State& state)
{
    const int hops = static_cast<int>(state.range(0));
    std::int64_t packets = 0;
    UseHeapSimulator();
    for (auto _ : state)
    {
        DevicePathHelper path;
        for (int i = 0; i < hops; ++i)
        {
            path.AddLink(Link(5, 40, 0, hops));
        }
        path.SetQueueDisc("ns3::FqCoDelQueueDisc");
        path.Build(BulkTcpOptions().mtu);
        const FlowNumber flow = path.AddFlow(BulkTcpOptions());
        path.Send(flow, 1, 200000000);
        Simulator::Run();
        path.CheckConservation();
        packets += static_cast<std::int64_t>(path.Sender(flow).Sender()->GetCounters().dataPackets);
        Simulator::Destroy();
    }
    state.SetItemsProcessed(packets);
    Label(state, hops, 0);
}

/// Sends the bytes of Express over ns-3's own sockets, once, since it takes minutes. Items are the
/// segments of the message.
void
Stock(benchmark::State& state)
{
    constexpr std::uint64_t size = 200000000;
    std::int64_t packets = 0;
    for (auto _ : state)
    {
        StockTransfer(BulkTcpOptions(), Link(5, 40, 0, 1), size, {});
        packets += static_cast<std::int64_t>(size / BulkTcpOptions().SegmentSize());
    }
    state.SetItemsProcessed(packets);
    Label(state, 1, 0);
}

/// Holds a window over 100 Gbit/s x 20 ms. Arguments: window in kB, loss in 1e-6.
void
Window(benchmark::State& state)
{
    const auto window = static_cast<std::uint32_t>(state.range(0) * 1000);
    const double loss = static_cast<double>(state.range(1)) * 1e-6;
    std::int64_t packets = 0;
    UseHeapSimulator();
    for (auto _ : state)
    {
        ExpressPathHelper path;
        path.AddLink(Link(100, 20, loss, 1));
        path.Build();
        BulkTcpOptions options;
        options.window = Bytes::Of(2000000000);
        options.autotuneWindow = false;
        path.Sender(path.AddFlow(options, CreateObject<FixedWindow>(window)))
            .Send(1, std::max<std::uint64_t>(1000000000, 8ULL * window));
        Simulator::Run();
        packets += DataPackets(path, 1);
        Simulator::Destroy();
    }
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    state.counters["peak_rss_MB"] = static_cast<double>(usage.ru_maxrss) / 1000;
    state.SetItemsProcessed(packets);
    Label(state, 1, loss);
}

/// Sends 200 MB over flows that share a link of 5 Gbit/s and 40 ms. Arguments: flows.
void
Flows(benchmark::State& state)
{
    const auto flows = static_cast<FlowNumber>(state.range(0));
    std::int64_t packets = 0;
    UseHeapSimulator();
    for (auto _ : state)
    {
        ExpressPathHelper path;
        path.AddLink(Link(5, 40, 0, 1));
        path.Build();
        for (FlowNumber i = 0; i < flows; ++i)
        {
            path.Sender(path.AddFlow(BulkTcpOptions())).Send(i, 200000000 / flows);
        }
        Simulator::Run();
        packets += DataPackets(path, flows);
        Simulator::Destroy();
    }
    state.SetItemsProcessed(packets);
    Label(state, 1, 0);
}

} // namespace

BENCHMARK_CAPTURE(Express, offloads, true)
    ->Name("BulkTcp/offloads")
    ->Args({1, 0})
    ->Args({3, 0})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Express, noOffloads, false)
    ->Name("BulkTcp/express")
    ->Args({1, 0})
    ->Args({3, 0})
    ->Args({1, 1})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(Device)->Name("BulkTcp/device")->Arg(1)->Arg(3)->Unit(benchmark::kMillisecond);
BENCHMARK(Stock)->Name("StockTcp")->Iterations(1)->Repetitions(1)->Unit(benchmark::kMillisecond);
BENCHMARK(Flows)->Name("BulkTcp/flows")->Arg(1)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK(Window)
    ->Name("BulkTcp/window")
    ->Args({600, 0})
    ->Args({250000, 0})
    ->Args({250000, 100})
    ->Unit(benchmark::kMillisecond);
