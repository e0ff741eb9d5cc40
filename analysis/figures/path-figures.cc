// SPDX-License-Identifier: GPL-2.0-only
#include "figures/path-figures.h"

#include "figures/curve-family-figure.h"
#include "figures/metric-points.h"
#include "figures/spread-figure.h"
#include "metrics/statistics.h"

#include <algorithm>
#include <optional>

namespace geotrain
{

namespace
{

constexpr std::size_t delayBins = 400;     // over the width of the figure
constexpr std::size_t leastPopulation = 3; // paths of which a distribution says something

std::vector<double>
Scaled(std::vector<double> values, double factor)
{
    std::transform(
        values.begin(), values.end(), values.begin(), [&](double value) { return factor * value; });
    return values;
}

/// Returns the name of a path's family: without extension and number at the end.
std::string
FamilyOf(const std::string& path)
{
    std::string family = path;
    if (family.size() > 3 && family.compare(family.size() - 3, 3, ".pb") == 0)
    {
        family.erase(family.size() - 3);
    }
    const std::size_t last = family.find_last_not_of("0123456789");
    family.erase(last == std::string::npos ? 0 : last + 1);
    const std::size_t end = family.find_last_not_of("-_/");
    return end == std::string::npos ? family : family.substr(0, end + 1);
}

/// Returns the place of the varied field that says which learned path a link has.
std::size_t
LearnedField(const Comparison& comparison)
{
    const auto& paths = comparison.variedPaths;
    const std::string ending = "].learned";
    const auto found = std::find_if(
        paths.begin(),
        paths.end(),
        [&](const std::string& path)
        {
            return path.size() > ending.size() &&
                   path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
        });
    return static_cast<std::size_t>(found - paths.begin());
}

/// Returns the mean of the points in each of `delayBins` parts of [from, to], in ms.
CurvePoints
MeansOverTime(const CurvePoints& points, double from, double to)
{
    std::vector<std::pair<double, double>> sums(delayBins); // delays, and how many
    for (const auto& [time, delay] : points)
    {
        if (time >= from && time <= to)
        {
            const double share = to > from ? (time - from) / (to - from) : 0;
            const auto bin = std::min(
                static_cast<std::size_t>(share * static_cast<double>(delayBins)), delayBins - 1);
            sums[bin].first += delay;
            sums[bin].second += 1;
        }
    }
    CurvePoints means;
    for (std::size_t bin = 0; bin < delayBins; ++bin)
    {
        if (sums[bin].second > 0)
        {
            const double middle = (static_cast<double>(bin) + 0.5) / static_cast<double>(delayBins);
            means.emplace_back(from + middle * (to - from),
                               1e3 * sums[bin].first / sums[bin].second);
        }
    }
    return means;
}

CurvePoints
ByEpoch(const std::vector<double>& values)
{
    CurvePoints points;
    for (std::size_t epoch = 0; epoch < values.size(); ++epoch)
    {
        points.emplace_back(static_cast<double>(epoch), values[epoch]);
    }
    return points;
}

} // namespace

std::vector<std::filesystem::path>
DrawPathSpread(const std::vector<PathFlow>& flows, const FigurePlace& folder)
{
    SpreadFigure figure{"congestion_control", "path", {}, {}, {}};
    for (const PathFlow& flow : flows)
    {
        PlaceIn(figure.groups, flow.control);
        PlaceIn(figure.series, flow.path);
    }
    if (figure.series.size() < 2)
    {
        return {};
    }
    const std::vector<std::vector<std::optional<FivePercentiles>>> none(
        figure.groups.size(), std::vector<std::optional<FivePercentiles>>(figure.series.size()));
    figure.panels = {{"One-way delay (ms)", none}, {"Throughput (Mbit/s)", none, true}};
    for (const PathFlow& flow : flows)
    {
        const std::size_t group = PlaceIn(figure.groups, flow.control);
        const std::size_t series = PlaceIn(figure.series, flow.path);
        figure.panels[0].groups[group][series] = SpreadOfValues(Scaled(flow.delays, 1e3));
        figure.panels[1].groups[group][series] = SpreadOfValues(Scaled(flow.throughputs, 1e-6));
    }
    return DrawSpreads(figure, folder / "path-spread");
}

std::vector<std::filesystem::path>
DrawPathPopulation(const Comparison& comparison, const FigurePlace& folder)
{
    const std::size_t field = LearnedField(comparison);
    if (field == comparison.variedPaths.size())
    {
        return {};
    }
    std::vector<std::pair<std::string, std::vector<double>>> families;
    std::size_t paths = 0;
    for (const VariantSummary& variant : comparison.variants)
    {
        const std::string& path = variant.values[field];
        const std::optional<double> time = variant.summary.Find("iteration_time");
        if (path.empty() || !time)
        {
            continue;
        }
        ++paths;
        const std::string name = FamilyOf(path);
        auto family = std::find_if(families.begin(),
                                   families.end(),
                                   [&](const auto& known) { return known.first == name; });
        if (family == families.end())
        {
            family = families.insert(families.end(), {name, {}});
        }
        family->second.push_back(*time);
    }
    if (paths < leastPopulation)
    {
        return {};
    }
    CurveFamily curves{"Iteration time (s)", "Share of paths (%)", CurveLook::Stairs};
    curves.curvesAre = "family";
    curves.leastTop = 100;
    for (const auto& [name, times] : families)
    {
        curves.curves.emplace_back(name, StairsOf(DistributionOf(times, times.size())));
    }
    return DrawCurveFamily(curves, folder / "path-population");
}

std::vector<std::filesystem::path>
DrawDelayOverTime(const CurvePoints& measured,
                  const CurvePoints& learned,
                  const FigurePlace& folder)
{
    const FigurePlace place = folder / "delay-over-time";
    const double end = measured.empty() ? 0 : measured.back().first;
    const auto [from, to] = place.TimeRange(0, end);
    CurveFamily family{"Time of sending (s)", "One-way delay (ms)", CurveLook::SolidLines};
    for (const auto& [name, points] : {std::pair("measured", &measured), {"learned", &learned}})
    {
        CurvePoints means = MeansOverTime(*points, from, to);
        if (!means.empty())
        {
            family.curves.emplace_back(name, std::move(means));
        }
    }
    return family.curves.empty() ? std::vector<std::filesystem::path>{}
                                 : DrawCurveFamily(family, place);
}

std::vector<std::filesystem::path>
DrawTrainingLoss(const std::vector<double>& training,
                 const std::vector<double>& heldOut,
                 const FigurePlace& folder)
{
    CurveFamily family{"Epoch", "Loss", CurveLook::Lines};
    family.countsOnX = true;
    for (const auto& [name, values] : {std::pair("training", &training), {"held out", &heldOut}})
    {
        if (!values->empty())
        {
            family.curves.emplace_back(name, ByEpoch(*values));
        }
    }
    return family.curves.empty() ? std::vector<std::filesystem::path>{}
                                 : DrawCurveFamily(family, folder / "training-loss");
}

} // namespace geotrain
