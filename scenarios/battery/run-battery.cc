// SPDX-License-Identifier: GPL-2.0-only
#include "battery/run-battery.h"

#include "battery/card-lines.h"
#include "loader/control-library.h"
#include "loader/declared-results.h"
#include "loader/transport-section.h"
#include "report/head-comment.h"
#include "runner/exit-codes.h"
#include "runner/run-info.h"
#include "runner/run-watch.h"
#include "trace/result-file.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// A PlannedHeading is a heading with the variants that it will run.
struct PlannedHeading
{
    BatteryHeading heading;
    VariantPlans plans;
    std::vector<std::int64_t> seeds;
    std::vector<LeftOutVariant> leftOut;

    std::size_t Runs() const
    {
        return plans.variants.size() * std::max<std::size_t>(seeds.size(), 1);
    }
};

/// Takes away the variants that can't run with the card's control, such as ECN with a control that
/// does not answer marks. What is wrong with others, their runs report.
void
LeaveOut(PlannedHeading& planned, const std::string& control)
{
    auto& variants = planned.plans.variants;
    std::vector<VariantPlan> kept;
    for (const auto& variant : variants)
    {
        const auto& values = variant.values;
        try
        {
            if (!control.empty() &&
                std::find(values.begin(), values.end(), control) != values.end())
            {
                LoadScenario(planned.heading.text, variant.assignments);
            }
            kept.push_back(variant);
        }
        catch (const ConfigError& error)
        {
            planned.leftOut.push_back({variant.title, error.what()});
        }
    }
    variants = kept;
}

/// Takes away the variants that no figure shows; with `only` of these figures alone.
void
KeepShown(PlannedHeading& planned, const std::set<std::string>& only)
{
    auto& variants = planned.plans.variants;
    Comparison comparison{planned.plans.variedPaths, {}};
    for (const auto& variant : variants)
    {
        comparison.variants.push_back({variant.name, {}, variant.values});
    }
    std::set<std::size_t> shown;
    for (const auto& figure : ReadFigures(planned.heading.text))
    {
        if (only.empty() || only.count(figure.name) > 0)
        {
            const auto places = VariantsFor(comparison, figure);
            shown.insert(places.begin(), places.end());
        }
    }
    std::vector<VariantPlan> kept;
    for (const std::size_t place : shown)
    {
        kept.push_back(variants[place]);
    }
    variants = kept;
}

std::vector<PlannedHeading>
PlanHeadings(const BatteryOptions& options)
{
    std::vector<PlannedHeading> planned;
    auto request = options.variants;
    request.control = options.card;
    for (const auto& heading : options.headings)
    {
        PlannedHeading one{heading, PlanVariants(heading.text, request), options.seeds, {}};
        one.seeds = one.seeds.empty() ? one.plans.seeds : one.seeds;
        LeaveOut(one, options.card);
        if (options.runsOnlyShown)
        {
            KeepShown(one, options.choices ? options.choices->only : std::set<std::string>{});
        }
        if (!one.plans.variants.empty())
        {
            planned.push_back(std::move(one));
        }
    }
    return planned;
}

/// Returns the expectations of the heading's scenario, where its runs are those of the scenario.
std::vector<ExpectedValue>
ExpectationsOf(const BatteryOptions& options,
               const PlannedHeading& planned,
               const ComparisonTable& table)
{
    const bool isAsWritten = options.seeds.empty() && options.variants.sets.empty() &&
                             options.ns3Defaults.empty() && !options.variants.full &&
                             !options.runsOnlyShown;
    return isAsWritten ? GivenBy(table, ReadExpectations(planned.heading.text))
                       : std::vector<ExpectedValue>{};
}

std::string
SentenceOn(const HeadingResult& result)
{
    const auto& rows = result.table.Rows();
    const auto failed =
        std::count_if(rows.begin(),
                      rows.end(),
                      [](const ComparisonRow& row) { return row.exitCode != exitDone; });
    return fmt::format("{} variants, {} seed{}{}",
                       rows.size(),
                       result.seeds,
                       result.seeds == 1 ? "" : "s",
                       failed == 0 ? "" : fmt::format("; {} failed", failed));
}

