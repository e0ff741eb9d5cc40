// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain compare` runs the variants of a scenario side by side.
#include "cli/progress-line.h"
#include "cli/verb.h"

#include "comparison/compare.h"
#include "comparison/runs-together.h"
#include "loader/network-kinds.h"
#include "runner/exit-codes.h"
#include "runner/ns3-defaults.h"
#include "runner/run-folder.h"
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
    std::vector<std::string> ns3;
    std::string network;
    std::string seeds;
    std::string wallDeadline;
    unsigned jobs = 0; ///< runs at the same time; 0: as many as there are cores
    std::string out;
    bool force = false;
    bool resume = false;
    OutputOptions output;
};

void
ShowProgress(ProgressLine& line, const std::vector<double>& shares)
{
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    const auto done = std::count(shares.begin(), shares.end(), 1.0);
    line.Show(sum / static_cast<double>(shares.size()),
              fmt::format("{} of {} runs done", done, shares.size()));
}

void
Print(const ComparisonTable& table, const std::string& folder, const OutputOptions& output)
{
    if (output.json)
    {
        auto object = table.Json();
        object["folder"] = folder;
        fmt::print("{}\n", object.dump(2));
    }
    else if (!output.quiet)
    {
        fmt::print("{}{}results in {}\n", table.Text(), table.WarningText(), folder);
    }
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
            fmt::print(stderr, "variant {}: exit {}: {}\n", row.variant, row.exitCode, row.error);
            code = code == exitDone ? row.exitCode : code;
        }
    }
    return code;
}

/// Returns the bearers of the variants that can be loaded; none where no default is to be set.
std::set<std::string>
BearersOf(const ScenarioText& text,
          const VariantPlans& plans,
          const std::vector<std::string>& defaults)
{
    std::set<std::string> bearers;
    for (const auto& variant : plans.variants)
    {
        try
        {
            if (!defaults.empty())
            {
                const auto loaded = LoadScenario(text, variant.assignments);
                bearers.insert(loaded.transport.bearer);
            }
        }
        catch (const ConfigError&)
        {
            continue; // the run of the variant will report the error
        }
    }
    return bearers;
}

int
CompareAll(CompareArguments arguments, const std::string& commandLine)
{
    const auto text = ReadScenarioText(arguments.scenario);
    if (!arguments.network.empty())
    {
        arguments.variants.sets.push_back(NetworkAssignment(arguments.network));
    }
    if (!arguments.wallDeadline.empty())
    {
        arguments.variants.sets.push_back("run.wall_deadline=" + arguments.wallDeadline);
    }
    CompareOptions options;
    options.plans = PlanVariants(text, arguments.variants);
    if (!arguments.seeds.empty())
    {
        options.seeds = ParseSeeds(arguments.seeds);
    }
    options.jobs = arguments.jobs > 0 ? arguments.jobs : std::thread::hardware_concurrency();
    SetNs3Defaults(arguments.ns3, BearersOf(text, options.plans, arguments.ns3));
    RefuseTooLargeTogether(
        text, options.plans, std::max<std::size_t>(options.seeds.size(), 1), options.jobs);
    options.resume = arguments.resume;
    options.folder = arguments.resume
                         ? ResumeRunFolder(arguments.out)
                         : MakeRunFolder(arguments.out,
                                         NameOf(text, options.plans.variants.front().assignments),
                                         arguments.force);
    options.commandLine = commandLine;
    ProgressLine line(arguments.output.quiet);
    options.progress = [&line](const std::vector<double>& shares) { ShowProgress(line, shares); };
    const auto table = Compare(text, options);
    Print(table, options.folder.string(), arguments.output);
    return ReportFailures(table);
}

} // namespace

void
AddCompareVerb(CLI::App& app, VerbAction& action, const std::string& commandLine)
{
    const auto arguments = std::make_shared<CompareArguments>();
    auto& verb = *app.add_subcommand("compare", "Run variants of a scenario side by side");
    verb.add_option(
            "SCENARIO", arguments->scenario, "A .textproto file, or a name of `list scenarios`")
        ->required();
    AddRepeated(verb,
                "--vary",
                arguments->variants.varies,
                "PATH=A,B,C: instead of the scenario's variants, each value; several multiply");
    AddRepeated(
        verb, "--set", arguments->variants.sets, "PATH=VALUE: change a field in all variants");
    verb.add_flag(
        "--full", arguments->variants.full, "The variants that the scenario marks full too");
    verb.add_option(
        "--seeds", arguments->seeds, "1..10 or 1,2,5: mean and 95 % interval over seeds");
    verb.add_option("--network", arguments->network, "packet (TCP on ns-3) or analytic (fast)")
        ->check(CLI::IsMember(NetworkNames()));
    AddRepeated(verb,
                "--ns3",
                arguments->ns3,
                "NAME=VALUE: change a default of ns-3, or of bulk-tcp (`list tcp-settings`)");
    verb.add_option("--wall-deadline",
                    arguments->wallDeadline,
                    "T: end each run after this wall-clock time; the same as run.wall_deadline");
    verb.add_option("--jobs", arguments->jobs, "Runs at a time; default: one per core")
        ->check(CLI::Range(1, 10000));
    verb.add_option("--out", arguments->out, "Folder of the results; default results/<name>-<n>");
    auto* force =
        verb.add_flag("--force", arguments->force, "Replace results that are in the folder");
    verb.add_flag("--resume",
                  arguments->resume,
                  "Go on in the folder of --out: runs that are complete there are not run again")
        ->excludes(force);
    AddOutputOptions(verb, arguments->output);
    verb.footer(R"(
Writes comparison.csv, a folder a variant, and figures/. The speed-up is over the first variant. What
a killed comparison has left, --resume goes on with.

Examples:
  geotrain compare three-dc-gpt
  geotrain compare three-dc-gpt --full --jobs 2
  geotrain compare three-dc-gpt --vary transport.connections=1,4,20 --vary sharing=SPATIAL,TEMPORAL
  geotrain compare congestion-control-wan --full --out lab --resume
  geotrain compare my.textproto --set wan_link[0].loss=0.0001 --seeds 1..10)");
    verb.callback(
        [arguments, &action, commandLine]
        { action = [arguments, commandLine] { return CompareAll(*arguments, commandLine); }; });
}

} // namespace geotrain
