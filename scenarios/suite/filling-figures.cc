// SPDX-License-Identifier: GPL-2.0-only
// The paper's figures about work in bubbles: prefills (BubbleTea) and fill jobs (PipeFill).
#include "suite/paper-sets.h"
#include "suite/suite-drawing.h"

#include <algorithm>
#include <iterator>

namespace geotrain
{

namespace
{

/// Returns `yMetric` against `factor` times `xMetric` of a series, a point per point of the set.
SuiteCurve
MetricAgainst(const SetResults& set,
              std::size_t series,
              const std::string& xMetric,
              double factor,
              const std::string& yMetric)
{
    const auto x = set.Curve(series, xMetric, factor);
    const auto y = set.Curve(series, yMetric);
    SuiteCurve curve{y.title, {}, {}};
    for (std::size_t i = 0; i < y.points.size(); ++i)
    {
        const auto found = std::find_if(x.points.begin(),
                                        x.points.end(),
                                        [&](const auto& point)
                                        { return point.first == y.points[i].first; });
        if (found != x.points.end())
        {
            curve.points.emplace_back(found->second, y.points[i].second);
            if (!y.halfWidths.empty())
            {
                curve.halfWidths.push_back(y.halfWidths[i]);
            }
        }
    }
    return curve;
}

void
DrawUtilizationTtft(const SuiteResults& results, const std::filesystem::path& stem)
{
    const auto& set = results.at("prefills");
    std::vector<SuiteCurve> curves;
    for (std::size_t series = 0; series < set.Set().series.size(); ++series)
    {
        curves.push_back(MetricAgainst(set, series, "total_utilization", 100, "ttft_p50"));
    }
    DrawSuiteCurves({"GPU utilization, training and prefills (%)", "Median TTFT (s)"},
                    curves,
                    stem);
}

/// Returns the distribution over all requests of all seeds. It stays below 100 % where requests were
/// not served.
SuiteCurve
DistributionOfTtft(const std::vector<Summary>& seeds, const std::string& title)
{
    double requests = 0;
    std::vector<std::pair<double, double>> steps; // TTFT, and the requests that a step stands for
    for (const auto& summary : seeds)
    {
        requests += summary.Find("requests").value_or(0);
        const double served = summary.Find("requests_served").value_or(0);
        for (const double seconds : summary.ttftQuantiles)
        {
            steps.emplace_back(seconds,
                               served / static_cast<double>(summary.ttftQuantiles.size()));
        }
    }
    std::sort(steps.begin(), steps.end());
    SuiteCurve curve{title, {{0, 0}}, {}};
    double below = 0;
    for (const auto& [seconds, count] : steps)
    {
        curve.points.emplace_back(seconds, 100 * below / requests);
        below += count;
        curve.points.emplace_back(seconds, 100 * below / requests);
    }
    return curve;
}

void
DrawTtftDistributions(const SuiteResults& results, const std::filesystem::path& stem)
{
    const auto& set = results.at("prefills");
    const auto point = set.PointOf("10");
    std::vector<SuiteCurve> curves;
    for (std::size_t series = 0; series < set.Set().series.size(); ++series)
    {
        if (!set.SeedsAt(series, point).empty())
        {
            curves.push_back(DistributionOfTtft(set.SeedsAt(series, point),
                                                set.Set().series[series].title));
        }
    }
    SuiteCurveLabels labels{"Time to first token (s)", "Share of all requests (%)"};
    labels.hasPoints = false;
    DrawSuiteCurves(labels, curves, stem);
}

void
DrawFillGain(const SuiteResults& results, const std::filesystem::path& stem)
{
    SuiteCurveLabels labels{"GPUs", "Fill jobs' FLOP/s (% of training's)"};
    labels.published = {{"PipeFill: 5-15 % at low scale", {{1024, 10}}, {5}},
                        {"PipeFill: up to 63 % at 8K", {{8192, 63}}, {}}};
    DrawSuiteCurves(labels, results.at("fill-gpus").Curves("fill_job_gain", 100), stem);
}

void
DrawFillFlops(const SuiteResults& results, const std::filesystem::path& stem)
{
    DrawSuiteCurves({"GPUs", "Recovered TFLOP/s per GPU"},
                    results.at("fill-gpus").Curves("fill_job_flops_per_gpu", 1e-12),
                    stem);
}

constexpr const char* prefillSetting =
    "The training of iteration-rtt at 40 ms, 1F1B with twice the warm-up and temporal sharing; "
    "prompts with the lengths of Azure's code trace, prefilled by Llama-3 8B on 1, 2 or 4 GPUs of a "
    "data centre. Means and 95 % intervals over seeds.";

constexpr const char* fillSetting =
    "A 40B model on V100, TP 8 x PP 16, with 64 / 32 / 16 / 8 microbatches at 1K / 2K / 4K / 8K GPUs, "
    "as PipeFill simulates it (MLSys'25, arXiv 2410.07192); 68 % of a bubble may be filled. Means over "
    "seeds.";

} // namespace

std::vector<SuiteFigure>
FillingFigures()
{
    return {
        {"utilization-ttft",
         "How long do prompts wait for their first token as prefills fill the GPUs?",
         std::string(prefillSetting) + " A point per rate of requests.",
         {"prefills"},
         DrawUtilizationTtft},
        {"ttft-cdf",
         "How is the time to first token distributed at 10 requests per second?",
         std::string(prefillSetting) + " Requests of all seeds; those that were not served count in "
                                       "the whole.",
         {"prefills"},
         DrawTtftDistributions},
        {"fill-gain",
         "How much work do fill jobs recover from bubbles as a job of the same batch grows?",
         std::string(fillSetting) + " PipeFill's figures are from its abstract.",
         {"fill-gpus"},
         DrawFillGain},
        {"fill-flops",
         "How many FLOP/s per GPU do fill jobs recover?",
         fillSetting,
         {"fill-gpus"},
         DrawFillFlops},
    };
}

} // namespace geotrain
