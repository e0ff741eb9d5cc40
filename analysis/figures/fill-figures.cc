// SPDX-License-Identifier: GPL-2.0-only
#include "figures/fill-figures.h"

#include "figures/curve-family-figure.h"
#include "figures/figure-files.h"
#include "figures/metric-points.h"
#include "figures/spread-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace geotrain
{

namespace
{

std::optional<double>
GpusOf(const Summary& summary)
{
    double gpus = 0;
    for (const auto& worker : summary.header.workers())
    {
        gpus += worker.gpus();
    }
    return gpus;
}

/// Returns the largest group of variants with fill jobs that have the same network, schedule, sharing
/// and congestion control. Other variants are not of the same curve.
std::vector<VariantSummary>
AlikeWithFillJobs(std::vector<VariantSummary> variants)
{
    variants.erase(std::remove_if(variants.begin(),
                                  variants.end(),
                                  [](const auto& variant) {
                                      return !variant.summary.Find("fill_job_share") &&
                                             !variant.summary.Find("fill_job_gain");
                                  }),
                   variants.end());
    return LargestGroup(variants,
                        [](const Summary& summary)
                        {
                            const auto& header = summary.header;
                            return fmt::format("{}\n{}\n{}\n{}",
                                               header.network(),
                                               header.schedule(),
                                               header.sharing(),
                                               header.congestion_control());
                        });
}

/// Returns the setting of the first variant with fill jobs: "pipefill-40b: 1f1b, analytic network".
std::string
SettingOf(const std::vector<VariantSummary>& variants)
{
    const auto found =
        std::find_if(variants.begin(),
                     variants.end(),
                     [](const auto& variant) { return variant.summary.Find("fill_job_share"); });
    if (found == variants.end())
    {
        return "";
    }
    const auto& header = found->summary.header;
    return fmt::format(
        "{}: {}, {} network", header.scenario(), header.schedule(), header.network());
}

/// Returns a curve with a point per variant that has both quantities.
CurveFamily
CurveOf(const std::vector<VariantSummary>& variants,
        const char* xLabel,
        const VariantQuantity& x,
        const char* yLabel,
        const std::pair<const char*, double>& metric)
{
    const auto found = PointsOf(variants, x, metric.first, metric.second);
    auto curve = SingleCurve(xLabel, yLabel, found.points);
    curve.title = SettingOf(variants);
    if (!variants.empty() && variants.front().seeds > 1)
    {
        curve.title += "; " + SpreadText(variants.front().seeds, found.halfWidths);
    }
    curve.halfWidths = {found.halfWidths};
    return curve;
}

/// Splits a curve with several points at an x into that of the least and that of the most; with one
/// point at each, returns it as it is. Where some x have one point alone, which is of another mix than
/// the least and the most, the first variants of each x have a curve of their own.
CurveFamily
LeastAndMost(const std::vector<VariantSummary>& variants,
             const std::pair<const char*, double>& metric,
             CurveFamily curve)
{
    std::map<double, std::vector<double>> values; // by x, in the order of the variants
    for (const auto& variant : variants)
    {
        const auto value = variant.summary.Find(metric.first);
        if (value)
        {
            values[*GpusOf(variant.summary)].push_back(metric.second * *value);
        }
    }
    if (values.size() == curve.curves.front().second.size())
    {
        return curve;
    }
    CurvePoints first;
    CurvePoints least;
    CurvePoints most;
    for (const auto& [x, found] : values)
    {
        const auto [low, high] = std::minmax_element(found.begin(), found.end());
        first.emplace_back(x, found.front());
        if (found.size() > 1)
        {
            least.emplace_back(x, *low);
            most.emplace_back(x, *high);
        }
    }
    curve.title = SettingOf(variants);
    curve.curves.clear();
    curve.halfWidths.clear();
    if (first.size() > least.size())
    {
        curve.curves.emplace_back("first mix", first);
    }
    curve.curves.emplace_back("least of the mixes", least);
    curve.curves.emplace_back("most of the mixes", most);
    return curve;
}

bool
Varies(const CurveFamily& curve, std::size_t least)
{
    return MetricPoints{curve.curves.front().second, {}}.Vary(least);
}

} // namespace

std::vector<std::filesystem::path>
DrawFillFigures(const std::vector<VariantSummary>& all, const FigurePlace& folder)
{
    const auto variants = AlikeWithFillJobs(all);
    constexpr double tera = 1e-12;
    constexpr double percent = 100;
    const char* jitter = "Mean jitter of WAN messages (ms)";
    const VariantQuantity jitterMilliseconds = MetricOf("wan_message_jitter", 1e3);
    std::pair<const char*, CurveFamily> figures[] = {
        {"recovered-flops",
         LeastAndMost(variants,
                      {"fill_job_flops_per_gpu", tera},
                      CurveOf(variants,
                              "GPUs",
                              GpusOf,
                              "Recovered TFLOP/s per GPU",
                              {"fill_job_flops_per_gpu", tera}))},
        {"fill-gain",
         LeastAndMost(variants,
                      {"fill_job_gain", percent},
                      CurveOf(variants,
                              "GPUs",
                              GpusOf,
                              "Fill jobs' FLOP/s (% of training's)",
                              {"fill_job_gain", percent}))},
        {"fill-share",
         CurveOf(variants,
                 jitter,
                 jitterMilliseconds,
                 "Bubble time filled (%)",
                 {"fill_job_share", percent})},
        {"fill-discarded",
         CurveOf(variants,
                 jitter,
                 jitterMilliseconds,
                 "Bubble time discarded (%)",
                 {"fill_job_discarded", percent})}};
    Files files;
    for (auto& [name, curve] : figures)
    {
        const bool isShare = curve.xLabel == jitter;
        if (Varies(curve, isShare ? leastMeasured : 2))
        {
            curve.most = isShare ? percent : INFINITY;
            Append(files, DrawCurveFamily(curve, folder / name));
        }
    }
    return files;
}

} // namespace geotrain
