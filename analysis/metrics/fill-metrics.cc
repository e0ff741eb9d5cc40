// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/fill-metrics.h"

#include "metrics/decode-time.h"
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
AddPercentiles(Summary& summary, const std::string& name, const std::vector<LifeTime>& times)
{
    for (const int percent : {50, 90, 99})
    {
        if (const auto value = CensoredPercentile(times, percent))
        {
            summary.metrics.push_back({name + "_p" + std::to_string(percent), *value, "s"});
        }
    }
}

/// Adds the percentiles of the time to first token over all requests. Of one that had not ended when
/// the run did, no more is known than that it takes longer; one that was refused waits for ever.
void
AddTtft(Summary& summary, const FillTally& fills)
{
    std::vector<double> served;
    std::vector<LifeTime> all;
    std::vector<LifeTime> transfers;
    std::vector<LifeTime> ofClass[std::size(promptClasses)];
    for (const auto& request : fills.requests)
    {
        LifeTime life{INFINITY, false};
        if (request.outcome == trace::REQUEST_OUTCOME_SERVED)
        {
            life.value = SecondsOf(request.firstTokenNs - request.arrivalNs);
            served.push_back(life.value);
            transfers.push_back({SecondsOf(request.deliveredNs - request.firstTokenNs), false});
        }
        else if (request.outcome == trace::REQUEST_OUTCOME_UNFINISHED)
        {
            life = {SecondsOf(fills.end.simulated_time_ns() - request.arrivalNs), true};
        }
        all.push_back(life);
        const auto of =
            std::find_if(std::begin(promptClasses),
                         std::end(promptClasses),
                         [&](const auto& entry) { return request.promptTokens <= entry.first; });
        ofClass[of - std::begin(promptClasses)].push_back(life);
    }
    summary.ttft = DistributionOf(served, fills.requests.size());
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

/// Returns the prompt tokens of the prefills that ended in the measured span.
double
TokensOf(const std::vector<ServedRequest>& requests, const MeasuredSpan& measured)
{
    double tokens = 0;
    for (const auto& request : requests)
    {
        const bool isMeasured = request.outcome == trace::REQUEST_OUTCOME_SERVED &&
                                request.firstTokenNs > measured.startNs &&
                                request.firstTokenNs <= measured.endNs;
        tokens += isMeasured ? request.promptTokens : 0;
    }
    return tokens;
}

/// Adds the share of the promised times to first token that were kept, over the requests whose
/// promise fell due while the run lasted.
void
AddPromises(Summary& summary, const FillTally& fills)
{
    double due = 0;
    double kept = 0;
    for (const auto& request : fills.requests)
    {
        const bool isServed = request.outcome == trace::REQUEST_OUTCOME_SERVED;
        if (request.promisedNs > 0 &&
            (isServed || request.promisedNs < fills.end.simulated_time_ns()))
        {
            due += 1;
            kept += isServed && request.firstTokenNs <= request.promisedNs ? 1 : 0;
        }
    }
    if (due > 0)
    {
        summary.metrics.push_back({"promise_kept_share", kept / due, ""});
    }
}

void
AddRequests(Summary& summary, const RunTally& tally)
{
    const FillTally& fills = tally.fills;
    double outcomes[trace::RequestOutcome_ARRAYSIZE] = {};
    double met = 0;
    const MeasuredSpan measured = tally.Measured();
    for (const auto& request : fills.requests)
    {
        outcomes[request.outcome] += 1;
        met += request.metObjective ? 1 : 0;
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
    const double tokens = TokensOf(fills.requests, measured) / measured.Seconds();
    const double offline = TokensOf(fills.offline, measured) / measured.Seconds();
    metrics.push_back({"prefill_tokens_per_second", tokens, ""});
    metrics.push_back({"offline_tokens_per_second", offline, ""});
    metrics.push_back({"prefill_tokens_per_second_per_gpu", (tokens + offline) / gpus, ""});
    AddTtft(summary, fills);
    AddPromises(summary, fills);
    metrics.push_back({"kv_bytes", static_cast<double>(fills.end.kv_bytes()), ""});
    metrics.push_back({"kv_packets", static_cast<double>(fills.end.kv_packets()), ""});
    metrics.push_back({"prefill_activation_bytes",
                       static_cast<double>(fills.end.prefill_activation_bytes()),
                       ""});
    AddDedicated(summary, fills.end.dedicated());
}

/// Returns what the decode nodes do with all prefills that ended, offline ones too.
DecodeResult
Decoded(const RunTally& tally)
{
    const auto& serving = tally.header.serving();
    std::vector<DecodedRequest> requests;
    for (const auto* ended : {&tally.fills.requests, &tally.fills.offline})
    {
        for (const ServedRequest& request : *ended)
        {
            if (request.outcome == trace::REQUEST_OUTCOME_SERVED)
            {
                requests.push_back({SecondsOf(request.deliveredNs), request.promptTokens});
            }
        }
    }
    std::sort(requests.begin(),
              requests.end(),
              [](const auto& a, const auto& b) { return a.atSeconds < b.atSeconds; });
    const MeasuredSpan measured = tally.Measured();
    return DecodeRequests(
        requests,
        serving.output_tokens(),
        std::vector<DecodeNode>(serving.decode_nodes(),
                                {serving.decode_step_s(), serving.decode_token_s()}),
        {SecondsOf(measured.startNs), SecondsOf(measured.endNs)});
}

/// Adds what serving takes beside training's GPUs, and the utilisation over all GPUs together.
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
    double decoded = 0; // GPUs' worth
    if (serving.decode_nodes() > 0)
    {
        const DecodeResult result = Decoded(tally);
        decoded = result.utilization * decoding;
        metrics.push_back({"decode_utilization", result.utilization, ""});
        metrics.push_back({"decode_time_per_token", result.secondsPerToken, "s"});
    }
    metrics.push_back(
        {"total_utilization_all_gpus", (total * gpus + decoded) / (gpus + decoding), ""});
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
    double lost = 0;    // GPU-seconds
    double offline = 0; // GPU-seconds
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
            offline += isMeasured && span.isOffline
                           ? gpus * span.share * static_cast<double>(span.usefulNs) / 1e9
                           : 0;
        }
    }
    auto& metrics = summary.metrics;
    metrics.push_back({"fill_lost_share", lost / allocated, ""});
    metrics.push_back({"offline_utilization", offline / allocated, ""});
    const double bubbles = 1 - summary.Find("gpu_utilization").value_or(1);
    if (bubbles > 0)
    {
        const double filled = summary.Find("fill_utilization").value_or(0);
        metrics.push_back({"bubble_fill_share", filled / bubbles, ""});
        metrics.push_back({"bubble_lost_share", lost / allocated / bubbles, ""});
    }
    metrics.push_back({"training_held", static_cast<double>(fills.heldNs) / 1e9, "s"});
    metrics.push_back(
        {"training_held_work", static_cast<double>(fills.heldNs - fills.stopNs) / 1e9, "s"});
    metrics.push_back({"training_held_stops", static_cast<double>(fills.stopNs) / 1e9, "s"});
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
