// SPDX-License-Identifier: GPL-2.0-only
#include "cli/battery-runs.h"

#include "cli/status-line.h"
#include "cli/terminal-width.h"
#include "comparison/text-table.h"
#include "loader/control-library.h"
#include "report/report-card.h"
#include "runner/exit-codes.h"
#include "runner/ns3-defaults.h"
#include "runner/run-folder.h"
#include "runner/run-watch.h"
#include "runner/stderr-text.h"
#include "units/config-error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace geotrain
{

namespace
{

BatteryOptions
OptionsOfBattery(const BatteryArguments& arguments, const std::string& commandLine)
{
    if (!arguments.variants.varies.empty())
    {
        throw ConfigError("--vary",
                          "",
                          arguments.variants.varies.front(),
                          "must not be given with a battery, whose scenarios list their variants");
    }
    BatteryOptions options;
    const auto libraries = LoadControlLibraries(arguments.load);
    options.card = arguments.card.empty() ? "" : ControlOfCard(arguments.card);
    options.headings = BatteryHeadings();
    for (auto& heading : options.headings)
    {
        heading.text.libraries = libraries;
    }
    options.variants = arguments.variants;
    options.seeds =
        arguments.seeds.empty() ? std::vector<std::int64_t>{} : ParseSeeds(arguments.seeds);
    options.jobs = arguments.jobs;
    options.resume = arguments.resume;
    options.commandLine = commandLine;
    options.ns3Defaults = arguments.ns3;
    return options;
}

/// Returns the numbers of rows that failed and that did not.
std::pair<std::size_t, std::size_t>
FailedAndDone(const ComparisonTable& table)
{
    const auto& rows = table.Rows();
    const auto failed = static_cast<std::size_t>(
        std::count_if(rows.begin(),
                      rows.end(),
                      [](const ComparisonRow& row) { return row.exitCode != exitDone; }));
    return {failed, rows.size() - failed};
}

std::size_t
HeldIn(const std::vector<ExpectedValue>& expected)
{
    return static_cast<std::size_t>(std::count_if(
        expected.begin(), expected.end(), [](const ExpectedValue& one) { return one.Holds(); }));
}

void
PrintBatteryJson(const BatteryResult& result, const BatteryOptions& options)
{
    nlohmann::ordered_json object;
    object["folder"] = options.folder.string();
    object["complete"] = !result.isInterrupted;
    object["headings"] = nlohmann::ordered_json::array();
    for (const auto& one : result.headings)
    {
        const auto [failed, done] = FailedAndDone(one.table);
        object["headings"].push_back({{"name", one.heading.name},
                                      {"title", one.heading.title},
                                      {"folder", (options.folder / one.heading.name).string()},
                                      {"variants", done},
                                      {"failed", failed},
                                      {"left_out", one.leftOut.size()},
                                      {"seeds", one.seeds},
                                      {"expected", ExpectationJson(one.expectations)}});
    }
    if (!options.card.empty())
    {
        object["card"] = (options.folder / CardFile(options.card)).string();
    }
    fmt::print("{}\n", object.dump(2));
}

void
PrintBattery(const BatteryResult& result, const BatteryOptions& options)
{
    TextTable table({"heading", "variants", "seeds", "failed", "expected\nvalues hold"});
    for (const auto& one : result.headings)
    {
        const auto [failed, done] = FailedAndDone(one.table);
        table.AddRow(
            {one.heading.title,
             fmt::format("{}", done + failed),
             fmt::format("{}", one.seeds),
             fmt::format("{}", failed),
             one.expectations.empty()
                 ? "-"
                 : fmt::format("{} of {}", HeldIn(one.expectations), one.expectations.size())});
    }
    fmt::print("{}", table.Text(TableColumns()));
    for (const auto& one : result.headings)
    {
        for (const auto& left : one.leftOut)
        {
            fmt::print("left out of {}: {}: {}\n", one.heading.name, left.title, left.error);
        }
    }
    if (!options.card.empty() && !result.isInterrupted)
    {
        fmt::print("report card in {}\n", (options.folder / CardFile(options.card)).string());
    }
    fmt::print("results in {}\n", options.folder.string());
}

/// Names failed variants on stderr, and returns the exit code of the first.
int
ReportFailuresOf(const BatteryResult& result)
{
    int code = exitDone;
    for (const auto& one : result.headings)
    {
        for (const auto& row : one.table.Rows())
        {
            if (row.exitCode != exitDone)
            {
                PrintToStderr("{}: variant {}: exit {}: {}\n",
                              one.heading.name,
                              row.variant,
                              row.exitCode,
                              row.error);
                code = code == exitDone ? row.exitCode : code;
            }
        }
    }
    return code;
}

} // namespace

BatteryResult
RunWithProgress(const std::function<BatteryResult(const BatteryOptions&)>& battery,
                BatteryOptions options,
                const OutputOptions& output)
{
    StatusLine line(output.quiet || output.json);
    options.progress = [&line](double share, const std::string& what) { line.Show(share, what); };
    return battery(options);
}

int
ReportBattery(const BatteryResult& result,
              const BatteryOptions& options,
              const OutputOptions& output,
              const std::string& resumeLine)
{
    if (output.json)
    {
        PrintBatteryJson(result, options);
    }
    else if (!output.quiet)
    {
        PrintBattery(result, options);
    }
    const int code = ReportFailuresOf(result);
    if (!result.isInterrupted)
    {
        return code;
    }
    PrintToStderr("interrupted; this goes on with the other runs:\n  {}\n", resumeLine);
    return exitUnfinished;
}

int
MakeBattery(const BatteryArguments& arguments,
            const OutputOptions& output,
            const std::string& commandLine,
            const std::function<std::string(const std::string& folder)>& resumeLine)
{
    auto options = OptionsOfBattery(arguments, commandLine);
    const auto bearer = LoadScenario(options.headings.front().text).testbed.transport.bearer;
    SetNs3Defaults(arguments.ns3, {bearer});
    options.folder = arguments.resume ? ResumeRunFolder(arguments.out)
                                      : MakeRunFolder(arguments.out, batteryName, arguments.force);
    CatchInterrupts();
    const auto result = RunWithProgress(RunBattery, options, output);
    return ReportBattery(result, options, output, resumeLine(options.folder.string()));
}

} // namespace geotrain
