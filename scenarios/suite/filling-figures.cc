// SPDX-License-Identifier: GPL-2.0-only
// The paper's figures about work in bubbles: prefills (BubbleTea) and fill jobs (PipeFill).
#include "suite/paper-sets.h"
#include "suite/suite-drawing.h"

#include <algorithm>
#include <iterator>
#include <utility>

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
DrawUtilizationTtft(const SuiteResults& results, const FigurePlace& place)
{
    const auto& set = results.at("prefills");
    std::vector<SuiteCurve> curves;
    for (std::size_t series = 0; series < set.Set().series.size(); ++series)
    {
        curves.push_back(MetricAgainst(set, series, "total_utilization", 100, "ttft_all_p50"));
    }
    DrawSuiteCurves({"GPU utilization, training and prefills (%)", "Median TTFT (s)"},
                    curves,
                    place);
}

void
DrawUtilizationObjective(const SuiteResults& results, const FigurePlace& place)
{
    const auto& set = results.at("prefill-objectives");
    std::vector<SuiteCurve> curves;
    for (std::size_t series = 0; series < set.Set().series.size(); ++series)
    {
        for (const auto& [name, metric] : {std::pair("GPU time used", "total_utilization"),
                                           std::pair("first tokens in time", "in_time_share")})
        {
            auto curve = set.Curve(series, metric, 100);
            curve.title += std::string(", ") + name;
            curves.push_back(std::move(curve));
        }
    }
    DrawSuiteCurves(
        {"Objective for the time to first token (s)", "GPU time, and requests (%)"}, curves, place);
}

void
DrawTtftDistributions(const SuiteResults& results, const FigurePlace& place)
{
    const auto& set = results.at("prefills");
    const auto point = set.PointOf("10");
    std::vector<SuiteCurve> curves;
    for (std::size_t series = 0; series < set.Set().series.size(); ++series)
    {
        curves.push_back({set.Set().series[series].title,
                          StairsOf(Pooled(set.SeedsAt(series, point), &Summary::ttft)),
                          {}});
    }
    SuiteCurveLabels labels{"Time to first token (s)", "Share of all requests (%)"};
    labels.look = CurveLook::Stairs;
    labels.leastTop = 100;
    DrawSuiteCurves(labels, curves, place);
}

void
DrawFillGain(const SuiteResults& results, const FigurePlace& place)
{
    SuiteCurveLabels labels{"GPUs", "Fill jobs' FLOP/s (% of training's)"};
    labels.published = {{"PipeFill: 5-15 % at low scale", {{1024, 10}}, {5}},
                        {"PipeFill: up to 63 % at 8K", {{8192, 63}}, {}}};
    DrawSuiteCurves(labels, results.at("fill-gpus").Curves("fill_job_gain", 100), place);
}

void
DrawFillFlops(const SuiteResults& results, const FigurePlace& place)
{
    DrawSuiteCurves({"GPUs", "Recovered TFLOP/s per GPU"},
                    results.at("fill-gpus").Curves("fill_job_flops_per_gpu", 1e-12),
                    place);
}

constexpr const char* prefillSetting =
    "Three data centres with a round trip of 40 ms, 1F1B with twice the warm-up and temporal sharing; "
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
         std::string(prefillSetting) +
             " A point per rate of requests. A request that was not served waits for ever, so that "
             "a rate of which half are not has no point.",
         {"prefills"},
         DrawUtilizationTtft},
        {"utilization-objective",
         "How much of the GPUs do prefills fill, and how many requests are in time, under an "
         "objective?",
         std::string(prefillSetting) + " A request whose first token can't be in time is refused; "
                                       "refused and unfinished requests count as not in time.",
         {"prefill-objectives"},
         DrawUtilizationObjective},
        {"ttft-cdf",
         "How is the time to first token distributed at 10 requests per second?",
         std::string(prefillSetting) + " Requests that were not served count in the whole.",
         {"prefills"},
         DrawTtftDistributions},
        {"fill-gain",
         "How much work do fill jobs recover from bubbles as a job of the same batch grows?",
         std::string(fillSetting) + " The gain depends on the kind of job: every kind that fits a "
                                    "GPU in equal shares, and the kinds that recover least and "
                                    "most. PipeFill's figures are from its abstract.",
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
