// SPDX-License-Identifier: GPL-2.0-only
#include "report/run-report.h"

#include "report/html.h"
#include "report/metric-text.h"
#include "report/page.h"
#include "report/trust.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns what ran, in a line: "Run of three-dc-gpt: 1F1B, one connection, seed 1".
std::string
WhatRan(const trace::RunHeader& header)
{
    auto what = (IsLive(header) ? "Live run of " : "Run of ") + header.scenario();
    const auto& variant =
        header.variant_title().empty() ? header.variant() : header.variant_title();
    what += variant.empty() ? "" : ": " + variant;
    return fmt::format("{}, seed {}", what, header.seed());
}

std::string
CardsOf(const std::vector<Metric>& metrics, std::size_t most)
{
    std::string html = "<ul class=\"cards\">\n";
    for (std::size_t i = 0; i < std::min(metrics.size(), most); ++i)
    {
        html += fmt::format("<li><b title=\"{}\">{}</b><span>{}</span></li>\n",
                            metrics[i].value,
                            Escaped(ValueText(metrics[i])),
                            Escaped(LabelOf(metrics[i])));
    }
    return html + "</ul>\n";
}

/// Returns a metric's name as HTML that may be broken behind its underscores.
std::string
Breakable(const std::string& name)
{
    std::string html;
    for (const char c : Escaped(name))
    {
        html += c == '_' ? "_<wbr>" : std::string(1, c);
    }
    return html;
}

std::string
TableOf(const Summary& summary)
{
    HtmlTable table;
    table.heads = {HtmlCell{"Metric"}, HtmlCell{"Value", true}, HtmlCell{"In summary.csv"}};
    for (const auto& metric : summary.metrics)
    {
        table.rows.push_back({HtmlCell{Escaped(LabelOf(metric))},
                              ValueCell(metric),
                              HtmlCell{"<code>" + Breakable(metric.name) + "</code>"}});
    }
    return table.Html();
}

std::string
CriticalPathTable(const Summary& summary)
{
    HtmlTable table;
    table.heads = {HtmlCell{"What the path does"}, HtmlCell{"Time", true}, HtmlCell{"Steps", true}};
    for (const auto& time : summary.criticalPath)
    {
        table.rows.push_back({HtmlCell{"<code>" + time.cause + "</code>"},
                              ValueCell({time.cause, time.seconds, "s"}),
                              HtmlCell{fmt::format("{}", time.steps), true}});
    }
    return table.Html();
}

/// Returns whose a section is: " of job a"; nothing for a run without jobs, or as a whole.
std::string
JobText(const Summary& part)
{
    return part.header.job().empty() ? "" : " of job " + part.header.job();
}

std::vector<std::string>
EscapedAll(const std::vector<std::string>& texts)
{
    std::vector<std::string> escaped;
    for (const auto& text : texts)
    {
        escaped.push_back(Escaped(text));
    }
    return escaped;
}

} // namespace

Summary
SummaryAsFarAsItGoes(const RunTally& tally)
{
    if (tally.MeasuredIterations() > 0)
    {
        return Summarize(tally);
    }
    Summary summary;
    summary.header = tally.header;
    summary.warnings = tally.notes.warnings;
    return summary;
}

void
WriteRunReport(const Summary& summary, const std::filesystem::path& folder)
{
    ReportPage page(folder);
    page.AddQuestion(WhatRan(summary.header), summary.header.scenario());
    const auto parts = PartsOf(summary);
    for (const auto* part : parts)
    {
        if (!part->metrics.empty())
        {
            constexpr std::size_t mostCards = 8;
            page.AddSection("Result" + JobText(*part), CardsOf(MainMetrics(*part), mostCards));
            const auto service = ServiceMetrics(*part);
            if (!service.empty())
            {
                page.AddSection("Prefill service" + JobText(*part),
                                CardsOf(service, service.size()));
            }
        }
    }
    page.AddList("Warnings: look before you trust this", EscapedAll(summary.warnings), true);
    page.AddFigures();
    for (const auto* part : parts)
    {
        if (!part->criticalPath.empty())
        {
            page.AddSection("Critical path of the last iteration" + JobText(*part),
                            CriticalPathTable(*part));
        }
    }
    page.AddList("How far to trust it", TrustOf(summary, 1), false);
    page.AddHowToRepeat(IsLive(summary.header));
    for (const auto* part : parts)
    {
        if (!part->metrics.empty())
        {
            page.AddSection("All metrics" + JobText(*part), TableOf(*part));
        }
    }
    page.AddScenario("The scenario, with every default");
    page.Write();
}

} // namespace geotrain
