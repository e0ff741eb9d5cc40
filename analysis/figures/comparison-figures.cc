// SPDX-License-Identifier: GPL-2.0-only
// Compares runs of bulk messages by congestion control, and runs of training by iteration time,
// fillers and round trip.
#include "figures/comparison-figures.h"

#include "figures/comparison-figure.h"
#include "figures/congestion-control-figures.h"
#include "figures/congestion-figure.h"
#include "figures/figure-files.h"
#include "figures/fill-figures.h"
#include "figures/round-trips.h"
#include "figures/serving-figures.h"
#include "trace/trace-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

namespace geotrain
{

namespace
{

/// Returns the place of the variant with this name or title.
std::optional<std::size_t>
PlaceOf(const std::vector<VariantSummary>& variants, const std::string& text)
{
    const auto found = std::find_if(variants.begin(),
                                    variants.end(),
                                    [&](const VariantSummary& variant)
                                    { return variant.variant == text || TitleOf(variant) == text; });
    return found == variants.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - variants.begin()));
}

/// Returns the places of the variants that `text` names. Titles may hold commas, so that each is the
/// longest start of the rest that is a name or title and ends at a comma.
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
            throw TraceError("--variant",
                             fmt::format("\"{}\" is no variant; there are {}",
                                         text,
                                         fmt::join(names, ", ")));
        }
        places.insert(*PlaceOf(variants, text.substr(0, end)));
        text.erase(0, end + 1);
    }
    return places;
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
    figures.ofTraining = std::none_of(variants.begin(),
                                      variants.end(),
                                      [](const VariantSummary& variant)
                                      { return variant.summary.header.has_transfers(); });
    if (!figures.ofTraining)
    {
        for (const std::size_t i : AlikeButForControl(variants))
        {
            figures.congestion.push_back(
                {variants[i].summary.header.congestion_control(), variants[i].trace});
        }
        return figures;
    }
    if (const auto compared = CompareRoundTrips(comparison))
    {
        figures.roundTrips = compared->iterationTimes;
        figures.timelinesSetting =
            "WAN round trip " + compared->iterationTimes.groups.back() + " ms";
        for (const auto& [series, variant] : compared->atTheLongest)
        {
            figures.timelines.push_back({series, variants[variant].trace});
        }
    }
    return figures;
}

std::vector<std::filesystem::path>
DrawComparisonFigures(const Comparison& comparison, const FigurePlace& folder)
{
    const auto& variants = comparison.variants;
    if (variants.empty())
    {
        return {};
    }
    std::filesystem::create_directories(folder.Path());
    const ComparisonFigures figures = DecideFigures(comparison);
    Files files = DrawCongestionControlFigures(variants, folder);
    if (!figures.congestion.empty())
    {
        Append(files, DrawCongestion(figures.congestion, folder / "congestion"));
    }
    if (figures.ofTraining)
    {
        Append(files, DrawComparison(variants, folder / "comparison"));
        Append(files, DrawServingFigures(variants, folder));
        Append(files, DrawFillFigures(variants, folder));
    }
    if (figures.roundTrips)
    {
        Append(files, DrawGroupedBars(*figures.roundTrips, folder / "round-trips"));
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
