// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/fill-metrics.h"

#include "metrics/statistics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

namespace geotrain
{

namespace
{

/// Upper bounds of the classes of prompt length in tokens, and their names.
constexpr std::pair<std::uint32_t, const char*> promptClasses[] = {
    {512, "short"}, {2048, "medium"}, {UINT32_MAX, "long"}};

void
AddPercentiles(Summary& summary, const std::string& name, const std::vector<double>& seconds)
{
    for (const int percent : {50, 90, 99})
    {
        const double value = seconds.empty() ? INFINITY : Percentile(seconds, percent);
        if (std::isfinite(value))
        {
            summary.metrics.push_back({name + "_p" + std::to_string(percent), value, "s"});
        }
    }
}

/// Adds the percentiles of the time to first token over all requests, of which those that were not
/// served wait for ever. A percentile that is one of them is left out.
void
AddTtft(Summary& summary, const std::vector<ServedRequest>& requests)
{
    std::vector<double> served;
    std::vector<double> all;
    std::vector<double> transfers;
    std::vector<double> ofClass[std::size(promptClasses)];
    for (const auto& request : requests)
    {
        double seconds = INFINITY;
        if (request.outcome == trace::REQUEST_OUTCOME_SERVED)
        {
            seconds = static_cast<double>(request.firstTokenNs - request.arrivalNs) / 1e9;
            served.push_back(seconds);
            transfers.push_back(static_cast<double>(request.deliveredNs - request.firstTokenNs) /
                                1e9);
        }
        all.push_back(seconds);
        const auto of =
            std::find_if(std::begin(promptClasses),
                         std::end(promptClasses),
                         [&](const auto& entry) { return request.promptTokens <= entry.first; });
        ofClass[of - std::begin(promptClasses)].push_back(seconds);
    }
    summary.ttft = DistributionOf(served, requests.size());
    AddPercentiles(summary, "ttft", all);
    for (std::size_t i = 0; i < std::size(promptClasses); ++i)
    {
        AddPercentiles(summary, std::string("ttft_") + promptClasses[i].second, ofClass[i]);
    }
    AddPercentiles(summary, "kv_transfer", transfers);
}

/// Adds the metrics of the dedicated cluster that the bubbles replace; nothing where it would need
/// more GPUs than serve in bubbles.
void
AddDedicated(Summary& summary, const trace::DedicatedCluster& dedicated)
{
    if (dedicated.gpus() == 0)
    {
        return;
    }
    auto& metrics = summary.metrics;
    metrics.push_back({"dedicated_gpus", static_cast<double>(dedicated.gpus()), ""});
    metrics.push_back({"dedicated_served", static_cast<double>(dedicated.served()), ""});
    metrics.push_back({"dedicated_ttft_p50", SecondsOf(dedicated.ttft_p50_ns()), "s"});
    metrics.push_back({"dedicated_ttft_p90", SecondsOf(dedicated.ttft_p90_ns()), "s"});
    metrics.push_back({"dedicated_ttft_p99", SecondsOf(dedicated.ttft_p99_ns()), "s"});
}

void
AddRequests(Summary& summary, const RunTally& tally)
{
    const FillTally& fills = tally.fills;
    double outcomes[trace::RequestOutcome_ARRAYSIZE] = {};
    double met = 0;
    double tokens = 0;
    const MeasuredSpan measured = tally.Measured();
    for (const auto& request : fills.requests)
    {
        outcomes[request.outcome] += 1;
        met += request.metObjective ? 1 : 0;
        const bool isMeasured = request.outcome == trace::REQUEST_OUTCOME_SERVED &&
                                request.firstTokenNs > measured.startNs &&
                                request.firstTokenNs <= measured.endNs;
        tokens += isMeasured ? request.promptTokens : 0;
    }
    const double served = outcomes[trace::REQUEST_OUTCOME_SERVED];
    const double refused =
        outcomes[trace::REQUEST_OUTCOME_TOO_LONG] + outcomes[trace::REQUEST_OUTCOME_TOO_LATE];
    auto& metrics = summary.metrics;
    metrics.push_back({"requests", static_cast<double>(fills.requests.size()), ""});
    metrics.push_back({"requests_served", served, ""});
    metrics.push_back({"requests_too_long", outcomes[trace::REQUEST_OUTCOME_TOO_LONG], ""});
    metrics.push_back({"requests_too_late", outcomes[trace::REQUEST_OUTCOME_TOO_LATE], ""});
    metrics.push_back({"requests_unfinished", outcomes[trace::REQUEST_OUTCOME_UNFINISHED], ""});
    const auto add = [&metrics](const char* share, double part, double whole)
    {
        if (whole > 0)
        {
            metrics.push_back({share, part / whole, ""});
        }
    };
    add("requests_served_share", served, static_cast<double>(fills.requests.size()));
    add("refused_share", refused, served + refused);
    add("met_objective_share", met, served);
    add("in_time_share", met, static_cast<double>(fills.requests.size()));
    const double gpus = tally.header.serving().gpus();
    metrics.push_back(
        {"prefill_tokens_per_second_per_gpu", tokens / measured.Seconds() / gpus, ""});
    AddTtft(summary, fills.requests);
    metrics.push_back({"kv_bytes", static_cast<double>(fills.end.kv_bytes()), ""});
    metrics.push_back({"kv_packets", static_cast<double>(fills.end.kv_packets()), ""});
    metrics.push_back({"prefill_activation_bytes",
                       static_cast<double>(fills.end.prefill_activation_bytes()),
                       ""});
    AddDedicated(summary, fills.end.dedicated());
}

/// Adds what serving takes beside training's GPUs, and the utilisation over all GPUs together.
/// Decoding is not modelled, so that decode GPUs count as idle.
void
AddServingHardware(Summary& summary, const RunTally& tally)
{
    const double gpus = GpusOf(tally.header);
    const auto& serving = tally.header.serving();
    const auto decoding = static_cast<double>(serving.decode_gpus());
    const double total = summary.Find("total_utilization").value_or(0);
    auto& metrics = summary.metrics;
    metrics.push_back({"decode_gpus", decoding, ""});
    metrics.push_back({"kv_nics", static_cast<double>(serving.kv_nics()), ""});
    metrics.push_back({"total_utilization_all_gpus", total * gpus / (gpus + decoding), ""});
}

/// Adds the iteration time without fillers, and what they add to it. Where no separate run measured
/// it, fillers could not disturb training, and it is the run's own iteration time.
void
AddTimeWithout(Summary& summary, const RunTally& tally)
{
    const double with = *summary.Find("iteration_time");
    const double measured = tally.fills.end.iteration_time_without_s();
    const double without = measured > 0 ? measured : with;
    auto& metrics = summary.metrics;
    metrics.push_back({"iteration_time_without", without, "s"});
    metrics.push_back({"training_delay", with - without, "s"});
    metrics.push_back({"training_delay_share", without > 0 ? (with - without) / without : 0, ""});
}

void
AddForecast(Summary& summary, const FillTally& fills)
{
    double bubbles = 0;
    double misses = 0;
    double early = 0;
    double error = 0;
    double largest = 0;
    for (const auto& score : fills.scores)
    {
        bubbles += static_cast<double>(score.bubbles());
        misses += static_cast<double>(score.misses());
        early += static_cast<double>(score.early());
        error += static_cast<double>(score.absolute_error_ns()) / 1e9;
        largest = std::max(largest, static_cast<double>(score.largest_error_ns()) / 1e9);
    }
    auto& metrics = summary.metrics;
    metrics.push_back({"forecast_bubbles", bubbles, ""});
    metrics.push_back({"forecast_misses", misses, ""});
    metrics.push_back({"forecast_early_ends", early, ""});
    metrics.push_back({"forecast_error_mean", bubbles > 0 ? error / bubbles : 0, "s"});
    metrics.push_back({"forecast_error_max", largest, "s"});
}

void
AddLosses(Summary& summary, const RunTally& tally)
{
    const FillTally& fills = tally.fills;
    double lost = 0; // GPU-seconds
    double allocated = 0;
    const MeasuredSpan measured = tally.Measured();
    for (std::size_t worker = 0; worker < fills.spans.size(); ++worker)
    {
        const double gpus = tally.header.workers(static_cast<int>(worker)).gpus();
        allocated += gpus * measured.Seconds();
        for (const FillTime& span : fills.spans[worker])
        {
            const bool isMeasured =
                span.startNs >= measured.startNs && span.endNs <= measured.endNs;
            const auto lostNs = span.endNs - span.startNs - span.usefulNs;
            lost += isMeasured ? gpus * span.share * static_cast<double>(lostNs) / 1e9 : 0;
        }
    }
    auto& metrics = summary.metrics;
    metrics.push_back({"fill_lost_share", lost / allocated, ""});
    const double bubbles = 1 - summary.Find("gpu_utilization").value_or(1);
    if (bubbles > 0)
    {
        const double filled = summary.Find("fill_utilization").value_or(0);
        metrics.push_back({"bubble_fill_share", filled / bubbles, ""});
        metrics.push_back({"bubble_lost_share", lost / allocated / bubbles, ""});
    }
    metrics.push_back({"training_held", static_cast<double>(fills.heldNs) / 1e9, "s"});
    metrics.push_back({"training_held_max", static_cast<double>(fills.longestHoldNs) / 1e9, "s"});
    metrics.push_back({"training_holds", static_cast<double>(fills.holds), ""});
    metrics.push_back(
        {"memory_peak_bytes", static_cast<double>(fills.end.peak_memory_bytes()), ""});
}

} // namespace

void
AddFillMetrics(Summary& summary, const RunTally& tally)
{
    if (tally.fills.IsEmpty())
    {
        return;
    }
    AddForecast(summary, tally.fills);
    AddLosses(summary, tally);
    if (tally.header.has_serving())
    {
        AddTimeWithout(summary, tally);
        AddServingHardware(summary, tally);
        AddRequests(summary, tally);
    }
}

} // namespace geotrain
