// SPDX-License-Identifier: GPL-2.0-only
// Measures the instructions per second of the Executor on the analytic network. All messages go
// over shared links.

#include "wide-cluster.h"

#include "execution/plan-run.h"

#include <benchmark/benchmark.h>

namespace geotrain
{
namespace
{

/// Measures one iteration, planning included.
void
RunIteration(benchmark::State& state, const WideCluster& cluster, std::uint32_t microbatches)
{
    std::int64_t instructions = 0;
    for (auto _ : state)
    {
        const ExecutionPlan plan = cluster.Plan(microbatches);
        AnalyticNetwork network(cluster.Topology());
        const PlanOutcome outcome = PlanRun(plan, network, {}).Run(Instant::Never());
        if (!outcome.IsDone())
        {
            state.SkipWithError(outcome.report.c_str());
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
