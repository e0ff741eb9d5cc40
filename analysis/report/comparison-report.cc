// SPDX-License-Identifier: GPL-2.0-only
#include "report/comparison-report.h"

#include "report/html.h"
#include "report/metric-text.h"
#include "report/page.h"
#include "report/trust.h"
#include "trace/result-folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// Returns the metrics that the table shows: those that a reader looks at first in any variant, in
/// the order in which the variants have them.
std::vector<std::string>
ColumnsOf(const std::vector<VariantSummary>& variants)
{
    std::vector<std::string> columns;
    for (const auto& variant : variants)
    {
        auto at = columns.begin();
        for (const auto& metric : MainMetrics(variant.summary))
        {
            const auto found = std::find(columns.begin(), columns.end(), metric.name);
            at = found == columns.end() ? columns.insert(at, metric.name) + 1 : found + 1;
        }
    }
    return columns;
}

/// Returns the variant's title with links to the reports of its runs.
std::string
LinkedVariant(const std::string& variant,
              const std::string& title,
              const std::vector<ResultRun>& runs)
{
    std::string seeds;
    for (const auto& run : runs)
    {
        if (!fs::exists(run.folder / "report.html"))
        {
            continue;
        }
        if (run.variant == variant && run.seed.empty())
        {
            return Linked(variant + "/report.html", title);
        }
        if (run.variant == variant)
        {
            seeds += " " + Linked(variant + "/seed-" + run.seed + "/report.html", run.seed);
        }
    }
    return Escaped(title) +
           (seeds.empty() ? "" : " <span class=\"seeds\">seeds" + seeds + "</span>");
}

bool
HasReport(const std::vector<ResultRun>& runs)
{
    return std::any_of(runs.begin(),
                       runs.end(),
                       [](const ResultRun& run) { return fs::exists(run.folder / "report.html"); });
}

std::string
TableOf(const ComparedResults& results, const fs::path& folder)
{
    const auto& variants = results.comparison.variants;
    const auto columns = ColumnsOf(variants);
    const auto runs = RunsIn(folder);
    HtmlTable table;
    table.heads = {HtmlCell{"Variant"}};
    for (const auto& column : columns)
    {
        table.heads.push_back({Escaped(LabelOf({column, 0, ""})), true});
    }
    const bool isOfGoodput = !columns.empty() && columns[0] == "goodput";
    table.heads.push_back({columns.empty() ? ""
                           : isOfGoodput   ? "Times the first"
                                           : "Speed-up",
                           true});
    for (const auto& variant : variants)
    {
        const auto firstOfJob = std::find_if(
            variants.begin(),
            variants.end(),
            [&](const VariantSummary& one)
            { return one.summary.header.job() == variant.summary.header.job(); });
        const auto* first = columns.empty() ? nullptr : firstOfJob->summary.MetricNamed(columns[0]);
        const auto mark = variant.summary.WasMissedByLoss() ? " (no packet lost)" : "";
        std::vector<HtmlCell> row{
            HtmlCell{LinkedVariant(variant.variant, TitleOf(variant), runs) + mark}};
        for (const auto& column : columns)
        {
            const auto* metric = variant.summary.MetricNamed(column);
            row.push_back(metric == nullptr ? HtmlCell{"–", true} : ValueCell(*metric));
        }
        const auto* own = columns.empty() ? nullptr : variant.summary.MetricNamed(columns[0]);
        const bool known = own != nullptr && first != nullptr && own->value > 0 && first->value > 0;
        const double speedup = !known        ? 0
                               : isOfGoodput ? own->value / first->value
                                             : first->value / own->value;
        row.push_back({known ? fmt::format("{:.3g} ×", speedup) : std::string("–"), true});
        table.rows.push_back(row);
    }
    for (const auto& failed : results.failed)
    {
        std::vector<HtmlCell> row{HtmlCell{Escaped(failed.title)},
                                  HtmlCell{"failed: " + Escaped(failed.error)}};
        row.resize(columns.size() + 2);
        table.rows.push_back(row);
    }
    return table.Html() +
           fmt::format("<p>{}All metrics are in {}{}.</p>\n",
                       HasReport(runs) ? "Each variant's name leads to its own report. " : "",
                       Linked("comparison.csv", "comparison.csv"),
                       columns.empty() ? ""
                       : isOfGoodput
                           ? "; the last column is the goodput over that of the first variant"
                           : "; the speed-up is that over the first variant");
}

/// Returns the titles of these variants, or how many they are and the first of them.
std::string
VariantsText(const std::vector<std::string>& names, const std::vector<VariantSummary>& variants)
{
    constexpr std::size_t mostNamed = 3;
    std::vector<std::string> titles;
    for (const auto& variant : variants)
    {
        if (std::find(names.begin(), names.end(), variant.variant) != names.end())
        {
            titles.push_back(TitleOf(variant));
        }
    }
    if (titles.size() <= mostNamed)
    {
        return fmt::format("{}", fmt::join(titles, "; "));
    }
    const auto count = titles.size();
    titles.resize(mostNamed);
    return fmt::format(
        "{} of {} variants: {}; ...", count, variants.size(), fmt::join(titles, "; "));
}

/// Returns the warnings, each with the variants that gave it unless all did.
std::vector<std::string>
WarningsOf(const ComparedResults& results)
{
    std::vector<std::string> items;
    for (const auto& warning : results.warnings)
    {
        auto text = Escaped(warning.text);
        if (warning.variants.size() < results.comparison.variants.size())
        {
            text += " <span class=\"seeds\">(" +
                    Escaped(VariantsText(warning.variants, results.comparison.variants)) +
                    ")</span>";
        }
        items.push_back(text);
    }
    return items;
}

/// Returns what TrustOf() says of all variants, once each.
std::vector<std::string>
TrustOfAll(const ComparedResults& results)
{
    std::vector<std::string> sentences;
    const auto& variants = results.comparison.variants;
    std::set<std::string> controls;
    for (const auto& variant : variants)
    {
        controls.insert(variant.summary.header.congestion_control());
    }
    controls.erase("");
    for (std::size_t i = 0; i < variants.size(); ++i)
    {
        auto summary = variants[i].summary;
        summary.complete = true; // a mean is of runs that finished
        if (!summary.header.congestion_control().empty())
        {
            summary.header.set_congestion_control(fmt::format("{}", fmt::join(controls, ", ")));
        }
        for (const auto& sentence : TrustOf(summary, results.seeds[i]))
        {
            const bool known =
                std::find(sentences.begin(), sentences.end(), sentence) != sentences.end();
            if (!known && (sentence != "No warnings." || results.warnings.empty()))
            {
                sentences.push_back(sentence);
            }
        }
    }
    return sentences;
}

} // namespace

void
WriteComparisonReport(const ComparedResults& results, const fs::path& folder)
{
    const auto& variants = results.comparison.variants;
    const auto count = variants.size() + results.failed.size();
    ReportPage page(folder);
    if (variants.empty())
    {
        page.AddQuestion(fmt::format("Comparison of {} variants, of which none finished", count),
                         "Comparison");
    }
    else
    {
        const auto& scenario = variants.front().summary.header.scenario();
        page.AddQuestion(fmt::format("Comparison of {} variants of {}", count, scenario), scenario);
    }
    page.AddSection("Result", TableOf(results, folder));
    page.AddList("Warnings: look before you trust this", WarningsOf(results), true);
    page.AddFigures();
    page.AddList("How far to trust it", TrustOfAll(results), false);
    page.AddHowToRepeat();
    page.AddScenario("The scenario, as it was given");
    page.Write();
}

} // namespace geotrain
