// SPDX-License-Identifier: GPL-2.0-only
#include "runner/fill-run.h"

#include "loader/worker-memory.h"
#include "runner/kv-network.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

bool
MayDisturbTraining(const TrainingSpec& spec)
{
    if (!spec.inference)
    {
        return false;
    }
    const InferenceSection& inference = *spec.inference;
    return inference.sharesNic || inference.sharesActivationNic ||
           inference.options.preemption != Preemption::Instant ||
           inference.options.preemptionCost > Duration();
}

bool
HasFillers(const TrainingSpec& spec)
{
    return spec.inference.has_value() || !spec.fill.jobs.empty();
}

TrainingSpec
WithoutFillers(TrainingSpec spec)
{
    spec.inference.reset();
    spec.fill.jobs.clear();
    return spec;
}

std::vector<Network::WarmUp>
PairsOfFillers(const TrainingSpec& spec, const PlanStreams& plan)
{
    return spec.inference ? KvNetwork::PairsToWarm(spec, plan) : std::vector<Network::WarmUp>();
}

FillRun::FillRun(const FilledTraining& training, Rehearsal rehearsed)
    : m_memory(MemoryOfWorkers(training.spec.prepared, training.spec.cluster)),
      m_forecast(m_memory,
                 std::move(rehearsed),
                 training.spec.inference ? training.spec.inference->options.guard : Duration()),
      m_recorder(training.writer, m_forecast),
      m_host(training.layer.GetClock(), m_forecast, {&m_recorder})
{
    m_host.MarkBubbles(training.plan.execution);
    if (training.spec.inference)
    {
        m_serving.emplace(training, m_memory, m_host);
    }
    if (!training.spec.fill.jobs.empty())
    {
        m_jobs.emplace(training, m_host);
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
    if (m_serving)
    {
        m_serving->Begin();
    }
}

bool
FillRun::HasFailed() const
{
    return m_jobs && m_jobs->HasFailed();
}

void
FillRun::Finish(trace::RunEnd& end)
{
    if (m_serving)
    {
        m_serving->Finish(end);
    }
    if (m_jobs)
    {
        m_jobs->Finish();
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
    peak = m_serving ? std::max(peak, m_serving->PeakMemory()) : peak;
    return m_jobs ? std::max(peak, m_jobs->PeakMemory()) : peak;
}

void
FillRun::CheckConservation() const
{
    if (m_serving)
    {
        m_serving->CheckConservation();
    }
}

void
FillRun::RefuseIfAllWereRefused() const
{
    if (m_serving)
    {
        m_serving->RefuseIfAllWereRefused();
    }
}

} // namespace geotrain
