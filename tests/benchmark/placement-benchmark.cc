// SPDX-License-Identifier: GPL-2.0-only
// Measures the decisions per second of BubbleTea's planner, which places prefills among 1,000 GPUs
// whose bubbles fill up.

#include "prefill-service/prefill-planner.h"
#include "hardware/gpu-catalogue.h"
#include "units/random-stream.h"
#include "workload/model-catalogue.h"

#include <benchmark/benchmark.h>

namespace geotrain
{
namespace
{

constexpr std::uint32_t gpus = 1000;
constexpr std::uint32_t bubblesOfGpu = 64; // two iterations of 32 microbatches

ServingRequest
ClusterOf(std::uint32_t ppDegree)
{
    ServingRequest request;
    request.model = *FindModel("llama3-8b");
    request.ppDegree = ppDegree;
    request.mostTokens = 4000;
    request.gpus = {*FindGpu("A100-80")};
    request.dataCenters = {{"a", BitRate::GigabitsPerSecond(100), Duration::Microseconds(10)}};
    request.nodeLocalRate = BitRate::GigabitsPerSecond(2400);
    for (WorkerIndex worker = 0; worker < gpus; ++worker)
    {
        request.workers.push_back({worker / 8, 0, 0, Bytes::Of(60000000000)});
        request.order.push_back(worker);
    }
    return request;
}

/// Adds gaps of 5 to 45 ms every 60 ms, at another phase on each GPU.
void
FreeAll(PrefillPlanner& planner)
{
    RandomStream random(1, "placement-benchmark", "bubbles");
    for (WorkerIndex worker = 0; worker < gpus; ++worker)
    {
        std::vector<UsableSpan> spans;
        Instant at =
            Instant() + Duration::Microseconds(static_cast<std::int64_t>(random.Uniform() * 60000));
        for (std::uint32_t i = 0; i < bubblesOfGpu; ++i)
        {
            const auto length =
                Duration::Microseconds(5000 + static_cast<std::int64_t>(random.Uniform() * 40000));
            spans.push_back({at, at + length, 0, i});
            at = at + Duration::Milliseconds(60);
        }
        planner.SetFree(worker, spans);
    }
}

void
Place(benchmark::State& state)
{
    const ServingRequest request = ClusterOf(static_cast<std::uint32_t>(state.range(0)));
    const ServingChains chains = MakeServingChains(request);
    const ServingTimes times(request, chains);
    RandomStream random(1, "placement-benchmark", "prompts");
    std::optional<PrefillPlanner> planner;
    planner.emplace(times);
    FreeAll(*planner);
    for (auto _ : state)
    {
        const PromptBatch batch{100 + static_cast<std::uint32_t>(random.Uniform() * 1500), 1};
        const auto place = planner->Earliest(batch, {}, Instant::Never());
        if (!place)
        {
            state.PauseTiming();
            FreeAll(*planner);
            state.ResumeTiming();
            continue;
        }
        planner->Reserve(*place, batch);
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(Place)->Name("Bubbles/place")->ArgName("pp")->Arg(1)->Arg(4)->Arg(8);

} // namespace
} // namespace geotrain
