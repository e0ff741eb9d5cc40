// SPDX-License-Identifier: GPL-2.0-only
#include "runner/fill-run.h"

#include "loader/worker-memory.h"
#include "runner/fill-jobs-run.h"
#include "runner/kv-network.h"
#include "runner/serving-run.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

bool
MayDisturbTraining(const LoadedScenario& scenario)
{
    if (!scenario.inference)
    {
        return false;
    }
    const InferenceSection& inference = *scenario.inference;
    return inference.sharesNic || inference.sharesActivationNic || inference.options.isRelaxed ||
           inference.options.runsKernelsToEnd || inference.options.preemptionCost > Duration();
}

bool
HasFillers(const LoadedScenario& scenario)
{
    return scenario.inference.has_value() || !scenario.fill.jobs.empty();
}

LoadedScenario
WithoutFillers(LoadedScenario scenario)
{
    scenario.inference.reset();
    scenario.fill.jobs.clear();
    return scenario;
}

std::vector<Network::WarmUp>
PairsOfFillers(const LoadedScenario& scenario, const PlanStreams& plan)
{
    return scenario.inference ? KvNetwork::PairsToWarm(scenario, plan)
                              : std::vector<Network::WarmUp>();
}

FillRun::FillRun(const LoadedScenario& scenario,
                 PlanStreams& plan,
                 Rehearsal rehearsed,
                 MessageLayer& layer,
                 TraceWriter& writer)
    : m_memory(MemoryOfWorkers(scenario.training, scenario.cluster)),
      m_forecast(m_memory,
                 std::move(rehearsed),
                 scenario.inference ? scenario.inference->options.guard : Duration()),
      m_recorder(writer, m_forecast),
      m_host(layer.GetClock(), m_forecast, {&m_recorder})
{
    m_host.MarkBubbles(plan.execution);
    if (scenario.inference)
    {
        m_fillers.push_back(
            std::make_unique<ServingRun>(scenario, m_memory, plan, layer, m_host, writer));
    }
    if (!scenario.fill.jobs.empty())
    {
        m_fillers.push_back(std::make_unique<FillJobsRun>(scenario, m_host, writer));
    }
}

std::vector<ExecutionObserver*>
FillRun::Observers()
{
    return {&m_recorder, &m_host};
}

Duration
FillRun::HoldOf(WorkerIndex worker)
{
    return m_host.HoldOf(worker);
}

void
FillRun::Begin()
{
    m_host.Begin();
    for (const auto& filler : m_fillers)
    {
        filler->Begin();
    }
}

bool
FillRun::HasFailed() const
{
    return std::any_of(
        m_fillers.begin(), m_fillers.end(), [](const auto& filler) { return filler->HasFailed(); });
}

void
FillRun::Finish(trace::RunEnd& end)
{
    for (const auto& filler : m_fillers)
    {
        filler->Finish(end);
    }
    end.set_peak_memory_bytes(static_cast<std::uint64_t>(PeakMemory().Count()));
}

Bytes
FillRun::PeakMemory() const
{
    Bytes peak;
    for (const WorkerMemory& own : m_memory)
    {
        peak = std::max(peak, own.capacity - AlwaysFree(own));
    }
    for (const auto& filler : m_fillers)
    {
        peak = std::max(peak, filler->PeakMemory());
    }
    return peak;
}

void
FillRun::CheckConservation() const
{
    for (const auto& filler : m_fillers)
    {
        filler->CheckConservation();
    }
}

void
FillRun::RefuseIfAllWereRefused() const
{
    for (const auto& filler : m_fillers)
    {
        filler->RefuseIfAllWereRefused();
    }
}

} // namespace geotrain
