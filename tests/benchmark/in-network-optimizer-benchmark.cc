// SPDX-License-Identifier: GPL-2.0-only
// Measures packets through an aggregating switch: all workers push to the server and pull from it at
// once, or train a model of 13B for an iteration. Items are packet-hops: packets that came to the end
// of a link.
//   geotrain-benchmark --benchmark_filter=InNetworkOptimizer
// The label names the workers. The iteration fails where it takes more than 90 s.
#include "in-network-optimizer/helper/in-network-training.h"
#include "wan-topology/model/heap-simulator-impl.h"

#include <benchmark/benchmark.h>

#include <ns3/simulator.h>

#include <chrono>
#include <string>

namespace
{

constexpr double mostSecondsOf13B = 90; // on two cores, one of which works

void
PushAndPull(benchmark::State& state)
{
    ns3::UseHeapSimulator();
    const geotrain::Bytes length = geotrain::Bytes::Of(32000000);
    ns3::InNetworkClusterSettings settings;
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
        hops += cluster.PacketHops();
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

void
TrainOneIterationOf13B(benchmark::State& state)
{
    ns3::UseHeapSimulator();
    ns3::InNetworkClusterSettings settings; // 8 workers
    settings.aggregation.payload = geotrain::Bytes::Of(4096);
    // 40 layers of 12 h^2 parameters, h = 5,120; 16 sequences of 1,024 tokens at 187 TFLOP/s.
    constexpr std::int64_t layer = 12LL * 5120 * 5120;
    const auto forward = geotrain::Duration::Seconds(2.0 * layer * 16 * 1024 / 187e12);
    const std::vector<ns3::TrainingLayer> layers(40, {layer, forward, forward * 3});
    std::int64_t hops = 0;
    for (auto _ : state)
    {
        const auto begin = std::chrono::steady_clock::now();
        ns3::InNetworkCluster cluster(settings);
        const auto result = ns3::InNetworkTraining(cluster, layers, 1).Run();
        hops += cluster.PacketHops();
        ns3::Simulator::Destroy();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        if (!result.waits.empty() || took.count() > mostSecondsOf13B)
        {
            state.SkipWithError("the iteration did not end within 90 s");
        }
    }
    state.SetItemsProcessed(hops);
    state.SetLabel("8 workers");
}

BENCHMARK(TrainOneIterationOf13B)
    ->Name("InNetworkOptimizer/iteration-of-13b")
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

} // namespace
