// SPDX-License-Identifier: GPL-2.0-only
#include "cli/battery-runs.h"

#include "cli/status-line.h"
#include "cli/terminal-width.h"
#include "comparison/text-table.h"
#include "report/report-card.h"
#include "runner/exit-codes.h"
#include "runner/stderr-text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace geotrain
{

namespace
{

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

nlohmann::ordered_json
BatteryJson(const BatteryResult& result, const BatteryOptions& options)
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
    return object;
}

std::string
BatteryText(const BatteryResult& result, const BatteryOptions& options)
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
    auto text = table.Text(TableColumns());
    for (const auto& one : result.headings)
    {
        for (const auto& left : one.leftOut)
        {
            text +=
                fmt::format("left out of {}: {}: {}\n", one.heading.name, left.title, left.error);
        }
    }
    if (!options.card.empty() && !result.isInterrupted)
    {
        text +=
            fmt::format("report card in {}\n", (options.folder / CardFile(options.card)).string());
    }
    return text + fmt::format("results in {}\n", options.folder.string());
}

} // namespace

std::string
InterruptionText(std::size_t kept, std::size_t runs)
{
    return fmt::format(
        "interrupted: {} of {} runs are done and kept; this goes on with the others:\n",
        kept,
        runs);
}

int
ReportFailures(const ComparisonTable& table, const std::string& before)
{
    int code = exitDone;
    for (const auto& row : table.Rows())
    {
        if (row.exitCode != exitDone)
        {
            PrintToStderr(
                "{}variant {}: exit {}: {}\n", before, row.variant, row.exitCode, row.error);
            code = code == exitDone ? row.exitCode : code;
        }
    }
    return code;
}

int
ShowBattery(const std::function<BatteryResult(const BatteryOptions&)>& battery,
            BatteryOptions options,
            const OutputOptions& output,
            const std::string& resumeLine)
{
    std::string interruption;
    const auto result = [&]
    {
        StatusLine line(output.quiet || output.json);
        options.interrupted = [&](std::size_t kept, std::size_t runs)
        { interruption = InterruptionText(kept, runs); };
        options.tell = [&line](double share, const std::string& what) { line.Show(share, what); };
        return battery(options);
    }();
    PrintResults(output, BatteryJson(result, options), BatteryText(result, options));
    int code = exitDone;
    for (const auto& one : result.headings)
    {
        const int ofHeading = ReportFailures(one.table, one.heading.name + ": ");
        code = code == exitDone ? ofHeading : code;
    }
    if (!result.isInterrupted)
    {
        return code;
    }
    PrintToStderr("{}  {}\n", interruption, resumeLine);
    return exitUnfinished;
}

} // namespace geotrain
