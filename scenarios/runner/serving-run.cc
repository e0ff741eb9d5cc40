// SPDX-License-Identifier: GPL-2.0-only
#include "runner/serving-run.h"

#include "prefill-service/dedicated-cluster.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

ServingRun::ServingRun(const FilledTraining& training,
                       const std::vector<WorkerMemory>& memory,
                       FillHost& host)
    : m_file(training.experiment.provenance.file),
      m_spec(training.spec),
      m_inference(*training.spec.inference),
      m_memory(memory),
      m_recorder(training.writer),
      m_kvNetwork(training),
      m_source(m_inference.MakeSource(training.spec.SeedFrom(training.experiment.run.seed))),
      m_times(m_inference.request, m_inference.chains),
      m_controller(host, m_times, *m_source, m_inference.options, m_kvNetwork.Transfers())
{
    m_controller.Observe(m_recorder);
    host.Add(m_controller);
}

void
ServingRun::Begin()
{
    m_controller.Begin();
}

void
ServingRun::Finish(trace::RunEnd& end)
{
    m_controller.Finish();
    if (m_recorder.Count(RequestOutcome::Served) > 0)
    {
        CompareWithDedicated(end);
    }
    end.set_kv_bytes(static_cast<std::uint64_t>(m_kvNetwork.Delivered().Count()));
    end.set_kv_packets(m_kvNetwork.Packets());
    end.set_prefill_activation_bytes(
        static_cast<std::uint64_t>(m_kvNetwork.DeliveredActivations().Count()));
}

Bytes
ServingRun::PeakMemory() const
{
    Bytes peak;
    for (WorkerIndex worker = 0; worker < m_memory.size(); ++worker)
    {
        const auto left = m_controller.LeastRoom(worker);
        peak = left ? std::max(peak, m_memory[worker].capacity - *left) : peak;
    }
    return peak;
}

void
ServingRun::CompareWithDedicated(trace::RunEnd& end) const
{
    const auto requests = m_recorder.EndedRequests();
    const auto& options = m_inference.options;
    const DedicatedCluster cluster(requests,
                                   m_times,
                                   m_inference.chains.chains.front(),
                                   [&options](const PrefillRequest& request)
                                   { return DeadlineOf(request, options); });
    const auto found = cluster.Fewest(static_cast<std::uint32_t>(m_inference.chains.chains.size()),
                                      m_recorder.Count(RequestOutcome::Served),
                                      m_recorder.TtftP90());
    if (found)
    {
        auto& dedicated = *end.mutable_dedicated();
        dedicated.set_gpus(found->groups * m_inference.chains.ppDegree *
                           m_inference.request.tensorParallel);
        dedicated.set_served(found->served);
        dedicated.set_ttft_p50_ns(found->ttftP50.ToNanoseconds());
        dedicated.set_ttft_p90_ns(found->ttftP90.ToNanoseconds());
        dedicated.set_ttft_p99_ns(found->ttftP99.ToNanoseconds());
    }
}

void
ServingRun::CheckConservation() const
{
    m_kvNetwork.CheckConservation();
}

void
ServingRun::RefuseIfAllWereRefused() const
{
    const auto tooLong = m_recorder.Count(RequestOutcome::TooLong);
    const auto tooLate = m_recorder.Count(RequestOutcome::TooLate);
    // The last that came may wait for company in a batch when the run ends.
    if (tooLong + tooLate == 0 || m_recorder.Count(RequestOutcome::Served) > 0 ||
        m_recorder.Count(RequestOutcome::Unfinished) >= tooLong + tooLate)
    {
        return;
    }
    const auto milliseconds = [&](std::uint32_t tokens) {
        return 1e3 * m_times.FastestComputeTime({tokens, 1}).ToSeconds();
    };
    const std::string would = fmt::format(
        "no request was served: {} too long for the context of {} tokens or for every bubble, "
        "{} too late for the objective. Undisturbed, a prefill of 100 tokens takes {:.1f} ms, one "
        "of 1,000 {:.1f} ms: shorter prompts, a larger pp_degree or an objective well above that "
        "would fit",
        tooLong,
        m_inference.request.model.maxContext,
        tooLate,
        milliseconds(100),
        milliseconds(1000));
    const bool isLate = tooLate > 0;
    throw ConfigError(m_file,
                      m_spec.NameOfField(isLate ? "inference.ttft_objective" : "inference"),
                      isLate ? Format(*m_inference.options.objective) : "",
                      would);
}

} // namespace geotrain
