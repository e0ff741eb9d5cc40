// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain compare` runs the variants of a scenario side by side.
#include "cli/battery-runs.h"
#include "cli/missing-traces.h"
#include "cli/status-line.h"
#include "cli/terminal-width.h"
#include "cli/verb.h"

#include "comparison/compare.h"
#include "comparison/comparison-text.h"
#include "comparison/earlier-results.h"
#include "comparison/expectations.h"
#include "comparison/runs-together.h"
#include "loader/listed-variants.h"
#include "loader/network-kinds.h"
#include "runner/exit-codes.h"
#include "runner/ns3-defaults.h"
#include "runner/run-folder.h"
#include "runner/run-info.h"
#include "runner/run-watch.h"
#include "runner/stderr-text.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <thread>

namespace geotrain
{

namespace
{

/// CompareArguments are the options of the verb.
struct CompareArguments
{
    std::string scenario;
    VariantRequest variants;
    std::vector<std::string> load;
    std::vector<std::string> ns3;
    std::string network;
    std::string seeds;
    std::string wallDeadline;
    unsigned jobs = 0; ///< runs at the same time; 0: as many as there are cores
    std::string out;
    bool force = false;
    bool resume = false;
    std::vector<std::string> results; ///< earlier folders, instead of a scenario
    std::string card;                 ///< congestion control of a battery's report card
    OutputOptions output;
};

void
ShowProgress(StatusLine& line, const std::vector<double>& shares)
{
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    const auto done = std::count(shares.begin(), shares.end(), 1.0);
    line.Show(sum / static_cast<double>(shares.size()),
              fmt::format("{} of {} runs done", done, shares.size()));
}

/// Runs the comparison. The progress line is gone when it returns. `done` gets what was done of each
/// run.
ComparisonTable
CompareWithProgress(const ScenarioText& text,
                    CompareOptions options,
                    bool quiet,
                    std::vector<double>& done)
{
    StatusLine line(quiet);
    options.resumed = [quiet](const ResumedRuns& runs)
    {
        if (!quiet)
        {
            PrintToStderr("{}", runs.Text());
        }
    };
    options.progress = [&](const std::vector<double>& shares)
    {
        done = shares;
        ShowProgress(line, shares);
    };
    return Compare(text, options);
}

/// Returns the command that goes on with a comparison that was interrupted. `line` is its own.
std::string
ResumeLine(std::string line, const CompareArguments& arguments, const std::string& folder)
{
    const std::string force = " --force";
    const auto place = line.find(force);
    line.erase(std::min(place, line.size()), force.size());
    line += arguments.out.empty() ? " --out " + folder : "";
    return line + (arguments.resume ? "" : " --resume");
}

/// Prints the table. `resume` is the command that goes on; empty where the comparison is complete.
void
Print(const ComparisonTable& table,
      const std::vector<ExpectedValue>& expectations,
      const std::string& folder,
      const std::string& resume,
      const OutputOptions& output)
{
    if (output.json)
    {
        auto object = table.Json();
        object["expected"] = ExpectationJson(expectations);
        object["folder"] = folder;
        object["complete"] = resume.empty();
        if (!resume.empty())
        {
            object["resume"] = resume;
        }
        fmt::print("{}\n", object.dump(2));
    }
    else if (!output.quiet)
    {
        fmt::print("{}{}{}results in {}\n",
                   table.Rows().empty() ? "" : ComparisonText(table, TableColumns()),
                   WarningText(table, TableColumns()),
                   ExpectationText(expectations),
                   folder);
    }
}

/// Says how far an interrupted comparison came, and how to go on.
void
ReportInterruption(std::ptrdiff_t done, std::size_t runs, const std::string& resume)
{
    PrintToStderr(
        "interrupted: {} of {} runs are done and kept; this goes on with the others:\n  {}\n",
        done,
        runs,
        resume);
}

/// Names failed variants on stderr, and returns the exit code of the first.
int
ReportFailures(const ComparisonTable& table)
{
    int code = exitDone;
    for (const auto& row : table.Rows())
    {
        if (row.exitCode != exitDone)
        {
            PrintToStderr("variant {}: exit {}: {}\n", row.variant, row.exitCode, row.error);
            code = code == exitDone ? row.exitCode : code;
        }
    }
    return code;
}

/// Returns whether the command line runs the scenario's variants without a change.
bool
IsAsWritten(const CompareArguments& arguments, const ScenarioText& text)
{
    const bool isChanged =
        arguments.variants.full && !ReadListedVariants(text, {}).fullSets.empty();
    return !isChanged && arguments.variants.sets.empty() && arguments.variants.varies.empty() &&
           arguments.ns3.empty() && arguments.seeds.empty();
}

/// Sets earlier results side by side.
int
CompareResults(const CompareArguments& arguments, const std::string& commandLine)
{
    const EarlierResults results({arguments.results.begin(), arguments.results.end()});
    std::for_each(arguments.results.begin(), arguments.results.end(), TellOfMissingTraces);
    const auto folder = MakeRunFolder(arguments.out, "side-by-side", arguments.force);
    const RunInfo info(folder, "side-by-side", {}, commandLine);
    results.Write(folder);
    info.Finish(exitDone);
    if (arguments.output.json)
    {
        auto object = results.Json();
        object["folder"] = folder.string();
        fmt::print("{}\n", object.dump(2));
    }
    else if (!arguments.output.quiet)
    {
        fmt::print("{}results in {}\n", results.Text(TableColumns()), folder.string());
    }
    return exitDone;
}

/// Runs the battery.
int
CompareBattery(const CompareArguments& arguments, const std::string& commandLine)
{
    const BatteryArguments battery{arguments.variants,
                                   arguments.ns3,
                                   arguments.load,
                                   arguments.seeds,
                                   arguments.jobs,
                                   arguments.out,
                                   arguments.force,
                                   arguments.resume,
                                   arguments.card};
    return MakeBattery(battery,
                       arguments.output,
                       commandLine,
                       [&](const std::string& folder)
                       { return ResumeLine(commandLine, arguments, folder); });
}

/// Loads all variants once before they run, each in a child: sets what --ns3 changes, and lets no more
/// of them go side by side than the memory has room for.
void
LoadBefore(const ScenarioText& text, const CompareArguments& arguments, CompareOptions& options)
{
    StatusLine line(arguments.output.quiet);
    line.Show("loading the variants of " + arguments.scenario);
    std::set<std::string> bearers;
    for (const auto& variant : options.plans.variants)
    {
        try
        {
            const auto scenario = LoadScenario(text, variant.assignments);
            bearers.insert(scenario.testbed.transport.bearer);
            options.jobs = std::min(options.jobs, RunsThatFit(scenario));
        }
        catch (const ConfigError&)
        {
            continue; // the run of the variant will report the error
        }
    }
    SetNs3Defaults(arguments.ns3, bearers);
}

int
CompareAll(CompareArguments arguments, const std::string& commandLine)
{
    arguments.jobs = arguments.jobs > 0 ? arguments.jobs : std::thread::hardware_concurrency();
    if (!arguments.card.empty() && arguments.scenario != batteryName)
    {
        throw ConfigError(
            "--card",
            "",
            arguments.card,
            fmt::format("needs the scenario {}, whose headings it judges", batteryName));
    }
    if (!arguments.results.empty())
    {
        return CompareResults(arguments, commandLine);
    }
    if (arguments.scenario.empty())
    {
        throw ConfigError("compare", "", "", "needs a SCENARIO, or --results with earlier folders");
    }
    if (!arguments.network.empty())
    {
        arguments.variants.sets.push_back(NetworkAssignment(arguments.network));
    }
    if (!arguments.wallDeadline.empty())
    {
        arguments.variants.sets.push_back("run.wall_deadline=" + arguments.wallDeadline);
    }
    if (arguments.scenario == batteryName)
    {
        return CompareBattery(arguments, commandLine);
    }
    const auto text = ReadScenarioWith(arguments.load, arguments.scenario);
    CompareOptions options;
    options.plans = PlanVariants(text, arguments.variants);
    if (!arguments.seeds.empty())
    {
        for (auto& variant : options.plans.variants)
        {
            variant.seeds.clear();
        }
    }
    options.seeds = arguments.seeds.empty() ? options.plans.seeds : ParseSeeds(arguments.seeds);
    options.jobs = arguments.jobs;
    LoadBefore(text, arguments, options);
    options.resume = arguments.resume;
    options.folder = arguments.resume
                         ? ResumeRunFolder(arguments.out)
                         : MakeRunFolder(arguments.out,
                                         NameOf(text, options.plans.variants.front().assignments),
                                         arguments.force);
    options.commandLine = commandLine;
    options.ns3Defaults = arguments.ns3;
    CatchInterrupts();
    std::vector<double> done;
    const auto table = CompareWithProgress(text, options, arguments.output.quiet, done);
    const auto folder = options.folder.string();
    const auto resume = WasInterrupted() ? ResumeLine(commandLine, arguments, folder) : "";
    const auto expectations = resume.empty() && IsAsWritten(arguments, text)
                                  ? GivenBy(table, ExpectationsOf(text))
                                  : std::vector<ExpectedValue>{};
    Print(table, expectations, folder, resume, arguments.output);
    const int code = ReportFailures(table);
    if (resume.empty())
    {
        return code;
    }
    ReportInterruption(std::count(done.begin(), done.end(), 1.0), done.size(), resume);
    return exitUnfinished;
}

} // namespace

void
AddCompareVerb(CLI::App& app, VerbAction& action, const std::string& commandLine)
{
    const auto arguments = std::make_shared<CompareArguments>();
    auto& verb = *app.add_subcommand("compare", "Run variants of a scenario side by side");
    auto* scenario = verb.add_option(
        "SCENARIO", arguments->scenario, "A .textproto file, or a name of `list scenarios`");
    verb.add_option("--results",
                    arguments->results,
                    "Instead of a scenario: folders of earlier runs and comparisons, side by side")
        ->excludes(scenario);
    AddRepeated(verb,
                "--vary",
                arguments->variants.varies,
                "PATH=A,B,C: instead of the scenario's variants, each value; several multiply");
    AddRepeated(
        verb, "--set", arguments->variants.sets, "PATH=VALUE: change a field in all variants");
    verb.add_flag(
        "--full", arguments->variants.full, "The variants that the scenario marks full too");
    verb.add_option("--seeds",
                    arguments->seeds,
                    "1..10 or 1,2,5: mean and 95 % interval over seeds, instead of run.seeds");
    verb.add_option("--network", arguments->network, "packet (TCP on ns-3) or analytic (fast)")
        ->check(CLI::IsMember(NetworkNames()));
    AddRepeated(verb,
                "--ns3",
                arguments->ns3,
                "NAME=VALUE: change a default of ns-3, or of bulk-tcp (`list tcp-settings`)");
    AddLoadOption(verb, arguments->load);
    verb.add_option("--wall-deadline",
                    arguments->wallDeadline,
                    "T: end each run after this wall-clock time; the same as run.wall_deadline");
    verb.add_option("--jobs", arguments->jobs, "Runs at a time; default: one per core")
        ->check(CLI::Range(1, 10000));
    verb.add_option("--out", arguments->out, "Folder of the results; default results/<name>-<n>");
    verb.add_option("--card",
                    arguments->card,
                    "With congestion-control-battery: a report card of this congestion "
                    "control, a name of `list congestion-controls`");
    auto* force =
        verb.add_flag("--force", arguments->force, "Replace results that are in the folder");
    verb.add_flag("--resume",
                  arguments->resume,
                  "Go on in the folder of --out: runs that are complete there are not run again")
        ->excludes(force);
    for (const auto* other : {"--vary",
                              "--set",
                              "--full",
                              "--seeds",
                              "--network",
                              "--ns3",
                              "--load",
                              "--jobs",
                              "--resume"})
    {
        verb.get_option("--results")->excludes(verb.get_option(other));
    }
    AddOutputOptions(verb, arguments->output);
    verb.footer(R"(
Writes comparison.csv, a folder per variant, figures/ and report.html. The speed-up is over the first variant. What
a killed or interrupted comparison has left, --resume goes on with. --results marks what differs
from the first by more than the spread of seeds, and writes comparison.csv, figures/ and
report.html. congestion-control-battery runs the scenarios battery-* into DIR/HEADING and writes
DIR/report.html, and with --card DIR/card-CONTROL.html.

Examples:
  geotrain compare three-dc-gpt
  geotrain compare three-dc-gpt --full --jobs 2
  geotrain compare three-dc-gpt --vary transport.connections=1,4,20 --vary sharing=SPATIAL,TEMPORAL
  geotrain compare congestion-control-wan --full --out lab --resume
  geotrain compare congestion-control-battery --card TcpBbr3 --out battery
  geotrain compare congestion-control-wan --load my-control.so --vary transport.congestion_control=cubic,TcpAimd
  geotrain compare --results results/a results/b lab
  geotrain compare my.textproto --set wan_link[0].loss=0.0001 --seeds 1..10)");
    verb.callback(
        [arguments, &action, commandLine]
        { action = [arguments, commandLine] { return CompareAll(*arguments, commandLine); }; });
}

} // namespace geotrain
