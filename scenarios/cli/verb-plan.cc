// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain plan` searches the best way to train over the data centres.
#include "cli/plan-figures.h"
#include "cli/plan-report.h"
#include "cli/status-line.h"
#include "cli/verb.h"

#include "analytic/analytic-network.h"
#include "loader/field-conditions.h"
#include "loader/plan-scenario.h"
#include "plan-study/plan-ranges.h"
#include "plan-study/what-if.h"
#include "runner/exit-codes.h"
#include "runner/result-list.h"
#include "runner/run-folder.h"
#include "runner/run-info.h"
#include "runner/run-watch.h"
#include "runner/stderr-text.h"
#include "runner/testbed.h"
#include "trace/result-file.h"
#include "trace/trace-error.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <stdexcept>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// PlanArguments are the options of the verb.
struct PlanArguments
{
    ScenarioArguments scenario;
    WhatIfRequest whatIfs;
    std::size_t simulated = 20;
    std::size_t verify = 0;
    unsigned jobs = DefaultJobs();
    std::string out;
    bool force = false;
    OutputOptions output;
};

PlanningScenario
Load(const PlanArguments& arguments)
{
    const auto text = arguments.scenario.Read();
    StatusLine line(arguments.output.quiet);
    line.Show("loading " + arguments.scenario.name);
    return LoadForPlanning(text, arguments.scenario.Assignments());
}

void
AddAtlas(PlanReport& report, const PlanningScenario& scenario)
{
    try
    {
        report.atlas = PlanCells(scenario.plan, scenario.job, scenario.cluster);
        SimulateCells(*report.atlas, scenario.job, scenario.cluster, report.search.ranked);
    }
    catch (const std::invalid_argument& refused)
    {
        report.atlasRefusal = refused.what();
    }
}

/// Searches the plan, and the answers to all what-ifs. Throws ConfigError where there is no plan.
void
SearchAll(PlanReport& report,
          const PlanningScenario& scenario,
          const std::vector<WhatIf>& whatIfs,
          const PlanArguments& arguments)
{
    StatusLine line(arguments.output.quiet);
    const auto searches = 1 + whatIfs.size();
    std::size_t done = 0;
    PlanSearchOptions options;
    options.progress = [&](double share)
    {
        line.Show((static_cast<double>(done) + share) / static_cast<double>(searches),
                  fmt::format("searching plans, {} of {}", done + 1, searches));
    };
    options.simulated = arguments.simulated;
    options.threads = arguments.jobs;
    const auto space = PlanSpaceOf(scenario);
    try
    {
        report.search = SearchPlans(space, scenario.job, scenario.cluster, options);
    }
    catch (const std::invalid_argument& refused)
    {
        throw ConfigError(scenario.provenance.file, "plan", "", refused.what());
    }
    AddAtlas(report, scenario);
    for (const auto& whatIf : whatIfs)
    {
        ++done;
        auto& answer = report.whatIfs.emplace_back();
        answer.whatIf = whatIf;
        try
        {
            answer.search = SearchPlans(space, scenario.job, whatIf.cluster, options);
        }
        catch (const std::invalid_argument& refused)
        {
            answer.missing = refused.what();
        }
    }
}

/// Searches all. Where there is no plan, the empty folder is removed.
void
SearchInto(const fs::path& folder,
           PlanReport& report,
           const PlanningScenario& scenario,
           const std::vector<WhatIf>& whatIfs,
           const PlanArguments& arguments)
{
    try
    {
        const EarlyEnd early(scenario.run, {}); // for run.wall_deadline
        SearchAll(report, scenario, whatIfs, arguments);
    }
    catch (const ConfigError&)
    {
        RemoveResults(folder);
        std::error_code kept;
        fs::remove(folder, kept);
        throw;
    }
}

/// Writes the first `count` plans of the ranking as scenario files, and returns the files.
std::vector<fs::path>
WritePlans(const PlanReport& report, const PlanningScenario& scenario, std::size_t count)
{
    std::vector<fs::path> files;
    for (std::size_t rank = 0; rank < count; ++rank)
    {
        const auto name = fmt::format("plan-{}", rank + 1);
        files.push_back(fs::path(report.folder) / (name + ".textproto"));
        WriteIntoPlace(files.back(),
                       ScenarioOfPlan(scenario,
                                      report.search.ranked[rank].plan,
                                      scenario.run.name + "-" + name));
    }
    return files;
}

void
Verify(PlanReport& report, const std::vector<fs::path>& files, const PlanArguments& arguments)
{
    std::vector<double> seconds;
    for (std::size_t rank = 0; rank < files.size(); ++rank)
    {
        seconds.push_back(report.search.ranked[rank].simulation.iterationTime.ToSeconds());
    }
    StatusLine line(arguments.output.quiet);
    const auto what = fmt::format("running {} plans over packets", files.size());
    report.verified = VerifyPlans(files,
                                  seconds,
                                  arguments.jobs,
                                  arguments.output.commandLine,
                                  [&](double share) { line.Show(share, what); });
    for (const auto& reversed : ReversedRankings(report.verified))
    {
        report.warnings.push_back(reversed);
    }
}

