// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run.h"

#include "loader/machine-memory.h"
#include "loader/scenario-loader.h"
#include "report/run-report.h"
#include "report/run-results.h"
#include "runner/fill-run.h"
#include "runner/run-experiment.h"
#include "runner/run-info.h"
#include "runner/stderr-text.h"
#include "trace/result-file.h"
#include "trace/trace-error.h"

namespace geotrain
{

namespace
{

/// Runs an experiment whose trace is not kept. Returns the time of an iteration of its job `job`, in
/// seconds.
double
SecondsApart(const Experiment& experiment,
             std::uint32_t job,
             const RunOptions& options,
             EarlyEnd& early)
{
    RunOptions apart = options;
    apart.folder = options.folder / "apart";
    MakeResultFolder(apart.folder);
    RunExperiment(experiment, apart, std::vector<Baseline>(experiment.jobs.size()), early);
    TraceReader reader((apart.folder / "trace.pb").string(), job);
    const auto seconds = Summarize(reader).Find("iteration_time");
    std::filesystem::remove(apart.folder / "trace.pb");
    std::error_code kept;
    std::filesystem::remove(apart.folder, kept);
    return seconds.value_or(0);
}

/// Returns the experiment with one of its jobs and without transfers.
Experiment
WithJobAlone(Experiment experiment, std::size_t job)
{
    experiment.jobs = {experiment.jobs[job]};
    experiment.transfer.reset();
    return experiment;
}

/// Returns what each job takes without its fillers, where they may make it slower, and what it takes
/// alone, where it is not. Each takes another run. Throws UnfinishedRun.
std::vector<Baseline>
BaselinesOf(const Experiment& experiment, const RunOptions& options, EarlyEnd& early)
{
    std::vector<Baseline> baselines(experiment.jobs.size());
    for (std::uint32_t job = 0; job < baselines.size(); ++job)
    {
        const TrainingSpec& spec = experiment.jobs[job];
        try
        {
            if (MayDisturbTraining(spec))
            {
                Experiment without = experiment;
                without.jobs[job] = WithoutFillers(spec);
                baselines[job].withoutFillers = SecondsApart(without, job, options, early);
            }
            if (!spec.name.empty())
            {
                baselines[job].alone =
                    SecondsApart(WithJobAlone(experiment, job), 0, options, early);
            }
        }
        catch (const UnfinishedRun& unfinished)
        {
            throw UnfinishedRun(std::string("in a run apart, for comparison: ") +
                                unfinished.what());
        }
    }
    return baselines;
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
    try
    {
        MakeResultFolder(figures);
        draw(figures);
    }
    catch (const TraceError& error)
    {
        // The numbers are complete without figures, so that a run needs no gnuplot.
        PrintToStderr("geotrain: warning: no figures: {}\n", error.what());
    }
}

/// Makes the results of the run from its trace.
Summary
Conclude(const RunOptions& options)
{
    const RunResults results(options.folder / "trace.pb");
    auto summary = results.Summarize();
    WriteSummaryCsv(summary, options.folder / "summary.csv");
    results.WriteTables(options.folder);
    DrawFigures(options,
                [&results](const std::filesystem::path& figures) { results.DrawFigures(figures); });
    if (options.drawsFigures)
    {
        WriteRunReport(summary, options.folder);
    }
    return summary;
}

} // namespace

Summary
Run(const Experiment& experiment, const RunOptions& options)
{
    RunInfo info(options.folder,
                 experiment.run.name,
                 {static_cast<std::int64_t>(experiment.run.seed)},
                 options.commandLine,
                 {options.ns3Defaults, experiment.provenance.libraries});
    WriteIntoPlace(options.folder / "scenario.textproto", ResolvedText(experiment.provenance));
    // Progress is told together with what the run does.
    const auto nothing = [](const std::string& /*doing*/) {};
    try
    {
        EarlyEnd early(experiment.run,
                       options.status || !options.progress ? options.status
                                                           : StatusCallback(nothing));
        WithinMemory(experiment.run.memoryLimit,
                     experiment.provenance.file,
                     "run.memory_limit",
                     [&] {
                         RunExperiment(
                             experiment, options, BaselinesOf(experiment, options, early), early);
                     });
    }
    catch (const UnfinishedRun&)
    {
        info.Finish(2);
        throw;
    }
    auto summary = Conclude(options);
    info.Finish(0);
    return summary;
}

} // namespace geotrain
