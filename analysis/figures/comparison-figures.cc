// SPDX-License-Identifier: GPL-2.0-only
// Compares runs of bulk messages by congestion control, and runs of training by iteration time,
// fillers and round trip.
#include "figures/comparison-figures.h"

#include "figures/comparison-figure.h"
#include "figures/congestion-figure.h"
#include "figures/figure-files.h"
#include "figures/figure.h"
#include "figures/fill-figures.h"
#include "figures/metric-points.h"
#include "figures/path-figures.h"
#include "figures/serving-figures.h"
#include "figures/sweeps.h"
#include "trace/result-file.h"
#include "trace/trace-error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>

namespace geotrain
{

namespace
{

constexpr std::size_t runsOfPage = 8; // of the figure of congestion windows

/// Returns the place of the variant with this name or title.
std::optional<std::size_t>
PlaceOf(const std::vector<VariantSummary>& variants, const std::string& text)
{
    const auto found = std::find_if(variants.begin(),
                                    variants.end(),
                                    [&](const VariantSummary& variant) {
                                        return variant.variant == text || TitleOf(variant) == text;
                                    });
    return found == variants.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - variants.begin()));
}

/// Returns the places of the variants that `text` names. Titles may hold commas, so that each is
/// the longest start of the rest that is a name or title and ends at a comma.
std::set<std::size_t>
PlacesOf(const std::vector<VariantSummary>& variants, std::string text)
{
    std::set<std::size_t> places;
    while (!text.empty())
    {
        std::size_t end = text.size();
        while (end != std::string::npos && end > 0 && !PlaceOf(variants, text.substr(0, end)))
        {
            end = text.rfind(',', end - 1);
        }
        if (end == std::string::npos || end == 0)
        {
            std::vector<std::string> names;
            std::transform(variants.begin(),
                           variants.end(),
                           std::back_inserter(names),
                           [](const VariantSummary& variant) { return variant.variant; });
            throw TraceError(
                "--variant",
                fmt::format("\"{}\" is no variant; there are {}", text, fmt::join(names, ", ")));
        }
        places.insert(*PlaceOf(variants, text.substr(0, end)));
        text.erase(0, end + 1);
    }
    return places;
}

/// Returns the largest group of runs of bulk messages that differ in the congestion control alone,
/// one per control, whose name is its title; none where no two controls compare.
std::vector<VariantSummary>
AlikeButForControl(std::vector<VariantSummary> variants)
{
    const auto isOther = [](const VariantSummary& variant)
    {
        return !variant.summary.Find("completion_time_p50") ||
               variant.summary.header.congestion_control().empty();
    };
    variants.erase(std::remove_if(variants.begin(), variants.end(), isOther), variants.end());
    const auto pathOf = [](const Summary& summary)
    {
        return summary.header.wan_conditions().SerializeAsString() +
               summary.header.transfers().SerializeAsString();
    };
    std::vector<std::string> controls;
    std::vector<VariantSummary> alike;
    for (auto& variant : LargestGroup(variants, pathOf))
    {
        variant.title = variant.summary.header.congestion_control();
        variant.values.clear(); // the title names it
        if (PlaceIn(controls, variant.title) == alike.size())
        {
            alike.push_back(std::move(variant));
        }
    }
    return alike.size() > 1 ? alike : std::vector<VariantSummary>{};
}

/// Draws the distributions of completion times by congestion control.
Files
DrawCompletionTimes(const std::vector<VariantSummary>& alike, const FigurePlace& folder)
{
    DeclaredFigure figure;
    figure.name = "completion-cdf";
    figure.content = FigureContent::CompletionTimes;
    for (const auto& variant : alike)
    {
        const auto& wan = variant.summary.header.wan_conditions();
        figure.setting = fmt::format("{:g} ms round trip, loss {:g}, buffer {}",
                                     static_cast<double>(wan.round_trip_ns()) / 1e6,
                                     wan.loss(),
                                     wan.queue());
    }
    return DrawDeclaredFigures({{}, alike}, {figure}, folder);
}