void
WriteIndex(const BatteryOptions& options, const BatteryResult& result)
{
    std::vector<BatteryPart> parts;
    for (const auto& one : result.headings)
    {
        parts.push_back({one.heading.title,
                         one.heading.name,
                         HeadCommentOf(one.heading.text.text).question,
                         SentenceOn(one)});
    }
    if (options.makeMore)
    {
        const auto more = options.makeMore();
        parts.insert(parts.end(), more.begin(), more.end());
    }
    WriteBatteryReport(options.title, parts, options.folder);
}

void
WriteCard(const BatteryOptions& options, const BatteryResult& result)
{
    const ScenarioFile file{"--card", {}};
    ReportCard card;
    card.control = FullNameOfControl(options.card, "", file);
    card.name = options.card;
    for (const auto& one : result.headings)
    {
        card.headings.push_back(
            {one.heading.title,
             one.heading.name,
             CardLinesOf(one.table, ReadCriteria(one.heading.text), options.card)});
        for (const auto& left : one.leftOut)
        {
            CardLine line;
            line.what = left.title;
            line.number = "not possible";
            line.reference = left.error;
            card.headings.back().lines.push_back(line);
        }
    }
    WriteReportCard(card, options.folder);
}

} // namespace

std::string
ControlOfCard(const std::string& name)
{
    const ScenarioFile file{"--card", {}};
    const auto full = FullNameOfControl(name, "", file);
    const auto shortName = full.substr(full.rfind(':') + 1);
    return FullNameOfControl(shortName, "", file) == full ? shortName : full;
}

BatteryResult
RunBattery(const BatteryOptions& options)
{
    const auto planned = PlanHeadings(options);
    const RunInfo info(options.folder,
                       options.name,
                       planned.empty() ? std::vector<std::int64_t>{} : planned.front().seeds,
                       options.commandLine,
                       {options.ns3Defaults, LoadedLibraries()});
    const auto all = std::accumulate(planned.begin(),
                                     planned.end(),
                                     std::size_t{0},
                                     [](std::size_t sum, const PlannedHeading& one)
                                     { return sum + one.Runs(); });
    std::size_t before = 0; // runs of the headings that are done
    BatteryResult result;
    int code = exitDone;
    for (const auto& one : planned)
    {
        CompareOptions compare = options;
        compare.plans = one.plans;
        compare.seeds = one.seeds;
        compare.folder /= one.heading.name;
        compare.figures = options.figures.value_or(DrawnFigures::Comparison);
        MakeResultFolder(compare.folder);
        compare.progress = [&](const std::vector<double>& shares)
        {
            if (options.tell)
            {
                const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
                const auto ended = std::count(shares.begin(), shares.end(), 1.0);
                options.tell((static_cast<double>(before) + sum) / static_cast<double>(all),
                             fmt::format("{}: {} of {} runs done, {} of {} in all",
                                         one.heading.name,
                                         ended,
                                         shares.size(),
                                         before + static_cast<std::size_t>(ended),
                                         all));
            }
        };
        const auto table = Compare(one.heading.text, compare);
        if (WasInterrupted())
        {
            result.isInterrupted = true;
            info.Finish(exitUnfinished);
            return result;
        }
        before += one.Runs();
        for (const auto& row : table.Rows())
        {
            code = code == exitDone ? row.exitCode : code;
        }
        result.headings.push_back({one.heading,
                                   table,
                                   std::max<std::size_t>(one.seeds.size(), 1),
                                   ExpectationsOf(options, one, table),
                                   one.leftOut});
    }
    if (!options.card.empty())
    {
        WriteCard(options, result);
    }
    WriteIndex(options, result);
    info.Finish(code);
    return result;
}

} // namespace geotrain
