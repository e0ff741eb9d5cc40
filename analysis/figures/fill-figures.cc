#include "figures/fill-figures.h"

#include "figures/curve-figure.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace geotrain
{

namespace
{

using Quantity = std::function<std::optional<double>(const Summary&)>;

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

std::optional<double>
JitterMilliseconds(const Summary& summary)
{
    const auto usual = summary.Find("wan_message_p50");
    const auto late = summary.Find("wan_message_p99");
    return usual && late ? std::optional((*late - *usual) * 1e3) : std::nullopt;
}

Quantity
MetricOf(const char* name, double factor)
{
    return [name, factor](const Summary& summary) -> std::optional<double>
    {
        const auto value = summary.Find(name);
        return value ? std::optional(*value * factor) : std::nullopt;
    };
}

/// One point a variant that has both; sorted by x.
Curve
CurveOf(const std::vector<VariantSummary>& variants,
        const std::string& xLabel,
        const Quantity& x,
        const std::string& yLabel,
        const Quantity& y)
{
    Curve curve{xLabel, yLabel, {}};
    for (const auto& variant : variants)
    {
        const auto at = x(variant.summary);
        const auto value = y(variant.summary);
        if (at && value)
        {
            curve.points.emplace_back(*at, *value);
        }
    }
    std::sort(curve.points.begin(), curve.points.end());
    return curve;
}

bool
Varies(const Curve& curve)
{
    return !curve.points.empty() && curve.points.front().first < curve.points.back().first;
}

} // namespace

std::vector<std::filesystem::path>
DrawFillFigures(const std::vector<VariantSummary>& variants, const std::filesystem::path& folder)
{
    constexpr double tera = 1e-12;
    constexpr double percent = 100;
    const char* jitter = "Jitter of WAN messages, p99 - p50 (ms)";
    const std::pair<const char*, Curve> figures[] = {
        {"recovered-flops",
         CurveOf(variants,
                 "GPUs",
                 GpusOf,
                 "Recovered TFLOP/s a GPU",
                 MetricOf("fill_job_flops_per_gpu", tera))},
        {"fill-share",
         CurveOf(variants,
                 jitter,
                 JitterMilliseconds,
                 "Bubble time filled (%)",
                 MetricOf("fill_job_share", percent))},
        {"fill-discarded",
         CurveOf(variants,
                 jitter,
                 JitterMilliseconds,
                 "Bubble time discarded (%)",
                 MetricOf("fill_job_discarded", percent))}};
    std::vector<std::filesystem::path> files;
    for (const auto& [name, curve] : figures)
    {
        if (Varies(curve))
        {
            const auto drawn = DrawCurve(curve, folder / name);
            files.insert(files.end(), drawn.begin(), drawn.end());
        }
    }
    return files;
}

} // namespace geotrain
