// SPDX-License-Identifier: GPL-2.0-only
#include "report/comparison-report.h"

#include "figures/answers.h"
#include "report/html.h"
#include "report/metric-text.h"
#include "report/page.h"
#include "report/trust.h"
#include "trace/result-folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* speedUpHead = "Speed-up";

/// Returns the names of the metrics that `metricsOf` returns for any variant, in the order in which the
/// variants have them.
std::vector<std::string>
NamesOf(const std::vector<VariantSummary>& variants,
        std::vector<Metric> (*metricsOf)(const Summary&))
{
    std::vector<std::string> columns;
    for (const auto& variant : variants)
    {
        auto at = columns.begin();
        for (const auto& metric : metricsOf(variant.summary))
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

/// A Column is a head and a cell per variant.
struct Column
{
    HtmlCell head;
    std::vector<HtmlCell> cells = {};

    /// Returns whether it tells no variant from another.
    bool IsEqualInAll() const
    {
        return cells.size() > 1 &&
               std::all_of(cells.begin(),
                           cells.end(),
                           [&](const HtmlCell& cell) { return cell.html == cells.front().html; });
    }
};

Column
VariantColumn(const std::vector<VariantSummary>& variants, const std::vector<ResultRun>& runs)
{
    Column column{HtmlCell{"Variant"}};
    for (const auto& variant : variants)
    {
        const auto mark = variant.summary.WasMissedByLoss() ? " (no packet lost)" : "";
        column.cells.push_back({LinkedVariant(variant.variant, TitleOf(variant), runs) + mark});
    }
    return column;
}

Column
MetricColumn(const std::vector<VariantSummary>& variants, const std::string& name)
{
    Column column{HtmlCell{Escaped(LabelOf({name, 0, ""})), true}};
    for (const auto& variant : variants)
    {
        const auto* metric = variant.summary.MetricNamed(name);
        column.cells.push_back(metric == nullptr ? HtmlCell{"–", true} : ValueCell(*metric));
    }
    return column;
}

/// Returns how much faster each variant is than the first of its job, by the metric `name`.
Column
SpeedUpColumn(const std::vector<VariantSummary>& variants, const std::string& name)
{
    const bool isOfGoodput = name == "goodput";
    Column column{HtmlCell{isOfGoodput ? "Times the first" : speedUpHead, true}};
    for (const auto& variant : variants)
    {
        const auto first =
            std::find_if(variants.begin(),
                         variants.end(),
                         [&](const VariantSummary& one)
                         { return one.summary.header.job() == variant.summary.header.job(); });
        const double base = first->summary.Find(name).value_or(0);
        const double own = variant.summary.Find(name).value_or(0);
        column.cells.push_back({base > 0 && own > 0
                                    ? fmt::format("{:.3g} ×", isOfGoodput ? own / base : base / own)
                                    : std::string("–"),
                                true});
    }
    return column;
}

/// Returns the columns of the table: the variant, its speed-up, the metric that this is of, and the
/// other metrics that tell variants apart.
std::vector<Column>
ColumnsOf(const std::vector<VariantSummary>& variants, const std::vector<ResultRun>& runs)
{
    const auto names = NamesOf(variants, &MainMetrics);
    std::vector<Column> columns{VariantColumn(variants, runs)};
    const auto addUnlessEqual = [&](Column column)
    {
        if (!column.IsEqualInAll())
        {
            columns.push_back(std::move(column));
        }
    };
    for (const auto& name : names)
    {
        if (name == names.front())
        {
            addUnlessEqual(SpeedUpColumn(variants, name));
            columns.push_back(MetricColumn(variants, name));
        }
        else
        {
            addUnlessEqual(MetricColumn(variants, name));
        }
    }
    return columns;
}

HtmlTable
TableOfColumns(const std::vector<Column>& columns)
{
    HtmlTable table;
    table.rows.resize(columns.front().cells.size());
    for (const auto& column : columns)
    {
        table.heads.push_back(column.head);
        for (std::size_t row = 0; row < table.rows.size(); ++row)
        {
            table.rows[row].push_back(column.cells[row]);
        }
    }
    return table;
}

/// Returns a table of the variants that serve prefills; empty where none does.
std::string
ServiceTableOf(const std::vector<VariantSummary>& variants)
{
    std::vector<VariantSummary> serving;
    std::copy_if(variants.begin(),
                 variants.end(),
                 std::back_inserter(serving),
                 [](const VariantSummary& variant)
                 { return !ServiceMetrics(variant.summary).empty(); });
    std::vector<Column> columns{VariantColumn(serving, {})};
    for (const auto& name : NamesOf(serving, &ServiceMetrics))
    {
        columns.push_back(MetricColumn(serving, name));
    }
    return serving.empty() ? "" : TableOfColumns(columns).Html();
}

std::string
TableOf(const ComparedResults& results, const fs::path& folder)
{
    const auto runs = RunsIn(folder);
    const auto& variants = results.comparison.variants;
    const auto columns = ColumnsOf(variants, runs);
    HtmlTable table = TableOfColumns(columns);
    for (const auto& failed : results.failed)
    {
        table.rows.push_back(
            {HtmlCell{Escaped(failed.title)}, HtmlCell{"failed: " + Escaped(failed.error)}});
        table.rows.back().resize(std::max<std::size_t>(columns.size(), 2));
    }
    const bool hasSpeedUps = table.heads.size() > 1 && table.heads[1].html == speedUpHead;
    return table.Html() +
           fmt::format(
               "<p>{}{}All metrics are in {}; those that are equal in all rows are left out "
               "here.</p>\n",
               HasReport(runs) ? "Each variant's name leads to its own report. " : "",
               hasSpeedUps ? "Speed-ups are over the first variant. " : "",
               Linked("comparison.csv", "comparison.csv"));
}

/// Returns the titles of these variants, or how many they are and the first of them.
std::string
VariantsText(const std::vector<std::string>& names, const std::vector<VariantSummary>& variants)
{
    constexpr std::size_t mostNamed = 3;
    std::vector<std::string> titles;
    for (const auto& variant : variants)
    {
        if (variant.summary.header.job().empty() &&
            std::find(names.begin(), names.end(), variant.variant) != names.end())
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

/// Returns texts as items of a list, each with its variants unless it is of all. `textOf` makes HTML.
template <typename TextOf>
std::vector<std::string>
ItemsOf(const std::vector<GroupedWarning>& texts,
        const std::vector<VariantSummary>& variants,
        const TextOf& textOf)
{
    std::set<std::string> names;
    for (const auto& variant : variants)
    {
        names.insert(variant.variant);
    }
    std::vector<std::string> items;
    for (const auto& one : texts)
    {
        items.push_back(textOf(one.text));
        if (one.variants.size() < names.size())
        {
            items.back() += fmt::format(" <span class=\"seeds\">({})</span>",
                                        Escaped(VariantsText(one.variants, variants)));
        }
    }
    return items;
}

/// Returns what TrustOf() says of the variants, each sentence once with its variants.
std::vector<GroupedWarning>
TrustOfAll(const ComparedResults& results)
{
    std::vector<GroupedWarning> sentences;
    const auto& variants = results.comparison.variants;
    std::set<std::string> controls;
    for (const auto& variant : variants)
    {
        controls.insert(variant.summary.header.congestion_control());
    }
    controls.erase("");
    for (const auto& variant : variants)
    {
        auto summary = variant.summary;
        summary.complete = true; // a mean is of runs that finished
        if (!summary.header.congestion_control().empty())
        {
            summary.header.set_congestion_control(fmt::format("{}", fmt::join(controls, ", ")));
        }
        for (const auto& sentence : TrustOf(summary, variant.seeds))
        {
            if (sentence == "No warnings." && !results.warnings.empty())
            {
                continue;
            }
            auto found =
                std::find_if(sentences.begin(),
                             sentences.end(),
                             [&](const GroupedWarning& one) { return one.text == sentence; });
            if (found == sentences.end())
            {
                sentences.push_back({sentence, {}});
                found = sentences.end() - 1;
            }
            if (found->variants.empty() || found->variants.back() != variant.variant)
            {
                found->variants.push_back(variant.variant);
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
    std::string answers;
    for (const auto& answer : AnswersOf(results.comparison))
    {
        answers += "<p class=\"answer\">" + Escaped(answer) + ".</p>\n";
    }
    page.AddSection("Result", answers + TableOf(results, folder));
    if (const std::string service = ServiceTableOf(variants); !service.empty())
    {
        page.AddSection("Prefill service", service);
    }
    page.AddList(
        "Warnings: look before you trust this", ItemsOf(results.warnings, variants, Escaped), true);
    page.AddFigures();
    page.AddList(
        "How far to trust it",
        ItemsOf(TrustOfAll(results), variants, [](const std::string& html) { return html; }),
        false);
    page.AddHowToRepeat();
    page.AddScenario("The scenario, as it was given");
    page.Write();
}

} // namespace geotrain