/// Draws the runs' congestion windows, several runs per page.
Files
DrawCongestionPages(const std::vector<VariantSummary>& runs, const FigurePlace& place)
{
    Files files;
    for (std::size_t first = 0; first < runs.size(); first += runsOfPage)
    {
        std::vector<NamedTrace> page;
        for (std::size_t i = first; i < std::min(first + runsOfPage, runs.size()); ++i)
        {
            page.push_back({runs[i].title, runs[i].trace, runs[i].job});
        }
        Append(files, DrawCongestion(page, place.Numbered(first / runsOfPage + 1)));
    }
    return files;
}

/// Adds the curves of a sweep: of training the iteration time and the GPUs' utilisation, of bulk
/// messages the completion time and the goodput.
void
AddCurves(ComparisonFigures& figures, const Comparison& comparison, const Sweep& sweep)
{
    const SweptMetric duration =
        figures.ofTraining ? SweptMetric{"iteration_time", "Iteration time (s)"}
                           : SweptMetric{"completion_time_p50", "Median completion time (s)"};
    const SweptMetric share =
        figures.ofTraining ? SweptMetric{"total_utilization", "Utilisation of GPUs (%)", 100}
                           : SweptMetric{"goodput_over_capacity", "Goodput (% of capacity)", 100};
    const std::string name = sweep.field == roundTripField ? sweep.field : "sweep-" + sweep.field;
    for (const auto& [figure, metric] :
         {std::pair(name, duration),
          std::pair(name + (figures.ofTraining ? "-utilization" : "-goodput"), share)})
    {
        auto family = CurvesOf(comparison, sweep, metric);
        family.most = metric.factor == share.factor ? 100 : INFINITY;
        if (!family.curves.empty())
        {
            figures.sweeps.emplace_back(figure, std::move(family));
        }
    }
}

/// Adds the timelines of the variants with the longest round trip.
void
AddTimelines(ComparisonFigures& figures, const Comparison& comparison, const Sweep& sweep)
{
    const double longest = sweep.values.back();
    figures.timelinesSetting = fmt::format("WAN round trip {:g} ms", longest);
    for (const auto& series : sweep.series)
    {
        const auto variant = series.variants.find(longest);
        if (variant != series.variants.end())
        {
            const auto& one = comparison.variants[variant->second];
            figures.timelines.push_back(
                {series.name.empty() ? TitleOf(one) : series.name, one.trace, one.job});
        }
    }
}

/// Returns the different values that the variants give to each varied field, by the field's place.
std::vector<std::vector<std::string>>
ValuesOfFields(const Comparison& comparison)
{
    std::vector<std::vector<std::string>> values(comparison.variedPaths.size());
    for (const auto& variant : comparison.variants)
    {
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            PlaceIn(values[i], i < variant.values.size() ? variant.values[i] : "");
        }
    }
    return values;
}

/// Returns the map of the metric in which `comparison` has its answer; nothing where not two fields
/// vary, or where fewer than three quarters of the pairs of their values have a variant.
std::optional<DeclaredFigure>
MatrixOf(const Comparison& comparison)
{
    const auto values = ValuesOfFields(comparison);
    std::vector<std::size_t> varied;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        if (values[i].size() > 1)
        {
            varied.push_back(i);
        }
    }
    if (varied.size() != 2)
    {
        return std::nullopt;
    }
    const auto isSmaller = [&](std::size_t a, std::size_t b)
    { return values[a].size() < values[b].size(); };
    std::stable_sort(varied.begin(), varied.end(), isSmaller);
    const auto cells = values[varied[0]].size() * values[varied[1]].size();
    for (const auto& [metric, label, factor] :
         {std::tuple("iteration_time", "Iteration time (s)", 1.0),
          std::tuple("completion_time_p50", "Median completion time (s)", 1.0),
          std::tuple("goodput_over_capacity", "Goodput (% of capacity)", 100.0)})
    {
        std::size_t filled = 0;
        double low = INFINITY;
        double high = 0;
        for (const auto& variant : comparison.variants)
        {
            if (const auto value = variant.summary.Find(metric))
            {
                ++filled;
                low = std::min(low, *value);
                high = std::max(high, *value);
            }
        }
        if (4 * filled >= 3 * cells)
        {
            DeclaredFigure matrix;
            matrix.name = "matrix";
            matrix.metric = metric;
            matrix.label = label;
            matrix.factor = factor;
            matrix.isMap = true;
            matrix.logShades = SpanADecade(low, high);
            matrix.by = comparison.variedPaths[varied[0]];
            matrix.byLabel = FieldLabel(matrix.by);
            matrix.across = comparison.variedPaths[varied[1]];
            matrix.acrossLabel = FieldLabel(matrix.across);
            return matrix;
        }
    }
    return std::nullopt;
}

