// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/metric-names.h"

#include "metrics/size-classes.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace geotrain
{

namespace
{

constexpr const char* analyticPrefix = "analytic_";

bool
HasName(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool
BeginsWith(const std::string& text, const std::string& start)
{
    return text.rfind(start, 0) == 0;
}

bool
EndsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

const std::vector<std::string>&
MetricNames()
{
    static const std::vector<std::string> names{
        "bottleneck_utilization",
        "bubble_fill_share",
        "bubble_lost_share",
        "completion_time_mean",
        "completion_time_p50",
        "completion_time_p99",
        "convergence_time",
        "decode_gpus",
        "dedicated_gpus",
        "dedicated_served",
        "dedicated_ttft_p50",
        "dedicated_ttft_p90",
        "dedicated_ttft_p99",
        "dropped_packets",
        "fill_job_completion_p50",
        "fill_job_completion_p90",
        "fill_job_deadlines_met",
        "fill_job_discarded",
        "fill_job_flops_per_gpu",
        "fill_job_gain",
        "fill_job_gpus_worth",
        "fill_job_share",
        "fill_jobs_ended",
        "fill_jobs_refused",
        "fill_lost_share",
        "fill_utilization",
        "forecast_bubbles",
        "forecast_early_ends",
        "forecast_error_max",
        "forecast_error_mean",
        "forecast_misses",
        "goodput",
        "goodput_over_capacity",
        "gpu_utilization",
        "idle_all_reduce",
        "idle_fill_drain",
        "idle_forward_backward",
        "idle_imbalance",
        "idle_local",
        "idle_wan",
        "idle_wan_propagation",
        "idle_wan_queueing",
        "idle_wan_serialisation",
        "idle_wan_turn",
        "idle_wan_window",
        "in_time_share",
        "intra_dc_bytes",
        "iteration_time",
        "iteration_time_without",
        "jain_index",
        "jain_index_rival",
        "job_fairness",
        "joins_converged",
        "kv_bytes",
        "kv_nics",
        "kv_packets",
        "kv_transfer_p50",
        "kv_transfer_p90",
        "kv_transfer_p99",
        "leave_convergence_time",
        "leaves_converged",
        "mean_queueing_delay",
        "memory_peak_bytes",
        "messages",
        "met_objective_share",
        "mfu",
        "packets_intra_dc",
        "packets_wan",
        "prefill_activation_bytes",
        "prefill_tokens_per_second_per_gpu",
        "queue_delay_p50",
        "queue_delay_p95",
        "queue_delay_p99",
        "refused_share",
        "requests",
        "requests_served",
        "requests_too_late",
        "requests_too_long",
        "requests_unfinished",
        "response_time",
        "retransmitted_bytes",
        "retransmitted_share",
        "rival_goodput_over_capacity",
        "simulated_time",
        "slowdown",
        "tokens_per_gpu",
        "total_utilization",
        "total_utilization_all_gpus",
        "training_delay",
        "training_delay_share",
        "training_held",
        "training_held_max",
        "training_holds",
        "training_slowdown",
        "ttft_all_p50",
        "ttft_all_p90",
        "ttft_long_p50",
        "ttft_long_p90",
        "ttft_long_p99",
        "ttft_medium_p50",
        "ttft_medium_p90",
        "ttft_medium_p99",
        "ttft_p50",
        "ttft_p90",
        "ttft_p99",
        "ttft_short_p50",
        "ttft_short_p90",
        "ttft_short_p99",
        "wan_bytes",
        "wan_fairness",
        "wan_message_jitter",
        "wan_message_p50",
        "wan_message_p99",
        "wan_utilization",
        "warnings",
    };
    return names;
}

const std::vector<std::string>&
FlowMetricPrefixes()
{
    static const std::vector<std::string> prefixes{"goodput_",
                                                   "share_",
                                                   "retransmitted_share_",
                                                   "rtt_p50_",
                                                   "rtt_p95_",
                                                   "completion_time_p50_",
                                                   "completion_time_p99_"};
    return prefixes;
}

bool
IsShare(const std::string& name)
{
    constexpr const char* starts[] = {"idle_", "share_", "retransmitted_share_"};
    constexpr const char* ends[] = {
        "utilization", "utilization_all_gpus", "_share", "_over_capacity", "_converged"};
    const auto begins = [&](const char* start) { return BeginsWith(name, start); };
    const auto isEnd = [&](const char* end) { return EndsWith(name, end); };
    return name == "mfu" || std::any_of(std::begin(starts), std::end(starts), begins) ||
           std::any_of(std::begin(ends), std::end(ends), isEnd);
}

double
LargestOf(const std::string& name)
{
    const bool isIndex =
        BeginsWith(name, "jain_index") || name == "wan_fairness" || name == "job_fairness";
    return isIndex || IsShare(name) ? 1 : std::numeric_limits<double>::infinity();
}

bool
IsMetricName(const std::string& name, const std::vector<std::string>& flows)
{
    const auto isOfFlow = [&](const std::string& prefix)
    { return BeginsWith(name, prefix) && HasName(flows, name.substr(prefix.size())); };
    const auto& prefixes = FlowMetricPrefixes();
    return HasName(MetricNames(), name) || HasName(SizeClassMetricNames(), name) ||
           BeginsWith(name, analyticPrefix) ||
           std::any_of(prefixes.begin(), prefixes.end(), isOfFlow);
}

} // namespace geotrain
