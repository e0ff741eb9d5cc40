#include "comparison/round-trips.h"

#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>

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

// In milliseconds; nothing where the variant leaves the delay alone.
std::optional<double>
RoundTripMs(const std::string& delay)
{
    try
    {
        return delay.empty() ? std::nullopt
                             : std::optional<double>(2e3 * ParseDuration(delay).ToSeconds());
    }
    catch (const std::invalid_argument&)
    {
        return std::nullopt; // the variant has failed with it
    }
}

std::string
CommonStart(const std::string& a, const std::string& b)
{
    const auto end = std::mismatch(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin());
    return {a.begin(), end.first};
}

struct Series
{
    std::vector<std::string> others;        // the values but the delay's
    std::string start;                      // that all names share
    std::map<double, std::string> variants; // by round trip
};

std::vector<Series>
SeriesOf(const ComparisonTable& table, std::size_t delayColumn)
{
    std::vector<Series> all;
    for (const auto& row : table.Rows())
    {
        const auto roundTrip = RoundTripMs(row.values[delayColumn]);
        if (!roundTrip || row.summaries.empty())
        {
            continue;
        }
        auto others = row.values;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(delayColumn));
        auto series = std::find_if(
            all.begin(), all.end(), [&](const Series& one) { return one.others == others; });
        if (series == all.end())
        {
            all.push_back({others, row.variant, {}});
            series = all.end() - 1;
        }
        series->start = CommonStart(series->start, row.variant);
        series->variants[*roundTrip] = row.variant;
    }
    return all;
}

// The one value that sets the series apart, or the start that its variants' names share up to the last hyphen.
std::string
NameOf(const Series& series)
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

// Every round trip that a series has, rising.
std::vector<double>
RoundTripsOf(const std::vector<Series>& all)
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
BarsOf(const Series& series,
       const std::vector<double>& roundTrips,
       const std::map<std::string, Summary>& means)
{
    BarSeries bars{NameOf(series), {}};
    for (const double roundTrip : roundTrips)
    {
        const auto variant = series.variants.find(roundTrip);
        bars.values.push_back(variant == series.variants.end()
                                  ? std::nullopt
                                  : means.at(variant->second).Find("iteration_time"));
    }
    return bars;
}

} // namespace

std::optional<RoundTripComparison>
CompareRoundTrips(const ComparisonTable& table)
{
    const auto column = DelayColumn(table.VariedPaths());
    const auto all = column ? SeriesOf(table, *column) : std::vector<Series>{};
    const auto roundTrips = RoundTripsOf(all);
    if (roundTrips.size() < 2)
    {
        return std::nullopt;
    }
    RoundTripComparison comparison;
    auto& bars = comparison.iterationTimes;
    bars.groupLabel = "Round trip of a WAN link (ms)";
    bars.valueLabel = "Iteration time (s)";
    for (const double roundTrip : roundTrips)
    {
        bars.groups.push_back(fmt::format("{:g}", roundTrip));
    }
    const auto means = table.Means();
    const std::map<std::string, Summary> meansOf(means.begin(), means.end());
    for (const auto& series : all)
    {
        bars.series.push_back(BarsOf(series, roundTrips, meansOf));
        const auto longest = series.variants.find(roundTrips.back());
        if (longest != series.variants.end())
        {
            comparison.atTheLongest.emplace_back(bars.series.back().name, longest->second);
        }
    }
    return comparison;
}

} // namespace geotrain
