// SPDX-License-Identifier: GPL-2.0-only
// Measures packets through an aggregating switch: all workers push to the server and pull from it at
// once. Items are packet-hops: packets that came to the end of a link.
//   geotrain-benchmark --benchmark_filter=InNetworkOptimizer
// The label names the workers.
#include "in-network-optimizer/helper/in-network-cluster.h"
#include "wan-topology/model/heap-simulator-impl.h"

#include <benchmark/benchmark.h>

#include <ns3/simulator.h>

#include <string>

namespace
{

void
PushAndPull(benchmark::State& state)
{
    ns3::UseHeapSimulator();
    const geotrain::Bytes length = geotrain::Bytes::Of(32000000);
    geotrain::InNetworkClusterSettings settings;
    settings.workers = static_cast<std::uint32_t>(state.range(0));
    std::int64_t hops = 0;
    for (auto _ : state)
    {
        ns3::InNetworkCluster cluster(settings);
        cluster.Server().EndPoint().Pull(length, {});
        cluster.Server().EndPoint().Push(length, {});
        for (std::uint32_t worker = 0; worker < settings.workers; ++worker)
        {
            cluster.Worker(worker).Push(length, {});
            cluster.Worker(worker).Pull(length, {});
        }
        ns3::Simulator::Run();
        for (const auto& link : cluster.Links())
        {
            const ns3::LinkModel::Counters& counters = link->Model().GetCounters();
            hops += static_cast<std::int64_t>(counters.acceptedPackets - counters.lostPackets);
        }
        ns3::Simulator::Destroy();
    }
    state.SetItemsProcessed(hops);
    state.SetLabel(std::to_string(settings.workers) + " workers");
}

BENCHMARK(PushAndPull)
    ->Name("InNetworkOptimizer/push-and-pull")
    ->Arg(8)
    ->Arg(32)
    ->Unit(benchmark::kMillisecond);

} // namespace
