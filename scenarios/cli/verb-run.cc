// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain run` runs a scenario once.
#include "cli/run-again.h"
#include "cli/status-line.h"
#include "cli/terminal-width.h"
#include "cli/verb.h"

#include "comparison/comparison-table.h"
#include "comparison/expectations.h"
#include "comparison/schedule-fallback.h"
#include "comparison/text-table.h"
#include "comparison/variants.h"
#include "loader/scenario-loader.h"
#include "runner/exit-codes.h"
#include "runner/ns3-defaults.h"
#include "runner/run-folder.h"
#include "runner/run.h"
#include "runner/stderr-text.h"
#include "units/config-error.h"

#include <fmt/format.h>

namespace geotrain
{

namespace
{

/// RunArguments are the options of the verb.
struct RunArguments
{
    ScenarioArguments scenario;
    std::string again; ///< folder of an earlier run to repeat, instead of a scenario
    std::vector<std::string> ns3;
    std::string out;
    bool force = false;
    OutputOptions output;
};

nlohmann::ordered_json
JsonOf(const Summary& summary,
       const std::vector<ExpectedValue>& expectations,
       const std::string& folder)
{
    nlohmann::ordered_json object;
    object["scenario"] = summary.header.scenario();
    object["folder"] = folder;
    if (!summary.header.precision().empty())
    {
        object["precision"] = summary.header.precision();
    }
    for (const auto* part : PartsOf(summary))
    {
        auto& place = part == &summary ? object : object["jobs"][part->header.job()];
        for (const auto& metric : part->metrics)
        {
            place[ColumnName(metric)] = metric.value;
        }
        for (const auto& time : part->criticalPath)
        {
            place["critical_path"][time.cause + "_s"] = time.seconds;
        }
    }
    object["warning_texts"] = summary.warnings;
    object["expected"] = ExpectationJson(expectations);
    return object;
}

/// Returns a table of what the last iteration's critical path does; empty without training.
std::string
CriticalPathText(const Summary& summary)
{
    double seconds = 0;
    for (const auto& time : summary.criticalPath)
    {
        seconds += time.seconds;
    }
    TextTable table({"critical path", "s", "%", "steps"});
    for (const auto& time : summary.criticalPath)
    {
        table.AddRow({time.cause,
                      ShortNumber(time.seconds),
                      fmt::format("{:.1f}", 100 * time.seconds / seconds),
                      std::to_string(time.steps)});
    }
    return summary.criticalPath.empty() ? "" : "\n" + table.Text(TableColumns()) + "\n";
}

/// Returns a metric's unit, and of MFU the peak of which it is a share.
std::string
UnitOf(const Metric& metric, const trace::RunHeader& header)
{
    const bool isShareOfPeak = metric.name == "mfu" && !header.precision().empty();
    return isShareOfPeak ? "of the " + header.precision() + " peak" : metric.unit;
}

std::string
TextOf(const Summary& summary,
       const std::vector<ExpectedValue>& expectations,
       const std::string& folder)
{
    std::string text;
    for (const auto* part : PartsOf(summary))
    {
        TextTable table({"metric", "value", "unit"});
        for (const auto& metric : part->metrics)
        {
            table.AddRow({metric.name, ShortNumber(metric.value), UnitOf(metric, part->header)});
        }
        text += (part == &summary ? "" : "\njob " + part->header.job() + "\n") +
                table.Text(TableColumns()) + CriticalPathText(*part);
    }
    for (const auto& warning : summary.warnings)
    {
        text += Paragraph("warning: " + warning, TableColumns());
    }
    return text + ExpectationText(expectations) + "results in " + folder + "\n";
}

/// Returns the number of variants that the scenario lists; 0 where one of them is broken.
std::size_t
VariantsOf(const ScenarioText& text)
{
    try
    {
        return PlanVariants(text, {}).variants.size();
    }
    catch (const ConfigError&)
    {
        return 0; // a run doesn't need them; `geotrain check` reports the error
    }
}

/// Says on stderr that the scenario lists variants, which a run leaves out.
void
TellOfVariants(const ScenarioText& text, const RunArguments& arguments)
{
    const auto variants = VariantsOf(text);
    if (variants > 1 && !arguments.output.quiet)
    {
        const auto sentence = fmt::format(
            "{} lists {} variants; this runs the scenario itself, and the following runs them:",
            arguments.scenario.name,
            variants);
        PrintToStderr("{}  geotrain compare {}\n",
                      Paragraph(sentence, TableColumns(STDERR_FILENO)),
                      arguments.scenario.name);
    }
}

/// Runs the scenario. The error of a run that did not finish says what can be done with its trace.
Summary
RunInto(const Experiment& scenario, const RunOptions& options)
{
    try
    {
        return Run(scenario, options);
    }
    catch (const UnfinishedRun& unfinished)
    {
        const auto folder = options.folder.string();
        const bool hasTrace = std::filesystem::exists(options.folder / "trace.pb");
        throw UnfinishedRun(
            unfinished.what() +
            (hasTrace ? fmt::format("\n`geotrain figures {}` draws what there is", folder) : ""));
    }
}

int
RunOne(const RunArguments& arguments)
{
    if (!arguments.again.empty())
    {
        return RunAgain({arguments.again,
                         arguments.scenario.load,
                         arguments.out,
                         arguments.force,
                         arguments.output});
    }
    if (arguments.scenario.name.empty())
    {
        throw ConfigError("run", "", "", "needs a SCENARIO, or --again with a run's folder");
    }
    const auto text = arguments.scenario.Read();
    const auto assignments = arguments.scenario.Assignments();
    const auto scenario = [&]
    {
        StatusLine line(arguments.output.quiet);
        line.Show("loading " + arguments.scenario.name);
        return LoadScenario(text, WithFallback(text, assignments));
    }();
    SetNs3Defaults(arguments.ns3, {scenario.testbed.transport.bearer});
    const auto folder = MakeRunFolder(arguments.out, scenario.run.name, arguments.force);
    TellOfVariants(text, arguments);
    CatchInterrupts();
    RunOptions options;
    options.ns3Defaults = arguments.ns3;
    options.folder = folder;
    options.commandLine = arguments.output.commandLine;
    Summary summary;
    {
        StatusLine line(arguments.output.quiet);
        line.Show(0, scenario.run.name);
        options.progress = [&](double share) { line.Show(share, scenario.run.name); };
        options.status = [&line](const std::string& doing) { line.Tell(doing); };
        summary = RunInto(scenario, options);
    }
    const bool isAsWritten = assignments.empty() && arguments.ns3.empty();
    const auto expectations =
        isAsWritten ? GivenBy(summary, ReadExpectations(text)) : std::vector<ExpectedValue>{};
    PrintResults(arguments.output,
                 JsonOf(summary, expectations, folder.string()),
                 TextOf(summary, expectations, folder.string()));
    return exitDone;
}

} // namespace

void
AddRunVerb(VerbList& verbs)
{
    auto [verb, arguments] = verbs.Add("run", "Run a scenario once", RunOne);
    auto* scenario = AddScenario(verb, arguments.scenario);
    auto* network = AddNetworkOption(verb, arguments.scenario);
    auto* set = AddSetOption(verb, arguments.scenario);
    auto* ns3 = AddNs3Option(verb, arguments.ns3);
    AddLoadOption(verb, arguments.scenario.load);
    auto* seed = AddFieldOption(
        verb, arguments.scenario, "--seed", "run.seed", "The same as --set run.seed=N");
    auto* wallDeadline =
        AddFieldOption(verb,
                       arguments.scenario,
                       "--wall-deadline",
                       "run.wall_deadline",
                       "T: end the run after this wall-clock time; the same as run.wall_deadline");
    verb.add_option("--again",
                    arguments.again,
                    "Repeat the run of a folder, and say whether the bytes agree")
        ->excludes(scenario, network, set, ns3, seed, wallDeadline);
    AddResultOptions(verb, arguments.out, arguments.force);
    AddOutputOptions(verb, arguments.output);
    verb.footer(R"(
Writes scenario.textproto (resolved), trace.pb, summary.csv, critical-path.csv (the
steps that set the last iteration's length), run-info.json, figures/ and report.html.
--again takes scenario, seed, defaults of ns-3 and libraries from the folder of a run, and refuses a
library that has changed; --load names one of equal contents in another place. It exits with 0 where
trace.pb (after decompression) and summary.csv are equal, with 1 where they differ and another
version made them, and with 3 where the same version gave other bytes.

Examples:
  geotrain run three-dc-gpt
  geotrain run three-dc-gpt --network analytic --set model.microbatches=32
  geotrain run my.textproto --set 'wan_link[0].delay=40ms' --set sharing=TEMPORAL --out results/a
  geotrain run my.textproto --load my-control.so --set transport.congestion_control=TcpAimd
  geotrain run my.textproto --ns3 geotrain::BulkTcp::MinRto=1s
  geotrain run --again results/three-dc-gpt-1
  geotrain run my.textproto --set transport.bearer=STOCK --ns3 ns3::TcpSocketBase::MinRto=200ms)");
}

} // namespace geotrain
