// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain plan` searches the best way to train over the data centres.
#include "cli/plan-data.h"
#include "cli/plan-figures.h"
#include "cli/plan-report.h"
#include "cli/status-line.h"
#include "cli/verb.h"

#include "analytic/analytic-network.h"
#include "comparison/sweep-ranks.h"
#include "comparison/text-table.h"
#include "loader/field-conditions.h"
#include "plan-study/plan-ranges.h"
#include "plan-study/what-if.h"
#include "planner/plan-candidates.h"
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
#include <cmath>
#include <csignal>
#include <numeric>
#include <stdexcept>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// Plans that are simulated as the fastest by estimate; those of each kind come on top.
constexpr std::size_t simulatedPlans = 8;
constexpr std::size_t simulatedOfFront = 4;

/// PlanArguments are the options of the verb.
struct PlanArguments
{
    ScenarioArguments scenario;
    WhatIfRequest whatIfs;
    std::size_t listed = 12; // with sentence and head they fit 24 lines
    std::size_t packets = 2;
    unsigned jobs = DefaultJobs();
    std::string out;
    bool force = false;
    OutputOptions output;
    SweepLead* sweep = nullptr; ///< of several ranks, once the folder is there
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

/// Searches the plan, and the answers to all what-ifs, which are yet to be measured. Throws ConfigError
/// where there is no plan.
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
    options.simulated = std::max(arguments.listed / 3, simulatedPlans);
    options.frontPoints = simulatedOfFront;
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
    report.plans = ListPlans(report.search, scenario, arguments.listed);
    AddAtlas(report, scenario);
    for (const auto& whatIf : whatIfs)
    {
        ++done;
        auto& answer = report.whatIfs.emplace_back();
        answer.whatIf = whatIf;
        try
        {
            const auto search = SearchPlans(space, scenario.job, whatIf.scenario.cluster, options);
            answer.plans = ListPlans(search, whatIf.scenario, arguments.listed);
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

/// Says on stderr what is run next and how long that takes, by a coarse estimate.
void
Announce(const std::string& what, double seconds, const PlanArguments& arguments)
{
    if (!arguments.output.quiet)
    {
        PrintToStderr("{}, about {} s on {} cores\n",
                      what,
                      ShortNumber(std::max(1.0, std::round(seconds / arguments.jobs))),
                      arguments.jobs);
    }
}

RunPool
PoolOf(const PlanArguments& arguments, StatusLine& line, const std::string& what)
{
    RunPool pool;
    pool.jobs = arguments.jobs;
    pool.commandLine = arguments.output.commandLine;
    pool.drawsFigures = false;
    pool.sweep = arguments.sweep;
    pool.progress = [&line, what](const std::vector<double>& shares)
    {
        line.Show(std::accumulate(shares.begin(), shares.end(), 0.0) /
                      static_cast<double>(shares.size()),
                  what);
    };
    return pool;
}

/// Leaves as many plans, the best at least, as are measured in some minutes. Returns the time of these
/// on one core in seconds, by the coarse estimate.
double
LeaveWhatIsLittleWork(std::vector<ListedPlan>& plans)
{
    constexpr double mostSeconds = 180;
    constexpr double startSeconds = 0.5; // of a run's process, which loads the scenario
    double seconds = 0;
    std::size_t kept = 0;
    for (const auto& plan : plans)
    {
        const auto more = EstimateSeconds(plan, AnalyticNetwork::StaticKind().name);
        if (kept > 0 && (!more || seconds + *more > mostSeconds))
        {
            break;
        }
        seconds += startSeconds + more.value_or(mostSeconds);
        ++kept;
    }
    plans.resize(kept);
    return seconds;
}

/// Adds the best plan of each question that leaves out a data centre: it is one of the whole, too.
void
AddBestWithout(PlanReport& report)
{
    for (const auto& answer : report.whatIfs)
    {
        const bool isKnown =
            answer.whatIf.kind != WhatIf::Kind::Without || answer.plans.empty() ||
            std::any_of(report.plans.begin(),
                        report.plans.end(),
                        [&](const ListedPlan& plan)
                        { return IsSamePlan(plan.plan.plan, answer.plans.front().plan.plan); });
        if (!isKnown)
        {
            report.plans.push_back(answer.plans.front());
            report.plans.back().plan.isGiven = false;
        }
    }
}

/// Measures all listed plans and those of the what-ifs as a run does, and writes them.
void
MeasureAll(PlanReport& report, const PlanningScenario& scenario, const PlanArguments& arguments)
{
    double seconds = LeaveWhatIsLittleWork(report.plans);
    std::size_t count = report.plans.size();
    for (auto& answer : report.whatIfs)
    {
        seconds += LeaveWhatIsLittleWork(answer.plans);
        count += answer.plans.size();
    }
    Announce(fmt::format("measuring {} plans on the analytic network", count), seconds, arguments);
    StatusLine line(arguments.output.quiet);
    const auto pool = PoolOf(arguments, line, "measuring plans");
    for (std::size_t index = 0; index < report.whatIfs.size(); ++index)
    {
        auto& [whatIf, plans, missing] = report.whatIfs[index];
        plans = MeasurePlans(std::move(plans),
                             whatIf.scenario,
                             report.folder,
                             fmt::format("what-if-{}", index + 1),
                             pool);
    }
    AddBestWithout(report);
    report.plans = MeasurePlans(std::move(report.plans), scenario, report.folder, "plan", pool);
}

/// Runs the best plans over packets.
void
Verify(PlanReport& report, const PlanningScenario& scenario, const PlanArguments& arguments)
{
    const std::size_t count = std::min(arguments.packets, report.plans.size());
    const double seconds = RefuseLargeOverPackets(report.plans, count);
    if (seconds > 0)
    {
        Announce(fmt::format("running the {} best plans over packets", count), seconds, arguments);
    }
    StatusLine line(arguments.output.quiet);
    RunOverPackets(report.plans,
                   count,
                   scenario.run.wallDeadline,
                   report.folder,
                   PoolOf(arguments, line, "running plans over packets"));
}

/// Throws where the best plan was refused by its run, as all are by a disk that is full.
void
CheckBest(const ListedPlan& best)
{
    for (const MeasuredPlan& measured : {best.analytic, best.packets.value_or(MeasuredPlan())})
    {
        if (measured.exitCode == exitInput)
        {
            throw ConfigError(
                "plan", "", "", "the run of the best plan failed: " + measured.failure);
        }
    }
}

/// Draws the figures, and keeps what there is to say of them.
void
Draw(PlanReport& report)
{
    try
    {
        report.figures = DrawPlanFigures(report, fs::path(report.folder) / "figures");
    }
    catch (const TraceError& error)
    {
        report.figures = std::string("no figures: ") + error.what();
    }
}

/// Says what there is after a signal that came when the plans were known.
std::string
InterruptionOf(const PlanReport& report)
{
    const auto& plans = report.plans;
    const auto done = std::count_if(plans.begin(),
                                    plans.end(),
                                    [](const auto& plan)
                                    { return plan.packets && plan.packets->failure.empty(); });
    return fmt::format("interrupted: {} of {} plans have run over packets; all are in {}",
                       done,
                       plans.size(),
                       report.folder);
}

/// Says on stderr why the first plan failed whose run did, if one did, and returns whether.
bool
ReportsFailure(const std::vector<ListedPlan>& plans)
{
    const auto failed =
        std::find_if(plans.begin(),
                     plans.end(),
                     [](const ListedPlan& plan) { return !FailureOf(plan).empty(); });
    if (failed == plans.end())
    {
        return false;
    }
    PrintToStderr("plan {} failed: {}\n", failed - plans.begin() + 1, FailureOf(*failed));
    return true;
}

int
Plan(const PlanArguments& given)
{
    if (const auto code = ServedAsRank(given.out))
    {
        return *code;
    }
    PlanArguments arguments = given;
    std::signal(SIGINT, SIG_DFL); // ends the search at once, also in a shell's background
    const auto scenario = Load(arguments);
    // Plans are ranked on the analytic network.
    RefuseLossesWithoutModel(scenario.cluster.wan, scenario.transport, scenario.provenance.file);
    const auto whatIfs = MakeWhatIfs(scenario, arguments.whatIfs);
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
    const auto sweep = LeadOfLaunch(folder, arguments.jobs);
    arguments.sweep = sweep.get();
    const RunInfo info(folder,
                       scenario.run.name,
                       {static_cast<std::int64_t>(scenario.run.seed)},
                       arguments.output.commandLine,
                       {{}, scenario.provenance.libraries});
    SearchInto(folder, report, scenario, whatIfs, arguments);
    CatchInterrupts();
    MeasureAll(report, scenario, arguments);
    Verify(report, scenario, arguments);
    CheckBest(report.plans.front());
    WriteIntoPlace(folder / "plans.csv", PlanCsv(report));
    if (report.atlas)
    {
        WriteIntoPlace(folder / "dp-cells.csv", CellsCsv(*report.atlas));
    }
    Draw(report);
    WriteIntoPlace(folder / "details.txt", PlanDetails(report));
    PrintResults(arguments.output, PlanJson(report), PlanText(report));
    if (WasInterrupted())
    {
        PrintToStderr("{}\n", InterruptionOf(report));
        info.Finish(exitUnfinished);
        return exitUnfinished;
    }
    const int code = ReportsFailure(report.plans) ? exitUnfinished : exitDone;
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
    verb.add_option("--top", arguments.listed, "Plans that are listed and written; default 12")
        ->check(CLI::Range(1, 100000));
    verb.add_option("--packets,--verify",
                    arguments.packets,
                    "K: run the best K over packets too; default 2, 0: none")
        ->check(CLI::Range(0, 1000));
    AddFieldOption(verb,
                   arguments.scenario,
                   "--wall-deadline",
                   "run.wall_deadline",
                   "T: end the search, and each run of a plan, after this wall-clock time; the "
                   "same as run.wall_deadline");
    verb.add_option("--jobs", arguments.jobs, "Plans that run at a time; default: one per core")
        ->check(CLI::Range(1, 10000));
    AddResultOptions(verb, arguments.out, arguments.force, "results/<name>-plan-<n>");
    AddOutputOptions(verb, arguments.output);
    verb.footer(R"(
Each --without, --add and --wan-rate is a question of its own, answered as a difference to the plan;
for a cluster that differs in several ways at once, change the scenario by --set.
All plans train the same batch an iteration: plan.global_batch, by default the scenario's own.
Prices are the scenario's price entries. Writes each listed plan as plan-N.textproto, those of
question Q as what-if-Q-N.textproto, plans.csv, dp-cells.csv, details.txt (pruned plans,
Algorithm 1) and figures/: throughput against the number of DP-cells, cost against time, and
throughput against the values of repeated --wan-rate and --add. A plan's time is what the
following says, to the digit:
  geotrain run FOLDER/plan-N.textproto --network analytic

Examples:
  geotrain plan three-dc-gpt
  geotrain plan three-dc-gpt --without dc-c --add dc-a=8 --wan-rate 10Gbps
  geotrain plan three-dc-gpt --set plan.tensor_parallel=[1] --packets 3)");
}

} // namespace geotrain
