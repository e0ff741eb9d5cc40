// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-experiment.h"

#include "runner/cross-traffic.h"
#include "runner/flows-workload.h"
#include "runner/messages-workload.h"
#include "runner/run-warnings.h"
#include "runner/testbed.h"
#include "runner/trace-header.h"
#include "runner/trace-recorder.h"
#include "runner/training-workload.h"
#include "runner/unfinished-run.h"
#include "units/config-error.h"

#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/trim.hpp>
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
        workloads.push_back(std::make_unique<CrossTraffic>(experiment));
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

/// Where the records of each workload go: into the trace, or through the writer of its job.
using Sinks = std::vector<std::shared_ptr<RecordSink>>;

Sinks
MakeSinks(const Workloads& workloads, TraceWriter& trace)
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

/// Reports what workloads do, and which share of their work is done. Returns the former.
std::string
ReportProgress(const Workloads& workloads, const ProgressCallback& progress, Instant now)
{
    double share = 0;
    auto doing = fmt::format("{:.3f} s simulated", now.ToSeconds());
    for (const auto& workload : workloads)
    {
        share += workload->Progress() / static_cast<double>(workloads.size());
        const auto more = workload->Doing();
        doing += more.empty() ? "" : ", " + more;
    }
    if (progress)
    {
        progress(share);
    }
    return doing;
}

/// Opens and warms all connections; the clock then reads 0.
void
WarmConnections(const Workloads& workloads, const Sinks& sinks, Testbed& testbed)
{
    try
    {
        for (std::size_t i = 0; i < workloads.size(); ++i)
        {
            workloads[i]->WarmUp(testbed, *sinks[i]);
        }
        testbed.GetNetwork().Prepare(CollectFrom(workloads, &Workload::WarmUps));
        for (const auto& workload : workloads)
        {
            workload->Settle(testbed);
        }
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
        testbed.Trace().Finish(trace::RunEnd());
        const EarlyEnd& early = testbed.Early();
        const std::string why = failed.what();
        throw UnfinishedRun(early.IsCome() || why.empty()
                                ? early.Why(testbed.GetClock().Now()) +
                                      ": connections were being warmed"
                                : "the connections could not be warmed: " + why);
    }
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
ReportWhoWaits(const Workloads& workloads)
{
    std::vector<std::string> reports;
    for (const auto& workload : workloads)
    {
        if (!workload->IsDone())
        {
            const auto name = workload->Name();
            reports.push_back((name.empty() ? "" : "job " + name + ":\n") +
                              boost::trim_right_copy(workload->WhoWaits()));
        }
    }
    return boost::join(reports, "\n");
}

void
WarnOf(const std::vector<std::string>& warnings, Testbed& testbed)
{
    for (const auto& warning : warnings)
    {
        testbed.Warn(warning);
    }
}

/// Writes what became of the workloads, and ends the trace.
void
FinishTrace(const Workloads& workloads, Instant ended, bool isDone, Testbed& testbed)
{
    WarnOf(FindWarningsAfter(testbed.Of(), workloads, testbed.GetNetwork()), testbed);
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
    TraceWriter trace(options.folder.empty() ? "/dev/null" : (options.folder / "trace.pb").string(),
                      MakeRunHeader(experiment, made, options.variant));
    const Sinks sinks = MakeSinks(made, trace);
    Testbed testbed(experiment, CollectFrom(made, &Workload::WarmUps), early);
    const Workloads workloads = std::move(made); // they end before the testbed that they use
    testbed.WriteTo(trace);
    WarnOf(FindWarningsBefore(experiment, CollectFrom(workloads, &Workload::Pairs)), testbed);
    Clock& clock = testbed.GetClock();
    clock.SetWatch(
        [&]
        {
            return early.HasCome(
                [&] { return ReportProgress(workloads, options.progress, clock.Now()); });
        });
    WarmConnections(workloads, sinks, testbed);
    testbed.Begin();
    for (const auto& workload : workloads)
    {
        workload->Begin(testbed);
    }
    const Instant horizon = RunClock(workloads, testbed);
    const Instant ended = std::min(clock.Now(), horizon);
    const bool isDone = AreAll(workloads, &Workload::IsDone);
    FinishTrace(workloads, ended, isDone, testbed);
    if (!isDone)
    {
        throw UnfinishedRun(fmt::format("{} at {:.6f} s of simulated time:\n{}",
                                        early.Why(ended),
                                        ended.ToSeconds(),
                                        ReportWhoWaits(workloads)));
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
