// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run.h"

#include "execution/plan-run.h"
#include "execution/warm-ups.h"
#include "figures/run-figures.h"
#include "filling/rehearsal.h"
#include "loader/ignored-fields.h"
#include "loader/machine-memory.h"
#include "metrics/critical-path.h"
#include "metrics/flow-metrics.h"
#include "metrics/flows-csv.h"
#include "report/run-report.h"
#include "runner/analytic-collectives.h"
#include "runner/analytic-run-network.h"
#include "runner/analytic-warnings.h"
#include "runner/fill-run.h"
#include "runner/flows-run.h"
#include "runner/in-network-run.h"
#include "runner/loss-warnings.h"
#include "runner/run-info.h"
#include "runner/run-network.h"
#include "runner/run-plan.h"
#include "runner/stderr-text.h"
#include "runner/trace-header.h"
#include "runner/trace-recorder.h"
#include "runner/transfer-scenario-run.h"
#include "timing/compute-jitter.h"
#include "trace/result-file.h"
#include "trace/trace-error.h"

#include <fmt/format.h>

#include <limits>

namespace geotrain
{

namespace
{

/// Returns the settings of a rehearsal, which takes the schedule's times without jitter.
PlanRunSettings
RehearsalSettings(const LoadedScenario& scenario, const PlanStreams& plan)
{
    PlanRunSettings settings;
    settings.turns = plan.Turns();
    settings.passLatency = scenario.cluster.turnLatency;
    settings.layer.chunkSize = scenario.cluster.chunk;
    const auto local = scenario.training.nodeLocalRate;
    settings.layer.nodeLocalRate = local;
    settings.warmUps = plan.pairs;
    if (!plan.collectivesOverNetwork && !scenario.inNetwork)
    {
        const auto resources =
            std::make_shared<const Resources>(scenario.cluster.wan, NodePairsOf(plan.pairs));
        settings.collectiveTime = [&plan, resources, local](const CollectiveRequest& request)
        {
            return plan.CarriesRing(request.members)
                       ? std::nullopt
                       : std::optional(RingTime(request, *resources, local));
        };
    }
    return settings;
}

PlanRunSettings
SettingsOf(const LoadedScenario& scenario, const PlanStreams& plan)
{
    auto settings = RehearsalSettings(scenario, plan);
    const RunSettings& run = scenario.run;
    if (run.computeJitter > 0)
    {
        const ComputeJitter jitter(run.seed, run.computeJitter);
        settings.executor.durationOf =
            [jitter](
                WorkerIndex worker, std::uint32_t iteration, std::size_t position, Duration planned)
        { return jitter.Apply(worker, iteration, position, planned); };
    }
    return settings;
}

/// Returns the number of iterations to rehearse: all of them where the run has no packets. For a
/// run over packets it is the first few, which differ from later ones because training has just
/// begun; schedules without flush take longer to settle.
std::uint32_t
RehearsedIterations(const LoadedScenario& scenario, const Network& network)
{
    if (!network.Kind().hasPackets)
    {
        return std::numeric_limits<std::uint32_t>::max();
    }
    return scenario.training.order.noFlush ? 4 : 2;
}

/// Rehearses training without fillers on the analytic network.
Rehearsal
RehearseOf(const LoadedScenario& scenario,
           const PlanStreams& plan,
           const Network& ofRun,
           EarlyEnd& early)
{
    const auto network = MakeAnalyticNetwork(scenario, plan);
    network->GetClock().SetWatch([&early]
                                 { return early.HasCome([] { return "training is rehearsed"; }); });
    auto rehearsal = Rehearse(plan.execution,
                              RehearsedIterations(scenario, ofRun),
                              *network,
                              RehearsalSettings(scenario, plan),
                              Instant() + scenario.run.deadline);
    if (early.IsCome())
    {
        throw UnfinishedRun(early.Why(Instant()) + ": training was being rehearsed");
    }
    return rehearsal;
}

/// Makes the fillers of a run; returns nullptr where the scenario has none.
std::unique_ptr<FillRun>
MakeFillRun(const LoadedScenario& scenario,
            PlanStreams& plan,
            MessageLayer& layer,
            TraceWriter& writer,
            EarlyEnd& early)
{
    if (!HasFillers(scenario))
    {
        return nullptr;
    }
    auto rehearsal = RehearseOf(scenario, plan, layer.GetNetwork(), early);
    return std::make_unique<FillRun>(scenario, plan, std::move(rehearsal), layer, writer);
}

std::uint64_t
Computations(const ExecutionPlan& plan)
{
    std::uint64_t count = 0;
    for (const auto& worker : plan.workers)
    {
        for (const auto& instruction : worker.stream)
        {
            count += IsCompute(instruction.kind) ? 1 : 0;
        }
    }
    return count * plan.iterations;
}

void
WarnOfWhatIsIgnored(const LoadedScenario& scenario, TraceRecorder& recorder)
{
    const NetworkKind& kind = *scenario.run.network;
    for (const auto& warning : WarningsOfIgnored(scenario, kind))
    {
        recorder.Warn(warning + (kind.hasPackets ? "" : ": run it over packets"));
    }
    if (!kind.hasPackets)
    {
        for (const auto& warning : WarningsOfAnalyticModel(scenario))
        {
            recorder.Warn(warning + ": run it over packets");
        }
    }
}

std::string
Report(const PlanOutcome& outcome, const EarlyEnd& early)
{
    return fmt::format("{} at {:.6f} s of simulated time:\n{}",
                       early.Why(outcome.end),
                       outcome.end.ToSeconds(),
                       outcome.report);
}

/// Ends the trace of a run that does not come to time 0.
void
WarmConnections(PlanRun& run, const EarlyEnd& early, TraceWriter& writer)
{
    try
    {
        run.Prepare();
    }
    catch (const std::runtime_error& failed)
    {
        writer.Finish(trace::RunEnd());
        throw UnfinishedRun(
            early.IsCome() ? early.Why(Instant()) + ": connections were being warmed"
                           : std::string("the connections could not be warmed: ") + failed.what());
    }
}

/// Runs training. Returns the report of an unfinished run; empty where it finished.
std::string
Simulate(const LoadedScenario& scenario,
         const RunOptions& options,
         EarlyEnd& early,
         std::optional<double> secondsWithout)
{
    auto plan = MakeRunPlan(scenario);
    const auto pairs = PairsOfFillers(scenario, plan);
    plan.pairs.insert(plan.pairs.end(), pairs.begin(), pairs.end());
    const auto runNetwork = MakeRunNetwork(scenario, plan);
    auto& network = runNetwork->Get();
    PlanRun run(plan.execution, network, SettingsOf(scenario, plan));

    TraceWriter writer((options.folder / "trace.pb").string(),
                       MakeTraceHeader(scenario, plan, options.variant));
    TraceRecorder recorder(
        writer,
        network,
        plan.cells.dataCenterOfNode,
        CrossingTimes(scenario.cluster.wan,
                      plan.Turns(),
                      scenario.transport.window * scenario.transport.connections));
    for (const auto& warning : scenario.warnings)
    {
        recorder.Warn(warning);
    }
    WarnOfWhatIsIgnored(scenario, recorder);
    RunWatch watch(run, early, Computations(plan.execution), options.progress);
    WarmConnections(run, early, writer);
    std::optional<InNetworkRun> inNetwork; // its time begins here
    if (scenario.inNetwork)
    {
        inNetwork.emplace(scenario, network, run);
        recorder.SetCounters([&inNetwork](const NetworkCounters& counters)
                             { return inNetwork->AddTo(counters); });
    }
    runNetwork->Begin(scenario, writer);
    const auto fills = MakeFillRun(scenario, plan, run.Layer(), writer, early);
    WarmUpLosses warmUpLosses(network, scenario.run.warmUpIterations, scenario.run.iterations);
    run.Observe(recorder);
    run.Observe(watch);
    run.Observe(warmUpLosses);
    if (fills)
    {
        for (auto* observer : fills->Observers())
        {
            run.Observe(*observer);
        }
        run.SetHold([&fills](WorkerIndex worker) { return fills->HoldOf(worker); });
        fills->Begin();
    }
    const auto outcome = run.Run(Instant() + scenario.run.deadline,
                                 [&] { return early.IsCome() || (fills && fills->HasFailed()); });

    for (const auto& warning : WarningsOfLosses(network, scenario.cluster.wan.portQueue))
    {
        recorder.Warn(warning + ": run it over packets");
    }
    if (const auto warning = warmUpLosses.Warning())
    {
        recorder.Warn(*warning);
    }
    WriteDoubt(*runNetwork, writer);
    trace::RunEnd end;
    end.set_simulated_time_ns(outcome.end.ToNanoseconds());
    end.set_finished(outcome.IsDone());
    end.set_iteration_time_without_s(secondsWithout.value_or(0));
    if (fills)
    {
        fills->Finish(end);
    }
    writer.Finish(end);
    if (!outcome.IsDone())
    {
        return Report(outcome, early);
    }
    runNetwork->CheckConservation();
    if (fills)
    {
        fills->CheckConservation();
        fills->RefuseIfAllWereRefused();
    }
    return "";
}

/// Returns the iteration time without fillers, where fillers may make training slower. It takes
/// another run, whose trace is not kept.
std::optional<double>
TimeWithout(const LoadedScenario& scenario, const RunOptions& options, EarlyEnd& early)
{
    if (!MayDisturbTraining(scenario))
    {
        return std::nullopt;
    }
    RunOptions apart = options;
    apart.folder = options.folder / "without";
    std::filesystem::create_directory(apart.folder);
    const auto unfinished = Simulate(WithoutFillers(scenario), apart, early, std::nullopt);
    if (!unfinished.empty())
    {
        throw UnfinishedRun("without prefills, " + unfinished);
    }
    TraceReader reader((apart.folder / "trace.pb").string());
    const auto seconds = Summarize(reader).Find("iteration_time");
    std::filesystem::remove_all(apart.folder);
    return seconds;
}

/// Runs all simulations of a scenario. Throws UnfinishedRun.
void
SimulateAll(const LoadedScenario& scenario, const RunOptions& options, EarlyEnd& early)
{
    const auto unfinished =
        scenario.transfer
            ? (scenario.transfer->IsOfFlows() ? SimulateFlows(scenario, options, early)
                                              : SimulateTransfer(scenario, options, early))
            : Simulate(scenario, options, early, TimeWithout(scenario, options, early));
    if (!unfinished.empty())
    {
        throw UnfinishedRun(unfinished);
    }
}

/// Calls `draw` with the folder of the figures, where they are wanted; a failure becomes a warning.
template <typename Draw>
void
DrawFigures(const RunOptions& options, Draw draw)
{
    if (!options.drawsFigures)
    {
        return;
    }
    const auto figures = options.folder / "figures";
    std::filesystem::create_directories(figures);
    try
    {
        draw(figures);
    }
    catch (const TraceError& error)
    {
        // The numbers are complete without figures, so that a run needs no gnuplot.
        PrintToStderr("geotrain: warning: no figures: {}\n", error.what());
    }
}

Summary
ConcludeTraining(const RunOptions& options)
{
    const auto& folder = options.folder;
    TraceReader reader((folder / "trace.pb").string());
    const RunTally tally(reader);
    auto summary = Summarize(tally);
    WriteSummaryCsv(summary, folder / "summary.csv");
    WriteCriticalPathCsv(CriticalPath(tally.History(), tally.LastIteration()),
                         tally.Header(),
                         folder / "critical-path.csv");
    DrawFigures(options,
                [&tally](const std::filesystem::path& figures) { DrawRunFigures(tally, figures); });
    if (options.drawsFigures)
    {
        WriteRunReport(summary, folder);
    }
    return summary;
}

Summary
ConcludeTransfer(const RunOptions& options)
{
    const auto& folder = options.folder;
    const auto trace = folder / "trace.pb";
    TraceReader reader(trace.string());
    auto summary = Summarize(reader);
    WriteSummaryCsv(summary, folder / "summary.csv");
    if (summary.header.transfers().flows_size() > 0)
    {
        TraceReader again(trace.string());
        WriteFlowsCsv(FlowTally(again), folder / "flows.csv");
    }
    DrawFigures(options,
                [&trace](const std::filesystem::path& figures)
                { DrawTransferFigures(trace, figures); });
    if (options.drawsFigures)
    {
        WriteRunReport(summary, folder);
    }
    return summary;
}

} // namespace

Summary
Run(const LoadedScenario& scenario, const RunOptions& options)
{
    RunInfo info(options.folder,
                 scenario.run.name,
                 {static_cast<std::int64_t>(scenario.run.seed)},
                 options.commandLine,
                 {options.ns3Defaults, scenario.libraries});
    WriteIntoPlace(options.folder / "scenario.textproto", ResolvedText(scenario));
    EarlyEnd early(scenario.run, options.status);
    try
    {
        WithinMemory(scenario.run.memoryLimit,
                     scenario.file,
                     "run.memory_limit",
                     [&] { SimulateAll(scenario, options, early); });
    }
    catch (const UnfinishedRun&)
    {
        info.Finish(2);
        throw;
    }
    auto summary = scenario.transfer ? ConcludeTransfer(options) : ConcludeTraining(options);
    info.Finish(0);
    return summary;
}

} // namespace geotrain
