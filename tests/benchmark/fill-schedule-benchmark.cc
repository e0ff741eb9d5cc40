// SPDX-License-Identifier: GPL-2.0-only
// Measures the decisions per second of PipeFill's scheduler against the number of waiting jobs.
// Each time a GPU finishes a job it takes the next one and a new job arrives, so that the number
// stays the same. There are 16 kinds of GPU, as for 16 stages.

#include "fill-jobs/fill-scheduler.h"
#include "units/random-stream.h"

#include <benchmark/benchmark.h>

#include <stdexcept>

namespace geotrain
{
namespace
{

constexpr std::uint32_t fillGpus = 16;

/// Returns the processing time: one second per sample, and 1 % more with each GPU class.
std::optional<Duration>
Quote(const FillJob& job, std::uint32_t gpuClass)
{
    return Duration::Seconds(static_cast<double>(job.samples) * (1 + 0.01 * gpuClass));
}

class JobSource
{
  public:
    FillJob Next()
    {
        FillJob job;
        job.number = ++m_number;
        job.samples = 1 + static_cast<std::uint64_t>(1e6 * m_random.Uniform());
        return job;
    }

  private:
    RandomStream m_random{1, "fill-schedule-benchmark", "jobs"};
    std::uint64_t m_number = 0;
};

void
Decide(benchmark::State& state)
{
    std::vector<std::uint32_t> classOfGpu;
    for (std::uint32_t gpu = 0; gpu < fillGpus; ++gpu)
    {
        classOfGpu.push_back(gpu);
    }
    FillScheduler scheduler(FindFillPolicy("shortest-job-first"), &Quote, classOfGpu);
    JobSource jobs;
    const auto arrive = [&]
    {
        std::optional<FillScheduler::Assignment> assignment;
        scheduler.Arrive(jobs.Next(), assignment);
    };
    for (std::int64_t job = 0; job < state.range(0) + fillGpus; ++job)
    {
        arrive();
    }
    std::uint32_t gpu = 0;
    for (auto _ : state)
    {
        benchmark::DoNotOptimize(scheduler.Release(gpu));
        arrive();
        gpu = (gpu + 1) % fillGpus;
    }
    if (scheduler.Waiting() != static_cast<std::size_t>(state.range(0)))
    {
        throw std::logic_error("as many jobs must wait as before");
    }
    constexpr std::int64_t decisions = 2; // per iteration: an end, an arrival
    state.SetItemsProcessed(decisions * state.iterations());
    state.SetComplexityN(state.range(0));
}

BENCHMARK(Decide)
    ->Name("Bubbles/fill-schedule")
    ->ArgName("waiting")
    ->RangeMultiplier(10)
    ->Range(100, 100000)
    ->Complexity(benchmark::oLogN);

} // namespace
} // namespace geotrain
