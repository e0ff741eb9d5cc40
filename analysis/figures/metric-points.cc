// SPDX-License-Identifier: GPL-2.0-only
#include "figures/metric-points.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace geotrain
{

std::size_t
PlaceIn(std::vector<std::string>& names, const std::string& name)
{
    const auto found = std::find(names.begin(), names.end(), name);
    const auto place = static_cast<std::size_t>(found - names.begin());
    if (found == names.end())
    {
        names.push_back(name);
    }
    return place;
}

std::vector<VariantSummary>
LargestGroup(const std::vector<VariantSummary>& variants,
             const std::function<std::string(const Summary&)>& keyOf)
{
    std::vector<std::string> keys;
    std::vector<std::vector<VariantSummary>> groups(1);
    for (const auto& variant : variants)
    {
        const auto place = PlaceIn(keys, keyOf(variant.summary));
        groups.resize(keys.size());
        groups[place].push_back(variant);
    }
    return *std::max_element(groups.begin(),
                             groups.end(),
                             [](const auto& a, const auto& b) { return a.size() < b.size(); });
}

Metric
MetricIn(const Summary& summary, std::string_view name)
{
    const Metric* metric = summary.MetricNamed(name);
    return metric == nullptr ? Metric{} : *metric;
}

VariantQuantity
MetricOf(const char* name, double factor)
{
    return [name, factor](const Summary& summary) -> std::optional<double>
    {
        const auto value = summary.Find(name);
        return value ? std::optional(*value * factor) : std::nullopt;
    };
}

bool
MetricPoints::Vary(std::size_t least) const
{
    std::set<double> values;
    for (const auto& [x, y] : points)
    {
        values.insert(x);
    }
    return values.size() >= least;
}

CurveFamily
CurvesByGroup(const std::vector<VariantGroup>& groups,
              CurveFamily family,
              const MetricCurves& shown)
{
    std::vector<PointSpread> spreads;
    for (const auto& [prefix, variants] : groups)
    {
        for (const auto& [name, metric] : shown.metrics)
        {
            const auto points = PointsOf(variants, shown.x, metric, shown.factor);
            if (points.Vary(shown.least))
            {
                family.curves.emplace_back(prefix + name, points.points);
                family.halfWidths.push_back(points.halfWidths);
                spreads.insert(spreads.end(), points.spreads.begin(), points.spreads.end());
            }
        }
    }
    const auto hasSeeds = [](const PointSpread& spread) { return spread.seeds > 1; };
    family.title +=
        std::any_of(spreads.begin(), spreads.end(), hasSeeds) ? "; " + SpreadText(spreads) : "";
    return family;
}

MetricPoints
PointsOf(const std::vector<VariantSummary>& variants,
         const VariantQuantity& x,
         const char* metric,
         double factor)
{
    std::vector<std::tuple<double, double, double, std::size_t>> found; // x, y, half width, seeds
    for (const auto& variant : variants)
    {
        const auto at = x(variant.summary);
        const Metric* y = variant.summary.MetricNamed(metric);
        if (at && y != nullptr)
        {
            found.emplace_back(*at, y->value * factor, y->halfWidth * factor, variant.seeds);
        }
    }
    std::sort(found.begin(), found.end());
    MetricPoints points;
    bool hasWidth = false;
    for (const auto& [at, y, halfWidth, seeds] : found)
    {
        points.points.emplace_back(at, y);
        points.halfWidths.push_back(halfWidth);
        points.spreads.push_back({seeds, halfWidth});
        hasWidth = hasWidth || halfWidth > 0;
    }
    if (!hasWidth)
    {
        points.halfWidths.clear();
    }
    return points;
}

} // namespace geotrain
