// SPDX-License-Identifier: GPL-2.0-only
#include "runner/fill-run.h"

#include "loader/worker-memory.h"
#include "prefill-service/dedicated-cluster.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace geotrain
{

bool
MayDisturbTraining(const LoadedScenario& scenario)
{
    return scenario.inference &&
           (scenario.inference->sharesNic || scenario.inference->options.isRelaxed ||
            scenario.inference->options.preemptionCost > Duration());
}

bool
HasFillers(const LoadedScenario& scenario)
{
    return scenario.inference.has_value() || !scenario.fill.jobs.empty();
}

FillRun::FillRun(const LoadedScenario& scenario,
                 PlanStreams& plan,
                 Rehearsal rehearsed,
                 MessageLayer& layer,
                 TraceWriter& writer)
    : m_scenario(scenario),
      m_memory(MemoryOfWorkers(scenario.training, scenario.cluster)),
      m_forecast(m_memory,
                 std::move(rehearsed),
                 scenario.inference ? scenario.inference->options.guard : Duration()),
      m_recorder(writer, m_forecast),
      m_host(layer.GetClock(), m_forecast, {&m_recorder})
{
    m_host.MarkBubbles(plan.execution);
    if (scenario.inference)
    {
        MakeServing(plan, layer);
    }
    if (!scenario.fill.jobs.empty())
    {
        const FillSection& fill = scenario.fill;
        m_filler = std::make_unique<PipeFiller>(m_host, fill.jobs, fill.workers, fill.options);
        m_host.Add(*m_filler);
    }
}

void
FillRun::MakeServing(const PlanStreams& plan, MessageLayer& layer)
{
    const InferenceSection& inference = *m_scenario.inference;
    m_kvNetwork = std::make_unique<KvNetwork>(m_scenario, plan, layer);
    m_source = inference.MakeSource(m_scenario.run.seed);
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

bool
FillRun::HasFailed() const
{
    return m_filler && !m_filler->Failure().empty();
}

void
FillRun::Finish(trace::RunEnd& end)
{
    if (m_controller)
    {
        m_controller->Finish();
    }
    if (m_recorder.Count(RequestOutcome::Served) > 0)
    {
        CompareWithDedicated(end);
    }
    if (m_filler)
    {
        FinishFillJobs();
    }
    if (m_kvNetwork)
    {
        end.set_kv_bytes(static_cast<std::uint64_t>(m_kvNetwork->Delivered().Count()));
        end.set_kv_packets(m_kvNetwork->Packets());
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

void
FillRun::CompareWithDedicated(trace::RunEnd& end) const
{
    const auto& inference = *m_scenario.inference;
    const auto requests = m_recorder.EndedRequests();
    const auto& options = inference.options;
    const DedicatedCluster cluster(requests,
                                   *m_times,
                                   inference.chains.chains.front(),
                                   [&options](const PrefillRequest& request)
                                   { return DeadlineOf(request, options); });
    const auto found = cluster.Fewest(static_cast<std::uint32_t>(inference.chains.chains.size()),
                                      m_recorder.Count(RequestOutcome::Served),
                                      m_recorder.TtftP90());
    if (found)
    {
        auto& dedicated = *end.mutable_dedicated();
        dedicated.set_gpus(found->groups * inference.chains.ppDegree *
                           inference.request.tensorParallel);
        dedicated.set_served(found->served);
        dedicated.set_ttft_p50_ns(found->ttftP50.ToNanoseconds());
        dedicated.set_ttft_p90_ns(found->ttftP90.ToNanoseconds());
        dedicated.set_ttft_p99_ns(found->ttftP99.ToNanoseconds());
    }
}

void
FillRun::CheckConservation() const
{
    if (m_kvNetwork)
    {
        m_kvNetwork->CheckConservation();
    }
}

void
FillRun::RefuseIfAllWereRefused() const
{
    const auto tooLong = m_recorder.Count(RequestOutcome::TooLong);
    const auto tooLate = m_recorder.Count(RequestOutcome::TooLate);
    if (tooLong + tooLate == 0 || m_recorder.Count(RequestOutcome::Served) > 0 ||
        m_recorder.Count(RequestOutcome::Unfinished) > 0)
    {
        return;
    }
    const auto& inference = *m_scenario.inference;
    const auto milliseconds = [&](std::uint32_t tokens) {
        return 1e3 * m_times->FastestComputeTime({tokens, 1}).ToSeconds();
    };
    const std::string would = fmt::format(
        "every request was refused: {} too long for the context of {} tokens or for every bubble, "
        "{} "
        "too late for the objective. Undisturbed, a prefill of 100 tokens takes {:.1f} ms, one of "
        "1,000 {:.1f} ms: shorter prompts, a larger pp_degree or an objective well above that "
        "would "
        "fit",
        tooLong,
        inference.request.model.maxContext,
        tooLate,
        milliseconds(100),
        milliseconds(1000));
    const bool isLate = tooLate > 0;
    throw ConfigError(m_scenario.file,
                      isLate ? "inference.ttft_objective" : "inference",
                      isLate ? Format(*inference.options.objective) : "",
                      would);
}

} // namespace geotrain
