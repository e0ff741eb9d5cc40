// SPDX-License-Identifier: GPL-2.0-only
#include "figures/serving-figures.h"

#include "figures/curve-family-figure.h"
#include "figures/figure-files.h"
#include "figures/metric-points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace geotrain
{

namespace
{

using Variants = std::vector<VariantSummary>;

/// What the variants of a figure may differ in, besides the PP degree.
enum class VariedServing
{
    Nothing,
    Rate,
    RateAndObjective,
    Network
};

/// Returns the variants that had requests.
Variants
Serving(const Variants& variants)
{
    Variants serving;
    std::copy_if(variants.begin(),
                 variants.end(),
                 std::back_inserter(serving),
                 [](const auto& variant)
                 {
                     return variant.summary.header.has_serving() &&
                            variant.summary.Find("requests").value_or(0) > 0;
                 });
    return serving;
}

/// Returns a key that is equal for headers that differ only in the PP degree and in what is varied.
std::string
KeyOf(const trace::RunHeader& header, VariedServing varied)
{
    trace::RunHeader key;
    key.set_network(header.network());
    key.set_schedule(header.schedule());
    key.set_sharing(header.sharing());
    key.set_congestion_control(header.congestion_control());
    *key.mutable_serving() = header.serving();
    key.mutable_serving()->clear_pp_degree();
    key.mutable_serving()->clear_gpus();
    key.mutable_serving()->clear_weight_bytes_per_gpu();
    if (varied == VariedServing::Rate || varied == VariedServing::RateAndObjective)
    {
        key.mutable_serving()->clear_requests_per_second();
    }
    if (varied == VariedServing::RateAndObjective)
    {
        key.mutable_serving()->clear_ttft_objective_s();
    }
    if (varied != VariedServing::Network)
    {
        *key.mutable_wan_conditions() = header.wan_conditions();
    }
    return key.SerializeAsString();
}

/// Returns the largest group of variants with equal keys, by PP degree and in the order of the
/// variants.
std::map<std::uint32_t, Variants>
LargestByDegree(const Variants& serving, VariedServing varied)
{
    std::map<std::uint32_t, Variants> byDegree;
    for (const auto& variant : LargestGroup(
             serving, [varied](const Summary& summary) { return KeyOf(summary.header, varied); }))
    {
        byDegree[variant.summary.header.serving().pp_degree()].push_back(variant);
    }
    return byDegree;
}

/// Returns a text such as "llama3-8b, strict, analytic network".
std::string
SettingText(const trace::RunHeader& header)
{
    return fmt::format(
        "{}, {}, {} network", header.serving().model(), header.serving().mode(), header.network());
}

/// Returns the setting that all variants have; empty where they differ in it.
std::string
CommonSetting(const Variants& variants)
{
    const auto first =
        variants.empty() ? std::string() : SettingText(variants.front().summary.header);
    const bool isCommon = std::all_of(variants.begin(),
                                      variants.end(),
                                      [&](const auto& variant)
                                      { return SettingText(variant.summary.header) == first; });
    return isCommon ? first : "";
}

/// Says which share of the requests was served, curve by curve; empty where all were.
std::string
ServedText(const Variants& drawn)
{
    std::string text;
    bool allServed = true;
    for (const auto& variant : drawn)
    {
        if (!variant.summary.ttft.empty())
        {
            const double served = variant.summary.ttft.back().share;
            text += fmt::format("{}{:.3g}", text.empty() ? "" : ", ", 100 * served);
            allServed = allServed && served >= 1;
        }
    }
    return allServed ? "" : "; served: " + text + " %";
}

/// Returns the TTFT distributions of the largest group that differs in the PP degree alone, or of
/// all variants where there is no such group.
CurveFamily
TtftDistributions(const Variants& serving)
{
    CurveFamily family{"Time to first token (s)", "Share of all requests (%)", CurveLook::Stairs};
    family.leastTop = 100;
    const auto byDegree = LargestByDegree(serving, VariedServing::Nothing);
    const bool comparesDegrees = byDegree.size() > 1;
    Variants drawn = comparesDegrees ? Variants() : serving;
    for (const auto& [degree, variants] : byDegree)
    {
        if (comparesDegrees)
        {
            drawn.push_back(variants.front());
        }
    }
    for (const auto& variant : drawn)
    {
        if (!variant.summary.ttft.empty())
        {
            const bool isNamed = !comparesDegrees && !variant.variant.empty();
            family.curves.emplace_back(fmt::format("PP {}{}{}",
                                                   variant.summary.header.serving().pp_degree(),
                                                   isNamed ? ": " : "",
                                                   isNamed ? TitleOf(variant) : ""),
                                       StairsOf(variant.summary.ttft));
        }
    }
    family.title = CommonSetting(drawn);
    if (comparesDegrees)
    {
        family.title += fmt::format(", {:g} requests/s",
                                    drawn.front().summary.header.serving().requests_per_second());
    }
    family.title += ServedText(drawn);
    if (!drawn.empty() && drawn.front().seeds > 1)
    {
        family.title += fmt::format("; requests of {} seeds", drawn.front().seeds);
    }
    if (family.curves.size() == 1) // needs no legend
    {
        family.title = family.curves.front().first + ", " + family.title;
        family.curves.front().first.clear();
    }
    return family;
}

/// Returns the groups of variants by PP degree, which begins the names of curves where there are
/// several.
std::vector<VariantGroup>
GroupsByDegree(const Variants& serving, VariedServing varied)
{
    const auto byDegree = LargestByDegree(serving, varied);
    std::vector<VariantGroup> groups;
    for (const auto& [degree, variants] : byDegree)
    {
        groups.emplace_back(byDegree.size() > 1 ? fmt::format("PP {}, ", degree) : "", variants);
    }
    return groups;
}

/// Returns the setting of the group with the highest PP degree; empty where there is none.
std::string
SettingOfGroups(const std::vector<VariantGroup>& groups)
{
    return groups.empty() ? "" : SettingText(groups.back().second.front().summary.header);
}

/// Returns whether the x of curves, which are more than 0, span two decades.
bool
SpansDecades(const std::vector<std::pair<std::string, CurvePoints>>& curves)
{
    double least = INFINITY;
    double most = 0;
    for (const auto& [name, points] : curves)
    {
        least = std::min(least, points.front().first);
        most = std::max(most, points.back().first);
    }
    return most >= 100 * least;
}

CurveFamily
TtftAgainstRate(const Variants& serving)
{
    const auto rate = [](const Summary& summary)
    { return std::optional(summary.header.serving().requests_per_second()); };
    const auto groups = GroupsByDegree(serving, VariedServing::Rate);
    CurveFamily family{"Requests (1/s)", "Time to first token (s)"};
    family.title = SettingOfGroups(groups);
    family = CurvesByGroup(
        groups, std::move(family), {rate, {{"median", "ttft_p50"}, {"90 %", "ttft_p90"}}});
    family.logX = SpansDecades(family.curves);
    return family;
}

/// Returns the GPU time that training and prefills use, and the share of all requests, unfinished
/// ones among them, whose first token came in time, against the objective, for each rate of requests.
CurveFamily
UtilizationAgainstObjective(const Variants& serving)
{
    CurveFamily family{"Objective for the time to first token (s)", "GPU time, and requests (%)"};
    family.leastTop = 100;
    family.most = 100;
    std::map<double, Variants> byRate;
    const auto byDegree = LargestByDegree(serving, VariedServing::RateAndObjective);
    for (const auto& variant : byDegree.empty() ? Variants{} : byDegree.begin()->second)
    {
        byRate[variant.summary.header.serving().requests_per_second()].push_back(variant);
    }
    std::vector<VariantGroup> groups;
    for (const auto& [rate, variants] : byRate)
    {
        groups.emplace_back(fmt::format("{:g} requests/s, ", rate), variants);
    }
    const auto objective = [](const Summary& summary)
    {
        const double seconds = summary.header.serving().ttft_objective_s();
        return seconds > 0 ? std::optional(seconds) : std::nullopt;
    };
    family.title = SettingOfGroups(groups);
    return CurvesByGroup(
        groups,
        std::move(family),
        {objective,
         {{"GPU time used", "total_utilization"}, {"first tokens in time", "in_time_share"}},
         100});
}

CurveFamily
FilledAgainst(const Variants& serving, const char* xLabel, const char* metric)
{
    const auto groups = GroupsByDegree(serving, VariedServing::Network);
    CurveFamily family{xLabel, "Share of bubble time (%)"};
    family.most = 100;
    family.title = SettingOfGroups(groups);
    return CurvesByGroup(groups,
                         std::move(family),
                         {MetricOf(metric, 1e3),
                          {{"prefills", "bubble_fill_share"}, {"discarded", "bubble_lost_share"}},
                          100,
                          leastMeasured});
}

} // namespace

std::vector<std::filesystem::path>
DrawServingFigures(const std::vector<VariantSummary>& variants, const FigurePlace& folder)
{
    const Variants serving = Serving(variants);
    const std::pair<const char*, CurveFamily> figures[] = {
        {"ttft-cdf", TtftDistributions(serving)},
        {"ttft-rate", TtftAgainstRate(serving)},
        {"utilization-objective", UtilizationAgainstObjective(serving)},
        {"prefill-jitter",
         FilledAgainst(serving, "Mean jitter of WAN messages (ms)", "wan_message_jitter")},
        {"prefill-forecast",
         FilledAgainst(serving, "Mean error of the forecast (ms)", "forecast_error_mean")}};
    Files files;
    for (const auto& [name, family] : figures)
    {
        if (!family.curves.empty())
        {
            Append(files, DrawCurveFamily(family, folder / name));
        }
    }
    return files;
}

} // namespace geotrain