/// Leaves out runs with jobs as a whole, which have no times, and jobs of another kind than the
/// first.
Comparison
WithJobsOfOneKind(Comparison comparison)
{
    const auto isOfTransfers = [](const VariantSummary& variant)
    { return variant.summary.header.has_transfers(); };
    auto& variants = comparison.variants;
    const auto remove = [&variants](const auto& isOut)
    { variants.erase(std::remove_if(variants.begin(), variants.end(), isOut), variants.end()); };
    remove([](const VariantSummary& variant) { return !variant.summary.jobs.empty(); });
    if (!variants.empty() && !variants.front().summary.header.job().empty())
    {
        const bool isFirstOfTransfers = isOfTransfers(variants.front());
        remove([&](const VariantSummary& variant)
               { return isOfTransfers(variant) != isFirstOfTransfers; });
    }
    return comparison;
}

} // namespace

std::vector<VariantSummary>
ChooseVariants(const std::vector<VariantSummary>& variants, const std::vector<std::string>& wanted)
{
    std::set<std::size_t> places;
    for (const auto& text : wanted)
    {
        places.merge(PlacesOf(variants, text));
    }
    std::vector<VariantSummary> chosen;
    for (const std::size_t place : places)
    {
        chosen.push_back(variants[place]);
    }
    return chosen;
}

ComparisonFigures
DecideFigures(const Comparison& comparison)
{
    const auto& variants = comparison.variants;
    ComparisonFigures figures;
    const auto ofTransfers = [](const VariantSummary& variant)
    { return variant.summary.header.has_transfers(); };
    figures.ofTraining = std::none_of(variants.begin(), variants.end(), ofTransfers);
    figures.ofTransfers = std::all_of(variants.begin(), variants.end(), ofTransfers);
    for (const auto& sweep : SweepsOf(comparison))
    {
        AddCurves(figures, comparison, sweep);
        if (figures.ofTraining && sweep.field == roundTripField)
        {
            AddTimelines(figures, comparison, sweep);
        }
    }
    figures.alike = AlikeButForControl(variants);
    figures.matrix = MatrixOf(comparison);
    return figures;
}

std::vector<std::filesystem::path>
DrawComparisonFigures(const Comparison& all, const FigurePlace& place)
{
    const Comparison comparison = WithJobsOfOneKind(all);
    const FigurePlace folder = place.WithCaution(CautionOf(comparison));
    const auto& variants = comparison.variants;
    if (variants.empty())
    {
        return {};
    }
    MakeResultFolder(folder.Path());
    const ComparisonFigures figures = DecideFigures(comparison);
    Files files = DrawCompletionTimes(figures.alike, folder);
    if (figures.ofTraining || figures.ofTransfers)
    {
        Append(files, DrawComparison(variants, folder / "comparison"));
    }
    Append(files, DrawCongestionPages(figures.alike, folder / "congestion"));
    if (figures.ofTraining)
    {
        Append(files, DrawServingFigures(variants, folder));
        Append(files, DrawFillFigures(variants, folder));
        Append(files, DrawPathPopulation(comparison, folder));
    }
    for (const auto& [name, family] : figures.sweeps)
    {
        Append(files, DrawCurveFamily(family, folder / name));
    }
    if (figures.matrix)
    {
        Append(files, DrawDeclaredFigures(comparison, {*figures.matrix}, folder));
    }
    if (!figures.timelines.empty())
    {
        Append(files,
               DrawStackedTimelines(
                   figures.timelines, figures.timelinesSetting, folder / "timelines"));
    }
    return files;
}

} // namespace geotrain
