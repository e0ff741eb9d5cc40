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

#include <algorithm>

namespace geotrain
{

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
DrawComparisonFigures(const Comparison& comparison, const std::filesystem::path& folder)
{
    const auto& variants = comparison.variants;
    if (variants.empty())
    {
        return {};
    }
    std::filesystem::create_directories(folder);
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
