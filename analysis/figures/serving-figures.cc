#include "figures/serving-figures.h"

#include "figures/curve-family-figure.h"
#include "figures/metric-points.h"

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
    auto byDegree = variants;
    std::stable_sort(byDegree.begin(),
                     byDegree.end(),
                     [](const auto& a, const auto& b) {
                         return a.summary.header.serving().pp_degree() <
                                b.summary.header.serving().pp_degree();
                     });
    for (const auto& variant : byDegree)
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

/// A curve of a metric, if its points have more than one x.
void
AddCurve(CurveFamily& family, const char* name, const MetricPoints& points)
{
    if (points.Vary())
    {
        family.curves.emplace_back(name, points.points);
        family.halfWidths.push_back(points.halfWidths);
    }
}

CurveFamily
TtftAgainstRate(const std::vector<VariantSummary>& variants)
{
    CurveFamily family{"Requests (1/s)", "Time to first token (s)", true, {}};
    const auto rate = [](const Summary& summary)
    { return std::optional(summary.header.serving().requests_per_second()); };
    for (const auto& [name, metric] : {std::pair("median", "ttft_p50"), {"90 %", "ttft_p90"}})
    {
        AddCurve(family, name, PointsOf(variants, rate, metric, 1));
    }
    return family;
}

/// Shares of bubble time.
CurveFamily
FilledAgainst(const std::vector<VariantSummary>& variants,
              const char* xLabel,
              const VariantQuantity& x)
{
    CurveFamily family{xLabel, "Share of bubble time (%)", true, {}};
    if (!variants.empty())
    {
        const auto& header = variants.front().summary.header;
        family.title = fmt::format(
            "{}: {}, {} network", header.scenario(), header.serving().mode(), header.network());
    }
    for (const auto& [name, metric] :
         {std::pair("prefills", "bubble_fill_share"), {"discarded", "bubble_lost_share"}})
    {
        AddCurve(family, name, PointsOf(variants, x, metric, 100));
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
        {"prefill-jitter",
         FilledAgainst(
             serving, "Mean jitter of WAN messages (ms)", MetricOf("wan_message_jitter", 1e3))},
        {"prefill-forecast",
         FilledAgainst(
             serving, "Mean error of the forecast (ms)", MetricOf("forecast_error_mean", 1e3))}};
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
