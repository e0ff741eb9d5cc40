// Instructions a second of the Executor on the analytic network, all with their messages over shared links.

#include "wide-cluster.h"

#include "execution/executor.h"
#include "execution/spatial-sharing.h"
#include "schedule/one-forward-one-backward.h"

#include <benchmark/benchmark.h>

namespace geotrain
{
namespace
{

ExecutionPlan
PlanOn(const WideCluster& cluster, std::uint32_t microbatches)
{
    StageTiming timing;
    timing.forward = Duration::Milliseconds(20);
    timing.recompute = Duration::Milliseconds(20);
    timing.backwardInput = Duration::Milliseconds(20);
    timing.backwardWeight = Duration::Milliseconds(20);
    timing.optimizerStep = Duration::Milliseconds(30);
    StreamInputs inputs;
    inputs.order = OneForwardOneBackward({cluster.stages, microbatches, 2});
    inputs.placement = cluster.Place();
    inputs.timing.assign(cluster.stages, timing);
    inputs.gradients.assign(cluster.stages, Bytes::Of(700000000));
    inputs.boundary = Bytes::Of(33554432); // sequence 4,096, hidden 4,096, bf16
    return BuildStreams(inputs);
}

std::int64_t
InstructionsOf(const ExecutionPlan& plan)
{
    std::int64_t count = 0;
    for (const auto& worker : plan.workers)
    {
        count += static_cast<std::int64_t>(worker.stream.size());
    }
    return count;
}

/// One iteration, planning included.
void
RunIteration(benchmark::State& state, const WideCluster& cluster, std::uint32_t microbatches)
{
    std::int64_t instructions = 0;
    for (auto _ : state)
    {
        const ExecutionPlan plan = PlanOn(cluster, microbatches);
        AnalyticNetwork network(cluster.Topology());
        SpatialSharing carrier(network);
        Executor executor(plan, network, carrier, {});
        executor.Run(Instant::Never());
        if (!executor.IsDone())
        {
            state.SkipWithError(executor.WhoWaitsForWhat().c_str());
            return;
        }
        instructions += InstructionsOf(plan);
    }
    state.SetItemsProcessed(instructions);
}

void
OneReplica(benchmark::State& state)
{
    WideCluster cluster;
    cluster.stages = 16;
    cluster.replicas = 1;
    RunIteration(state, cluster, static_cast<std::uint32_t>(state.range(0)));
}

/// 8 data centres, PP 64, DP 20, TP 8, 256 microbatches: 10,240 GPUs.
void
TenThousandGpus(benchmark::State& state)
{
    RunIteration(state, {}, 256);
}

BENCHMARK(OneReplica)
    ->Name("Executor/analytic")
    ->Arg(256)
    ->Arg(1024)
    ->Arg(4096)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(TenThousandGpus)
    ->Name("Executor/10240-gpus")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

} // namespace
} // namespace geotrain
