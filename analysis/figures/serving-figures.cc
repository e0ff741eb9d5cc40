#include "figures/serving-figures.h"

#include "figures/curve-family-figure.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

using Points = std::vector<std::pair<double, double>>;

CurveFamily
TtftDistributions(const std::vector<VariantSummary>& variants)
{
    CurveFamily family{"Time to first token (s)", "Share of requests (%)", false, {}};
    for (const auto& variant : variants)
    {
        const auto& quantiles = variant.summary.ttftQuantiles;
        Points points;
        for (std::size_t i = 0; i < quantiles.size(); ++i)
        {
            points.emplace_back(quantiles[i],
                                100.0 * static_cast<double>(i + 1) /
                                    static_cast<double>(quantiles.size()));
        }
        if (!points.empty())
        {
            const auto degree = variant.summary.header.serving().pp_degree();
            family.curves.emplace_back(
                fmt::format(
                    "PP {}{}{}", degree, variant.variant.empty() ? "" : ": ", variant.variant),
                points);
        }
    }
    return family;
}

/// Points of the variants that have both, by x.
template <typename X, typename Y>
Points
PointsOf(const std::vector<VariantSummary>& variants, X x, Y y)
{
    Points points;
    for (const auto& variant : variants)
    {
        const std::optional<double> at = x(variant.summary);
        const std::optional<double> value = y(variant.summary);
        if (at && value)
        {
            points.emplace_back(*at, *value);
        }
    }
    std::sort(points.begin(), points.end());
    return points;
}

bool
Varies(const Points& points)
{
    return !points.empty() && points.front().first < points.back().first;
}

auto
MetricOf(const char* name, double factor)
{
    return [name, factor](const Summary& summary) -> std::optional<double>
    {
        const auto value = summary.Find(name);
        return value ? std::optional(*value * factor) : std::nullopt;
    };
}

CurveFamily
TtftAgainstRate(const std::vector<VariantSummary>& variants)
{
    CurveFamily family{"Requests (1/s)", "Time to first token (s)", true, {}};
    const auto rate = [](const Summary& summary)
    { return std::optional(summary.header.serving().requests_per_second()); };
    for (const auto& [name, metric] : {std::pair("median", "ttft_p50"), {"90 %", "ttft_p90"}})
    {
        const Points points = PointsOf(variants, rate, MetricOf(metric, 1));
        if (Varies(points))
        {
            family.curves.emplace_back(name, points);
        }
    }
    return family;
}

CurveFamily
AgainstForecastError(const std::vector<VariantSummary>& variants)
{
    CurveFamily family{"Mean error of the forecast (ms)", "Share of GPU time (%)", true, {}};
    const auto error = MetricOf("forecast_error_mean", 1e3);
    for (const auto& [name, metric] :
         {std::pair("prefills", "fill_utilization"), {"discarded", "fill_lost_share"}})
    {
        const Points points = PointsOf(variants, error, MetricOf(metric, 100));
        if (Varies(points))
        {
            family.curves.emplace_back(name, points);
        }
    }
    return family;
}

} // namespace

std::vector<std::filesystem::path>
DrawServingFigures(const std::vector<VariantSummary>& variants, const std::filesystem::path& folder)
{
    std::vector<VariantSummary> serving;
    std::copy_if(variants.begin(),
                 variants.end(),
                 std::back_inserter(serving),
                 [](const auto& variant) { return variant.summary.header.has_serving(); });
    const std::pair<const char*, CurveFamily> figures[] = {
        {"ttft-cdf", TtftDistributions(serving)},
        {"ttft-rate", TtftAgainstRate(serving)},
        {"prefill-jitter", AgainstForecastError(serving)}};
    std::vector<std::filesystem::path> files;
    for (const auto& [name, family] : figures)
    {
        if (!family.curves.empty())
        {
            const auto drawn = DrawCurveFamily(family, folder / name);
            files.insert(files.end(), drawn.begin(), drawn.end());
        }
    }
    return files;
}

} // namespace geotrain
