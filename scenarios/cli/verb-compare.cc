// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain compare` runs the variants of a scenario side by side.
#include "cli/battery-runs.h"
#include "cli/figure-options.h"
#include "cli/missing-traces.h"
#include "cli/status-line.h"
#include "cli/terminal-width.h"
#include "cli/verb.h"

#include "comparison/compare.h"
#include "comparison/comparison-text.h"
#include "comparison/earlier-results.h"
#include "comparison/expectations.h"
#include "comparison/packets-of-best.h"
#include "comparison/sweep-ranks.h"
#include "comparison/text-table.h"
#include "figures/answers.h"
#include "loader/control-library.h"
#include "loader/listed-variants.h"
#include "runner/exit-codes.h"
#include "runner/ns3-defaults.h"
#include "runner/run-folder.h"
#include "runner/run-info.h"
#include "runner/run-watch.h"
#include "runner/stderr-text.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace geotrain
{

namespace
{

/// CompareArguments are the options of the verb.
struct CompareArguments
{
    ScenarioArguments scenario;
    VariantRequest variants;
    RunPool pool;
    std::string seeds;
    std::string out;
    bool force = false;
    std::vector<std::string> results; ///< earlier folders, instead of a scenario
    std::optional<bool> logAxes;
    std::string figures; ///< of what there are any; empty: as CompareOptions::figures says
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

/// Runs the comparison. The progress line is gone when it returns.
ComparisonTable
CompareWithProgress(const ScenarioText& text, CompareOptions options, bool quiet)
{
    StatusLine line(quiet);
    options.resumed = [quiet](const ResumedRuns& runs)
    {
        if (!quiet)
        {
            PrintToStderr("{}", runs.Text());
        }
    };
    options.progress = [&](const std::vector<double>& shares) { ShowProgress(line, shares); };
    return Compare(text, options);
}

/// Returns what the best variant takes over packets, where the analytic network can't tell.
std::string
OverPackets(const ScenarioText& text,
            CompareOptions options,
            const ComparisonTable& table,
            const CompareArguments& arguments)
{
    StatusLine line(arguments.output.quiet);
    options.progress = [&](const std::vector<double>& shares)
    { line.Show(shares.front(), "running the fastest over packets"); };
    return TimeOfBestOverPackets(text, options, table);
}

/// Returns the command that goes on with a comparison that was interrupted.
std::string
ResumeLine(const CompareArguments& arguments, const std::string& folder)
{
    auto line = arguments.output.commandLine;
    const std::string force = " --force";
    const auto place = line.find(force);
    line.erase(std::min(place, line.size()), force.size());
    line += arguments.out.empty() ? " --out " + folder : "";
    return line + (arguments.pool.resume ? "" : " --resume");
}

/// An Outcome is what there is to say of a comparison beside its table.
struct Outcome
{
    std::string folder;
    std::string resume;  ///< the command that goes on; empty where the comparison is complete
    std::string packets; ///< what the best takes over packets; may be empty
};

void
Print(const ComparisonTable& table,
      const std::vector<ExpectedValue>& expectations,
      const Outcome& outcome,
      const OutputOptions& output)
{
    const auto& [folder, resume, packets] = outcome;
    auto object = table.Json();
    object["expected"] = ExpectationJson(expectations);
    object["folder"] = folder;
    object["complete"] = resume.empty();
    object["answers"] = AnswersOf(table.Means());
    if (!packets.empty())
    {
        object["packets"] = packets;
    }
    if (!resume.empty())
    {
        object["resume"] = resume;
    }
    PrintResults(output,
                 object,
                 fmt::format("{}{}{}{}{}results in {}\n",
                             table.Rows().empty() ? "" : ComparisonText(table, TableColumns()),
                             AnswerText(table, TableColumns()),
                             WarningText(table, TableColumns()),
                             packets.empty() ? "" : Paragraph(packets, TableColumns()),
                             ExpectationText(expectations),
                             folder));
}

/// Returns whether the command line runs the scenario's variants without a change.
bool
IsAsWritten(const CompareArguments& arguments, const ScenarioText& text)
{
    const bool isChanged =
        arguments.variants.full && !ReadListedVariants(text, {}).fullSets.empty();
    return !isChanged && arguments.variants.sets.empty() && arguments.variants.varies.empty() &&
           arguments.pool.ns3Defaults.empty() && arguments.seeds.empty();
}

/// Sets earlier results side by side.
int
CompareResults(const CompareArguments& arguments)
{
    const EarlierResults results({arguments.results.begin(), arguments.results.end()});
    std::for_each(arguments.results.begin(), arguments.results.end(), TellOfMissingTraces);
    const auto folder = MakeRunFolder(arguments.out, "side-by-side", arguments.force);
    const RunInfo info(folder, "side-by-side", {}, arguments.output.commandLine);
    results.Write(folder);
    info.Finish(exitDone);
    auto object = results.Json();
    object["folder"] = folder.string();
    PrintResults(arguments.output,
                 object,
                 results.Text(TableColumns()) + "results in " + folder.string() + "\n");
    return exitDone;
}

/// Returns what --figures asks for.
std::optional<DrawnFigures>
FiguresNamed(const std::string& name)
{
    if (name.empty())
    {
        return std::nullopt;
    }
    return name == "NONE"  ? DrawnFigures::None
           : name == "ALL" ? DrawnFigures::All
                           : DrawnFigures::Comparison;
}

/// Returns the folder of the results; new and with `name`, or that of the comparison that goes on.
std::filesystem::path
OpenFolder(const CompareArguments& arguments, const std::string& name)
{
    return arguments.pool.resume ? ResumeRunFolder(arguments.out)
                                 : MakeRunFolder(arguments.out, name, arguments.force);
}

/// Runs the battery.
int
CompareBattery(const CompareArguments& arguments)
{
    if (!arguments.variants.varies.empty())
    {
        throw ConfigError("--vary",
                          "",
                          arguments.variants.varies.front(),
                          "must not be given with a battery, whose scenarios list their variants");
    }
    BatteryOptions options;
    static_cast<RunPool&>(options) = arguments.pool;
    options.figures = FiguresNamed(arguments.figures);
    const auto libraries = LoadControlLibraries(arguments.scenario.load);
    options.card = arguments.card.empty() ? "" : ControlOfCard(arguments.card);
    options.headings = BatteryHeadings();
    for (auto& heading : options.headings)
    {
        heading.text.libraries = libraries;
    }
    options.variants = arguments.variants;
    if (!arguments.seeds.empty())
    {
        options.seeds = ParseSeeds(arguments.seeds);
    }
    const auto bearer = LoadScenario(options.headings.front().text).testbed.transport.bearer;
    SetNs3Defaults(options.ns3Defaults, {bearer});
    options.folder = OpenFolder(arguments, batteryName);
    CatchInterrupts();
    const auto sweep = LeadOfLaunch(options.folder, options.jobs);
    options.sweep = sweep.get();
    return ShowBattery(
        RunBattery, options, arguments.output, ResumeLine(arguments, options.folder.string()));
}

/// Loads all variants once before they run, each in a child: sets what --ns3 changes, and lets no more
/// of them go side by side than the memory has room for.
void
LoadBefore(const ScenarioText& text, const CompareArguments& arguments, CompareOptions& options)
{
    StatusLine line(arguments.output.quiet);
    line.Show("loading the variants of " + arguments.scenario.name);
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
    SetNs3Defaults(options.ns3Defaults, bearers);
}

/// Runs the variants of a scenario.
int
CompareVariants(const CompareArguments& arguments)
{
    const auto text = arguments.scenario.Read();
    CompareOptions options;
    static_cast<RunPool&>(options) = arguments.pool;
    options.figures = FiguresNamed(arguments.figures);
    options.plans = PlanVariants(text, arguments.variants);
    for (const auto& note : options.plans.notes)
    {
        PrintToStderr("geotrain: warning: {}\n", note);
    }
    options.seeds = options.plans.seeds;
    if (!arguments.seeds.empty())
    {
        options.seeds = ParseSeeds(arguments.seeds);
        for (auto& variant : options.plans.variants)
        {
            variant.seeds.clear();
        }
    }
    LoadBefore(text, arguments, options);
    options.folder =
        OpenFolder(arguments, NameOf(text, options.plans.variants.front().assignments));
    CatchInterrupts();
    const auto sweep = LeadOfLaunch(options.folder, options.jobs);
    options.sweep = sweep.get();
    FigureChoices choices;
    choices.logAxes = arguments.logAxes;
    options.choices = &choices;
    std::string interruption;
    options.interrupted = [&](std::size_t kept, std::size_t runs)
    { interruption = InterruptionText(kept, runs); };
    const auto table = CompareWithProgress(text, options, arguments.output.quiet);
    const auto folder = options.folder.string();
    const auto resume = WasInterrupted() ? ResumeLine(arguments, folder) : "";
    const auto expectations = resume.empty() && IsAsWritten(arguments, text)
                                  ? GivenBy(table, ReadExpectations(text))
                                  : std::vector<ExpectedValue>{};
    const auto packets = resume.empty() ? OverPackets(text, options, table, arguments) : "";
    Print(table, expectations, {folder, resume, packets}, arguments.output);
    const int code = ReportFailures(table);
    if (resume.empty())
    {
        return code;
    }
    PrintToStderr("{}  {}\n", interruption, resume);
    return exitUnfinished;
}

int
CompareAll(const CompareArguments& given)
{
    auto arguments = given;
    const auto& scenario = arguments.scenario.name;
    if (!arguments.card.empty() && scenario != batteryName)
    {
        throw ConfigError(
            "--card",
            "",
            arguments.card,
            fmt::format("needs the scenario {}, whose headings it judges", batteryName));
    }
    if (!arguments.results.empty())
    {
        return CompareResults(arguments);
    }
    if (scenario.empty())
    {
        throw ConfigError("compare", "", "", "needs a SCENARIO, or --results with earlier folders");
    }
    if (const auto code = ServedAsRank(arguments.out))
    {
        return *code;
    }
    arguments.pool.commandLine = arguments.output.commandLine;
    for (const auto& assignment : arguments.scenario.Assignments())
    {
        arguments.variants.sets.push_back(assignment.text);
    }
    return scenario == batteryName ? CompareBattery(arguments) : CompareVariants(arguments);
}

} // namespace

void
AddCompareVerb(VerbList& verbs)
{
    auto [verb, arguments] =
        verbs.Add("compare", "Run variants of a scenario side by side", CompareAll);
    arguments.pool.jobs = DefaultJobs();
    auto* scenario = AddScenario(verb, arguments.scenario);
    verb.add_option("--results",
                    arguments.results,
                    "Instead of a scenario: folders of earlier runs and comparisons, side by side")
        ->excludes(scenario);
    AddRepeated(verb,
                "--vary",
                arguments.variants.varies,
                "PATH=A,B,C: instead of the scenario's variants, each value; several multiply");
    AddSetOption(verb, arguments.scenario, "change a field in all variants");
    verb.add_flag(
        "--full", arguments.variants.full, "The variants that the scenario marks full too");
    verb.add_option("--seeds",
                    arguments.seeds,
                    "1..10 or 1,2,5: mean and 95 % interval over seeds, instead of run.seeds");
    AddNetworkOption(verb, arguments.scenario);
    AddNs3Option(verb, arguments.pool.ns3Defaults);
    AddLoadOption(verb, arguments.scenario.load);
    AddFieldOption(verb,
                   arguments.scenario,
                   "--wall-deadline",
                   "run.wall_deadline",
                   "T: end each run after this wall-clock time; the same as run.wall_deadline");
    verb.add_option("--jobs", arguments.pool.jobs, "Runs at a time; default: one per core")
        ->check(CLI::Range(1, 10000));
    AddResultOptions(verb, arguments.out, arguments.force);
    verb.add_option(
            "--figures",
            arguments.figures,
            "Of what figures are drawn; default: COMPARISON with several seeds or more than "
            "ten runs, otherwise ALL. `geotrain figures DIR` draws the rest later")
        ->transform(CLI::IsMember({"NONE", "COMPARISON", "ALL"}, CLI::ignore_case));
    AddLogOption(verb, arguments.logAxes);
    verb.add_option("--card",
                    arguments.card,
                    "With congestion-control-battery: a report card of this congestion "
                    "control, a name of `list congestion-controls`");
    verb.add_flag("--resume",
                  arguments.pool.resume,
                  "Go on in the folder of --out: runs that are complete there are not run again")
        ->excludes(verb.get_option("--force"));
    for (const auto* other : {"--vary",
                              "--set",
                              "--full",
                              "--seeds",
                              "--network",
                              "--ns3",
                              "--load",
                              "--jobs",
                              "--figures",
                              "--resume"})
    {
        verb.get_option("--results")->excludes(verb.get_option(other));
    }
    AddOutputOptions(verb, arguments.output);
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
  geotrain compare my.textproto --set 'wan_link[0].loss=0.0001' --seeds 1..10)");
}

} // namespace geotrain
