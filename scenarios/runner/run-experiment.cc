// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-experiment.h"

#include "loader/ignored-fields.h"
#include "runner/analytic-warnings.h"
#include "runner/cross-traffic-workload.h"
#include "runner/flows-workload.h"
#include "runner/loss-warnings.h"
#include "runner/messages-workload.h"
#include "runner/testbed.h"
#include "runner/trace-header.h"
#include "runner/trace-recorder.h"
#include "runner/training-workload.h"
#include "runner/unfinished-run.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

namespace geotrain
{

namespace
{

/// Makes the workloads with results, in the order of the trace's jobs, and before them what others
/// send.
Workloads
MakeWorkloads(const Experiment& experiment, const std::vector<Baseline>& baselines)
{
    Workloads workloads;
    if (!experiment.crossTraffic.empty() && experiment.run.network->hasPackets)
    {
        workloads.push_back(std::make_unique<CrossTrafficWorkload>(experiment));
    }
    for (std::size_t i = 0; i < experiment.jobs.size(); ++i)
    {
        workloads.push_back(
            std::make_unique<TrainingWorkload>(experiment, experiment.jobs[i], baselines.at(i)));
    }
    if (experiment.transfer && experiment.transfer->IsOfFlows())
    {
        workloads.push_back(std::make_unique<FlowsWorkload>(experiment));
    }
    else if (experiment.transfer)
    {
        workloads.push_back(std::make_unique<MessagesWorkload>(experiment));
    }
    return workloads;
}

/// Returns what `get` returns for all workloads, together.
template <typename Element>
std::vector<Element>
Collected(const Workloads& workloads, std::vector<Element> (Workload::*get)() const)
{
    std::vector<Element> all;
    for (const auto& workload : workloads)
    {
        const auto more = ((*workload).*get)();
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

/// Where the records of each workload go: into the trace, or through the writer of its job.
using Sinks = std::vector<std::shared_ptr<RecordSink>>;

Sinks
SinksOf(const Workloads& workloads, TraceWriter& trace)
{
    Sinks sinks;
    std::uint32_t jobs = 0;
    for (const auto& workload : workloads)
    {
        if (workload->Name().empty())
        {
            sinks.emplace_back(&trace, [](RecordSink* /*notOwned*/) {});
        }
        else
        {
            sinks.push_back(std::make_shared<JobTraceWriter>(trace, jobs++));
        }
    }
    return sinks;
}

/// Returns the header, in which workloads with names have one each.
trace::RunHeader
HeaderOf(const Experiment& experiment, const Workloads& workloads, const RunVariant& variant)
{
    auto pairs = Collected(workloads, &Workload::Pairs);
    auto header = MakeRunHeader(experiment, pairs, variant);
    for (const auto& workload : workloads)
    {
        const std::string name = workload->Name();
        if (name.empty())
        {
            workload->Describe(header);
            continue;
        }
        auto& own = *header.add_jobs();
        own.set_job(name);
        workload->Describe(own);
    }
    if (header.jobs_size() > 0)
    {
        *header.mutable_wan_conditions() = ConditionsOf(experiment);
    }
    return header;
}

/// Warns of what a reader must know before the result, and of what the network ignores.
void
WarnBefore(const Experiment& experiment, Testbed& testbed)
{
    for (const auto& warning : experiment.warnings)
    {
        testbed.Warn(warning);
    }
    const NetworkKind& kind = *experiment.run.network;
    for (const auto& warning : WarningsOfIgnored(*experiment.provenance.resolved, kind))
    {
        testbed.Warn(warning + (kind.hasPackets ? "" : ": run it over packets"));
    }
    for (const TrainingSpec& job : experiment.jobs)
    {
        const auto warnings =
            kind.hasPackets ? std::vector<std::string>() : WarningsOfAnalyticModel(job);
        for (const auto& warning : warnings)
        {
            testbed.Warn(warning + ": run it over packets");
        }
    }
}

/// A Watch reports what workloads do, and ends the clock's run where the run is to end early.
class Watch
{
  public:
    /// All must outlive this.
    Watch(const Workloads& workloads, const ProgressCallback& progress, Testbed& testbed)
        : m_workloads(workloads),
          m_progress(progress),
          m_testbed(testbed)
    {
        testbed.GetClock().SetWatch(
            [this] { return m_testbed.Early().HasCome([this] { return Report(); }); });
    }

    ~Watch()
    {
        m_testbed.GetClock().SetWatch({});
    }

    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

  private:
    std::string Report() const
    {
        double share = 0;
        auto doing = fmt::format("{:.3f} s simulated", m_testbed.GetClock().Now().ToSeconds());
        for (const auto& workload : m_workloads)
        {
            share += workload->Progress() / static_cast<double>(m_workloads.size());
            const auto more = workload->Doing();
            doing += more.empty() ? "" : ", " + more;
        }
        if (m_progress)
        {
            m_progress(share);
        }
        return doing;
    }

    const Workloads& m_workloads;
    const ProgressCallback& m_progress;
    Testbed& m_testbed;
};

/// Opens and warms all connections; the clock then reads 0.
void
WarmConnections(const Workloads& workloads, const Sinks& sinks, Testbed& testbed)
{
    std::string failure;
    try
    {
        for (std::size_t i = 0; i < workloads.size(); ++i)
        {
            workloads[i]->WarmUp(testbed, *sinks[i]);
        }
        testbed.GetNetwork().Prepare(Collected(workloads, &Workload::WarmUps));
        for (const auto& workload : workloads)
        {
            workload->Settle(testbed);
        }
        return;
    }
    catch (const ConfigError&)
    {
        throw;
    }
    catch (const UnfinishedRun&)
    {
        testbed.Trace().Finish(trace::RunEnd());
        throw;
    }
    catch (const std::runtime_error& failed)
    {
        failure = failed.what();
    }
    testbed.Trace().Finish(trace::RunEnd());
    const EarlyEnd& early = testbed.Early();
    throw UnfinishedRun(early.IsCome() || failure.empty()
                            ? early.Why(testbed.GetClock().Now()) +
                                  ": connections were being warmed"
                            : "the connections could not be warmed: " + failure);
}

bool
AreAll(const Workloads& workloads, bool (Workload::*holds)() const)
{
    return std::all_of(workloads.begin(),
                       workloads.end(),
                       [holds](const auto& workload) { return ((*workload).*holds)(); });
}

bool
HasFailed(const Workloads& workloads)
{
    return std::any_of(workloads.begin(),
                       workloads.end(),
                       [](const auto& workload) { return workload->HasFailed(); });
}

/// Runs the clock until no workload without an end of its own goes on, and the last end has come.
/// Returns the instant at which the run ends at the latest.
Instant
RunClock(const Workloads& workloads, const Testbed& testbed)
{
    Instant lastEnd;
    Workloads::size_type withoutEnd = 0;
    for (const auto& workload : workloads)
    {
        lastEnd = std::max(lastEnd, workload->End().value_or(Instant()));
        withoutEnd += workload->IsDone() || workload->End() ? 0 : 1;
    }
    const EarlyEnd& early = testbed.Early();
    Clock& clock = testbed.GetClock();
    const bool endsByTime = withoutEnd == 0;
    const Instant horizon = endsByTime ? lastEnd : early.Deadline();
    clock.RunUntil(
        [&]
        {
            return early.IsCome() || HasFailed(workloads) ||
                   (!endsByTime && AreAll(workloads, &Workload::IsDone));
        },
        horizon);
    return horizon;
}

/// Says of each workload that is not done who waits for what.
std::string
ReportOf(const Workloads& workloads)
{
    std::string report;
    for (const auto& workload : workloads)
    {
        if (!workload->IsDone())
        {
            const auto name = workload->Name();
            report += (name.empty() ? "" : "job " + name + ":\n") + workload->WhoWaits();
            report += report.empty() || report.back() == '\n' ? "" : "\n";
        }
    }
    if (!report.empty())
    {
        report.pop_back();
    }
    return report;
}

/// Writes what became of the workloads, and ends the trace.
void
FinishTrace(const Workloads& workloads, Instant ended, bool isDone, Testbed& testbed)
{
    for (const auto& warning : WarningsOfLosses(testbed.GetNetwork()))
    {
        testbed.Warn(warning + ": run it over packets");
    }
    trace::RunEnd end;
    for (const auto& workload : workloads)
    {
        workload->Finish(testbed, workload->Name().empty() ? end : *end.add_jobs());
    }
    if (end.jobs_size() > 0)
    {
        *end.mutable_carried() = CountersOf(testbed.GetNetwork().Counters());
    }
    testbed.WriteDoubt();
    end.set_simulated_time_ns(ended.ToNanoseconds());
    end.set_finished(isDone);
    testbed.Trace().Finish(end);
}

} // namespace

void
RunWorkloads(Workloads made,
             const Experiment& experiment,
             const RunOptions& options,
             EarlyEnd& early)
{
    TraceWriter trace((options.folder / "trace.pb").string(),
                      HeaderOf(experiment, made, options.variant));
    const Sinks sinks = SinksOf(made, trace);
    Testbed testbed(experiment, Collected(made, &Workload::WarmUps), early);
    const Workloads workloads = std::move(made); // they end before the testbed that they use
    testbed.WriteTo(trace);
    WarnBefore(experiment, testbed);
    const Watch watch(workloads, options.progress, testbed);
    WarmConnections(workloads, sinks, testbed);
    testbed.Begin();
    for (const auto& workload : workloads)
    {
        workload->Begin(testbed);
    }
    const Instant horizon = RunClock(workloads, testbed);
    const Instant ended = std::min(testbed.GetClock().Now(), horizon);
    const bool isDone = AreAll(workloads, &Workload::IsDone);
    FinishTrace(workloads, ended, isDone, testbed);
    if (!isDone)
    {
        throw UnfinishedRun(fmt::format("{} at {:.6f} s of simulated time:\n{}",
                                        early.Why(ended),
                                        ended.ToSeconds(),
                                        ReportOf(workloads)));
    }
    testbed.CheckConservation();
    for (const auto& workload : workloads)
    {
        workload->CheckResults();
    }
}

void
RunExperiment(const Experiment& experiment,
              const RunOptions& options,
              const std::vector<Baseline>& baselines,
              EarlyEnd& early)
{
    RunWorkloads(MakeWorkloads(experiment, baselines), experiment, options, early);
}

} // namespace geotrain
