#include "runner/fill-run.h"

#include "loader/worker-memory.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

std::uint32_t
Iterations(const LoadedScenario& scenario)
{
    const auto& run = scenario.resolved.run();
    return static_cast<std::uint32_t>(run.warmup_iterations() + run.iterations());
}

} // namespace

bool
HasFillers(const LoadedScenario& scenario)
{
    return scenario.inference.has_value() || !scenario.fill.jobs.empty();
}

FillRun::FillRun(const LoadedScenario& scenario,
                 const RunPlan& plan,
                 Rehearsal rehearsed,
                 Network& network,
                 TraceWriter& writer)
    : m_scenario(scenario),
      m_memory(MemoryOfWorkers(scenario.resolved, scenario.model, scenario.training)),
      m_forecast(m_memory,
                 Iterations(scenario),
                 std::move(rehearsed),
                 scenario.inference ? scenario.inference->options.guard : Duration()),
      m_recorder(writer, m_forecast),
      m_host(network.GetClock(), m_forecast, {&m_recorder})
{
    if (scenario.inference)
    {
        MakeServing(plan, network);
    }
    if (!scenario.fill.jobs.empty())
    {
        const FillSection& fill = scenario.fill;
        m_filler = std::make_unique<PipeFiller>(m_host, fill.jobs, fill.workers, fill.options);
        m_host.Add(*m_filler);
    }
}

void
FillRun::MakeServing(const RunPlan& plan, Network& network)
{
    const InferenceSection& inference = *m_scenario.inference;
    m_kvNetwork = std::make_unique<KvNetwork>(m_scenario, plan, network);
    m_source = inference.MakeSource(static_cast<std::uint64_t>(m_scenario.resolved.run().seed()));
    m_times = std::make_unique<ServingTimes>(inference.request, inference.chains);
    m_controller = std::make_unique<PrefillController>(m_host,
                                                       *m_times,
                                                       inference.chains,
                                                       *m_source,
                                                       inference.request.model.maxContext,
                                                       inference.options,
                                                       m_kvNetwork->Transfer(),
                                                       std::vector<ServingObserver*>{&m_recorder});
    m_host.Add(*m_controller);
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
    if (m_controller)
    {
        m_controller->Begin();
    }
}

void
FillRun::Finish(trace::RunEnd& end)
{
    if (m_controller)
    {
        m_controller->Finish();
    }
    if (m_filler)
    {
        FinishFillJobs();
    }
    end.set_peak_memory_bytes(static_cast<std::uint64_t>(PeakMemory().Count()));
}

void
FillRun::FinishFillJobs()
{
    if (!m_filler->Failure().empty())
    {
        throw ConfigError(m_scenario.file,
                          "fill_jobs",
                          "",
                          "must have a job that fits a bubble; the first one doesn't: " +
                              m_filler->Failure());
    }
    for (const FillJobRecord& job : m_filler->Records())
    {
        m_recorder.FillJobEnded(job);
    }
}

Bytes
FillRun::PeakMemory() const
{
    Bytes peak = m_filler ? m_filler->PeakMemory() : Bytes();
    for (WorkerIndex worker = 0; worker < m_memory.size(); ++worker)
    {
        const WorkerMemory& own = m_memory[worker];
        const auto left = m_controller ? m_controller->LeastRoom(worker) : std::nullopt;
        peak = std::max(peak, own.capacity - left.value_or(AlwaysFree(own)));
    }
    return peak;
}

} // namespace geotrain
