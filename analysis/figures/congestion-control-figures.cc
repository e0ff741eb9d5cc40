// SPDX-License-Identifier: GPL-2.0-only
#include "figures/congestion-control-figures.h"

#include "figures/curve-family-figure.h"
#include "figures/figure-files.h"
#include "figures/heat-map-figure.h"
#include "figures/metric-points.h"
#include "figures/number-with-unit.h"
#include "figures/spread-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace geotrain
{

namespace
{

// What runs must share to be compared: everything that a header tells but for the congestion
// control and `varied`.
using PathKey = std::tuple<double, double, std::string, double, std::string>;

enum class VariedPath
{
    Nothing,
    RoundTrip,
    Loss
};

PathKey
KeyOf(const Summary& summary, VariedPath varied)
{
    const auto& wan = summary.header.wan_conditions();
    return {varied == VariedPath::RoundTrip ? 0 : static_cast<double>(wan.round_trip_ns()),
            varied == VariedPath::Loss ? 0 : wan.loss(),
            wan.queue(),
            wan.cross_traffic_load(),
            summary.header.transfers().SerializeAsString()};
}

/// Group is variants that can be compared: a curve or row per congestion control, in the order of
/// the variants.
struct Group
{
    std::vector<std::string> controls;
    std::vector<std::map<double, std::size_t>> variants; ///< by control, by the varied value
    const Summary* first = nullptr;
    std::size_t members = 0; ///< number of variants, repeated ones included

    std::size_t Size() const
    {
        std::size_t size = 0;
        for (const auto& one : variants)
        {
            size += one.size();
        }
        return size;
    }

    /// Returns the varied values of all controls, rising.
    std::vector<double> Axis() const
    {
        std::set<double> values;
        for (const auto& one : variants)
        {
            for (const auto& [value, variant] : one)
            {
                values.insert(value);
            }
        }
        return {values.begin(), values.end()};
    }
};

double
ValueOf(const Summary& summary, VariedPath varied)
{
    const auto& wan = summary.header.wan_conditions();
    switch (varied)
    {
    case VariedPath::RoundTrip:
        return static_cast<double>(wan.round_trip_ns()) / 1e6;
    case VariedPath::Loss:
        return wan.loss();
    default:
        return 0;
    }
}

/// Returns groups of the variants that have `metric`, in the order of their first variants.
std::vector<Group>
GroupsOf(const std::vector<VariantSummary>& variants, VariedPath varied, const char* metric)
{
    std::vector<Group> groups;
    std::map<PathKey, std::size_t> places;
    for (std::size_t i = 0; i < variants.size(); ++i)
    {
        const auto& summary = variants[i].summary;
        if (!summary.Find(metric) || summary.header.congestion_control().empty())
        {
            continue;
        }
        const auto place = places.try_emplace(KeyOf(summary, varied), groups.size()).first->second;
        groups.resize(std::max(groups.size(), place + 1));
        auto& group = groups[place];
        group.first = group.first ? group.first : &summary;
        ++group.members;
        const auto row = PlaceIn(group.controls, summary.header.congestion_control());
        group.variants.resize(group.controls.size());
        group.variants[row].try_emplace(ValueOf(summary, varied), i);
    }
    return groups;
}

/// Returns the largest group with at least `leastAxis` varied values; null where there is none. Of
/// several it is the one with most members, which is the centre of a comparison that varies one
/// setting at a time; then the first.
const Group*
Largest(const std::vector<Group>& groups, std::size_t leastAxis)
{
    const auto rank = [](const Group& group) { return std::pair(group.Size(), group.members); };
    const Group* largest = nullptr;
    for (const auto& group : groups)
    {
        if (group.Axis().size() >= leastAxis && (!largest || rank(group) > rank(*largest)))
        {
            largest = &group;
        }
    }
    return largest;
}

/// Returns the size of a queue as text of a figure: "1bdp" becomes "1 BDP".
std::string
QueueText(const std::string& queue)
{
    const auto unit = queue.find("bdp");
    return unit == std::string::npos ? queue : queue.substr(0, unit) + " BDP";
}

/// Returns what all runs of a figure of transfers have in common.
std::string
SettingText(const Summary& summary, VariedPath varied)
{
    const auto& wan = summary.header.wan_conditions();
    const auto& transfers = summary.header.transfers();
    std::string text = transfers.flows_size() > 0
                           ? fmt::format("{} flow{}",
                                         transfers.flows_size(),
                                         transfers.flows_size() > 1 ? "s" : "")
                           : SizeText(static_cast<double>(transfers.bytes()));
    text += transfers.cold() ? " cold" : "";
    text += transfers.connections() > 1
                ? fmt::format(" over {} connections", transfers.connections())
                : "";
    if (varied != VariedPath::RoundTrip)
    {
        text += fmt::format(", {:g} ms round trip", static_cast<double>(wan.round_trip_ns()) / 1e6);
    }
    if (varied != VariedPath::Loss)
    {
        text += ", loss " + TextsOfNumbers({wan.loss()}).front();
    }
    text += ", buffer " + QueueText(wan.queue());
    return text + (transfers.rival().empty() ? "" : ", against " + transfers.rival());
}

/// Returns the largest share of the capacity, in percent, that a message can have as goodput: its
/// last byte arrives half a round trip after the link has sent all of them.
double
BoundOfMessage(const Summary& summary, double roundTripSeconds)
{
    const double sending = 8 * static_cast<double>(summary.header.transfers().bytes()) /
                           summary.header.wan_capacity_bps();
    return 100 * sending / (sending + roundTripSeconds / 2);
}

/// Adds the capacity, and the bound that the message's size sets.
void
AddBounds(CurveFamily& family, const Summary& summary, VariedPath varied)
{
    const double left = family.curves.front().second.front().first;
    double right = left;
    for (const auto& [name, points] : family.curves)
    {
        right = std::max(right, points.back().first);
    }
    family.references.push_back({"Capacity", {{left, 100}, {right, 100}}});
    if (summary.header.transfers().bytes() == 0)
    {
        return;
    }
    CurvePoints bound;
    constexpr int steps = 40;
    for (int i = 0; i <= steps; ++i)
    {
        const double x = left + (right - left) * i / steps;
        const double milliseconds =
            varied == VariedPath::RoundTrip
                ? x
                : static_cast<double>(summary.header.wan_conditions().round_trip_ns()) / 1e6;
        bound.emplace_back(x, BoundOfMessage(summary, milliseconds / 1e3));
    }
    family.references.emplace_back("Bound of the message", std::move(bound));
}

CurveFamily
GoodputAgainst(const std::vector<VariantSummary>& variants, VariedPath varied)
{
    CurveFamily family{varied == VariedPath::Loss ? "Random loss of packets"
                                                  : "Round-trip time (ms)",
                       "Goodput (% of capacity)"};
    family.logX = varied == VariedPath::Loss;
    family.most = 100;
    family.curvesAre = "congestion_control";
    const auto groups = GroupsOf(variants, varied, "goodput_over_capacity");
    if (const Group* group = Largest(groups, 2))
    {
        family.title = SettingText(*group->first, varied);
        for (std::size_t i = 0; i < group->controls.size(); ++i)
        {
            CurvePoints points;
            std::vector<double> halfWidths;
            for (const auto& [x, variant] : group->variants[i])
            {
                const auto goodput = MetricIn(variants[variant].summary, "goodput_over_capacity");
                points.emplace_back(x, 100 * goodput.value);
                halfWidths.push_back(100 * goodput.halfWidth);
            }
            family.curves.emplace_back(group->controls[i], points);
            family.halfWidths.push_back(halfWidths);
        }
        const auto& any = variants[group->variants.front().begin()->second];
        family.title += "; " + SpreadText(any.seeds, family.halfWidths);
        AddBounds(family, *group->first, varied);
    }
    return family;
}

CurveFamily
CompletionTimes(const std::vector<VariantSummary>& variants)
{
    CurveFamily family{
        "Completion time of a message (s)", "Share of all messages (%)", CurveLook::Stairs};
    family.leastTop = 100;
    double shortest = INFINITY;
    double longest = 0;
    family.curvesAre = "congestion_control";
    for (const std::size_t i : AlikeButForControl(variants))
    {
        const auto& summary = variants[i].summary;
        family.title =
            SettingText(summary, VariedPath::Nothing) +
            (variants[i].seeds > 1 ? fmt::format("; messages of {} seeds", variants[i].seeds)
                                   : "; one seed");
        family.curves.emplace_back(summary.header.congestion_control(),
                                   StairsOf(summary.completionTimes));
        shortest = std::min(shortest, summary.completionTimes.front().value);
        longest = std::max(longest, summary.completionTimes.back().value);
    }
    family.logX = longest > 10 * shortest;
    return family;
}

std::string
ConditionsText(const trace::WanConditions& wan)
{
    return fmt::format("{:g} ms round trip, buffer {}{}",
                       static_cast<double>(wan.round_trip_ns()) / 1e6,
                       QueueText(wan.queue()),
                       wan.cross_traffic_load() > 0
                           ? fmt::format(", {:g} % cross traffic", 100 * wan.cross_traffic_load())
                           : "");
}

HeatMap
IterationTimes(const std::vector<VariantSummary>& variants, const Group& group)
{
    HeatMap map;
    const auto& any = variants[group.variants.front().begin()->second];
    map.xLabel = "Random loss of packets";
    map.valueLabel = "Cells: iteration time (s); shades are logarithmic";
    map.rows = group.controls;
    const auto losses = group.Axis();
    std::vector<double> found; // half widths
    map.columns = TextsOfNumbers(losses);
    for (const auto& row : group.variants)
    {
        map.values.emplace_back();
        map.halfWidths.emplace_back(losses.size(), 0);
        for (std::size_t i = 0; i < losses.size(); ++i)
        {
            const auto variant = row.find(losses[i]);
            map.values.back().push_back(
                variant == row.end() ? std::nullopt
                                     : variants[variant->second].summary.Find("iteration_time"));
            if (map.values.back().back())
            {
                if (variants[variant->second].summary.WasMissedByLoss())
                {
                    map.missedByLoss.emplace(map.values.size() - 1, i);
                }
                map.halfWidths.back()[i] =
                    MetricIn(variants[variant->second].summary, "iteration_time").halfWidth;
                found.push_back(map.halfWidths.back()[i]);
            }
        }
    }
    map.title =
        ConditionsText(group.first->header.wan_conditions()) + "; " + SpreadText(any.seeds, found);
    if (any.seeds < 2)
    {
        map.halfWidths.clear();
    }
    return map;
}

/// Draws a heat map for each group with at least two controls and two losses, all with the same
/// colours.
std::vector<std::filesystem::path>
DrawHeatMaps(const std::vector<VariantSummary>& variants, const FigurePlace& folder)
{
    std::vector<HeatMap> maps;
    for (const auto& group : GroupsOf(variants, VariedPath::Loss, "iteration_time"))
    {
        if (group.controls.size() > 1 && group.Axis().size() > 1)
        {
            maps.push_back(IterationTimes(variants, group));
        }
    }
    Files files;
    for (std::size_t i = 0; i < maps.size(); ++i)
    {
        maps[i].range = RangeOf(maps);
        Append(files, DrawHeatMap(maps[i], (folder / "iteration-heat-map").Numbered(i + 1)));
    }
    return files;
}

} // namespace

std::vector<std::size_t>
AlikeButForControl(const std::vector<VariantSummary>& variants)
{
    const auto groups = GroupsOf(variants, VariedPath::Nothing, "completion_time_p50");
    const Group* group = Largest(groups, 1);
    std::vector<std::size_t> alike;
    for (std::size_t i = 0; group && group->controls.size() > 1 && i < group->controls.size(); ++i)
    {
        alike.push_back(group->variants[i].begin()->second);
    }
    return alike;
}

std::vector<std::filesystem::path>
DrawCongestionControlFigures(const std::vector<VariantSummary>& variants, const FigurePlace& folder)
{
    const std::pair<const char*, CurveFamily> figures[] = {
        {"goodput-rtt", GoodputAgainst(variants, VariedPath::RoundTrip)},
        {"goodput-loss", GoodputAgainst(variants, VariedPath::Loss)},
        {"completion-cdf", CompletionTimes(variants)}};
    Files files;
    for (const auto& [name, family] : figures)
    {
        if (!family.curves.empty())
        {
            Append(files, DrawCurveFamily(family, folder / name));
        }
    }
    Append(files, DrawHeatMaps(variants, folder));
    return files;
}

} // namespace geotrain
