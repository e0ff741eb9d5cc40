// SPDX-License-Identifier: GPL-2.0-only
#include "figures/fill-figures.h"

#include "figures/curve-family-figure.h"
#include "figures/figure-files.h"
#include "figures/metric-points.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace geotrain
{

namespace
{

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

/// Returns a curve with a point per variant that has both quantities, in %; none where the x hardly
/// vary.
CurveFamily
ShareAgainstJitter(const std::vector<VariantSummary>& variants,
                   const char* yLabel,
                   const char* metric)
{
    CurveFamily family{"Mean jitter of WAN messages (ms)", yLabel};
    family.title = SettingOf(variants);
    family.most = 100;
    return CurvesByGroup({{"", variants}},
                         std::move(family),
                         {MetricOf("wan_message_jitter", 1e3), {{"", metric}}, 100, leastMeasured});
}

/// Returns the curve of a metric over the GPUs. Several points at an x are split into the curve of
/// the least and that of the most. Where some x have one point alone, which is of another mix than the
/// least and the most, the first variants of each x have a curve of their own.
CurveFamily
OverGpus(const std::vector<VariantSummary>& variants,
         const char* yLabel,
         const std::pair<const char*, double>& metric)
{
    const auto gpus = [](const Summary& summary) { return std::optional(GpusOf(summary.header)); };
    CurveFamily curve{"GPUs", yLabel};
    curve.title = SettingOf(variants);
    curve = CurvesByGroup(
        {{"", variants}}, std::move(curve), {gpus, {{"", metric.first}}, metric.second});
    if (curve.curves.empty())
    {
        return curve;
    }
    std::map<double, std::vector<double>> values; // by x, in the order of the variants
    for (const auto& variant : variants)
    {
        const auto value = variant.summary.Find(metric.first);
        if (value)
        {
            values[GpusOf(variant.summary.header)].push_back(metric.second * *value);
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

} // namespace

std::vector<std::filesystem::path>
DrawFillFigures(const std::vector<VariantSummary>& all, const FigurePlace& folder)
{
    const auto variants = AlikeWithFillJobs(all);
    const std::pair<const char*, CurveFamily> figures[] = {
        {"recovered-flops",
         OverGpus(variants, "Recovered TFLOP/s per GPU", {"fill_job_flops_per_gpu", 1e-12})},
        {"fill-gain",
         OverGpus(variants, "Fill jobs' FLOP/s (% of training's)", {"fill_job_gain", 100})},
        {"fill-share", ShareAgainstJitter(variants, "Bubble time filled (%)", "fill_job_share")},
        {"fill-discarded",
         ShareAgainstJitter(variants, "Bubble time discarded (%)", "fill_job_discarded")}};
    Files files;
    for (const auto& [name, curve] : figures)
    {
        if (!curve.curves.empty())
        {
            Append(files, DrawCurveFamily(curve, folder / name));
        }
    }
    return files;
}

} // namespace geotrain
