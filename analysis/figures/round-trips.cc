// SPDX-License-Identifier: GPL-2.0-only
// Sorts variants into groups and series, and names these.
#include "figures/round-trips.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace geotrain
{

namespace
{

bool
IsDelayOfLinks(const std::string& path)
{
    const std::string list = "wan_link[";
    const std::string field = "].delay";
    return path.rfind(list, 0) == 0 && path.size() > field.size() &&
           path.compare(path.size() - field.size(), field.size(), field) == 0;
}

std::optional<std::size_t>
DelayColumn(const std::vector<std::string>& paths)
{
    const auto first = std::find_if(paths.begin(), paths.end(), IsDelayOfLinks);
    if (first == paths.end() || std::find_if(first + 1, paths.end(), IsDelayOfLinks) != paths.end())
    {
        return std::nullopt;
    }
    return static_cast<std::size_t>(first - paths.begin());
}

std::string
CommonStart(const std::string& a, const std::string& b)
{
    const auto end = std::mismatch(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin());
    return {a.begin(), end.first};
}

struct DelaySeries
{
    std::vector<std::string> others;        // values of all varied paths but the delay
    std::string start;                      // beginning that the names of its variants share
    std::map<double, std::size_t> variants; // variants by round trip in ms
};

std::vector<std::string>
ValuesWithout(const VariantSummary& variant, std::size_t column)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < variant.values.size(); ++i)
    {
        if (i != column)
        {
            texts.push_back(variant.values[i].text);
        }
    }
    return texts;
}

std::vector<DelaySeries>
DelaySeriesOf(const Comparison& comparison, std::size_t delayColumn)
{
    std::vector<DelaySeries> all;
    for (std::size_t i = 0; i < comparison.variants.size(); ++i)
    {
        const auto& variant = comparison.variants[i];
        const auto delay = variant.values[delayColumn].seconds;
        if (!delay)
        {
            continue;
        }
        const auto others = ValuesWithout(variant, delayColumn);
        auto series = std::find_if(
            all.begin(), all.end(), [&](const DelaySeries& one) { return one.others == others; });
        if (series == all.end())
        {
            all.push_back({others, variant.variant, {}});
            series = all.end() - 1;
        }
        series->start = CommonStart(series->start, variant.variant);
        series->variants[2e3 * *delay] = i;
    }
    return all;
}

/// Returns the one value that sets the series apart; without a single one, the beginning that its
/// variants' names share, up to the last hyphen.
std::string
NameOf(const DelaySeries& series)
{
    std::vector<std::string> set;
    std::copy_if(series.others.begin(),
                 series.others.end(),
                 std::back_inserter(set),
                 [](const std::string& value) { return !value.empty(); });
    if (set.size() == 1)
    {
        return set.front();
    }
    const auto hyphen = series.start.find_last_of("-_");
    return hyphen == std::string::npos || hyphen == 0 ? series.start
                                                      : series.start.substr(0, hyphen);
}

/// Returns every round trip that any series has, rising.
std::vector<double>
RoundTripsOf(const std::vector<DelaySeries>& all)
{
    std::set<double> roundTrips;
    for (const auto& series : all)
    {
        for (const auto& [roundTrip, variant] : series.variants)
        {
            roundTrips.insert(roundTrip);
        }
    }
    return {roundTrips.begin(), roundTrips.end()};
}

BarSeries
BarsOf(const DelaySeries& series,
       const std::vector<double>& roundTrips,
       const std::vector<VariantSummary>& variants)
{
    BarSeries bars{NameOf(series), {}};
    for (const double roundTrip : roundTrips)
    {
        const auto variant = series.variants.find(roundTrip);
        bars.values.push_back(variant == series.variants.end()
                                  ? std::nullopt
                                  : variants[variant->second].summary.Find("iteration_time"));
    }
    return bars;
}

} // namespace

std::optional<RoundTripComparison>
CompareRoundTrips(const Comparison& comparison)
{
    const auto column = DelayColumn(comparison.variedPaths);
    const auto all = column ? DelaySeriesOf(comparison, *column) : std::vector<DelaySeries>{};
    const auto roundTrips = RoundTripsOf(all);
    if (roundTrips.size() < 2)
    {
        return std::nullopt;
    }
    RoundTripComparison compared;
    auto& bars = compared.iterationTimes;
    bars.groupLabel = "Round trip of a WAN link (ms)";
    bars.valueLabel = "Iteration time (s)";
    for (const double roundTrip : roundTrips)
    {
        bars.groups.push_back(fmt::format("{:g}", roundTrip));
    }
    for (const auto& series : all)
    {
        bars.series.push_back(BarsOf(series, roundTrips, comparison.variants));
        const auto longest = series.variants.find(roundTrips.back());
        if (longest != series.variants.end())
        {
            compared.atTheLongest.emplace_back(bars.series.back().name, longest->second);
        }
    }
    return compared;
}

} // namespace geotrain