void
Draw(const PlanReport& report)
{
    try
    {
        DrawPlanFigures(report, fs::path(report.folder) / "figures");
    }
    catch (const TraceError& error)
    {
        PrintToStderr("geotrain: warning: no figures: {}\n", error.what());
    }
}

/// Says what there is after a signal that came when the plans were known.
std::string
InterruptionOf(const PlanReport& report)
{
    const auto& plans = report.verified;
    const auto done = std::count_if(
        plans.begin(), plans.end(), [](const auto& plan) { return plan.failure.empty(); });
    return plans.empty() ? fmt::format("interrupted: the plans are in {}", report.folder)
                         : fmt::format("interrupted: {} of {} plans have run over packets; all "
                                       "are in {}",
                                       done,
                                       plans.size(),
                                       report.folder);
}

int
Plan(const PlanArguments& arguments)
{
    std::signal(SIGINT, SIG_DFL); // ends the search at once, also in a shell's background
    const auto scenario = Load(arguments);
    // Plans are ranked on the analytic network.
    RefuseLossesWithoutModel(scenario.cluster.wan, scenario.transport, scenario.provenance.file);
    const auto whatIfs = MakeWhatIfs(scenario.cluster, arguments.whatIfs);
    PlanReport report;
    report.scenario = scenario.run.name;
    report.cluster = scenario.cluster;
    report.globalBatch = scenario.job.globalBatch;
    report.warnings =
        WarningsOfIgnored(*scenario.provenance.resolved, AnalyticNetwork::StaticKind());
    report.warnings.insert(
        report.warnings.end(), scenario.warnings.begin(), scenario.warnings.end());
    // Before the search, so that a place that can't be written to ends it at once.
    const auto folder = MakeRunFolder(arguments.out, scenario.run.name + "-plan", arguments.force);
    report.folder = folder.string();
    const RunInfo info(folder,
                       scenario.run.name,
                       {static_cast<std::int64_t>(scenario.run.seed)},
                       arguments.output.commandLine,
                       {{}, scenario.provenance.libraries});
    SearchInto(folder, report, scenario, whatIfs, arguments);
    CatchInterrupts();
    const auto verified = std::min(arguments.verify, report.search.ranked.size());
    const auto files = WritePlans(report, scenario, std::max<std::size_t>(1, verified));
    WriteIntoPlace(folder / "plans.csv", PlanCsv(report));
    if (report.atlas)
    {
        WriteIntoPlace(folder / "dp-cells.csv", CellsCsv(*report.atlas));
    }
    if (verified > 0)
    {
        Verify(report, files, arguments);
    }
    Draw(report);
    PrintResults(arguments.output, PlanJson(report), PlanText(report));
    if (WasInterrupted())
    {
        PrintToStderr("{}\n", InterruptionOf(report));
        info.Finish(exitUnfinished);
        return exitUnfinished;
    }
    const auto failed = std::find_if(report.verified.begin(),
                                     report.verified.end(),
                                     [](const auto& plan) { return !plan.failure.empty(); });
    const int code = failed == report.verified.end() ? exitDone : exitUnfinished;
    info.Finish(code);
    return code;
}

} // namespace

void
AddPlanVerb(VerbList& verbs)
{
    auto [verb, arguments] =
        verbs.Add("plan", "Search the best way to train over the data centres", Plan);
    AddScenario(verb, arguments.scenario)->required();
    AddSetOption(verb, arguments.scenario);
    AddLoadOption(verb, arguments.scenario.load);
    AddRepeated(verb, "--without", arguments.whatIfs.without, "Also plans without data centre DC");
    AddRepeated(verb,
                "--add",
                arguments.whatIfs.add,
                "DC=GPUS: also plans with that many more GPUs in data centre DC");
    AddRepeated(verb,
                "--wan-rate",
                arguments.whatIfs.wanRates,
                "Also plans with WAN caps of RATE, or WAN links where the scenario sets no caps");
    verb.add_option(
            "--top", arguments.simulated, "Plans that run on the analytic network; default 20")
        ->check(CLI::Range(1, 100000));
    verb.add_option("--verify", arguments.verify, "K: run the best K over packets")
        ->check(CLI::Range(1, 1000));
    verb.add_option("--jobs", arguments.jobs, "Plans that run at a time; default: one per core")
        ->check(CLI::Range(1, 10000));
    AddResultOptions(verb, arguments.out, arguments.force, "results/<name>-plan-<n>");
    AddOutputOptions(verb, arguments.output);
    verb.footer(R"(
Each --without, --add and --wan-rate is a question of its own, answered as a difference to the plan;
for a cluster that differs in several ways at once, change the scenario by --set.
All plans train the same batch an iteration: plan.global_batch, by default the scenario's own.
Prices are the scenario's price entries. Writes plan-1.textproto, the winner, which `geotrain run`
takes as it is; plans.csv, dp-cells.csv and figures/: throughput against the number of DP-cells,
cost against time, and throughput against the values of repeated --wan-rate and --add.

Examples:
  geotrain plan three-dc-gpt
  geotrain plan three-dc-gpt --without dc-c --add dc-a=8 --wan-rate 10Gbps
  geotrain plan three-dc-gpt --set plan.tensor_parallel=[1] --verify 3)");
}

} // namespace geotrain
