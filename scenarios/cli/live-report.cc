// SPDX-License-Identifier: GPL-2.0-only
#include "cli/live-report.h"

#include "cli/terminal-width.h"

#include "comparison/comparison-table.h"
#include "comparison/text-table.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

double
Milliseconds(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e6;
}

} // namespace

nlohmann::ordered_json
LiveReportJson(const LiveResult& result)
{
    const auto& report = result.report;
    const double seconds = std::max(result.seconds, 1e-9);
    nlohmann::ordered_json object;
    object["kept_up"] = result.Doubt().empty();
    object["packets"] = report.given;
    object["packets_per_s"] = static_cast<double>(report.given) / seconds;
    object["processor_share"] = static_cast<double>(report.processorNs) / 1e9 / seconds;
    object["lateness_p50_ms"] = Milliseconds(report.lateness.PercentileNs(0.5));
    object["lateness_p99_ms"] = Milliseconds(report.lateness.PercentileNs(0.99));
    object["lateness_max_ms"] = Milliseconds(report.lateness.MaxNs());
    object["timer_lateness_p99_ms"] = Milliseconds(result.timers.PercentileNs(0.99));
    object["agent_lateness_p50_ms"] = Milliseconds(result.agents.PercentileNs(0.5));
    object["agent_lateness_p99_ms"] = Milliseconds(result.agents.PercentileNs(0.99));
    object["agent_lateness_max_ms"] = Milliseconds(result.agents.MaxNs());
    object["own_drops"] = report.OwnDrops();
    object["carried_s"] = result.seconds;
    auto& programs = object["programs"] = nlohmann::ordered_json::array();
    for (const auto& program : result.programs)
    {
        programs.push_back({{"node", program.nodeName},
                            {"command", program.command},
                            {"exit_code", program.exitCode},
                            {"stopped", program.isStopped},
                            {"output", program.output.filename().string()}});
    }
    return object;
}

nlohmann::ordered_json
LiveJson(const LiveResult& result, const std::string& folder)
{
    nlohmann::ordered_json object;
    object["folder"] = folder;
    if (result.summary)
    {
        object["scenario"] = result.summary->header.scenario();
        for (const auto& metric : result.summary->metrics)
        {
            object[ColumnName(metric)] = metric.value;
        }
        object["warning_texts"] = result.summary->warnings;
    }
    object["live"] = LiveReportJson(result);
    return object;
}

std::string
LiveText(const LiveResult& result, const std::string& folder)
{
    std::string text;
    if (result.summary)
    {
        TextTable table({"metric", "value", "unit"});
        for (const auto& metric : result.summary->metrics)
        {
            table.AddRow({metric.name, ShortNumber(metric.value), metric.unit});
        }
        text += table.Text(TableColumns());
        for (const auto& warning : result.summary->warnings)
        {
            text += "warning: " + warning + "\n";
        }
    }
    for (const auto& program : result.programs)
    {
        text += fmt::format("{}: {}: {}, output in {}\n",
                            program.nodeName,
                            program.command,
                            program.isStopped ? "stopped at the end"
                                              : fmt::format("exit code {}", program.exitCode),
                            program.output.string());
    }
    const auto& report = result.report;
    text += fmt::format(
        "the WAN carried {} packets; they left {:.2f} ms late at the median, {:.2f} ms at the "
        "99th percentile, {:.2f} ms at most; {} dropped by the machine\n",
        report.given,
        Milliseconds(report.lateness.PercentileNs(0.5)),
        Milliseconds(report.lateness.PercentileNs(0.99)),
        Milliseconds(report.lateness.MaxNs()),
        report.OwnDrops());
    if (result.agents.Count() > 0)
    {
        text += fmt::format(
            "agents and executor read each other {:.2f} ms late at the median, {:.2f} ms at the "
            "99th percentile, {:.2f} ms at most\n",
            Milliseconds(result.agents.PercentileNs(0.5)),
            Milliseconds(result.agents.PercentileNs(0.99)),
            Milliseconds(result.agents.MaxNs()));
    }
    return text + "results in " + folder + "\n";
}

} // namespace geotrain
