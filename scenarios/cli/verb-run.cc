// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain run` runs a scenario once.
#include "cli/progress-line.h"
#include "cli/verb.h"

#include "comparison/comparison-table.h"
#include "comparison/text-table.h"
#include "loader/network-kinds.h"
#include "loader/scenario-loader.h"
#include "runner/exit-codes.h"
#include "runner/ns3-defaults.h"
#include "runner/run-cost.h"
#include "runner/run-folder.h"
#include "runner/run.h"
#include "units/config-error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace geotrain
{

namespace
{

/// RunArguments are the options of the verb.
struct RunArguments
{
    std::string scenario;
    std::string network;
    std::vector<std::string> sets;
    std::vector<std::string> ns3;
    std::string seed;
    std::string wallDeadline;
    std::string out;
    bool force = false;
    OutputOptions output;
};

std::vector<Assignment>
AssignmentsOf(const RunArguments& arguments)
{
    std::vector<Assignment> assignments;
    for (const auto& set : arguments.sets)
    {
        assignments.push_back({set, "--set"});
    }
    if (!arguments.network.empty())
    {
        assignments.push_back({NetworkAssignment(arguments.network), "--network"});
    }
    if (!arguments.seed.empty())
    {
        assignments.push_back({"run.seed=" + arguments.seed, "--seed"});
    }
    if (!arguments.wallDeadline.empty())
    {
        assignments.push_back({"run.wall_deadline=" + arguments.wallDeadline, "--wall-deadline"});
    }
    return assignments;
}

void
PrintJson(const Summary& summary, const std::string& folder)
{
    nlohmann::ordered_json object;
    object["scenario"] = summary.header.scenario();
    object["folder"] = folder;
    for (const auto& metric : summary.metrics)
    {
        object[ColumnName(metric)] = metric.value;
    }
    object["warning_texts"] = summary.warnings;
    fmt::print("{}\n", object.dump(2));
}

void
PrintTable(const Summary& summary, const std::string& folder)
{
    TextTable table({"metric", "value", "unit"});
    for (const auto& metric : summary.metrics)
    {
        table.AddRow({metric.name, ShortNumber(metric.value), metric.unit});
    }
    fmt::print("{}", table.Text());
    for (const auto& warning : summary.warnings)
    {
        fmt::print("warning: {}\n", warning);
    }
    fmt::print("results in {}\n", folder);
}

int
RunOne(const RunArguments& arguments, const std::string& commandLine)
{
    const auto scenario =
        LoadScenario(ReadScenarioText(arguments.scenario), AssignmentsOf(arguments));
    SetNs3Defaults(arguments.ns3, {scenario.transport.bearer});
    RefuseTooLarge(scenario, CostOf(scenario));
    const auto folder = MakeRunFolder(arguments.out, scenario.run.name, arguments.force);
    CatchInterrupts();
    RunOptions options;
    options.folder = folder;
    options.commandLine = commandLine;
    Summary summary;
    {
        ProgressLine line(arguments.output.quiet);
        line.Show(0, scenario.run.name);
        options.progress = [&](double share) { line.Show(share, scenario.run.name); };
        options.status = [&line](const std::string& doing) { line.Tell(doing); };
        summary = Run(scenario, options);
    }
    if (arguments.output.json)
    {
        PrintJson(summary, folder.string());
    }
    else if (!arguments.output.quiet)
    {
        PrintTable(summary, folder.string());
    }
    return exitDone;
}

} // namespace

void
AddRunVerb(CLI::App& app, VerbAction& action, const std::string& commandLine)
{
    const auto arguments = std::make_shared<RunArguments>();
    auto& verb = *app.add_subcommand("run", "Run a scenario once");
    verb.add_option(
            "SCENARIO", arguments->scenario, "A .textproto file, or a name of `list scenarios`")
        ->required();
    verb.add_option("--network", arguments->network, "packet (TCP on ns-3) or analytic (fast)")
        ->check(CLI::IsMember(NetworkNames()));
    AddRepeated(verb, "--set", arguments->sets, "PATH=VALUE: change a field of the scenario");
    AddRepeated(verb,
                "--ns3",
                arguments->ns3,
                "NAME=VALUE: change a default of ns-3, or of bulk-tcp (`list tcp-settings`)");
    verb.add_option("--seed", arguments->seed, "The same as --set run.seed=N");
    verb.add_option("--wall-deadline",
                    arguments->wallDeadline,
                    "T: end the run after this wall-clock time; the same as run.wall_deadline");
    verb.add_option("--out", arguments->out, "Folder of the results; default results/<name>-<n>");
    verb.add_flag("--force", arguments->force, "Replace results that are in the folder");
    AddOutputOptions(verb, arguments->output);
    verb.footer(R"(
Writes scenario.textproto (resolved), trace.pb, summary.csv, run-info.json and figures/.

Examples:
  geotrain run three-dc-gpt
  geotrain run three-dc-gpt --network analytic --set model.microbatches=32
  geotrain run my.textproto --set wan_link[0].delay=40ms --set sharing=TEMPORAL --out results/a
  geotrain run my.textproto --ns3 geotrain::BulkTcp::MinRto=1s
  geotrain run my.textproto --set transport.bearer=STOCK --ns3 ns3::TcpSocketBase::MinRto=200ms)");
    verb.callback(
        [arguments, &action, commandLine]
        { action = [arguments, commandLine] { return RunOne(*arguments, commandLine); }; });
}

} // namespace geotrain
